"""A player who must act is notified by a new message, only once until they act; and commands move boards down."""

import pytest

from playground.chats import Chat
from playground.groups import Group
from playground.messages import Message
from playground.people import Person
from tests.people import (
    begun,
    begun_by_link,
    data_of,
    is_board,
    mentioned,
    offered,
    position_of,
    put,
    put_out_of_sight,
)
from tests.world import World

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def a_minute_passes(oxo: World, chat: Chat) -> None:
    await oxo.has_settled(chat)
    await oxo.skip(60)


def boards_of(chat: Chat) -> list[Message]:
    return [message for message in chat.messages.values() if is_board(message) and not message.deleted]


async def moved(person: Person, board: Message, cell: int) -> None:
    answer = await person.tap(board, data=data_of(board, cell))
    assert answer.text is None, answer.text


async def test_somebody_who_is_not_looking_gets_the_board_again_once(
    shared: World, ann: Person, bo: Person
) -> None:
    hers, his = await begun_by_link(ann, bo)
    await a_minute_passes(shared, bo.private)
    await moved(ann, hers, 4)
    below = await bo.private.wait_for(is_board, after=his)
    assert position_of(below).ply == 1
    await his.until(lambda message: message.deleted)
    await a_minute_passes(shared, bo.private)
    await hers.until(lambda message: "Undo" in offered(message))
    await ann.tap(hers, "Undo")
    await below.until(lambda message: "Ann" in message.text and len(message.labels) == 5)
    assert boards_of(bo.private) == [below], "a second call would come before he has acted"
    await bo.tap(below, below.labels[4][0])
    await hers.until(lambda message: position_of(message).ply == 0)
    await a_minute_passes(shared, bo.private)
    await moved(ann, hers, 0)
    again = await bo.private.wait_for(is_board, after=below)
    assert position_of(again).ply == 1


async def test_in_a_group_only_people_who_want_that_are_called(
    shared: World, ann: Person, bo: Person, cem: Person, group: Group
) -> None:
    board = await begun(ann, bo, group)
    await a_minute_passes(shared, group)
    await put(ann, board, 4)
    assert boards_of(group) == [board]
    await bo.ask("/notify on")
    await put(bo, board, 0)
    await cem.say("chatter", in_=group)
    await a_minute_passes(shared, group)
    await moved(ann, board, 8)
    below = await group.wait_for(is_board, after=board)
    assert mentioned(below) == [bo.id]
    await board.until(lambda message: message.deleted)
    assert boards_of(group) == [below], "one message for one game"
    await a_minute_passes(shared, group)
    await put(bo, below, 2)
    assert boards_of(group) == [below], "Ann has not asked for it"


async def test_a_command_brings_a_board_down_that_is_out_of_sight(
    shared: World, ann: Person, bo: Person, cem: Person, group: Group
) -> None:
    board = await begun(ann, bo, group)
    sent = len(shared.sent(group))
    await ann.say("centre", in_=group, reply_to=board)
    await board.until(lambda message: position_of(message).ply == 1)
    await ann.say("/resign", in_=group)
    await board.until(lambda message: "really want to resign" in message.text)
    assert len(shared.sent(group)) == sent, "it is in sight, and nothing else is said"
    for _ in range(2):  # asked twice, moved down twice
        await put_out_of_sight(board, cem)
        below = await group.wait_for(is_board, after=await ann.say("/resign", in_=group))
        assert "really want to resign" in below.text
        await board.until(lambda message: message.deleted)
        board = below
    await put_out_of_sight(board, cem)
    last = await group.wait_for(is_board, after=await bo.say("/move b1", in_=group))
    assert position_of(last).ply == 2
    await board.until(lambda message: message.deleted)
    assert boards_of(group) == [last]

"""A board that was sent twice because the first answer was lost: one of the two is deleted."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from playground import Playground
from playground.chats import Chat, Topic
from playground.messages import Message
from tests.faults.crowd import is_board
from tests.faults.test_one_bot import Room
from tests.flights import SEND
from tests.world import world


@pytest.fixture
async def room(sqlite_url: str) -> AsyncIterator[Room]:
    """A setup of the test's own."""
    async with Playground() as playground, world(playground, sqlite_url) as rooms:
        yield Room(rooms, await rooms.start())


async def twins(room: Room, chat: Chat, topic: Topic | None = None) -> list[Message]:
    """Two boards of one game: the first was sent, but a gateway answered 502."""
    room.playground.faults.add(kind="answer_after", method=SEND, status=502, body=b"<html>", times=1)
    await room.ann.say("/newgame easy me", in_=chat, topic=topic)
    await room.house.given(room.bot)
    await room.house.quiet()
    return boards_in(chat)


def boards_in(chat: Chat) -> list[Message]:
    return [message for message in chat.messages.values() if is_board(message) and not message.deleted]


@pytest.mark.parametrize("where", ["group", "private chat", "topic"])
@pytest.mark.parametrize("tapped", ["older", "newer"])
async def test_the_tap_counts_and_the_twin_goes(room: Room, where: str, tapped: str) -> None:
    room.ann.started = True
    chat: Chat = room.group if where == "group" else room.ann.private
    topic = None
    if where == "topic":
        chat = forum = room.playground.add_group("Forum", [room.ann], forum=True)
        topic = forum.add_topic("Games")
    older, newer = await twins(room, chat, topic)
    assert newer.thread == older.thread
    assert await room.put(room.ann, older if tapped == "older" else newer, 4) is None
    await room.house.quiet()
    assert room.house.newest().game.ply == 2, "the tap counts as one on the board"
    assert await room.put(room.ann, newer, 8 if room.moves()[0][1] != "8" else 7) is None
    if tapped == "newer":
        assert await room.put(room.ann, older, 4) is not None, "a stale tap changes nothing"
    await room.house.quiet()
    assert boards_in(chat) == [newer]
    assert not room.house.wrong()


@pytest.mark.parametrize(("words", "label"), [("ultimate", "•"), ("", "Board")])
async def test_turning_the_page_of_a_twin_turns_the_board_and_the_twin_goes(
    room: Room, words: str, label: str
) -> None:
    room.playground.faults.add(kind="answer_after", method=SEND, status=502, body=b"<html>", times=1)
    await room.said(room.ann, f"/newgame {words} easy me", room.group)
    await room.house.quiet()
    older, newer = (message for message in room.group.messages.values() if message.from_bot)
    before = newer.labels
    button = next(each for row in newer.keyboard for each in row if label in each["text"])
    assert await room.tapped(room.ann, older, str(button["callback_data"])) is None
    await room.house.quiet()
    assert [message for message in room.group.messages.values() if message.from_bot] == [newer]
    assert newer.labels != before
    assert not room.house.wrong()

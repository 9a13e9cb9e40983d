"""/play over HTTP: two people who look for an opponent each get a board; people who are gone hold nobody up."""

from __future__ import annotations

import asyncio
from typing import TypeAlias

import pytest
import pytest_asyncio

from bot.boards.buttons import FindOpponent, write
from bot.features.privacy.pages import CLOSED
from bot.game.matchmaking import PlayMeanwhile
from bot.game.questions import Resign
from playground.chats import Chat, Message
from playground.groups import Group
from playground.people import Person
from tests.carried import actions_on
from tests.people import (
    X_WINS,
    data_of,
    is_board,
    is_chinese,
    offered,
    plain,
    played_both,
    pressed,
    put_both,
    told,
)
from tests.world import World

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(autouse=True, loop_scope="module")
async def nobody_waits(shared: World) -> None:
    """People whom an earlier test left in the queue leave it, so that tests don't interfere."""
    for person in list(shared.playground.people.values()):
        if any(is_waiting(message) for message in shown(person.private)) and not person.blocked_bot:
            await person.say("/leave")
            await shared.has_answered(person.private, person)


def shown(chat: Chat) -> list[Message]:
    return [message for message in chat.messages.values() if message.from_bot and not message.deleted]


def is_waiting(message: Message) -> bool:
    return any(isinstance(action, PlayMeanwhile) for action, _ in actions_on(message))


def is_game(message: Message) -> bool:
    return any(isinstance(action, Resign) for action, _ in actions_on(message))


async def met(ann: Person, bo: Person, words: str = "") -> tuple[Message, Message]:
    """Ann and Bo look for an opponent, and are paired; returns their boards."""
    waiting = await ann.ask(f"/play {words}".strip())
    assert is_waiting(waiting)
    hers = asyncio.ensure_future(ann.private.wait_for(is_game, after=waiting))
    his = await bo.ask(f"/play {words}".strip())
    await hers
    await waiting.until(lambda message: message.deleted)
    return hers.result(), his


Seat: TypeAlias = tuple[Person, Message]


def mover_first(ann: Person, hers: Message, bo: Person, his: Message) -> tuple[Seat, Seat]:
    """Both with their boards, the player who moves first first."""
    return ((ann, hers), (bo, his)) if hers.text.startswith("Your turn") else ((bo, his), (ann, hers))


async def test_two_people_looking_for_an_opponent_meet_and_play_a_game_to_its_end(
    shared: World, ann: Person, bo: Person
) -> None:
    await ann.ask("/newgame easy")  # which hinders nobody
    hers, his = await met(ann, bo)
    silent = [
        [call.parameters.get("disable_notification") for call in shared.sent(each.private)] for each in (ann, bo)
    ]
    assert silent == [[True, True, None], [True]], "whoever has waited is called"
    assert "(1500?)" in plain(hers)
    assert "You (" not in plain(hers)
    assert "小波" in plain(hers)
    assert is_chinese(plain(his).splitlines()[1])
    await played_both(*mover_first(ann, hers, bo, his), X_WINS)
    assert write(FindOpponent("3x3x3")) in str(hers.keyboard), "a person can look for another opponent"
    assert "Rematch" in offered(hers)
    bo.rename("小波", None, f"bo_{bo.id}", "zh-hans")
    await bo.ask("/stats")
    for command in ("stats", "block", "unblock"):
        theirs, nobodys = [await ann.ask(f"/{command} @{name}") for name in (bo.username, "nobody_has_this_name")]
        assert theirs.text == nobodys.text, "who tries usernames learns nothing"


async def test_a_waiting_person_is_told_the_typical_wait_or_that_it_is_unknown(shared: World, ann: Person) -> None:
    assert "Nobody else is looking for 6×6" in (await ann.ask("/play 6x6x5")).text
    for number in range(3):
        one, other = (shared.playground.add_person(f"P{number}{side}", started=True) for side in "ab")
        await met(one, other, "7x7x5")
    said = await ann.ask("/play 7x7x5")
    assert "Typical wait" in said.text
    assert "7×7" in said.text


async def test_leaving_is_one_tap_and_a_command(shared: World, ann: Person, bo: Person) -> None:
    waiting = await ann.ask("/play")
    leave = str(waiting.button("Leave")["callback_data"])
    assert (await ann.tap(waiting, "Leave")).text is None, "its message says so"
    await waiting.until(lambda message: "You've stopped looking" in message.text)
    assert offered(waiting) == {"Look again"}
    assert "not looking" in await told(ann, waiting, data=leave)
    for word in ("/leave", "/cancel"):
        again = await ann.ask("/play")
        said = await ann.say(word)
        await again.until(lambda message: "You've stopped looking" in message.text)
        await shared.has_answered(ann.private, ann)
        later = [each for each in ann.private.messages.values() if each.from_bot and each.id > said.id]
        assert len(later) == 1, "its message says so, and only that"
    assert is_waiting(await bo.ask("/play")), "there is nobody for Bo to play"


async def test_somebody_already_playing_gets_that_board(ann: Person, bo: Person) -> None:
    hers, his = await met(ann, bo)
    said = await ann.say("/play")
    words = await ann.private.wait_for(lambda message: "You're already playing" in message.text, after=said)
    assert "小波" in plain(words)
    below = next(message for message in shown(ann.private) if is_board(message) and message.id > hers.id)
    (x, x_board), (_, o_board) = mover_first(ann, below, bo, his)
    await put_both(x, x_board, o_board, 4)


async def test_another_board_can_be_chosen_while_one_waits(ann: Person, bo: Person) -> None:
    waiting = await ann.ask("/play")
    for labels in (
        ("Board: 3×3", "6×6"),
        ("Board: 6×6", "Any"),
        ("Board: Any", "More", "‹ Back", "✓ Any"),
    ):
        for label in labels:
            await pressed(ann, waiting, label)
    assert "any board" in waiting.text
    assert "Board: Any" in offered(waiting)
    await pressed(ann, waiting, "Board: Any")
    await ann.tap(waiting, "5×5")
    await waiting.until(lambda message: "Board: 5×5" in offered(message))
    other = await bo.ask("/play 4x4")
    await pressed(ann, waiting, "Board: 5×5")
    await ann.tap(waiting, "4×4")
    await other.until(lambda message: message.deleted or "4×4" in message.text)
    assert "小波" in plain(await ann.private.wait_for(is_game))


@pytest.mark.parametrize("words", ["", " 8x8", " any"])
async def test_a_wait_that_is_asked_for_again_comes_down_in_one_call(shared: World, words: str) -> None:
    fay = shared.playground.add_person("Fay", started=True)
    waiting = await fay.ask("/play 7x7")
    for call in ("sendMessage", "editMessageText"):
        assert len(shared.playground.calls_of(call, chat=fay.private)) == (call == "sendMessage")
    again = await fay.ask(f"/play{words}")
    await waiting.until(lambda message: message.deleted)
    await shared.has_settled(fay.private)
    assert is_waiting(again)
    assert len(shared.playground.calls_of("sendMessage", chat=fay.private)) == 2
    assert not shared.playground.calls_of("editMessageText", chat=fay.private)
    await fay.tap(again, "Leave")


async def test_in_a_group_it_gives_a_link_into_the_private_chat(ann: Person, bo: Person, group: Group) -> None:
    said = await ann.ask("/play 5x5", in_=group)
    assert "private chat" in said.text
    url = str(said.keyboard[0][0]["url"])
    assert url.endswith("?start=play-5x5x4")
    assert is_chinese(await told(bo, said, data=write(FindOpponent())))
    sent = ann.start(url.partition("start=")[2])
    assert is_waiting(await ann.private.wait_for(after=sent))
    assert "5×5" in (await ann.ask("/play")).text, "the board that they're waiting for stays"


async def test_nobody_waits_for_somebody_who_has_blocked_the_bot(shared: World, ann: Person, bo: Person) -> None:
    waiting = await bo.ask("/play")
    bo.block()
    await shared.has_answered(ann.private, ann)
    hers = await ann.ask("/play")
    assert is_waiting(hers), "Telegram says at once who blocks the bot"
    assert not waiting.deleted
    bo.block(on=False)
    assert is_board(await bo.ask("/play"))


@pytest.mark.parametrize("way", ["blocks the bot", "is forgotten", "is gone without a word"])
async def test_whoever_goes_before_they_move_gives_the_opponent_their_old_place_back(
    shared: World, ann: Person, bo: Person, dee: Person, way: str
) -> None:
    if way == "is gone without a word":
        assert is_waiting(await bo.ask("/play"))
        bo.blocked_bot = True  # Telegram hasn't told anybody yet
        hers = await ann.ask("/play")
        await shared.pass_by(10)  # Telegram is asked a second time
    else:
        hers, _ = await met(ann, bo)
        if way == "blocks the bot":
            bo.block()
        else:
            await bo.ask("/forget")
            await bo.say("/forget yes")
    await hers.until(is_waiting, within=60)
    assert "Looking for an opponent" in hers.text
    bo.blocked_bot = False
    theirs = await dee.ask("/play")
    assert is_game(theirs)
    assert "Ann" in plain(theirs)


@pytest.mark.parametrize("moves", [0, 1, 2])
async def test_nobody_who_is_forgotten_in_the_middle_of_a_game_is_blamed_for_it(
    shared: World, ann: Person, dee: Person, moves: int
) -> None:
    hers, theirs = await met(dee, ann)
    first, other = mover_first(dee, hers, ann, theirs)
    await played_both(first, other, (4, 0)[:moves])
    await shared.forgets(dee)
    await hers.until(lambda message: message.text == CLOSED)
    assert hers.labels == []


async def test_blocking_the_bot_in_the_middle_of_a_game_resigns_it(ann: Person, bo: Person) -> None:
    hers, his = await met(ann, bo)
    await played_both(*mover_first(ann, hers, bo, his), (4, 0))
    bo.block()
    await hers.until(lambda message: "You win" in message.text)
    assert "resigned" in plain(hers)
    bo.block(on=False)


async def test_a_waiting_person_plays_the_computer_meanwhile_and_leaves_it_without_a_trace(
    ann: Person, bo: Person
) -> None:
    waiting = await ann.ask("/play")
    await ann.tap(waiting, "Play OXO meanwhile")
    board = await ann.private.wait_for(is_board, after=waiting)
    assert "OXO" in board.text
    await ann.tap(board, data=data_of(board, 4))
    await board.changed()
    await bo.say("/play")
    other = await ann.private.wait_for(is_game, after=board)
    await board.until(lambda message: message.deleted)
    assert "小波" in other.text
    assert "No finished game" in (await ann.ask("/stats")).text

"""If the board must wait, the toast says so, whatever the tapped button does (P3)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Final, NamedTuple

import pytest

from bot.boards import buttons
from bot.boards.buttons import Invite, OnGame, Play
from bot.boards.translations import texts
from bot.context.acting import SLOW
from bot.game.actions import (
    Accept,
    Action,
    Bring,
    Move,
    Rematch,
    Resign,
    SetFirst,
    SetLevel,
    SetRules,
    ShowRegion,
    Stop,
    TakeBack,
)
from bot.game.play import edition_of
from engine import Level
from playground import Playground
from playground.messages import Message
from playground.people import Person
from storage import telegram
from tests.faults.test_one_bot import Room
from tests.flights import EDIT
from tests.people import X_WINS, result_named
from tests.world import world

CLOSED_SECONDS: Final = 30


class Wish(NamedTuple):
    """A tap to be made."""

    person: Person
    message: Message
    data: str


@pytest.fixture
async def room(sqlite_url: str) -> AsyncIterator[Room]:
    """A setup of the test's own."""
    async with Playground() as playground, world(playground, sqlite_url) as rooms:
        yield Room(rooms, await rooms.start())


def slowly(person: Person) -> str:
    """The answer, in their language."""
    return texts(person.language).gettext(SLOW)


def on_game(room: Room, action: Action | Callable[[int], Action]) -> str:
    """The data of a button for an action on the newest game, by default at the game's ply."""
    game = room.house.newest().game
    return buttons.write(OnGame(game.id, action(game.ply) if callable(action) else action, edition_of(game)))


async def a_level(room: Room) -> Wish:
    board = await room.said(room.ann, "/newgame easy me", room.group)
    return Wish(room.ann, board, on_game(room, SetLevel(Level.HARD)))


async def another_board(room: Room) -> Wish:
    board = await room.said(room.ann, "/newgame easy me", room.group)
    return Wish(room.ann, board, on_game(room, SetRules("5x5x4")))


async def who_begins(room: Room) -> Wish:
    board = await room.said(room.ann, "/newgame easy me", room.group)
    return Wish(room.ann, board, on_game(room, SetFirst(is_person=False)))


async def a_move_that_takes_a_search(room: Room) -> Wish:
    board = await room.said(room.ann, "/newgame 5x5 hard me", room.group)
    return Wish(room.ann, board, on_game(room, Move(0, 12)))


async def a_takeback(room: Room) -> Wish:
    board = await room.said(room.ann, "/newgame easy me", room.group)
    await room.put(room.ann, board, 4)
    return Wish(room.ann, board, on_game(room, TakeBack))


async def a_little_board(room: Room) -> Wish:
    board = await room.said(room.ann, "/newgame ultimate easy me", room.group)
    return Wish(room.ann, board, on_game(room, ShowRegion(0, 4)))


async def an_acceptance(room: Room) -> Wish:
    board = await room.said(room.ann, "/challenge", room.group)
    return Wish(room.bo, board, on_game(room, Accept()))


async def a_question(room: Room) -> Wish:
    board = await room.game_of_two()
    await room.put(room.ann, board, 4)
    return Wish(room.bo, board, on_game(room, Resign))


async def a_rematch(room: Room) -> Wish:
    board = await room.game_of_two()
    for ply, cell in enumerate(X_WINS):
        await room.put((room.ann, room.bo)[ply % 2], board, cell)
    return Wish(room.ann, board, on_game(room, Rematch()))


async def a_board_that_comes_down(room: Room) -> Wish:
    await room.said(room.ann, "/newgame easy me", room.group)
    answer = await room.said(room.ann, "/games", room.group)
    return Wish(room.ann, answer, on_game(room, Bring()))


async def the_end_of_a_watched_game(room: Room) -> Wish:
    board = await room.said(room.ann, "/watch", room.group)
    return Wish(room.ann, board, on_game(room, Stop()))


async def a_first_game(room: Room) -> Wish:
    room.ann.started = True
    return Wish(room.ann, await room.said(room.ann, "/start", room.ann.private), buttons.write(Play()))


async def a_link_for_a_friend(room: Room) -> Wish:
    room.ann.started = True
    return Wish(room.ann, await room.said(room.ann, "/start", room.ann.private), buttons.write(Invite()))


@pytest.mark.parametrize(
    "wish",
    [
        *(a_level, another_board, who_begins, a_move_that_takes_a_search, a_takeback, a_little_board),
        *(an_acceptance, a_question, a_rematch, a_board_that_comes_down),
        *(the_end_of_a_watched_game, a_first_game, a_link_for_a_friend),
    ],
)
async def test_a_tap_whose_board_has_to_wait_is_told_so(
    room: Room, wish: Callable[[Room], Awaitable[Wish]]
) -> None:
    person, message, data = await wish(room)
    await room.house.still()
    until = int(room.house.clock.now()) + CLOSED_SECONDS
    with room.house.engine.begin() as connection:  # another process was refused there
        telegram.note_pause(connection, str(message.chat.id), until)
    await room.bot.hold()
    told = await room.tapped(person, message, data)
    assert told is not None
    assert slowly(person) in told
    await room.house.skip(CLOSED_SECONDS + 1)
    await room.house.heal()
    assert not room.house.wrong()


@pytest.mark.parametrize("offer", ["Challenge", "Play OXO"])
async def test_so_is_a_tap_on_a_message_of_inline_mode(room: Room, offer: str) -> None:
    room.playground.bot.inline_feedback = False
    meeting = room.playground.add_meeting(room.ann, room.bo)
    query = room.ann.inline_query("", meeting)
    await room.house.given(room.bot)
    offers = query.answer.result()
    titles = ("Play OXO" if offer == "Challenge" else "Challenge", offer)
    first, second = [room.ann.choose(result_named(offers, title), in_=meeting) for title in titles]
    room.playground.faults.add(kind="429", method=EDIT, times=1, retry_after=CLOSED_SECONDS)
    await room.tapped(
        room.bo if offer == "Play OXO" else room.ann, first, str(first.keyboard[0][0]["callback_data"])
    )
    who = room.bo if offer == "Challenge" else room.ann
    assert await room.tapped(who, second, str(second.keyboard[0][0]["callback_data"])) == slowly(who)

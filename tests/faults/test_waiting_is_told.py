"""If the board must wait, the toast says so, whatever the tapped button does (P3)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final, NamedTuple

import pytest

from bot.boards import buttons
from bot.boards.buttons import OnGame, Play
from bot.boards.translations import texts
from bot.context.acting import SLOW
from bot.game.actions import (
    Accept,
    Action,
    Bring,
    Move,
    Rematch,
    SetLevel,
)
from bot.game.play import edition_of
from engine import Level
from playground.messages import Message
from playground.people import Person
from storage import telegram
from tests.faults.rooms import Room
from tests.people import X_WINS

CLOSED_SECONDS: Final = 30


class Wish(NamedTuple):
    """A tap to be made."""

    person: Person
    message: Message
    data: str


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


async def a_move_that_takes_a_search(room: Room) -> Wish:
    board = await room.said(room.ann, "/newgame 5x5 hard me", room.group)
    return Wish(room.ann, board, on_game(room, Move(0, 12)))


async def an_acceptance(room: Room) -> Wish:
    board = await room.said(room.ann, "/challenge", room.group)
    return Wish(room.bo, board, on_game(room, Accept()))


async def a_rematch(room: Room) -> Wish:
    board = await room.game_of_two()
    for ply, cell in enumerate(X_WINS):
        await room.put((room.ann, room.bo)[ply % 2], board, cell)
    return Wish(room.ann, board, on_game(room, Rematch()))


async def a_board_that_comes_down(room: Room) -> Wish:
    await room.said(room.ann, "/newgame easy me", room.group)
    answer = await room.said(room.ann, "/games", room.group)
    return Wish(room.ann, answer, on_game(room, Bring()))


async def a_first_game(room: Room) -> Wish:
    room.ann.started = True
    return Wish(room.ann, await room.said(room.ann, "/start", room.ann.private), buttons.write(Play()))


@pytest.mark.parametrize(
    "wish", [a_level, a_move_that_takes_a_search, an_acceptance, a_rematch, a_board_that_comes_down, a_first_game]
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

"""The names of a game's players, as each reader sees them."""

from __future__ import annotations

from collections.abc import Mapping
from gettext import NullTranslations
from typing import NamedTuple

from bot.boards import names
from bot.boards.level_names import level_name
from bot.boards.view import MARKS
from engine import Mark
from storage.games.game import COMPUTER, Game, is_erased


class Viewer(NamedTuple):
    """The reader of a board: in a private chat the player is “You”; in a group (None) everybody has a name."""

    person: int | None
    t: NullTranslations
    marks: Mapping[Mark | None, str] = MARKS
    """The marks of the board's theme."""


def player(game: Game, mark: Mark, viewer: Viewer) -> str:
    """A mark's player, as safe HTML: you, OXO, or a name."""
    seat = game.seat(mark)
    if seat == COMPUTER:
        return "OXO"
    if seat is not None and seat == viewer.person:
        return viewer.t.gettext("You")
    return named(game, mark, viewer)


def mover(game: Game, ply: int, viewer: Viewer) -> str:
    """Who made the move that led to a ply, as safe HTML: you, OXO, or a name."""
    return player(game, Mark.X if ply % 2 else Mark.O, viewer)


def named(game: Game, mark: Mark, viewer: Viewer) -> str:
    """The name of the person who plays a mark, as safe HTML."""
    return called(game, game.seat(mark), viewer.t)


def called(game: Game, person: int | None, t: NullTranslations) -> str:
    """The name of a person in a game, as safe HTML."""
    return names.shown(game.name_of(person), nobody(person, t))


def nobody(seat: int | None, t: NullTranslations) -> str:
    """The word for somebody whose name isn't known."""
    return t.gettext("Somebody who left") if is_erased(seat) else t.gettext("Player")


def mention(game: Game, mark: Mark, viewer: Viewer) -> str:
    """A name that links to its person; used in edits only, which never notify."""
    if is_erased(game.seat(mark)):
        return named(game, mark, viewer)
    return f'<a href="tg://user?id={game.seat(mark)}">{named(game, mark, viewer)}</a>'


def computer(game: Game, t: NullTranslations) -> str:
    """The computer as an opponent, with its level."""
    if game.level is None:
        return "OXO"
    return t.gettext("OXO ({level})").format(level=level_name(game.level, t, game.rules))


def side(game: Game, mark: Mark, viewer: Viewer) -> str:
    """A mark and the level at which the computer plays it against itself."""
    return f"{viewer.marks[mark]} {level_name(game.level_of(mark) or '', viewer.t, game.rules)}"

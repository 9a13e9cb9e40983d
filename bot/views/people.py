"""How the players of a game are called by each who looks at it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bot.views import names
from bot.views.choices import level_name
from bot.views.view import MARKS
from engine import Mark
from storage.game import COMPUTER, has_left

if TYPE_CHECKING:
    from collections.abc import Mapping
    from gettext import NullTranslations

    from storage.game import Game


class Eyes(NamedTuple):
    """Who looks at a board: a player in a private chat is `You`; in a group (None) everybody has a name."""

    viewer: int | None
    t: NullTranslations
    marks: Mapping[Mark | None, str] = MARKS
    """How the board's marks look."""


def player(game: Game, mark: Mark, eyes: Eyes) -> str:
    """Who plays a mark, as safe HTML: oneself, OXO, or a name."""
    seat = game.seat(mark)
    if seat == COMPUTER:
        return "OXO"
    if seat is not None and seat == eyes.viewer:
        return eyes.t.gettext("You")
    return named(game, mark, eyes)


def mover(game: Game, ply: int, eyes: Eyes) -> str:
    """Who made the move that led to a ply, as safe HTML: oneself, OXO, or a name."""
    return "OXO" if game.mover_of(ply) == COMPUTER else player(game, Mark.X if ply % 2 else Mark.O, eyes)


def named(game: Game, mark: Mark, eyes: Eyes) -> str:
    """The name of the person who plays a mark, as safe HTML."""
    return names.shown(game.name(mark), nobody(game.seat(mark), eyes.t))


def nobody(seat: int | None, t: NullTranslations) -> str:
    """What stands in the place of a name that is not known."""
    return t.gettext("Somebody who left") if has_left(seat) else t.gettext("Player")


def mention(game: Game, mark: Mark, eyes: Eyes) -> str:
    """A name that leads to its person; it stands in edits, which never notify."""
    if has_left(game.seat(mark)):
        return named(game, mark, eyes)
    return f'<a href="tg://user?id={game.seat(mark)}">{named(game, mark, eyes)}</a>'


def computer(game: Game, t: NullTranslations) -> str:
    """The computer as an opponent, with its level."""
    if game.level is None:
        return "OXO"
    return t.gettext("OXO ({level})").format(level=level_name(game.level, t, game.rules))


def side(game: Game, mark: Mark, eyes: Eyes) -> str:
    """A mark and the level at which the computer plays it against itself."""
    return f"{eyes.marks[mark]} {level_name(game.level_of(mark) or '', eyes.t, game.rules)}"

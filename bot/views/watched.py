"""A game that the computer plays against itself, as who looks on sees it: how it stands, and what can be done."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.game.acts import Act
from bot.game.states import free_seat
from bot.views import names
from bot.views.buttons import OnGame
from bot.views.looks import marks_of
from bot.views.people import named, side
from bot.views.rules import nobody_won
from bot.views.texts import sentences
from bot.views.view import button
from engine import Mark
from storage.game import Termination

if TYPE_CHECKING:
    from collections.abc import Mapping
    from gettext import NullTranslations

    from bot.views.people import Eyes
    from storage.game import Game

TAKES = {Mark.X: Act.TAKE_X, Mark.O: Act.TAKE_O}
"""The act that takes a mark's seat."""


def state_line(game: Game, eyes: Eyes) -> str:
    """Whose turn it is, or how the game ended and after how many moves."""
    t = eyes.t
    if not game.is_over:
        return t.gettext("<b>{side} to move.</b> I play myself.").format(side=side(game, game.turn, eyes))
    moves = t.ngettext("{count} move.", "{count} moves.", game.ply).format(count=game.ply)
    if game.winner is not None:
        end = t.gettext("🏆 <b>{side} wins.</b>").format(side=side(game, game.winner, eyes))
    elif game.termination is Termination.FULL_BOARD:
        end = nobody_won(game, t)
    elif game.ended_by is not None:
        name = names.shown(game.ended_by, t.gettext("Player"))
        end = t.gettext("⏹ <b>Stopped</b> by {name}.").format(name=name)
    else:
        end = t.gettext("⏹ <b>Stopped.</b>")
    return sentences(t, end, moves)


def sides(game: Game, eyes: Eyes) -> list[str]:
    """Both marks, each with the level at which it is played."""
    return [side(game, mark, eyes) for mark in Mark]


def free_seat_line(game: Game, eyes: Eyes) -> str | None:
    """That another seat is free, in a game that somebody has just joined."""
    free = free_seat(game)
    if free is None or game.is_over:
        return None
    line = eyes.t.gettext("💺 {mark} is free for another player until {name} moves.")
    return line.format(mark=eyes.marks[free], name=named(game, free.other, eyes))


def actions(game: Game, t: NullTranslations, look: str | None) -> list[list[dict[str, str]]]:
    """The rows of buttons below the cells."""

    def act(label: str, act: Act, style: str | None = None) -> dict[str, str]:
        return button(label, OnGame(game.id, game.ply, act), style)

    if not game.is_over:
        stop = act(t.gettext("Stop"), Act.STOP)
        seats = [seat_button(game, mark, t, marks_of(look)) for mark in Mark]
        return [seats, [act(t.gettext("Faster"), Act.FASTER), stop]]
    winner = [] if game.winner is None else [act(t.gettext("Play the winner"), Act.WINNER)]
    return [[act(t.gettext("Again"), Act.WATCH, "primary"), *winner]]


def seat_button(game: Game, mark: Mark, t: NullTranslations, marks: Mapping[Mark | None, str]) -> dict[str, str]:
    """The button that takes a seat."""
    label = t.gettext("Play {mark}").format(mark=marks[mark])
    return button(label, OnGame(game.id, game.ply, TAKES[mark]))


def commands(game: Game) -> list[str]:
    """What can be said by commands, without their slashes."""
    if not game.is_over:
        return ["take_x", "take_o", "faster", "stop"]
    return ["again", *(["play_winner"] if game.winner is not None else [])]

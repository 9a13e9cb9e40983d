"""The message of an exhibition: the state of the game, and what spectators can do."""

from __future__ import annotations

from gettext import NullTranslations

from bot.boards.buttons import OnGame
from bot.boards.players import Viewer, called, side
from bot.boards.rules import nobody_won
from bot.boards.translations import sentences
from bot.boards.view import button
from bot.game.actions import GoFaster, PlayWinner, Stop, WatchAgain
from engine import Mark
from storage.games.game import DRAWN, Game


def state_line(game: Game, viewer: Viewer) -> str:
    """Whose turn it is, or how the game ended and after how many moves."""
    t = viewer.t
    if not game.is_over:
        return t.gettext("<b>{side} to move.</b> I'm playing myself.").format(side=side(game, game.turn, viewer))
    moves = t.ngettext("{count} move.", "{count} moves.", game.ply).format(count=game.ply)
    if game.winner is not None:
        end = t.gettext("🏆 <b>{side} wins.</b>").format(side=side(game, game.winner, viewer))
    elif game.termination in DRAWN:
        end = nobody_won(game, t)
    elif game.ended_by is not None:
        unknown = game.ended_by != game.host and not game.name_of(game.ended_by)
        name = t.gettext("an admin") if unknown else called(game, game.ended_by, t)
        end = t.gettext("⏹ <b>Stopped</b> by {name}.").format(name=name)
    else:
        end = t.gettext("⏹ <b>Stopped.</b>")
    return sentences(t, end, moves)


def sides(game: Game, viewer: Viewer) -> list[str]:
    """Both marks, each with the level at which it is played."""
    return [side(game, mark, viewer) for mark in Mark]


def actions(game: Game, t: NullTranslations) -> list[list[dict[str, str]]]:
    """The row of buttons below the cells."""
    if not game.is_over:
        faster = button(t.gettext("Faster"), OnGame(game.id, GoFaster()))
        return [[faster, button(t.gettext("Stop"), OnGame(game.id, Stop()))]]
    again = button(t.gettext("Again"), OnGame(game.id, WatchAgain()), "primary")
    if game.winner is None:
        return [[again]]
    return [[again, button(t.gettext("Play the winner"), OnGame(game.id, PlayWinner()))]]


def commands(game: Game) -> list[str]:
    """The commands that apply now, without their slashes."""
    if not game.is_over:
        return ["faster", "stop"]
    return ["again", *(["play_winner"] if game.winner is not None else [])]

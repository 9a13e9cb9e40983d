"""Finds the best cell for the person to move, and why it is the best."""

from __future__ import annotations

from typing import NamedTuple

from bot.game.game_analysis import needs_no_search
from bot.game.refusals import Refusal
from engine import STRATEGIES, Reason
from engine.analysis.at_once import reason_at_once
from engine.analysis.game_analysis import advice
from engine.players.reasons import TELLING
from storage.games.game import Game


class Hint(NamedTuple):
    """A cell, and the reason for it."""

    cell: int
    why: Reason


def hint(game: Game) -> Hint | Refusal | None:
    """The best cell of a running game against the computer; None if finding it takes a search."""
    if not game.is_against_computer:
        return Refusal.COMPUTER_ONLY
    if not needs_no_search(game):
        return None
    perfect, position = STRATEGIES["perfect"], game.position
    if not perfect.plays(position.rules):
        found = advice(position.rules, game.moves)
        return Hint(found.cell, found.reason)
    # Among the cells that keep the result, it knows those that set a trap.
    hints = [Hint(cell, reason_at_once(position, cell)) for cell in perfect.candidates(position)]
    return min(hints, key=lambda each: TELLING.index(each.why))

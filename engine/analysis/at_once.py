"""The reason for a ply by what it does at once: without a search, under any rules."""

from __future__ import annotations

from random import Random

from engine.analysis.tactics import reason_by_playing, reason_where_a_line_loses, reason_where_a_line_wins
from engine.errors import NoMoveToChoose
from engine.players.reasons import TELLING, Reason
from engine.players.ultimate_reasons import reason_in_ultimate
from engine.rules.base import Position
from engine.rules.mnk import MnkPosition
from engine.rules.ultimate import UltimatePosition


def reason_at_once(position: Position, cell: int) -> Reason:
    """What a ply wins, gives away, stops or threatens at once, or else where it is."""
    if isinstance(position, MnkPosition):
        if position.rules.misere:
            return reason_where_a_line_loses(position, cell)
        return reason_where_a_line_wins(position, cell)
    if isinstance(position, UltimatePosition):
        return reason_in_ultimate(position, cell)
    return reason_by_playing(position, cell)


def cell_at_once(position: Position, rng: Random) -> int:
    """A cell by its reason alone, under any rules, for when there is no time for a search.

    Raises:
        NoMoveToChoose: The game is over.
    """
    if position.is_over:
        raise NoMoveToChoose("The game is over.")
    why = {cell: TELLING.index(reason_at_once(position, cell)) for cell in position.legal_moves}
    best = min(why.values())
    return rng.choice([cell for cell, place in why.items() if place == best])

"""What a ply does at once, whatever follows: its reason without any search, under any rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.mnk_rules import MnkPosition
from engine.reasons import Reason
from engine.tactics import reason_where_a_line_loses, reason_where_a_line_wins
from engine.ultimate import UltimatePosition
from engine.ultimate_tactics import reason_in_ultimate

if TYPE_CHECKING:
    from engine.rules import Position


def reason_at_once(position: Position, cell: int) -> Reason:
    """What playing a cell wins, gives away, stops or threatens with the next ply, or else where it stands."""
    if isinstance(position, MnkPosition):
        if position.rules.misere:
            return reason_where_a_line_loses(position, cell)
        return reason_where_a_line_wins(position, cell)
    if isinstance(position, UltimatePosition):
        return reason_in_ultimate(position, cell)
    return Reason.PREFERENCE

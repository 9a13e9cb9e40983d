"""The rule list: a strategy for 3 by 3 that doesn't look ahead and has a reason for each ply."""

from __future__ import annotations

from typing import NamedTuple

from engine.players.reasons import Reason
from engine.rules.geometry import THREE_BY_THREE, fills_one
from engine.rules.mnk import MnkPosition

_CENTRE = 4
_EDGES = 1 << 1 | 1 << 3 | 1 << 5 | 1 << 7
_OPPOSITE_CORNERS = (1 << 0 | 1 << 8, 1 << 2 | 1 << 6)
_COLUMN_BY_COLUMN = (0, 3, 6, 1, 4, 7, 2, 5, 8)
_PREFERENCE_OF_X = (0, 8, 2, 6, 4, 1, 3, 5, 7)
_PREFERENCE_OF_O = (4, 0, 8, 2, 6, 1, 3, 5, 7)


class Rule(NamedTuple):
    """The rule that applies to a position: the cell it plays, and why."""

    cell: int
    reason: Reason


def first_rule(position: MnkPosition) -> Rule:
    """The first rule that applies to a position on 3 by 3 that is not over."""
    own, other = position.sides
    free = THREE_BY_THREE.full & ~(own | other)
    opening = _opening(position.ply, other)
    if opening is not None and free >> opening & 1:
        return Rule(opening, Reason.OPENING)
    scanned = [cell for cell in _COLUMN_BY_COLUMN if free >> cell & 1]
    for cell in scanned:
        if _completes(cell, own):
            return Rule(cell, Reason.WIN)
    for cell in scanned:
        if _completes(cell, other):
            return Rule(cell, Reason.BLOCK)
    for cell in scanned:
        if _forks(cell, own, other):
            return Rule(cell, Reason.FORK)
    preference = _PREFERENCE_OF_O if position.ply % 2 else _PREFERENCE_OF_X
    return Rule(next(cell for cell in preference if free >> cell & 1), Reason.PREFERENCE)


def _opening(ply: int, other: int) -> int | None:
    """The cell for X's second ply against an edge, or for O's against two opposite corners."""
    if ply == 2 and other & _EDGES:  # X's second ply follows two
        return _CENTRE
    if ply == 3 and other in _OPPOSITE_CORNERS:  # O's second ply follows three
        return 1
    return None


def _completes(cell: int, marks: int) -> bool:
    return fills_one(marks | 1 << cell, THREE_BY_THREE.lines_through[cell])


def _forks(cell: int, own: int, other: int) -> bool:
    """Whether two or more lines through the empty cell hold one own mark and two empty cells."""
    masks = THREE_BY_THREE.lines_through[cell]
    return sum(not other & mask and (own & mask).bit_count() == 1 for mask in masks) > 1

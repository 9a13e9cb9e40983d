"""What a position is worth that is not searched any further: the open lines of both sides."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_STEP = 4
_TEMPO = 3, 2


def line_values(k: int) -> tuple[int, ...]:
    """The worth of an open line by how many marks it misses, from one up: a quarter for each mark more."""
    return tuple(max(1, _STEP ** (4 - missing)) for missing in range(k))


def evaluate(mine: Sequence[int], theirs: Sequence[int], values: Sequence[int]) -> int:
    """The worth for the side to move, whose marks are half as much again since it is its turn.

    Args:
        mine: The starts of its open lines by how many marks they miss, from one up.
        theirs: The other side's.
        values: See `line_values`.
    """
    own = other = 0
    for starts, value in zip(mine, values, strict=True):
        own += starts.bit_count() * value
    for starts, value in zip(theirs, values, strict=True):
        other += starts.bit_count() * value
    return _TEMPO[0] * own - _TEMPO[1] * other

"""Pairing strategies, which prove that a side can't complete a line.

If every open line of a side contains a pair of empty cells, and no two pairs share a cell, the other side can
block all of them: whenever one cell of a pair is taken, it takes the other (Hales and Jewett, Regularity and
Positional Games, 1963). Overlapping lines in the same direction can share a pair, so a few pairs go far.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from engine.search.mnk.bits import Board

_COVERED = (0, 0, 8, 4, 2, 1, 1, 1, 1)
_HURT = (0, 0, 100, 8, 3, 1, 1, 1, 1)
"""By a line's number of empty cells: what a pair gains by covering it, and costs by taking one cell of it."""


class Pairings:
    """Looks for pairings on one board."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._rows = tuple(bits & board.rows for bits in board.bits)
        last = len(board.cell_at)
        self._line: list[int] = [0] * last
        for length in range(1, last - board.k + 1):
            cells = board.cell_at[length : length + board.k]
            if min(cells) >= 0:
                self._line[length] = sum(self._rows[cell] for cell in cells)

    def hold(self, own: int, other: int, missing: Iterable[int]) -> bool:
        """Whether a pairing was found that blocks these open lines of own, with own to move.

        The search is greedy, taking the line with the fewest empty cells first, so it misses some pairings.

        Args:
            own: The bits of own's marks.
            other: The bits of the other side's marks.
            missing: The starts of the lines, by how many marks they lack.
        """
        empty = (self._board.full ^ own ^ other) & self._board.rows
        lines = []
        for starts in missing:
            while starts:
                low = starts & -starts
                starts ^= low  # noqa: PLW2901 - the bits are taken off one by one
                lines.append(self._line[low.bit_length()] & empty)
        while lines:
            lines.sort(key=int.bit_count)
            if lines[0].bit_count() < 2:  # a pair
                return False
            pair = _best_pair(lines)
            lines = [line & ~pair for line in lines if line & pair != pair]
        return True


def _best_pair(lines: list[int]) -> int:
    """The pair of cells of the first line that covers the most lines and takes the least from others."""
    rest = lines[0]
    if rest.bit_count() == 2:  # a pair
        return rest
    cells = []
    while rest:
        low = rest & -rest
        rest ^= low
        cells.append(low)
    best, best_cost = 0, 0
    for one, two in combinations(cells, 2):
        pair = one | two
        cost = 0
        for line in lines:
            shared = line & pair
            if shared == pair:
                cost -= _COVERED[line.bit_count()]
            elif shared:
                cost += _HURT[line.bit_count()]
        if not best or cost < best_cost:
            best, best_cost = pair, cost
    return best

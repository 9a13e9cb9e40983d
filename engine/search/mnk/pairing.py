"""Pairings: a defence that needs no thought.

If every open line of a side holds a pair of empty cells, and no two pairs share a cell, then the other side holds
everything: whenever a cell of a pair is taken, it takes the other one (Hales and Jewett, Regularity and
Positional Games, 1963). Lines in one direction that overlap can share a pair, so a few pairs go far.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from engine.search.mnk.bits import Board

_COVERED = (0, 0, 8, 4, 2, 1, 1, 1, 1)
_HURT = (0, 0, 100, 8, 3, 1, 1, 1, 1)
"""What a pair gains and costs by the empty cells of a line that it covers, or takes one from."""


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
        """Whether a pairing was found that holds some of own's open lines, own being to move.

        It takes the most needy line first and never thinks twice, so some pairings are not found.

        Args:
            own: The bits of own's marks.
            other: The bits of the other side's marks.
            missing: The starts of the lines, by how many marks they miss.
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
            if lines[0].bit_count() < 2:  # noqa: PLR2004 - a pair
                return False
            pair = _best_pair(lines)
            lines = [line & ~pair for line in lines if line & pair != pair]
        return True


def _best_pair(lines: list[int]) -> int:
    """The pair of cells in the first line that covers most of the lines and takes least from the others."""
    rest = lines[0]
    if rest.bit_count() == 2:  # noqa: PLR2004 - a pair
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

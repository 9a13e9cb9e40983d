"""Sequences of threats: wins in which every ply but the last leaves the other side only one answer.

Source: Allis, van den Herik and Huntjens, Go-Moku and Threat-Space Search (1993), here for threats to complete
a line at once.
"""

from __future__ import annotations

from typing import NamedTuple

from engine.search.driver import Budget
from engine.search.mnk.bits import Board

DOUBLE_THREAT = 3
"""The plies to a win by a double threat: the ply that makes it, an answer, and the ply that completes a line."""


class Sequence(NamedTuple):
    """A sequence that wins by force."""

    plies: int
    """The plies to the end."""
    cell: int
    """The first cell."""
    cells: int
    """The bits of all cells that either side plays in it."""
    answers: int
    """The bits of the cells among them that the losing side plays."""


class Threats:
    """Finds sequences of threats on one board."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._left = 0
        self._budget = Budget()

    def find(self, own: int, other: int, plies: int, positions: int, budget: Budget) -> Sequence | None:
        """A winning sequence of at most so many plies for the side to move, found in so many positions.

        Neither side may be able to complete a line at once.
        """
        self._left = positions
        self._budget = budget
        return self._find(own, other, 0, plies)

    def _find(self, own: int, other: int, must: int, plies: int) -> Sequence | None:
        """The same if the side to move has to play the cell with the bits `must`, unless they are 0."""
        board = self._board
        bits, cell_at, full, k = board.bits, board.cell_at, board.full, board.k
        two = board.missing(own, other, full)[1]
        if not two or self._left <= 0:
            return None
        self._left -= 1
        self._budget.spend()
        empty = full ^ own ^ other
        while two:
            start = two & -two
            two ^= start
            gaps = (start << k) - start & empty
            low = gaps & -gaps
            for first, second in ((low, gaps ^ low), (gaps ^ low, low)):
                cell = cell_at[first.bit_length()]
                if must and bits[cell] != must:
                    continue
                answer = bits[cell_at[second.bit_length()]]
                found = self._after(own | bits[cell], other, cell, answer, plies)
                if found is not None:
                    return found
        return None

    def _after(self, own: int, other: int, cell: int, answer: int, plies: int) -> Sequence | None:
        """The sequence that begins with this cell, on which own's mark already is, and this answer."""
        board = self._board
        bits, full = board.bits, board.full
        empty = full ^ own ^ other
        more = board.spread(board.missing(own, other, full)[0]) & empty & ~answer
        if more:
            last = bits[board.cell_at[more.bit_length()]]
            return Sequence(DOUBLE_THREAT, cell, bits[cell] | answer | last, answer | last)
        if plies < DOUBLE_THREAT + 2:
            return None
        other |= answer
        must = 0
        counter = board.missing(other, own, full)[0]
        if counter:
            gaps = board.spread(counter) & (empty ^ answer)
            must = bits[board.cell_at[gaps.bit_length()]]
            if gaps & ~must:
                return None
        rest = self._find(own, other, must, plies - 2)
        if rest is None:
            return None
        cells = rest.cells | bits[cell] | answer
        return Sequence(rest.plies + 2, cell, cells, rest.answers | answer)

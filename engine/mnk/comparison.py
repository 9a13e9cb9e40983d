"""Which of some cells to play: none that is proven to lose, and of the others the one that sets most traps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.mnk.budget import Spent
from engine.mnk.proof import ENDLESS, NEVER, UNKNOWN
from engine.mnk.traps import trapped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.mnk.budget import Budget
    from engine.mnk.search import Searcher

LARGEST_PROVEN = 64
"""Boards of more cells are played without proofs, but for sequences of threats."""

CELLS_COMPARED = 4
"""How many cells that do not lose are compared by their traps."""

_PLIES_DEEPENED = 14
_NODES_TO_REMEMBER = 20
_PROOF_OF_A_CELL = 0.3
"""Where another cell is known to keep the draw, the part of what is left that one cell's proof may take."""


class Comparison:
    """Compares cells of one position.

    Args:
        searcher: Has the proofs, and what they have found out.
        own: The bits of the marks of the side to move.
        other: The bits of the other side's marks.
        budget: Pays for it.
    """

    def __init__(self, searcher: Searcher, own: int, other: int, budget: Budget) -> None:
        self._searcher = searcher
        self._solver = searcher.solver
        self._board = searcher.board
        self._own, self._other = own, other
        self._budget = budget

    def known_safe(self, cells: Sequence[int]) -> list[int]:
        """Of the cells of a position that is proven drawn those that are known to keep it so.

        There is one, if the budget suffices, as the proof that other cannot win went by it.
        """
        known = []
        for cell in cells:
            share = self._budget.share(1, nodes=_NODES_TO_REMEMBER)
            after = self._own | self._board.bits[cell]
            try:
                if self._solver.can_win(self._other, after, ENDLESS, share) == NEVER:
                    known.append(cell)
            except Spent:
                pass
            self._budget.settle(share)
        return known

    def best(self, cells: Sequence[int], compared: int, safe: Sequence[int] = ()) -> int:
        """Of the first cells that are not proven to lose the one that sets most traps.

        Where all are proven to lose, it is the one that does so last.

        Args:
            cells: The cells, the most hopeful first.
            compared: How many that do not lose are compared.
            safe: Those of them that are known to keep a draw; where there are any, no cell will do of which that
                is not known.
        """
        longest, latest = 0, next((cell for cell in cells if cell in safe), cells[0])
        most, best = -1.0, None
        part = _PROOF_OF_A_CELL if safe else 1.0
        for cell in cells:
            plies = NEVER if cell in safe else self._refuted(cell, part)
            if plies > longest and not safe:
                longest, latest = plies, cell
            if plies == NEVER or (plies == UNKNOWN and not safe):
                traps = self._traps(cell)
                if traps > most:
                    most, best = traps, cell
                compared -= 1
            if compared == 0 or ((safe or best is not None) and self._budget.is_spent):
                break
        return latest if best is None else best

    def _refuted(self, cell: int, part: float) -> int:
        """Within how many plies other is proven to win after a cell, or NEVER, or UNKNOWN.

        Args:
            cell: The cell.
            part: How much of what is left of the budget that may take.
        """
        if self._board.cells > LARGEST_PROVEN:
            return UNKNOWN
        own, other = self._other, self._own | self._board.bits[cell]
        share = self._budget.share(part)
        result = UNKNOWN
        try:
            for plies in (*range(1, _PLIES_DEEPENED), ENDLESS):
                if self._solver.wins_in(plies) or plies == ENDLESS:
                    result = self._solver.can_win(own, other, plies, share)
                    if result != UNKNOWN:
                        break
        except Spent:
            pass
        self._budget.settle(share)
        return result

    def _traps(self, cell: int) -> float:
        """How many traps a cell sets, as far as the budget tells."""
        board = self._board
        if board.cells > LARGEST_PROVEN:
            return 0.0
        own, other = self._other, self._own | board.bits[cell]
        mine, theirs = board.missing(own, other, board.full), board.missing(other, own, board.full)
        cells = self._searcher.alpha_beta.order(own, other, mine, theirs)
        try:
            return trapped(self._solver, own, other, cells, self._budget)
        except Spent:
            return 0.0

"""Which of some cells to play: none that is proven to lose, of the others the one that sets the hardest task."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.mnk.budget import Spent
from engine.mnk.proof import ENDLESS, NEVER, UNKNOWN
from engine.mnk.prospects import Ahead
from engine.mnk.traps import replies_of, trapped

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from engine.mnk.budget import Budget
    from engine.mnk.prospects import Prospects
    from engine.mnk.search import Searcher

LARGEST_PROVEN = 64
"""Boards of more cells are played without proofs, but for sequences of threats."""

CELLS_COMPARED = 4
"""How many cells that do not lose are compared by their traps."""

_GLANCES = 5, 7
"""Losses within so many plies that other may run into are looked for after every cell of a drawn position,"""
_PART_OF_A_GLANCE = 0.3
"""each time with this part of what is left of the budget, and after the first with random games;"""
_FURTHER_GLANCES = 9, 11, 13
"""and then within so many, unless that part did not suffice for the last;"""
_ROUNDS = 2
_PART_OF_ROUNDS = 0.6
"""If random games could be paid for, it is errors in so many rounds instead, with this part of what is left, at
first narrowly, so that no cell is left out;"""
_STEPS = Ahead(9, 2), Ahead(9, 3), Ahead(11, 3), Ahead(11, 4), Ahead(13, 5)
"""and then losses within so many plies in so many rounds, after the two cells that look best, if safe,"""
_STEPS_BEHIND = 2
"""each further cell so many steps behind the one before."""
_DEEPER = 9, 11, 13
"""then losses within so many, after the better half of the cells that are left each time."""
_PLIES_DEEPENED = 14
_NODES_TO_REMEMBER = 20
_PROOF_OF_A_CELL = 0.7
"""Where another cell is known to keep the draw, the part of what is left that one cell's proof may take."""
_CELLS_PROVEN = 2
"""How many cells that keep the draw are looked for."""


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
        self._chances: dict[int, float] = {}
        self._replies: dict[int, list[tuple[int, float]]] = {}
        self._prospects: Prospects | None = None

    def known_safe(self, cells: Sequence[int]) -> list[int]:
        """Of the cells of a position that is proven drawn those that are known to keep it so.

        There is one, if the budget suffices, as the proof that other cannot win went by it.
        """
        return [cell for cell in cells if self._is_safe(cell, self._budget.share(1, nodes=_NODES_TO_REMEMBER))]

    def best_of_drawn(self, cells: Sequence[int], safe: Sequence[int]) -> int:
        """Of the cells of a position that is proven drawn one that keeps it so and sets other the hardest task.

        The draw is certain, so that all of the budget is for that.

        Args:
            cells: The cells, the most hopeful first.
            safe: Those that are known to keep the draw, one at least; any other is proven first.
        """
        cells = self._at_a_glance(cells)
        if self._prospects is not None:
            return self._best_in_rounds(self._prospects, cells, safe)
        kept: list[int] = []
        for cell in cells:
            if cell in safe or self._is_safe(cell, self._budget.share(_PROOF_OF_A_CELL)):
                kept.append(cell)
            if len(kept) == _CELLS_PROVEN:
                break
        return self._hardest(kept, _DEEPER)

    def _best_in_rounds(self, prospects: Prospects, cells: Sequence[int], safe: Sequence[int]) -> int:
        """The cell that keeps the draw after which other most likely errs in the next rounds."""
        share = self._budget.share(_PART_OF_ROUNDS)
        left = list(cells)
        try:
            for cell in cells:
                if self._solver.can_win(*self._after(cell), _GLANCES[-1], share) > 0:
                    left.remove(cell)
            for narrow in (True, False):
                for cell in left:
                    ahead = Ahead(_GLANCES[-1], _ROUNDS, narrow=narrow)
                    self._chances[cell] = prospects.within(*self._after(cell), ahead, share)
                left = self._sorted(left)
        except Spent:
            pass
        self._budget.settle(share)
        proven = set(safe)
        left = self._sorted(left)
        steps = dict.fromkeys(left, 0)
        try:
            while (following := _next(left, steps)) is not None:
                if following not in proven:
                    if not self._is_safe(following, self._budget.share(_PROOF_OF_A_CELL)):
                        left.remove(following)
                        continue
                    proven.add(following)
                self._chances[following] = prospects.within(
                    *self._after(following), _STEPS[steps[following]], self._budget
                )
                steps[following] += 1
                left = self._sorted(left)
        except Spent:
            pass
        return next(cell for cell in left if cell in proven)

    def best(self, cells: Sequence[int], compared: int) -> int:
        """Of the first cells that are not proven to lose the one that sets other the hardest task.

        Where all are proven to lose, it is the one that does so last.

        Args:
            cells: The cells, the most hopeful first.
            compared: How many that do not lose are compared.
        """
        longest, latest = 0, cells[0]
        kept: list[int] = []
        for cell in cells:
            plies = self._refuted(cell)
            if plies > longest:
                longest, latest = plies, cell
            if plies <= 0:
                kept.append(cell)
            if len(kept) == compared or (kept and self._budget.is_spent):
                break
        self._prospects = self._searcher.prospects
        return self._hardest(kept, _GLANCES + _DEEPER) if kept else latest

    def _is_safe(self, cell: int, share: Budget) -> bool:
        """Whether a share of the budget, which is settled, proves that other cannot win after a cell."""
        after = self._own | self._board.bits[cell]
        try:
            return self._solver.can_win(self._other, after, ENDLESS, share) == NEVER
        except Spent:
            return False
        finally:
            self._budget.settle(share)

    def _hardest(self, cells: list[int], depths: Iterable[int]) -> int:
        """The cell after which other errs most easily, the better half being compared more deeply each time."""
        for plies in depths:
            if len(cells) > 1:
                cells = self._by_hardness(cells, plies, self._budget)[: max(2, len(cells) // 2)]
        return cells[0]

    def _at_a_glance(self, cells: Sequence[int]) -> list[int]:
        """The cells by how easily other errs after them, as far as a part of the budget tells."""
        for plies in _GLANCES + _FURTHER_GLANCES:
            share = self._budget.share(_PART_OF_A_GLANCE)
            cells = self._by_hardness(cells, plies, share)
            self._budget.settle(share)
            if share.is_spent and plies >= _GLANCES[-1]:
                break
            if plies == _GLANCES[0]:
                cells = self._by_random_games(cells, plies)
                if self._prospects is not None:
                    break
        return list(cells)

    def _by_random_games(self, cells: Sequence[int], plies: int) -> list[int]:
        """The same where other's replies weigh what random games make of them, if all cells can be paid for."""
        share = self._budget.share(_PART_OF_A_GLANCE)
        before = self._chances
        self._prospects, self._chances = self._searcher.prospects, {}
        try:
            for cell in cells:
                self._chances[cell] = self._trapped(cell, plies, share)
        except Spent:
            self._prospects, self._chances = None, before
        self._budget.settle(share)
        return self._sorted(cells)

    def _by_hardness(self, cells: Sequence[int], plies: int, budget: Budget) -> list[int]:
        """The cells by how easily other errs after them as far as losses within so many plies tell.

        Where the budget does not suffice for all, the rest are as hard as they were found to be before.
        """
        if self._board.cells <= LARGEST_PROVEN:
            try:
                for cell in cells:
                    self._chances[cell] = self._trapped(cell, plies, budget)
            except Spent:
                pass
        return self._sorted(cells)

    def _sorted(self, cells: Sequence[int]) -> list[int]:
        return sorted(cells, key=lambda cell: -self._chances.get(cell, 0.0))

    def _refuted(self, cell: int) -> int:
        """Within how many plies other is proven to win after a cell, or NEVER, or UNKNOWN."""
        if self._board.cells > LARGEST_PROVEN:
            return UNKNOWN
        own, other = self._other, self._own | self._board.bits[cell]
        share = self._budget.share(1)
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

    def _trapped(self, cell: int, plies: int, budget: Budget) -> float:
        """How easily other errs after a cell; see `engine.mnk.traps` and `engine.mnk.prospects`."""
        sides = self._after(cell)
        if self._prospects is not None:
            return self._prospects.within(*sides, Ahead(plies, 1), budget)
        if cell not in self._replies:
            self._replies[cell] = self._replies_of(sides)
        return trapped(self._solver, sides, self._replies[cell], plies, budget)

    def _replies_of(self, sides: tuple[int, int]) -> list[tuple[int, float]]:
        """How often each of other's replies to a cell looks right to it."""
        board = self._board
        mine, theirs = (board.missing(*each, board.full) for each in (sides, sides[::-1]))
        return replies_of(self._solver, sides, self._searcher.alpha_beta.order(*sides, mine, theirs))

    def _after(self, cell: int) -> tuple[int, int]:
        """The sides after a cell, other being to move."""
        return self._other, self._own | self._board.bits[cell]


def _next(cells: Sequence[int], steps: Mapping[int, int]) -> int | None:
    """After which of some cells, the best first, to look a step further; None once all steps are done."""
    due = [
        (steps[cell] + _STEPS_BEHIND * max(0, rank + 1 - _CELLS_PROVEN), rank)
        for rank, cell in enumerate(cells)
        if steps[cell] < len(_STEPS)
    ]
    return cells[min(due)[1]] if due else None

"""The best cell that a budget can find: proofs where they are quick, alpha-beta search elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from engine.mnk.alphabeta import SURE, AlphaBeta
from engine.mnk.budget import Spent
from engine.mnk.comparison import CELLS_COMPARED, LARGEST_PROVEN, Comparison
from engine.mnk.misere import MisereAlphaBeta
from engine.mnk.openings import openings
from engine.mnk.proof import ENDLESS, NEVER
from engine.mnk.prospects import Prospects
from engine.mnk.rollouts import RollOuts
from engine.mnk.solve import DRAW, Solver, Verdict
from engine.mnk.table import ENTRIES
from engine.mnk.threats import Threats

if TYPE_CHECKING:
    from random import Random

    from engine.mnk.bits import Board
    from engine.mnk.budget import Budget

_SOON_PROVEN = 36
"""Boards of so many cells are mostly proven within a second, so that proofs get the larger part of a budget."""
_PLAYED_AT_RANDOM = 25
"""Boards of more cells have too many pairs of a reply and its answer for random games after each of them."""
_PROOF_SHARE, _PROOF_SHARE_BEYOND = 0.55, 0.45
_SEQUENCE_SHARE = 0.2
_SEARCH_SHARE, _SEARCH_SHARE_BEYOND = 0.5, 0.95
"""Beyond, the first cells are not compared by their traps, so that the search has it all."""
_SEARCH_SHARE_DRAWN = 0.02
"""Where a draw is proven, the search only says which of two cells is better that trap equally."""
_JUDGED_SHARE = 0.7
_SEQUENCE_POSITIONS = 3_000
_LONGEST_SEQUENCE = 60
_NODES_OF_AN_OPENING = 10_000
"""Openings are known to who may spend so many nodes; levels that are to play less well find their own."""


class Choice(NamedTuple):
    """What a search has found."""

    cell: int
    """The cell to play."""
    verdict: Verdict | None
    """The position's value, if it is proven; for a win without its distance, where a longer one came first."""
    variation: tuple[int, ...]
    """The principal variation: best play from here as far as it was seen, this cell first."""
    nodes: int
    """The nodes spent."""
    depth: int
    """The plies that were looked ahead after every cell that was not answered by a proof."""
    score: int = 0
    """What alpha-beta search made of it at that depth; see `engine.mnk.alphabeta`."""


class Searcher:
    """Chooses cells on one board; what it finds out it remembers for the plies to come.

    Args:
        board: The board.
        misere: Whether a line loses.
        entries: The entries of each of its tables; see `engine.mnk.table`.
        knows_openings: Whether the first plies are played as `engine.mnk.openings` has them.
    """

    def __init__(
        self, board: Board, *, misere: bool = False, entries: int = ENTRIES, knows_openings: bool = True
    ) -> None:
        self.board = board
        self.misere = misere
        self._knows_openings = knows_openings and not misere
        self.solver = Solver(board, misere=misere, entries=entries)
        self.alpha_beta = (MisereAlphaBeta if misere else AlphaBeta)(board, entries)
        self.threats = None if misere else Threats(board)
        is_small = not misere and board.cells <= _PLAYED_AT_RANDOM
        self.prospects = Prospects(board, self.solver, RollOuts(board)) if is_small else None

    def best(self, own: int, other: int, budget: Budget, rng: Random | None = None) -> Choice:
        """The best cell that the budget finds in a position that is not over; when it ends, there is an answer.

        Args:
            own: The bits of the marks of the side to move.
            other: The bits of the other side's marks.
            budget: What may be spent. One of nodes alone always leads to the same choice of a new searcher.
            rng: Chooses among cells that look alike; without it that is the first.
        """
        if self._knows_openings and budget.covers(_NODES_OF_AN_OPENING):
            known = openings(self.board, own, other)
            if known:
                cell = known[0] if rng is None else rng.choice(known)
                return Choice(cell, DRAW, (cell,), 0, 0)
        return _Decision(self, own, other, budget, rng).choice()

    def judge(self, own: int, other: int, budget: Budget) -> Choice:
        """What a position that is not over is worth; `best` spends what is left on the choice, this does not.

        The variation is empty where the value is proven, but not which cell keeps it.

        Args:
            own: The bits of the marks of the side to move.
            other: The bits of the other side's marks.
            budget: What may be spent.
        """
        return _Decision(self, own, other, budget, None).judgement()


class _Decision:
    """One choice in the making."""

    def __init__(self, searcher: Searcher, own: int, other: int, budget: Budget, rng: Random | None) -> None:
        board = searcher.board
        self._searcher = searcher
        self._solver = searcher.solver
        self._board = board
        self._own, self._other = own, other
        self._budget = budget
        self._verdict: Verdict | None = None
        self._depth = self._score = 0
        self._empty = board.full ^ own ^ other
        self._mine = board.missing(own, other, board.full)
        self._theirs = board.missing(other, own, board.full)
        among = list(board.order)
        if rng is not None:
            rng.shuffle(among)
        self._cells = searcher.alpha_beta.order(own, other, self._mine, self._theirs, among)

    def choice(self) -> Choice:
        """Decide."""
        cell = self._misere_end() if self._searcher.threats is None else self._line_end()
        if cell is None:
            cell = self._proven()
        if cell is None:
            comparison = Comparison(self._searcher, self._own, self._other, self._budget)
            safe = comparison.known_safe(self._cells) if self._verdict == DRAW else []
            cells = self._ranked()
            if safe:
                cell = comparison.best_of_drawn(cells, safe)
            else:
                cell = comparison.best(cells, 1 if self._score > SURE else CELLS_COMPARED)
        variation = self._searcher.alpha_beta.principal_variation(self._own, self._other, cell)
        return self._choice(cell, variation)

    def judgement(self) -> Choice:
        """Prove the value, or look as deep as the rest of the budget allows."""
        share = self._budget.share(_JUDGED_SHARE)
        self._verdict = self._solver.value(self._own, self._other, share)
        self._budget.settle(share)
        if self._verdict is None:
            cell = self._ranked()[0]
            return self._choice(cell, self._searcher.alpha_beta.principal_variation(self._own, self._other, cell))
        kept = self._kept(self._verdict)
        if kept is None:
            return self._choice((self._cells or self._board.cells_of(self._empty))[0], ())
        return self._choice(kept, (kept,))

    def _choice(self, cell: int, variation: tuple[int, ...]) -> Choice:
        return Choice(cell, self._verdict, variation, self._budget.nodes, self._depth, self._score)

    def _kept(self, verdict: Verdict) -> int | None:
        """The cell that keeps a proven value, if the budget suffices to find it."""
        if self._searcher.threats is None and not self._cells:
            return self._misere_end()
        if self._searcher.threats is not None and (self._mine[0] or self._theirs[0] or not self._cells):
            return self._line_end()
        try:
            if verdict.value > 0:
                return self._winner(verdict)
            return self._longest(verdict) if verdict.value < 0 else self._safe()
        except Spent:
            return None

    def _safe(self) -> int | None:
        """The first cell after which other is proven not to win."""
        for cell in self._cells:
            after = self._own | self._board.bits[cell]
            if self._solver.can_win(self._other, after, ENDLESS, self._budget) == NEVER:
                return cell
        return None

    def _line_end(self) -> int | None:
        """The cell that completes a line, one that keeps other from it, or any where no line is open."""
        board = self._board
        if self._mine[0]:
            self._verdict = Verdict(1, 1)
            return board.cells_of(board.spread(self._mine[0]) & self._empty)[0]
        if self._theirs[0]:
            cells = board.cells_of(board.spread(self._theirs[0]) & self._empty)
            if len(cells) > 1:
                self._verdict = Verdict(-1, 2)
            return cells[0]
        if not self._cells:
            self._verdict = DRAW
            return board.cells_of(self._empty)[0]
        return None

    def _misere_end(self) -> int | None:
        """The only cell that completes no line, or any where every cell does."""
        if not self._cells:
            self._verdict = Verdict(-1, 1)
            return self._board.cells_of(self._empty)[0]
        return self._cells[0] if len(self._cells) == 1 else None

    def _proven(self) -> int | None:
        """A cell that is proven to win, or the longest defence where the game is proven lost."""
        if self._board.cells <= LARGEST_PROVEN:
            part = _PROOF_SHARE if self._board.cells <= _SOON_PROVEN else _PROOF_SHARE_BEYOND
            share = self._budget.share(part)
            self._verdict = self._solver.value(self._own, self._other, share)
            self._budget.settle(share)
        try:
            if self._verdict is None:
                return self._sequence()
            if self._verdict.value > 0:
                return self._winner(self._verdict)
            if self._verdict.value < 0:
                return self._longest(self._verdict)
        except Spent:
            pass
        return None

    def _sequence(self) -> int | None:
        """The first cell of a sequence of threats that wins."""
        threats = self._searcher.threats
        if threats is None:
            return None
        share = self._budget.share(_SEQUENCE_SHARE)
        try:
            found = threats.find(self._own, self._other, _LONGEST_SEQUENCE, _SEQUENCE_POSITIONS, share)
        except Spent:
            found = None
        self._budget.settle(share)
        if found is None:
            return None
        self._verdict = Verdict(1)
        return found.cell

    def _winner(self, verdict: Verdict) -> int | None:
        """The first cell that wins as fast as the verdict says."""
        plies = ENDLESS if verdict.plies is None else verdict.plies - 1
        for cell in self._cells:
            after = self._own | self._board.bits[cell]
            if self._solver.can_lose(self._other, after, plies, self._budget) > 0:
                return cell
        return None

    def _longest(self, verdict: Verdict) -> int | None:
        """The cell after which other needs as long as the verdict says, and has fewest cells that win so fast."""
        if verdict.plies is None:
            return None
        best, fewest = None, self._board.cells
        for cell in self._cells:
            after = self._own | self._board.bits[cell]
            try:
                if self._solver.can_win(self._other, after, verdict.plies - 3, self._budget) <= 0:
                    best = cell if best is None else best
                    wins = self._wins_of_other(after, verdict.plies - 2)
                    if wins < fewest:
                        best, fewest = cell, wins
            except Spent:
                break
        return best

    def _wins_of_other(self, own: int, plies: int) -> int:
        """How many cells win for other, to move, that many plies later."""
        bits, empty = self._board.bits, self._board.full ^ own ^ self._other
        cells = self._board.cells_of(empty)
        return sum(self._solver.can_lose(own, self._other | bits[cell], plies, self._budget) > 0 for cell in cells)

    def _ranked(self) -> list[int]:
        """The cells by what alpha-beta search makes of them, each depth sorting them for the next."""
        part = _SEARCH_SHARE if self._board.cells <= LARGEST_PROVEN else _SEARCH_SHARE_BEYOND
        share = self._budget.share(_SEARCH_SHARE_DRAWN if self._verdict == DRAW else part)
        cells = self._cells
        for depth in range(1, self._solver.empty_cells(self._own, self._other) + 1):
            score, cells = self._searcher.alpha_beta.rank(self._own, self._other, cells, depth, share)
            if share.is_spent:
                break
            self._depth, self._score = depth, score
            if abs(score) > SURE:
                break
        self._budget.settle(share)
        return cells

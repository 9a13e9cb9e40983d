"""The best cell that a budget can find."""

from __future__ import annotations

from engine.mnk.alphabeta import SURE, WIN, AlphaBeta
from engine.mnk.budget import Budget, Spent
from engine.mnk.proof import ENDLESS, NEVER
from engine.mnk.solve import DRAW, Solver, Verdict
from engine.mnk.threats import Threats
from engine.values import Value

TYPE_CHECKING = False  # `typing` is left unimported to start fast
if TYPE_CHECKING:
    from random import Random

    from engine.mnk.bits import Board

LARGEST_PROVEN = 64
"""Boards of more cells are played without proofs."""

_SEQUENCE_POSITIONS = 2_000
_LONGEST_SEQUENCE = 60
_PROOF_SHARE = 0.3
_SEARCH_SHARE = 0.6


class Choice(Value):
    """What a search has found."""

    __slots__ = ("cell", "verdict", "variation", "nodes", "depth")  # noqa: RUF023 - the order of the arguments

    cell: int
    """The cell to play."""
    verdict: Verdict | None
    """The position's value, if it is proven."""
    variation: tuple[int, ...]
    """The principal variation: best play from here as far as it was seen, this cell first."""
    nodes: int
    """The nodes spent."""
    depth: int
    """The plies that were looked ahead everywhere; 0 where no search was needed."""

    def __init__(
        self, cell: int, verdict: Verdict | None, variation: tuple[int, ...], nodes: int, depth: int
    ) -> None:
        put = object.__setattr__
        put(self, "cell", cell)
        put(self, "verdict", verdict)
        put(self, "variation", variation)
        put(self, "nodes", nodes)
        put(self, "depth", depth)


class Searcher:
    """Chooses cells on one board where a line wins; what it finds out it keeps from ply to ply.

    Args:
        board: The board.
    """

    def __init__(self, board: Board) -> None:
        self._board = board
        self._threats = Threats(board)
        self._solver = Solver(board)
        self._alpha_beta = AlphaBeta(board)

    def best(self, own: int, other: int, budget: Budget, rng: Random | None = None) -> Choice:
        """The best cell found in a position that is not over.

        Args:
            own: The bits of the marks of the side to move.
            other: The bits of the other side's marks.
            budget: What may be spent; whenever it ends there is an answer.
            rng: Chooses among cells of equal worth; without it the first one is chosen.
        """
        return _Decision(self, own, other, budget, rng).choice()


class _Decision:
    """One choice in the making."""

    def __init__(self, searcher: Searcher, own: int, other: int, budget: Budget, rng: Random | None) -> None:
        self._board = searcher._board
        self._threats = searcher._threats
        self._solver = searcher._solver
        self._search = searcher._alpha_beta
        self._own, self._other = own, other
        self._budget = budget
        self._depth = 0
        self._verdict: Verdict | None = None
        board = self._board
        self._mine = board.missing(own, other, board.full)
        self._theirs = board.missing(other, own, board.full)
        self._empty = board.full ^ own ^ other
        self._cells = self._search.order(own, other, self._mine, self._theirs)
        if rng is not None:
            pass

    def choice(self) -> Choice:
        cell = self._at_once()
        if cell is None:
            try:
                cell = self._proven()
            except Spent:
                pass
        if cell is None:
            cell = self._searched()
        variation = self._search.principal_variation(self._own, self._other, cell)
        return Choice(cell, self._verdict, variation, self._budget.nodes, self._depth)

    def _at_once(self) -> int | None:
        """The cell that completes a line, the one that keeps other from it, or any where none matters."""
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
            self._cells = board.cells_of(self._empty) if self._own | self._other == 0 else []
            if not self._cells:
                self._verdict = DRAW
                return board.cells_of(self._empty)[0]
        return None

    def _proven(self) -> int | None:
        """A cell that wins, or the longest defence where the game is lost."""
        share = self._budget.share(_PROOF_SHARE)
        try:
            sequence = self._threats.find(
                self._own, self._other, _LONGEST_SEQUENCE, _SEQUENCE_POSITIONS, share
            )
            if sequence is not None:
                self._verdict = Verdict(1)
                if sequence.plies == 3:
                    self._verdict = Verdict(1, 3)
                return sequence.cell
            if self._board.cells > LARGEST_PROVEN:
                return None
            self._verdict = self._solver.value(self._own, self._other, share)
        finally:
            self._budget.settle(share)
        if self._verdict is None or self._verdict.value == 0:
            return None
        return self._winner() if self._verdict.value > 0 else self._longest()

    def _winner(self) -> int | None:
        plies = (self._verdict.plies or ENDLESS) - 1
        for cell in self._cells:
            if self._solver.can_lose(self._other, self._own | self._board.bits[cell], plies, self._budget) > 0:
                return cell
        return None

    def _longest(self) -> int | None:
        plies = (self._verdict.plies or ENDLESS) - 3
        for cell in self._cells:
            if self._solver.can_win(self._other, self._own | self._board.bits[cell], plies, self._budget) <= 0:
                return cell
        return self._cells[0]

    def _searched(self) -> int:
        """The first cell, by what alpha-beta search makes of them, that is not proven to lose."""
        share = self._budget.share(_SEARCH_SHARE)
        self._search.budget = share
        order = self._cells
        try:
            for depth in range(1, 60):
                order = self._iterate(order, depth)
                self._depth = depth
                if abs(self._top) > SURE:
                    break
        except Spent:
            order = self._partial or order
        self._budget.settle(share)
        best, longest = order[0], 0
        for cell in order:
            plies = self._refuted(cell)
            if plies == 0:
                return cell
            if plies > longest:
                best, longest = cell, plies
        return best

    def _iterate(self, order, depth):
        bits = self._board.bits
        alpha, beta = -WIN, WIN
        scores = []
        self._partial = None
        for i, cell in enumerate(order):
            after = self._own | bits[cell]
            if i == 0:
                score = -self._search.score(self._other, after, depth - 1, -beta, -alpha, 1)
            else:
                score = -self._search.score(self._other, after, depth - 1, -alpha - 1, -alpha, 1)
                if score > alpha:
                    score = -self._search.score(self._other, after, depth - 1, -beta, -alpha, 1)
            scores.append((-score, i, cell))
            if score > alpha:
                alpha = score
            done = {c for _, _, c in scores}
            self._partial = [c for _, _, c in sorted(scores)] + [c for c in order if c not in done]
        self._top = alpha
        self.scores = scores
        return self._partial

    def _refuted(self, cell: int) -> int:
        """Within how many plies other is proven to win after a cell; 0 if that is not known."""
        if self._board.cells > LARGEST_PROVEN:
            return 0
        own = self._own | self._board.bits[cell]
        try:
            for plies in range(1, 60, 2):
                r = self._solver.can_win(self._other, own, plies, self._budget)
                if r > 0:
                    return r
                if r == NEVER:
                    return 0
        except Spent:
            pass
        return 0

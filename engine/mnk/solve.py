"""The value of a position: two proofs, one for each side, and how far away the end is."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from engine.mnk.budget import Budget, Spent
from engine.mnk.misere import MisereProver
from engine.mnk.proof import ENDLESS, NEVER, UNKNOWN, LineProver
from engine.mnk.table import ENTRIES

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.mnk.bits import Board

_SHORT = 9
"""Wins within so many plies are looked for before it is asked whether there is any at all."""
_PATIENCE = 8
"""How many times the nodes spent so far that question may take, before longer wins are looked for."""


class Verdict(NamedTuple):
    """A proven value for the side to move."""

    value: int
    """1 for a win, 0 for a draw, -1 for a loss."""
    plies: int | None = None
    """The plies to the end where the winner hurries and the loser delays; None for a draw, or not known."""

    def __str__(self) -> str:
        name = ("loss", "draw", "win")[self.value + 1]
        return name if self.plies is None else f"{name} {self.plies}"


DRAW = Verdict(0)


class Solver:
    """Proves values on one board; what it has proven it remembers.

    Args:
        board: The board.
        misere: Whether a line loses.
        entries: The entries of each of its two tables; see `engine.mnk.table`.
    """

    def __init__(self, board: Board, *, misere: bool = False, entries: int = ENTRIES) -> None:
        self.board = board
        self.misere = misere
        prover = MisereProver if misere else LineProver
        self._provers = prover(board, entries), prover(board, entries)
        self._win_parity = 0 if misere else 1

    def value(self, own: int, other: int, budget: Budget) -> Verdict | None:
        """The value of a position that is not over; None where the budget does not suffice.

        Args:
            own: The bits of the marks of the side to move.
            other: The bits of the other side's marks.
            budget: Pays for it; what is seen without a search is free.
        """
        if (seen := self._seen(own, other)) is not None:
            return seen
        question = _Question(self, own, other, budget.nodes)
        try:
            for plies in range(1, self.empty_cells(own, other) + 1):
                question.ask_within(plies, budget)
                if plies >= _SHORT and question.verdict is None:
                    question.ask_for_any(budget)
                if question.verdict is not None:
                    break
        except Spent:
            pass
        return question.verdict or question.likely

    def can_win(self, own: int, other: int, plies: int, budget: Budget) -> int:
        """Within how many plies the side to move can force a win, or NEVER, or UNKNOWN.

        Raises:
            Spent: The budget does not suffice.
        """
        return self._provers[self._mark(own, other)].attack(own, other, plies, budget)

    def can_lose(self, own: int, other: int, plies: int, budget: Budget) -> int:
        """Within how many plies the other side can force a win against the side to move.

        Raises:
            Spent: The budget does not suffice.
        """
        return self._provers[1 - self._mark(own, other)].defend(other, own, plies, budget)

    def empty_cells(self, own: int, other: int) -> int:
        """How many cells are empty."""
        return ((self.board.full ^ own ^ other) & self.board.rows).bit_count()

    def wins_in(self, plies: int) -> bool:
        """Whether a side to move that wins may do so in a number of plies like this."""
        return plies % 2 == self._win_parity

    def _seen(self, own: int, other: int) -> Verdict | None:
        """The value where one ply decides, or nothing does: where no line is open any more."""
        board = self.board
        mine, theirs = board.missing(own, other, board.full), board.missing(other, own, board.full)
        if not any(mine) and not any(theirs):
            return DRAW
        if not self.misere:
            return Verdict(1, 1) if mine[0] else None
        empty = board.cells_of(board.full ^ own ^ other)
        return Verdict(-1, 1) if all(board.through[cell] & mine[0] for cell in empty) else None

    def _mark(self, own: int, other: int) -> int:
        """0 if the side to move is the one that began."""
        rows = self.board.rows
        return int((own & rows).bit_count() != (other & rows).bit_count())


class _Question:
    """What is known of one position's value so far."""

    def __init__(self, solver: Solver, own: int, other: int, began: int) -> None:
        self._solver = solver
        self._began = began
        self._own, self._other = own, other
        self._win = self._loss = UNKNOWN
        self.verdict: Verdict | None = None
        self.likely: Verdict | None = None

    def ask_within(self, plies: int, budget: Budget) -> None:
        """Ask for a win within exactly so many plies, when none within fewer was found."""
        solver = self._solver
        if solver.wins_in(plies):
            if self._win != NEVER:
                self._win = solver.can_win(self._own, self._other, plies, budget)
        elif self._loss != NEVER:
            self._loss = solver.can_lose(self._own, self._other, plies, budget)
        if self._win > 0:
            self.verdict = Verdict(1, plies)
        elif self._loss > 0:
            self.verdict = Verdict(-1, plies)
        else:
            self._conclude(is_last=plies == solver.empty_cells(self._own, self._other))

    def ask_for_any(self, budget: Budget) -> None:
        """Ask for a while whether there is a win at all."""
        if self.likely is not None:
            return
        allowed = _PATIENCE * (budget.nodes - self._began)
        if self._win == UNKNOWN:
            self._win = self._any(self._solver.can_win, 1, budget, allowed)
        if self._loss == UNKNOWN and self.likely is None:
            self._loss = self._any(self._solver.can_lose, -1, budget, allowed)
        self._conclude(is_last=False)

    def _any(self, ask: Callable[[int, int, int, Budget], int], value: int, budget: Budget, allowed: int) -> int:
        """NEVER or UNKNOWN; a win that is certain, how far away it may ever be, is noted."""
        share = budget.share(1, nodes=allowed)
        try:
            result = ask(self._own, self._other, ENDLESS, share)
        except Spent:
            result = UNKNOWN
        budget.settle(share)
        if result > 0:
            self.likely = Verdict(value)
        return min(result, UNKNOWN)

    def _conclude(self, *, is_last: bool) -> None:
        if is_last or self._win == self._loss == NEVER:
            self.verdict = DRAW

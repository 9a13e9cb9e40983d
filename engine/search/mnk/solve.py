"""The value of a position: who can force a win, and how far away the end is."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from engine.search.driver import Budget, Spent
from engine.search.mnk.bounds import weight
from engine.search.mnk.misere import MisereProver
from engine.search.mnk.proof import ENDLESS, MOST_PAIRED, NEVER, UNKNOWN, LineProver
from engine.search.mnk.proof_numbers import ProofNumbers
from engine.search.table import ENTRIES

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.search.mnk.bits import Board

_SHORT = 9
"""Wins within so many plies are looked for before it is asked whether there is any at all;"""
_SHORTEST = 5
"""where plies are not asked for, within so many."""
_FIRST_NODES = 1_000
"""The nodes for each way to ask that, at least and at first; they double until one of them answers."""
_HEAVY, _LIGHT = (2, 1), (1, 4)
"""How many times these nodes proof numbers have, and the search to the end: for a side whose open lines weigh much
proof numbers are quick, for one whose lines are few the bounds on them are."""


class Proven(NamedTuple):
    """A proven value for the side to move."""

    value: int
    """1 for a win, 0 for a draw, -1 for a loss."""
    plies: int | None = None
    """The plies to the end where the winner hurries and the loser delays; None for a draw, or not known."""

    def __str__(self) -> str:
        name = ("loss", "draw", "win")[self.value + 1]
        return name if self.plies is None else f"{name} {self.plies}"


DRAW = Proven(0)


class Solver:
    """Proves values on one board; what it has proven it remembers.

    Args:
        board: The board.
        misere: Whether a line loses.
        entries: The entries of each of its tables; see `engine.search.table`.
    """

    def __init__(self, board: Board, *, misere: bool = False, entries: int = ENTRIES) -> None:
        self.board = board
        self.misere = misere
        prover = MisereProver if misere else LineProver
        self._provers = prover(board, entries), prover(board, entries)
        first, second = self._provers
        self._numbers = ProofNumbers(first, entries), ProofNumbers(second, entries)
        self._win_parity = 0 if misere else 1

    def value(self, own: int, other: int, budget: Budget, *, with_plies: bool = True) -> Proven | None:
        """The value of a position that is not over; None where the budget does not suffice.

        Args:
            own: The bits of the marks of the side to move.
            other: The bits of the other side's marks.
            budget: Pays for it; what is seen without a search is free.
            with_plies: Whether it goes on to count the plies to the end of a win or loss that is proven, for half
                as many nodes again.
        """
        if (seen := self._seen(own, other)) is not None:
            return seen
        question = _Question(self, own, other)
        began = budget.nodes
        try:
            for plies in range(1, min(_SHORT if with_plies else _SHORTEST, question.longest) + 1):
                question.ask_within(plies, budget)
            nodes = max(_FIRST_NODES, budget.nodes - began)
            question.ask_for_any(budget, nodes, to_play=not with_plies)
            if with_plies:
                share = budget.share(1, nodes=(budget.nodes - began) // 2)
                try:
                    for plies in range(_SHORT + 1, question.longest + 1):
                        question.ask_within(plies, share)
                finally:
                    budget.settle(share)
        except Spent:
            pass
        return question.proven

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

    def wins(self, own: int, other: int, budget: Budget) -> bool:
        """Whether the side to move can force a win, in any number of plies: quick where it can.

        Raises:
            Spent: The budget does not suffice.
        """
        return self._numbers[self._mark(own, other)].wins(own, other, budget, attacks=True)

    def loses(self, own: int, other: int, budget: Budget) -> bool:
        """The same for the other side, against the side to move."""
        return self._numbers[1 - self._mark(own, other)].wins(other, own, budget, attacks=False)

    def winning_cell(self, own: int, other: int) -> int | None:
        """A cell with which the side to move is known to win, whatever the plies."""
        return self._numbers[self._mark(own, other)].winning_cell(own, other)

    def empty_cells(self, own: int, other: int) -> int:
        """How many cells are empty."""
        return ((self.board.full ^ own ^ other) & self.board.rows).bit_count()

    def wins_in(self, plies: int) -> bool:
        """Whether a side to move that wins may do so in a number of plies like this."""
        return plies % 2 == self._win_parity

    def _seen(self, own: int, other: int) -> Proven | None:
        """The value where one ply decides, or nothing does: where no line is open any more."""
        board = self.board
        mine, theirs = board.missing(own, other, board.full), board.missing(other, own, board.full)
        if not any(mine) and not any(theirs):
            return DRAW
        if not self.misere:
            return Proven(1, 1) if mine[0] else None
        empty = board.cells_of(board.full ^ own ^ other)
        return Proven(-1, 1) if all(board.through[cell] & mine[0] for cell in empty) else None

    def _mark(self, own: int, other: int) -> int:
        """0 if the side to move is the one that began."""
        rows = self.board.rows
        return int((own & rows).bit_count() != (other & rows).bit_count())


class _Question:
    """What is known of one position's value so far."""

    def __init__(self, solver: Solver, own: int, other: int) -> None:
        self._solver = solver
        self._sides = own, other
        self._win = self._loss = UNKNOWN
        self.longest = solver.empty_cells(own, other)
        self.proven: Proven | None = None

    def ask_within(self, plies: int, budget: Budget) -> None:
        """Ask for a win or a loss within exactly so many plies, when there is none within fewer.

        Raises:
            Spent: The budget does not suffice.
        """
        if self.proven is not None and (self.proven == DRAW or self.proven.plies is not None):
            return
        if self._solver.wins_in(plies):
            if self._win != NEVER and self._solver.can_win(*self._sides, plies, budget) > 0:
                self.proven = Proven(1, plies)
        elif self._loss != NEVER and self._solver.can_lose(*self._sides, plies, budget) > 0:
            self.proven = Proven(-1, plies)
        if self.proven is None and plies == self.longest:
            self.proven = DRAW

    def ask_for_any(self, budget: Budget, nodes: int, *, to_play: bool) -> None:
        """Ask whether there is a win or a loss at all, with so many nodes for each way to ask, then with more.

        Proof numbers are quick to find a win, and the search to the end is quick to show that there is none. To
        play, a win is wanted, and to know that there is no loss.

        Raises:
            Spent: The budget does not suffice.
        """
        solver = self._solver
        numbers, to_the_end = self._parts(*self._sides)
        win_parts = numbers, 0 if to_play else to_the_end
        loss_parts = self._parts(*reversed(self._sides))
        while self.proven is None:
            if self._win != NEVER:
                self._win = self._asked(1, (solver.wins, solver.can_win), win_parts, budget, nodes)
            if self._loss != NEVER and self.proven is None:
                self._loss = self._asked(-1, (solver.loses, solver.can_lose), loss_parts, budget, nodes)
            if self._win == self._loss == NEVER:
                self.proven = DRAW
            nodes *= 2

    def _parts(self, own: int, other: int) -> tuple[int, int]:
        """How to share nodes between the two ways to ask whether own wins."""
        board, half = self._solver.board, 1 << self._solver.board.k - 1
        is_heavy = weight(board.missing(own, other, board.full), half) > MOST_PAIRED * half
        return _HEAVY if is_heavy and not self._solver.misere else _LIGHT

    def _asked(
        self,
        value: int,
        ways: tuple[Callable[..., bool], Callable[..., int]],
        parts: tuple[int, int],
        budget: Budget,
        nodes: int,
    ) -> int:
        """NEVER or UNKNOWN; a win that is found, how far away it may ever be, is what is proven."""
        numbers, to_the_end = ways
        asks: tuple[Callable[[Budget], int], ...] = (
            lambda share: 1 if numbers(*self._sides, share) else NEVER,
            lambda share: to_the_end(*self._sides, ENDLESS, share),
        )
        for ask, part in zip(asks, parts, strict=True):
            if not part:
                continue
            share = budget.share(1, nodes=nodes * part)
            try:
                result = ask(share)
            except Spent:
                result = UNKNOWN
            budget.settle(share)
            if result > 0:
                self.proven = Proven(value)
                return UNKNOWN
            if result == NEVER:
                return NEVER
            if budget.is_spent:
                raise Spent
        return UNKNOWN

"""Proves the value of a position: who can force a win, and in how many plies."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from engine.search.driver import Budget, Spent
from engine.search.mnk.bits import Board
from engine.search.mnk.bounds import weight
from engine.search.mnk.misere import MisereProver
from engine.search.mnk.proof import ENDLESS, MOST_PAIRED, NEVER, UNKNOWN, LineProver
from engine.search.mnk.proof_numbers import ProofNumbers
from engine.search.table import ENTRIES

_SHORT = 9
"""Wins within so many plies are looked for first, one ply deeper at a time;"""
_SHORTEST = 5
"""within so many if the plies don't matter. After that, it is asked whether there is any win at all."""
_FIRST_NODES = 1_000
"""The nodes that each way of asking that gets at first, at least; they double until one of them answers."""
_HEAVY, _LIGHT = (2, 1), (1, 4)
"""How many times these nodes proof-number search and the search to the end get. If a side's open lines weigh much,
proof numbers are quicker; if it has few, the bounds on them make the search to the end quicker."""


class Proven(NamedTuple):
    """A proven value for the side to move."""

    value: int
    """1 for a win, 0 for a draw, -1 for a loss."""
    plies: int | None = None
    """The plies to the end if the winner hurries and the loser delays; None for a draw, or if it isn't known."""

    def __str__(self) -> str:
        name = ("loss", "draw", "win")[self.value + 1]
        return name if self.plies is None else f"{name} {self.plies}"


DRAW = Proven(0)


class Solver:
    """Proves values on one board, and remembers what it has proven.

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
        """The value of a position that isn't over; None if the budget is not enough to prove it.

        Args:
            own: The bits of the marks of the side to move.
            other: The bits of the other side's marks.
            budget: What may be spent; a value that needs no search is free.
            with_plies: Whether to count the plies to the end of a proven win or loss, for up to half as many nodes
                again.
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
        """Within how many plies the side to move can force a win: a number, NEVER or UNKNOWN.

        Raises:
            Spent: The budget is not enough.
        """
        return self._provers[self._mark(own, other)].attack(own, other, plies, budget)

    def can_lose(self, own: int, other: int, plies: int, budget: Budget) -> int:
        """Within how many plies the other side can force a win: likewise.

        Raises:
            Spent: The budget is not enough.
        """
        return self._provers[1 - self._mark(own, other)].defend(other, own, plies, budget)

    def wins(self, own: int, other: int, budget: Budget) -> bool:
        """Whether the side to move can force a win, in any number of plies. It is quick to find one.

        Raises:
            Spent: The budget is not enough.
        """
        return self._numbers[self._mark(own, other)].wins(own, other, budget, attacks=True)

    def loses(self, own: int, other: int, budget: Budget) -> bool:
        """Whether the other side can force a win, likewise."""
        return self._numbers[1 - self._mark(own, other)].wins(other, own, budget, attacks=False)

    def winning_cell(self, own: int, other: int) -> int | None:
        """A cell that is known to win for the side to move, in any number of plies."""
        return self._numbers[self._mark(own, other)].winning_cell(own, other)

    def empty_cells(self, own: int, other: int) -> int:
        """How many cells are empty."""
        return ((self.board.full ^ own ^ other) & self.board.rows).bit_count()

    def wins_in(self, plies: int) -> bool:
        """Whether a win for the side to move can take so many plies: an odd number, in misère an even one."""
        return plies % 2 == self._win_parity

    def _seen(self, own: int, other: int) -> Proven | None:
        """The value if one ply decides the game, or if no line is open any more."""
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
    """What is known so far about the value of one position."""

    def __init__(self, solver: Solver, own: int, other: int) -> None:
        self._solver = solver
        self._sides = own, other
        self._win = self._loss = UNKNOWN
        self.longest = solver.empty_cells(own, other)
        self.proven: Proven | None = None

    def ask_within(self, plies: int, budget: Budget) -> None:
        """Ask for a win or a loss in exactly so many plies, if there is none in fewer.

        Raises:
            Spent: The budget is not enough.
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
        """Ask whether there is a win or a loss at all, with so many nodes for each way of asking, then with more.

        Proof numbers are quick to find a win, the search to the end is quick to show that there is none. To play,
        it is enough to find a win or to know that there is no loss.

        Raises:
            Spent: The budget is not enough.
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
        """How to share nodes between the two ways of asking whether own wins."""
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
        """NEVER or UNKNOWN. If a win is found, `proven` is set."""
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

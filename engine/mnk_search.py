"""A search for boards of m columns and n rows, usual or misère, by what `engine.mnk` finds.

A value is a proof where the budget suffices for one; elsewhere it is what alpha-beta search makes of the position.
"""

from __future__ import annotations

from math import tanh
from random import Random
from typing import TYPE_CHECKING, Final

from engine.limits import Limits
from engine.mnk.alphabeta import SURE
from engine.mnk.bits import board
from engine.mnk.budget import Budget
from engine.mnk.search import Searcher
from engine.mnk_rules import MnkPosition
from engine.values import Result, Value, value_of_outcome

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.mnk_rules import MnkRules
    from engine.rules import Position

_SCALE: Final = 1 / 600
"""Turns a worth into an estimate: tanh of so many times the worth; an open line that misses two counts 48."""


class MnkSearch:
    """Chooses cells on one board and values its positions.

    With a budget in nodes alone its answers depend on the position, the seed and what it was asked before.

    Args:
        rules: Those of the board.
        nodes: How many positions a search may look at.
        seconds: How long it may take.
        seed: Decides among equals.
        stop: Asked every few milliseconds; once it says yes, the search ends with what it has.
    """

    def __init__(
        self,
        rules: MnkRules,
        *,
        nodes: int | None = None,
        seconds: float | None = None,
        seed: int = 0,
        stop: Callable[[], bool] | None = None,
    ) -> None:
        geometry = rules.geometry
        self.nodes = 0
        """How many positions the last search looked at."""
        self._rules: Final = rules
        self._limits = Limits(nodes, seconds, stop)
        self._seed = seed
        self._searcher = Searcher(board(geometry.m, geometry.n, geometry.k), misere=rules.misere)

    def renew(self, limits: Limits, seed: int) -> None:
        """Go on with other limits and another seed; what was found out stays known."""
        self._limits, self._seed = limits, seed

    def best(self, position: Position) -> int:
        """The best cell of a position that is not over.

        Raises:
            TypeError: The position is of another game.
        """
        own, other = self._sides(position)
        budget = Budget(**self._limits._asdict())
        choice = self._searcher.best(own, other, budget, Random(self._seed))  # noqa: S311 - no secret
        self.nodes = budget.nodes
        return choice.cell

    def value(self, position: Position) -> Value:
        """The value of a position for the side to move.

        Raises:
            TypeError: The position is of another game.
        """
        sides = self._sides(position)
        ended = value_of_outcome(position)
        if ended is not None:
            return ended
        budget = Budget(**self._limits._asdict())
        choice = self._searcher.judge(*sides, budget)
        if choice.verdict is None:
            estimate = tanh(_SCALE * max(-SURE, min(SURE, choice.score)))
            value = Value(None, estimate=estimate, depth=choice.depth, line=choice.variation)
        else:
            line = choice.variation if choice.verdict.value == 0 else self._line(position, budget)
            value = Value(Result(choice.verdict.value), choice.verdict.plies, line=line)
        self.nodes = budget.nodes
        return value

    def _line(self, position: Position, budget: Budget) -> tuple[int, ...]:
        """Best play from here where one side wins, as far as the budget proves it."""
        line = []
        while position.outcome is None:
            choice = self._searcher.judge(*self._sides(position), budget)
            if choice.verdict is None or not choice.variation:
                break
            line.append(choice.cell)
            position = position.play(choice.cell)
        return tuple(line)

    def _sides(self, position: Position) -> tuple[int, int]:
        """The bits of the side to move and of the other one."""
        if not isinstance(position, MnkPosition) or position.rules is not self._rules:
            raise TypeError(f"This search plays {self._rules}, not {position.rules}.")
        on = self._searcher.board
        own, other = (on.marks(cell for cell in range(on.cells) if marks >> cell & 1) for marks in position.sides)
        return own, other

"""The interface of a search to what `engine.search.mnk` finds, for boards of any size, ordinary or misère.

A value is proven if the budget is enough for that, else it is what alpha-beta search estimates.
"""

from __future__ import annotations

from math import tanh
from random import Random
from typing import Final, cast

from engine.rules.base import Position
from engine.rules.mnk import MnkPosition, MnkRules
from engine.search.driver import Budget, Search
from engine.search.limits import Limits
from engine.search.mnk.alphabeta import SURE
from engine.search.mnk.bits import board
from engine.search.mnk.search import Searcher
from engine.search.values import Result, Value

_SCALE: Final = 1 / 600
"""An estimate is tanh of this times alpha-beta's score, in which an open line that lacks two marks counts 48."""


class MnkSearch(Search):
    """Chooses cells on one board and values its positions."""

    def __init__(self, rules: MnkRules, limits: Limits = Limits(), seed: int = 0) -> None:  # noqa: B008 - immutable
        super().__init__(rules, limits, seed)
        geometry = rules.geometry
        self._searcher = Searcher(board(geometry.m, geometry.n, geometry.k), misere=rules.misere)

    def _best(self, position: Position, budget: Budget, rng: Random) -> int:
        return self._searcher.best(*self._sides(position), budget, rng).cell

    def _value(self, position: Position, budget: Budget, rng: Random) -> Value:  # noqa: ARG002 - ties have one value
        choice = self._searcher.judge(*self._sides(position), budget)
        if choice.proven is None:
            estimate = tanh(_SCALE * max(-SURE, min(SURE, choice.score)))
            return Value(None, estimate=estimate, depth=choice.depth, line=choice.variation)
        line = choice.variation if choice.proven.value == 0 else self._line(position, budget)
        return Value(Result(choice.proven.value), choice.proven.plies, line=line)

    def _line(self, position: Position, budget: Budget) -> tuple[int, ...]:
        """Best play in a won or lost position, as far as the budget proves it."""
        line = []
        while position.outcome is None:
            choice = self._searcher.judge(*self._sides(position), budget)
            if choice.proven is None or not choice.variation:
                break
            line.append(choice.cell)
            position = position.play(choice.cell)
        return tuple(line)

    def _sides(self, position: Position) -> tuple[int, int]:
        """The bits of the side to move and of the other side."""
        own, other = cast("MnkPosition", position).sides  # as `_check` has seen to
        return self._searcher.board.from_mask(own), self._searcher.board.from_mask(other)

"""What all searches share: limits and budget, iterative deepening, and the interface of a search."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from random import Random
from time import monotonic
from typing import Final, NamedTuple

from engine.rules.base import Position, Rules
from engine.search.values import Value, value_of_outcome


class Limits(NamedTuple):
    """The limits of a search. It stops at the first that it reaches, and answers with what it has found so far."""

    nodes: int | None = None
    """How many positions it may look at. If only this is limited, answers are reproducible."""
    seconds: float | None = None
    """How long it may take, counted from when it is asked."""


_NODES_BETWEEN_LOOKS = 16
_ENDLESS = 100_000


class Spent(Exception):
    """The budget is spent. What the search has found out stays known."""


class Budget:
    """Counts nodes, and raises `Spent` once a limit is reached.

    The clock is checked every 16 nodes, which take a few milliseconds at most. A budget of nodes alone
    always ends at the same node, so that such a search is reproducible.
    """

    nodes: int
    """The nodes spent so far. A search with quick nodes counts them itself, and calls `look` when that is due."""
    look_at: int
    """The number of nodes at which `look` is due."""

    def __init__(self, limits: Limits = Limits()) -> None:  # noqa: B008 - an immutable value
        self.nodes = 0
        self.look_at = 0
        self._limit, seconds = limits
        self._deadline = None if seconds is None else monotonic() + seconds

    def spend(self) -> None:
        """Spend one node."""
        if self.nodes >= self.look_at:
            self.look()
        self.nodes += 1

    def look(self) -> None:
        """Check the nodes and the clock."""
        if self.is_spent:
            raise Spent
        self.look_at = self.nodes + _NODES_BETWEEN_LOOKS
        if self._limit is not None:
            self.look_at = min(self.look_at, self._limit)

    def share(self, part: float, *, nodes: int | None = None) -> Budget:
        """A new budget with a part, from 0 to 1, of what is left, and at most so many nodes.

        If neither nodes nor seconds are limited, a part less than 1 is taken of 100,000 nodes. Pass it to `settle`
        when it has been used.
        """
        left = None
        if self._limit is not None:
            left = int(part * max(0, self._limit - self.nodes))
        elif self._deadline is None and part < 1:
            left = int(part * _ENDLESS)
        if left is not None:
            nodes = left if nodes is None else min(nodes, left)
        seconds = None if self._deadline is None else part * (self._deadline - monotonic())
        return Budget(Limits(nodes, seconds))

    def settle(self, share: Budget) -> None:
        """Count the nodes that a share has spent."""
        self.nodes += share.nodes
        self.look_at = self.nodes

    def covers(self, nodes: int) -> bool:
        """Whether the limit of nodes, if there is one, allows so many more."""
        return self._limit is None or self._limit - self.nodes >= nodes

    @property
    def is_spent(self) -> bool:
        """Whether nothing is left."""
        return (self._limit is not None and self.nodes >= self._limit) or (
            self._deadline is not None and monotonic() >= self._deadline
        )


def deepened(
    rank: Callable[[list[int], int], float], cells: list[int], deepest: int, sure: float
) -> tuple[float, int]:
    """Iterative deepening: search one ply deeper at a time until the budget is spent or the result is certain.

    `rank` searches to a depth and returns the score of the best cell, which it moves to the front of the cells as
    soon as it finds it; it raises `Spent` when its budget is. Scores beyond `sure`, for either side, are proven
    wins. Returned are the score at the last depth that was completed, and that depth; 0 and 0 if none was.
    """
    score, reached = 0.0, 0
    for depth in range(1, deepest + 1):
        try:
            score = rank(cells, depth)
        except Spent:
            break
        reached = depth
        if abs(score) > sure:
            break
    return score, reached


class Search(ABC):
    """Chooses cells and values positions under some rules, and remembers what it finds out for later questions.

    If only nodes are limited, its answers depend on the position, the seed and what it was asked before.

    The seed chooses among equally good cells.
    """

    nodes = 0
    """How many positions it searched for the last question."""

    def __init__(self, rules: Rules, limits: Limits = Limits(), seed: int = 0) -> None:  # noqa: B008 - as above
        self.rules: Final = rules
        self._limits = limits
        self._seed = seed

    def renew(self, limits: Limits, seed: int) -> None:
        """Set other limits and another seed; what has been found out stays known."""
        self._limits, self._seed = limits, seed

    def best(self, position: Position) -> int:
        """The best cell of a position that isn't over."""
        self._check(position)
        budget = Budget(self._limits)
        cell = self._best(position, budget, Random(self._seed))  # noqa: S311 - no secret
        self.nodes = budget.nodes
        return cell

    def value(self, position: Position) -> Value:
        """The value of a position for the side to move; its line begins with the cell to play."""
        self._check(position)
        ended = value_of_outcome(position)
        if ended is not None:
            return ended
        budget = Budget(self._limits)
        value = self._value(position, budget, Random(self._seed))  # noqa: S311 - no secret
        self.nodes = budget.nodes
        return value

    @abstractmethod
    def _best(self, position: Position, budget: Budget, rng: Random) -> int:
        """The best cell of a position of these rules that isn't over."""

    @abstractmethod
    def _value(self, position: Position, budget: Budget, rng: Random) -> Value:
        """The value of such a position."""

    def _check(self, position: Position) -> None:
        if position.rules is not self.rules:
            raise TypeError(f"This search plays {self.rules}, not {position.rules}.")

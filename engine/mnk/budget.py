"""What a search may spend: nodes, seconds, and until somebody says stop."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_NODES_BETWEEN_LOOKS = 64
_ENDLESS = 100_000


class Spent(Exception):
    """The budget is spent; what the search knows by now stays known."""


class Budget:
    """Counts nodes and raises `Spent` at the end.

    The clock and `stop` are looked at every 64 nodes, which take a few milliseconds at most. A budget of nodes
    alone always ends at the same node, so that what it was spent on can be repeated.

    Args:
        nodes: The nodes to spend; unlimited by default.
        seconds: The seconds to spend from now on; unlimited by default.
        stop: Asked now and then; the budget is spent once it answers True.
    """

    nodes: int
    """The nodes spent so far."""

    def __init__(
        self, *, nodes: int | None = None, seconds: float | None = None, stop: Callable[[], bool] | None = None
    ) -> None:
        self.nodes = 0
        self._limit = nodes
        self._stop = stop
        self._deadline = None if seconds is None else monotonic() + seconds
        self._look_at = 0

    def spend(self) -> None:
        """Spend one node.

        Raises:
            Spent: Nothing is left.
        """
        if self.nodes >= self._look_at:
            self._look()
        self.nodes += 1

    def share(self, part: float, *, nodes: int | None = None) -> Budget:
        """A budget of its own over a part, from 0 to 1, of what is left, and at most so many nodes.

        Where neither nodes nor seconds are limited, it is that part of 100,000 nodes, unless it is the whole.
        Hand it back to `settle`.
        """
        left = None
        if self._limit is not None:
            left = int(part * max(0, self._limit - self.nodes))
        elif self._deadline is None and part < 1:
            left = int(part * _ENDLESS)
        if left is not None:
            nodes = left if nodes is None else min(nodes, left)
        seconds = None if self._deadline is None else part * (self._deadline - monotonic())
        return Budget(nodes=nodes, seconds=seconds, stop=self._stop)

    def settle(self, share: Budget) -> None:
        """Count what a share has spent."""
        self.nodes += share.nodes
        self._look_at = self.nodes

    def covers(self, nodes: int) -> bool:
        """Whether so many nodes may be spent, as far as nodes are limited."""
        return self._limit is None or self._limit - self.nodes >= nodes

    @property
    def is_spent(self) -> bool:
        """Whether nothing is left."""
        return (
            (self._limit is not None and self.nodes >= self._limit)
            or (self._deadline is not None and monotonic() >= self._deadline)
            or (self._stop is not None and self._stop())
        )

    def _look(self) -> None:
        if self.is_spent:
            raise Spent
        self._look_at = self.nodes + _NODES_BETWEEN_LOOKS
        if self._limit is not None:
            self._look_at = min(self._look_at, self._limit)

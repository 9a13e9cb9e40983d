"""What all searches share: values, limits and budgets, tables, deepening, and the interface of a search."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from enum import IntEnum
from random import Random
from time import monotonic
from typing import Final, Generic, NamedTuple, Protocol, TypeVar, cast

from engine.rules.base import P, Position, Rules

_LONG: Final = 100
"""More plies than any game has. Wins and losses in an unknown number of plies score as if they took so many."""


class GameValue(IntEnum):
    """How a game ends for one side. Results can be compared, and negated by `-`."""

    LOSS = -1
    DRAW = 0
    WIN = 1


class Value(NamedTuple):
    """The value of a position for the side to move: proven, or else an estimate."""

    result: GameValue | None
    """How the game ends if both sides play best; None if that isn't proven."""
    plies: int | None = None
    """The plies to the end of a proven win or loss: the shortest win, the longest loss. None if only the result is
    known."""
    estimate: float = 0.0
    """If nothing is proven, the expected result, between -1 (a loss) and 1 (a win)."""
    depth: int = 0
    """If nothing is proven, how many plies were searched."""
    cell: int | None = None
    """The cell to play, if one is known."""

    @property
    def score(self) -> float:
        """A number between -2 and 2, higher for better values, for quicker wins and for longer losses."""
        if self.result is None:
            return self.estimate
        if self.result is GameValue.DRAW:
            return 0.0
        return self.result * (2 - (_LONG if self.plies is None else self.plies) / 1_000)

    def before(self, cell: int) -> Value:
        """The value of playing this cell, if what it leads to has this value for the other side."""
        if self.result is None:
            return Value(None, estimate=0.0 - self.estimate, depth=self.depth + 1, cell=cell)
        return Value(GameValue(-self.result), None if self.plies is None else self.plies + 1, cell=cell)

    @property
    def in_words(self) -> str:
        """Such as `win in 3 plies` or, if nothing is proven, the share of the points that is expected."""
        plies = f"{self.plies or self.depth} {'ply' if 1 in (self.plies, self.depth) else 'plies'}"
        if self.result is None:
            return f"about {50 + 50 * self.estimate:.0f} %, seen {plies} ahead"
        return self.result.name.lower() + ("" if self.plies is None else f" in {plies}")

    def __str__(self) -> str:
        name = "unknown" if self.result is None else self.result.name.lower()
        return name if self.plies is None else f"{name} {self.plies}"


UNPROVEN: Final = Value(None)
EVEN: Final = Value(GameValue.DRAW)


class Evaluator(Protocol):
    """Anything that values positions: an exact table, or a search within its limits."""

    def value(self, position: Position) -> Value:
        """The value of a position, for the side to move."""


def value_of_outcome(position: Position) -> Value | None:
    """The value of a position that is over; None if it isn't."""
    if position.outcome is None:
        return None
    winner = position.outcome.winner
    return EVEN if winner is None else Value(GameValue.WIN if winner is position.turn else GameValue.LOSS, 0)


Key = TypeVar("Key")
Entry = TypeVar("Entry")

ENTRIES: Final = 100_000
"""How many positions a table holds of each of its two generations; one takes 200 to 400 bytes."""


class PositionTable(Generic[Key, Entry]):
    """What is known of positions, of which the newest and the most used are kept.

    When it is full, its entries become the old generation, and those of the last old one are dropped. An old entry
    that is looked up becomes new again.
    """

    def __init__(self, entries: int = ENTRIES) -> None:
        self._entries = entries
        self._new: dict[Key, Entry] = {}
        self._old: dict[Key, Entry] = {}

    def get(self, key: Key) -> Entry | None:
        """The entry of this key, if it is still there."""
        entry = self._new.get(key)
        if entry is None and self._old:
            entry = self._old.get(key)
            if entry is not None:
                self.put(key, entry)
        return entry

    def put(self, key: Key, entry: Entry) -> None:
        if len(self._new) >= self._entries:
            self._old = self._new
            self._new = {}
        self._new[key] = entry


class SearchLimits(NamedTuple):
    """The limits of a search. It stops at the first that it reaches, and answers with what it has found so far."""

    nodes: int | None = None
    """How many positions it may look at. If only this is limited, answers are reproducible."""
    seconds: float | None = None
    """How long it may take, counted from when it is asked."""


_NODES_BETWEEN_LOOKS: Final = 16
_ENDLESS: Final = 100_000


class Spent(Exception):
    """The budget is spent. What the search has found out stays known."""


class Budget:
    """Counts nodes, and raises `Spent` once a limit is reached.

    The clock is checked every 16 nodes, which take a few milliseconds at most. A budget of nodes alone
    always ends at the same node, so that such a search is reproducible.
    """

    def __init__(self, limits: SearchLimits = SearchLimits()) -> None:
        self.nodes = 0
        """The nodes spent so far. A quick loop adds to it itself, and calls `look` once it reaches `look_at`."""
        self.look_at = 0
        """The number of nodes at which `look` is due."""
        self._limit, seconds = limits
        self._deadline = None if seconds is None else monotonic() + seconds

    def spend(self) -> None:
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

    @contextmanager
    def share(self, part: float = 1, *, nodes: int | None = None) -> Iterator[Budget]:
        """A budget with a part, from 0 to 1, of what is left, and at most so many nodes.

        The block ends quietly if that is spent, and what it spends counts here, too. If neither nodes nor seconds
        are limited, a part less than 1 is taken of 100,000 nodes.
        """
        left = None
        if self._limit is not None:
            left = int(part * max(0, self._limit - self.nodes))
        elif self._deadline is None and part < 1:
            left = int(part * _ENDLESS)
        if left is not None:
            nodes = left if nodes is None else min(nodes, left)
        share = Budget(
            SearchLimits(nodes, None if self._deadline is None else part * (self._deadline - monotonic()))
        )
        with suppress(Spent):
            yield share
        self.nodes += share.nodes
        self.look_at = self.nodes

    def covers(self, nodes: int) -> bool:
        """Whether the limit of nodes, if there is one, allows so many more."""
        return self._limit is None or self._limit - self.nodes >= nodes

    @property
    def is_spent(self) -> bool:
        """Whether nothing is left; of seconds that are no number (NaN), nothing ever is."""
        return (self._limit is not None and self.nodes >= self._limit) or (
            self._deadline is not None and not monotonic() < self._deadline
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


class Search(ABC, Generic[P]):
    """Chooses cells and values positions under some rules, and remembers what it finds out for later questions.

    If only nodes are limited, its answers depend on the position, the seed and what it was asked before. The seed
    chooses among equally good cells.
    """

    nodes = 0
    """How many positions it searched for the last question."""

    def __init__(self, rules: Rules, limits: SearchLimits = SearchLimits(), seed: int = 0) -> None:
        self.rules: Final = rules
        self._limits = limits
        self._seed = seed

    def renew(self, limits: SearchLimits, seed: int) -> None:
        """Set other limits and another seed; what has been found out stays known."""
        self._limits, self._seed = limits, seed

    def best(self, position: P) -> int:
        """The best cell of a position that isn't over: some cell, however small the limits."""
        return cast("int", self.choice(position).cell)

    def choice(self, position: P) -> Value:
        """The best cell, and the value as far as choosing it has shown."""
        return self._asked(position, to_play=True)

    def value(self, position: P) -> Value:
        """The value of a position for the side to move."""
        return value_of_outcome(position) or self._asked(position, to_play=False)

    def _asked(self, position: P, *, to_play: bool) -> Value:
        if position.rules is not self.rules:
            raise TypeError(f"This search plays {self.rules}, not {position.rules}.")
        budget = Budget(self._limits)
        value = self._found(position, budget, Random(self._seed), to_play=to_play)  # noqa: S311 - no secret
        self.nodes = budget.nodes
        return value

    @abstractmethod
    def _found(self, position: P, budget: Budget, rng: Random, *, to_play: bool) -> Value:
        """What is found out about a position that isn't over, to play or to value it."""

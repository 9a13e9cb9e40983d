"""A search for ultimate: one ply deeper at a time within a budget, by `engine.ultimate_alphabeta`."""

from __future__ import annotations

from math import tanh
from random import Random
from typing import TYPE_CHECKING, Final

from engine.limits import Limits
from engine.marks import Mark
from engine.ultimate import UltimatePosition
from engine.ultimate_alphabeta import ANY_BOARD, PROVEN, WON, AlphaBeta, Stopped
from engine.values import Result, Value, value_of_outcome

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.rules import Position
    from engine.ultimate_alphabeta import Table

_SCALE: Final = 2.0
"""Turns a score into an estimate: tanh of so many times the score."""
_LARGEST_TABLE: Final = 500_000
"""With more entries than these a search begins with an empty table."""


class UltimateSearch:
    """Values positions of ultimate; the first cell of a value's line is the one to play.

    With a budget in nodes alone its answers depend on the position, the seed and what it was asked before.

    Args:
        nodes: How many positions a search may look at; at least one ply is looked ahead.
        seconds: How long it may take.
        seed: Decides among equals.
        stop: Asked every few milliseconds; once it says yes, the search ends with what it has.
    """

    def __init__(
        self,
        *,
        nodes: int | None = None,
        seconds: float | None = None,
        seed: int = 0,
        stop: Callable[[], bool] | None = None,
    ) -> None:
        self.nodes = 0
        """How many positions the last search looked at."""
        self._limits = Limits(nodes, seconds, stop)
        self._seed = seed
        # For best cells and for values: what is found out for a choice alone may overlook the quickest way.
        self._tables: tuple[Table, Table] = {}, {}

    def renew(self, limits: Limits, seed: int) -> None:
        """Go on with other limits and another seed; what was found out stays known."""
        self._limits, self._seed = limits, seed

    def best(self, position: Position) -> int:
        """The best cell of a position that is not over.

        Raises:
            TypeError: The position is of another game.
        """
        return self._found(position, exactly=False).line[0]

    def value(self, position: Position) -> Value:
        """The value of a position of ultimate for the side to move.

        Raises:
            TypeError: The position is of another game.
        """
        return self._found(position, exactly=True)

    def _found(self, position: Position, *, exactly: bool) -> Value:
        """What a search finds, which reports the plies to the end exactly, or else any win that it remembers."""
        if not isinstance(position, UltimatePosition):
            raise TypeError(f"This search plays ultimate, not {position.rules}.")
        table = self._tables[exactly]
        if len(table) > _LARGEST_TABLE:
            table.clear()
        search = AlphaBeta(position, table, self._limits, exactly=exactly)
        rng = Random(self._seed)  # noqa: S311 - no secret
        value = value_of_outcome(position) or _deepened(search, position, table, rng)
        self.nodes = search.nodes
        return value


def _deepened(search: AlphaBeta, position: UltimatePosition, table: Table, rng: Random) -> Value:
    """Search one ply deeper at a time, until the budget is spent or the result is proven."""
    cells = list(position.legal_moves)
    rng.shuffle(cells)
    score, reached = 0.0, 0
    left = search.room(position.finished)
    for depth in range(1, left + 1):
        try:
            score = search.search(cells, depth)
        except Stopped:
            break
        reached = depth
        if abs(score) > PROVEN:
            break
    line = _line(position, cells[0], reached, table)
    if abs(score) > PROVEN:
        return Value(Result.WIN if score > 0 else Result.LOSS, round(WON - abs(score)), line=line)
    if reached == left:
        return Value(Result.DRAW, line=line)
    return Value(None, estimate=tanh(_SCALE * score), depth=reached, line=line)


def _line(position: UltimatePosition, cell: int, depth: int, table: Table) -> tuple[int, ...]:
    """The cells that the table holds best from here on."""
    line = []
    while True:
        line.append(cell)
        position = position.play(cell)
        own, other = (position.x, position.o) if position.turn is Mark.X else (position.o, position.x)
        entry = table.get((own, other, ANY_BOARD if position.board is None else position.board))
        if position.is_over or entry is None or len(line) >= depth:
            return tuple(line)
        cell = entry[3]

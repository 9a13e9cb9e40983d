"""The interface of a search for ultimate: iterative deepening of `engine.search.ultimate.alphabeta`."""

from __future__ import annotations

from math import tanh
from random import Random
from typing import Final

from engine.rules.base import Position, Rules
from engine.rules.marks import Mark
from engine.rules.ultimate import ULTIMATE, UltimatePosition
from engine.search.driver import Budget, Search, deepened
from engine.search.limits import Limits
from engine.search.table import ENTRIES, Table
from engine.search.ultimate.alphabeta import ANY_BOARD, PROVEN, WON, AlphaBeta, Entry, Key
from engine.search.values import Result, Value

_SCALE: Final = 2.0
"""An estimate is tanh of this times the score."""
_ENTRIES: Final = 3 * ENTRIES
"""The entries of each table."""


class UltimateSearch(Search):
    """Chooses cells in ultimate and values its positions."""

    def __init__(self, rules: Rules = ULTIMATE, limits: Limits = Limits(), seed: int = 0) -> None:  # noqa: B008 - immutable
        super().__init__(rules, limits, seed)
        # One for choices and one for values, as a search for a choice may overlook the quickest win.
        self._tables: tuple[Table[Key, Entry], ...] = Table(_ENTRIES), Table(_ENTRIES)

    def _best(self, position: Position, budget: Budget, rng: Random) -> int:
        return self._found(position, budget, rng, exactly=False).line[0]

    def _value(self, position: Position, budget: Budget, rng: Random) -> Value:
        return self._found(position, budget, rng, exactly=True)

    def _found(self, position: Position, budget: Budget, rng: Random, *, exactly: bool) -> Value:
        """The result of a search, with the right number of plies to the end of a win if it is to be exact."""
        if not isinstance(position, UltimatePosition):
            raise TypeError(f"This search plays ultimate, not {position.rules}.")
        table = self._tables[exactly]
        alpha_beta = AlphaBeta(position, table, budget, exactly=exactly)
        cells = list(position.legal_moves)
        rng.shuffle(cells)
        left = alpha_beta.room(position.finished)
        score, reached = deepened(alpha_beta.search, cells, left, PROVEN)
        line = _line(position, cells[0], reached, table)
        if abs(score) > PROVEN:
            return Value(Result.WIN if score > 0 else Result.LOSS, round(WON - abs(score)), line=line)
        if reached == left:
            return Value(Result.DRAW, line=line)
        return Value(None, estimate=tanh(_SCALE * score), depth=reached, line=line)


def _line(position: UltimatePosition, cell: int, depth: int, table: Table[Key, Entry]) -> tuple[int, ...]:
    """The principal variation as far as the table knows it, beginning with a cell."""
    line = []
    while True:
        line.append(cell)
        position = position.play(cell)
        own, other = (position.x, position.o) if position.turn is Mark.X else (position.o, position.x)
        entry = table.get((own, other, ANY_BOARD if position.board is None else position.board))
        if position.is_over or entry is None or len(line) >= depth:
            return tuple(line)
        cell = entry[3]

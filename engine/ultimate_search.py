"""A search for ultimate: alpha-beta with iterative deepening within a budget.

Leaves score by `engine.ultimate_evaluation`, proven wins and losses beyond all that.
"""

from __future__ import annotations

import time
from math import tanh
from random import Random
from typing import TYPE_CHECKING, Final

from engine.limits import Limits
from engine.marks import Mark
from engine.ultimate import UltimatePosition
from engine.ultimate_evaluation import CHANCES, evaluation
from engine.ultimate_marks import ALL, HAS_LINE
from engine.values import Result, Value, value_of_outcome

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.rules import Position

    Entry = tuple[int, float, int, int]
    """A depth, the score, whether it is exact or a bound, and the best cell."""
    State = tuple[int, int, int, int, int]
    """Who is to move (0 or 1), on which board, the boards that they and that other have won, the finished ones."""

WON: Final = 1_000.0
"""The score of a finished win; every ply on the way to it costs one."""
_PROVEN: Final = WON - 100
"""Scores beyond this are wins."""
_EQUAL: Final = 1e-9
"""Scores that differ by no more are equal: turned boards add up in another order."""
_SCALE: Final = 2.0
"""Turns a score into an estimate: tanh of so many times the score."""
_CHECKED_EVERY: Final = 256
"""So many nodes pass between two looks at the clock, which is about 2 ms."""
_LARGEST_TABLE: Final = 500_000
"""With more entries than these a search begins with an empty table."""
_ANY: Final = 9
"""Stands for the board where any may be chosen."""
_EXACT, _AT_LEAST, _AT_MOST = range(3)
_UNKNOWN: Final = (-1, 0.0, _EXACT, -1)
"""What the table says of a position that it does not hold."""
_WINS_BOARD: Final = 1_000_000
"""Lets cells that win a board be tried before others."""

_ORDER: Final = (4, 0, 2, 6, 8, 1, 3, 5, 7)
_FREE: Final = tuple(
    tuple(tuple(9 * board + cell for cell in _ORDER if free >> cell & 1) for free in range(ALL + 1))
    for board in range(9)
)
"""For each board and bitmask of its free cells these cells, those on most lines first."""
_PLACE: Final = tuple((cell // 9, cell % 9, 1 << cell % 9, 1 << cell) for cell in range(9 * 9))
"""For each cell its board, its place there, and the bits of either."""


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
        self._table: dict[tuple[int, int, int], Entry] = {}

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
        if len(self._table) > _LARGEST_TABLE:
            self._table.clear()
        search = _Search(position, table=self._table, limits=self._limits, exactly=exactly)
        value = value_of_outcome(position) or search.deepen(position, Random(self._seed))  # noqa: S311 - no secret
        self.nodes = search.nodes
        return value


class _Stopped(Exception):
    """The budget is spent."""


class _Search:
    """One search: the boards as they are while it plays and takes back, and what it has learnt of good cells."""

    def __init__(
        self,
        position: UltimatePosition,
        *,
        table: dict[tuple[int, int, int], Entry],
        limits: Limits,
        exactly: bool,
    ) -> None:
        self.nodes = 0
        self._depth = 0
        self._exactly = exactly
        self._budget, seconds, self._stop = limits
        self._deadline = None if seconds is None else time.monotonic() + seconds
        self._table = table
        # Of each side, the one to move at the root first: its marks by board, in all, and its chances by board.
        x_moves = position.turn is Mark.X
        self._all = [position.x, position.o] if x_moves else [position.o, position.x]
        self._marks = [[own >> 9 * board & ALL for board in range(9)] for own in self._all]
        won = (position.x_boards, position.o_boards) if x_moves else (position.o_boards, position.x_boards)
        self._root = (0, _ANY if position.board is None else position.board, *won, position.finished)
        pairs = [CHANCES[own << 9 | other] for own, other in zip(*self._marks, strict=True)]
        self._odds = [[own for own, _ in pairs], [other for _, other in pairs]]
        self._history = [[0] * 81, [0] * 81]

    def deepen(self, position: UltimatePosition, rng: Random) -> Value:
        """Search one ply deeper at a time, until the budget is spent or the result is proven."""
        cells = list(position.legal_moves)
        rng.shuffle(cells)
        score, reached = 0.0, 0
        empty = ~(position.x | position.o)
        left = sum(
            (empty >> 9 * board & ALL).bit_count() for board in range(9) if not position.finished >> board & 1
        )
        for depth in range(1, left + 1):
            try:
                score = self._search_root(cells, depth)
            except _Stopped:
                break
            reached = depth
            if abs(score) > _PROVEN:
                break
        line = self._line(position, cells[0], reached)
        if abs(score) > _PROVEN:
            return Value(Result.WIN if score > 0 else Result.LOSS, round(WON - abs(score)), line=line)
        if reached == left:
            return Value(Result.DRAW, line=line)
        return Value(None, estimate=tanh(_SCALE * score), depth=reached, line=line)

    def _search_root(self, cells: list[int], depth: int) -> float:
        """The score of the best cell, which comes to stand first among the cells as soon as it is found."""
        self._depth = depth
        best = -WON
        for cell in tuple(cells):
            score = self._after(cell, self._root, depth, best + _EQUAL, WON)
            if score > best + _EQUAL:
                best = score
                cells.remove(cell)
                cells.insert(0, cell)
        return best

    def _negamax(self, state: State, depth: int, alpha: float, beta: float) -> float:
        """The score for the side to move, exact between alpha and beta and else a bound.

        Source: Knuth and Moore, An Analysis of Alpha-Beta Pruning (1975), with a table of bounds.
        """
        side, board = state[:2]
        ply = self._depth - depth
        key = (self._all[side], self._all[1 - side], board)
        known_depth, score, bound, known = self._table.get(key, _UNKNOWN)
        # A win that an earlier, deeper search has seen beyond this depth may hide a shorter one.
        if known_depth >= depth and not (self._exactly and _PROVEN < abs(score) < WON - depth):
            if abs(score) > _PROVEN:
                score += -ply if score > 0 else ply
            if bound == _EXACT or (bound == _AT_LEAST and score >= beta) or (bound == _AT_MOST and score <= alpha):
                return score
        best, best_cell, lowest = -WON, -1, alpha
        for cell in self._cells(state, known, depth):
            score = self._after(cell, state, depth, alpha, beta)
            if score > best:
                best, best_cell = score, cell
                alpha = max(alpha, score)
                if score >= beta:
                    self._history[side][cell] += depth * depth
                    break
        bound = _AT_MOST if best <= lowest else _AT_LEAST if best >= beta else _EXACT
        # A proven score counts plies from the root; the table's from the position itself.
        stored = best if abs(best) <= _PROVEN else best + ply if best > 0 else best - ply
        self._table[key] = depth, stored, bound, best_cell
        return best

    def _after(self, cell: int, state: State, depth: int, alpha: float, beta: float) -> float:
        """The score for the side to move once it has played a cell; the boards are left as they were."""
        self.nodes += 1
        if not self.nodes % _CHECKED_EVERY or self.nodes == self._budget:
            self._check()
        side, _, won, others, finished = state
        board, place, bit, bit_of_all = _PLACE[cell]
        marks = self._marks[side]
        before, other = marks[board], self._marks[1 - side][board]
        after = before | bit
        if HAS_LINE[after]:
            won |= 1 << board
            if HAS_LINE[won]:
                return WON - (self._depth - depth) - 1
            finished |= 1 << board
        elif after | other == ALL:
            finished |= 1 << board
        if finished == ALL:
            return 0.0
        odds, others_odds = self._odds[side], self._odds[1 - side]
        kept = odds[board], others_odds[board]
        odds[board], others_odds[board] = CHANCES[after << 9 | other]
        if depth == 1:
            score = evaluation(odds, others_odds)
        else:
            marks[board] = after
            self._all[side] |= bit_of_all
            sent = _ANY if finished >> place & 1 else place
            score = -self._negamax((1 - side, sent, others, won, finished), depth - 1, -beta, -alpha)
            self._all[side] ^= bit_of_all
            marks[board] = before
        odds[board], others_odds[board] = kept
        return score

    def _cells(self, state: State, known: int, depth: int) -> list[int]:
        """The cells that may be played: the best known, those that win a board, then by what cut off before."""
        side, board, _, _, finished = state
        own, other = self._marks[side], self._marks[1 - side]
        boards = (board,) if board != _ANY else [each for each in range(9) if not finished >> each & 1]
        cells = [cell for each in boards for cell in _FREE[each][ALL & ~(own[each] | other[each])]]
        if depth > 1 or board == _ANY:
            history = self._history[side]

            def merit(cell: int) -> int:
                on, _, bit, _ = _PLACE[cell]
                return history[cell] + (_WINS_BOARD if HAS_LINE[own[on] | bit] else 0)

            cells.sort(key=merit, reverse=True)
        if known >= 0:
            cells.remove(known)
            cells.insert(0, known)
        return cells

    def _line(self, position: UltimatePosition, cell: int, depth: int) -> tuple[int, ...]:
        """The cells that the table holds best from here on."""
        line = []
        while True:
            line.append(cell)
            position = position.play(cell)
            own, other = (position.x, position.o) if position.turn is Mark.X else (position.o, position.x)
            entry = self._table.get((own, other, _ANY if position.board is None else position.board))
            if position.is_over or entry is None or len(line) >= depth:
                return tuple(line)
            cell = entry[3]

    def _check(self) -> None:
        """Stop if the budget is spent."""
        if (
            (self._budget is not None and self.nodes >= self._budget)
            or (self._deadline is not None and time.monotonic() >= self._deadline)
            or (self._stop is not None and self._stop())
        ):
            raise _Stopped

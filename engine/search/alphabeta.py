"""Alpha-beta search where a line wins: the score of a position to a given depth."""

from collections.abc import Iterable
from operator import itemgetter

from engine.search.base import Budget, PositionTable
from engine.search.bits import FEW, BitBoard
from engine.search.bounds import Sequence, Threats, weighed, weight

_Lines = tuple[tuple[int, ...], tuple[int, ...]]
"""The starts of own's and of other's open lines, by how many marks they lack, from one up."""

WIN = 1_000_000
"""The score of a won position, less one for each ply to the end."""
SURE = WIN - 1_000
"""Higher scores are proven wins."""

_EXACT, _AT_LEAST, _AT_MOST = 0, 1, 2
_SEQUENCE_POSITIONS = 12
_LONGEST_SEQUENCE = 40
_WIDTH = 12
_STEP = 4
_TEMPO = 3, 2


class AlphaBeta:
    """Searches on one board, and keeps its table from search to search.

    With `few` marks or less, it turns a position into the first of those that are symmetric to it.

    Source: Knuth and Moore, An Analysis of Alpha-Beta Pruning (1975); narrow windows for all cells but the
    first after Marsland, Relative Efficiency of Alpha-Beta Implementations (1983).
    """

    _line_wins = True

    def __init__(self, board: BitBoard, few: int = FEW) -> None:
        self._board = board
        self._few = few
        self._half = 1 << board.k - 1
        self._values = tuple(max(1, _STEP ** (4 - missing)) for missing in range(board.k))
        """The score of an open line by how many marks it lacks, from one up: a quarter for each further mark."""
        # By both sides' marks: the depth, the kind of bound, the worth and the best cell.
        self._table: PositionTable[tuple[int, int], tuple[int, int, int, int]] = PositionTable()
        self._threats = Threats(board)
        self._budget = Budget()
        self._ply = self._early = 0

    def rank(self, own: int, other: int, cells: list[int], depth: int, budget: Budget) -> int:
        """The score for the side to move. The best cell moves to the front, and cells that surely lose to the end.

        They are tried in the order in which they are given, so the most promising should come first. If the
        budget is spent early, they are sorted by what has been found so far.
        """
        self._budget = budget
        self._ply = 1
        self._early = self._few - ((own | other) & self._board.rows).bit_count()
        best = -WIN - 1
        lost = []
        try:
            for cell in tuple(cells):
                after = own | self._board.bits[cell]
                score = best + 1
                if best >= -WIN:
                    score = -self._score(other, after, depth - 1, -best - 1, -best)
                if score > best:
                    score = -self._score(other, after, depth - 1, -WIN, -best)
                if score > best:
                    best = score
                    cells.remove(cell)
                    cells.insert(0, cell)
                if score < -SURE:
                    lost.append(cell)
        finally:
            cells[1:] = sorted(cells[1:], key=lost.__contains__)
        return best

    def order(self, own: int, other: int, lines: _Lines, among: Iterable[int] | None = None) -> list[int]:
        """The empty cells that matter to either side, heaviest first, equal ones in the order of `among`.

        `among` are the cells to choose from, all by default.
        """
        found = weighed(self._board, self._board.free(own, other, among=among), *lines)
        keys = [(-3 * gain - 2 * block, cell) for gain, block, cell in found if gain or block]
        return [cell for _, cell in sorted(keys, key=itemgetter(0))]

    def _score(self, own: int, other: int, depth: int, alpha: int, beta: int) -> int:
        """The score for the side to move: exact if it is between alpha and beta, else a bound."""
        self._budget.spend()
        board, half = self._board, self._half
        if self._ply <= self._early:
            own, other = board.alike(own, other)
        mine = board.missing(own, other, board.full)
        if mine[0]:
            return WIN - self._ply - 1
        theirs = board.missing(other, own, board.full)
        if theirs[0]:
            gaps = board.spread(theirs[0]) & (board.full ^ own ^ other)
            bits = board.bits[board.cell_at[gaps.bit_length()]]
            if gaps & ~bits:
                return self._ply + 2 - WIN
            self._ply += 1
            score = -self._score(other, own | bits, depth, -beta, -alpha)
            self._ply -= 1
            return score
        # A side whose lines weigh too little can't win, so the score is bounded by that of a draw.
        high = 0 if weight(mine, half) < half else WIN
        low = 0 if weight(theirs, half) < 2 * half else -WIN
        if low >= beta or low == high:
            return low
        if high <= alpha:
            return high
        if depth > 0:
            score = self._deepen(own, other, depth, (alpha, beta), (mine, theirs))
        elif (sequence := self._sequence(own, other, mine)) is not None:
            score = WIN - self._ply - sequence.plies
        else:
            score = evaluate(mine, theirs, self._values)
        return min(high, max(low, score))

    def _sequence(self, own: int, other: int, mine: tuple[int, ...]) -> Sequence | None:
        """A sequence of threats that wins for the side to move, if one is found quickly."""
        if not self._line_wins or not mine[1]:
            return None
        return self._threats.find(own, other, _LONGEST_SEQUENCE, _SEQUENCE_POSITIONS, self._budget)

    def _deepen(self, own: int, other: int, depth: int, window: tuple[int, int], lines: _Lines) -> int:
        """The score by searching further, if nobody can complete a line at once."""
        alpha, beta = window
        entry = self._table.get((own, other))
        if entry is not None:
            known, kind, score, first = entry
            score = _nearer(score, -self._ply)
            if (known >= depth or abs(score) > SURE) and (
                kind == _EXACT or (score >= beta if kind == _AT_LEAST else score <= alpha)
            ):
                return score
        else:
            sequence = self._sequence(own, other, lines[0])
            if sequence is not None:
                self._table.put((own, other), (depth, _AT_LEAST, WIN - sequence.plies, sequence.cell))
                return WIN - self._ply - sequence.plies
        cells = self.order(own, other, lines)[:_WIDTH]
        if entry is not None:
            cells = [first, *[cell for cell in cells if cell != first]]
        best, cell = self._best(own, other, cells, depth, window)
        kind = _AT_LEAST if best >= beta else _AT_MOST if best <= alpha else _EXACT
        self._table.put((own, other), (depth, kind, _nearer(best, self._ply), cell))
        return best

    def _best(
        self, own: int, other: int, cells: Iterable[int], depth: int, window: tuple[int, int]
    ) -> tuple[int, int]:
        """The highest score of these cells, and its cell."""
        alpha, beta = window
        best, best_cell = -WIN - 1, -1
        self._ply += 1
        for cell in cells:
            after = own | self._board.bits[cell]
            if best_cell < 0:
                score = -self._score(other, after, depth - 1, -beta, -alpha)
            else:
                score = -self._score(other, after, depth - 1, -alpha - 1, -alpha)
                if alpha < score < beta:
                    score = -self._score(other, after, depth - 1, -beta, -score)
            if score > best:
                best, best_cell = score, cell
                if score >= beta:
                    break
                alpha = max(alpha, score)
        self._ply -= 1
        return best, best_cell


def _nearer(score: int, plies: int) -> int:
    """A score as seen so many plies later, from where a win or a loss is that much nearer."""
    if score > SURE:
        return score + plies
    return score - plies if score < -SURE else score


def evaluate(mine: tuple[int, ...], theirs: tuple[int, ...], values: tuple[int, ...]) -> int:
    """The score for the side to move of a position that isn't searched any further.

    As it is to move, its lines (`mine`) count half as much again as the other side's.
    """
    own = other = 0
    for starts, value in zip(mine, values, strict=True):
        own += starts.bit_count() * value
    for starts, value in zip(theirs, values, strict=True):
        other += starts.bit_count() * value
    return _TEMPO[0] * own - _TEMPO[1] * other


class MisereAlphaBeta(AlphaBeta):
    """Alpha-beta search where a line loses: a side may be forced to complete one."""

    _line_wins = False

    def order(self, own: int, other: int, lines: _Lines, among: Iterable[int] | None = None) -> list[int]:
        """The empty cells on which the side to move completes no line, those on few open lines first."""
        cells = self._board.free(own, other, lines[0][0], among)
        keys = [(2 * risk + block, cell) for risk, block, cell in weighed(self._board, cells, *lines)]
        return [cell for _, cell in sorted(keys, key=itemgetter(0))]

    def _score(self, own: int, other: int, depth: int, alpha: int, beta: int) -> int:
        self._budget.spend()
        board, half = self._board, self._half
        if self._ply <= self._early:
            own, other = board.alike(own, other)
        mine = board.missing(own, other, board.full)
        theirs = board.missing(other, own, board.full)
        low = 0 if weight(mine, half) < half else -WIN
        high = 0 if weight(theirs, half) < half else WIN
        if low >= beta or low == high:
            return low
        if high <= alpha:
            return high
        empty = board.full ^ own ^ other
        if not empty:
            return 0
        if mine[0] and not self.order(own, other, (mine, theirs)):
            return self._ply + 1 - WIN
        if depth > 0:
            score = self._deepen(own, other, depth, (alpha, beta), (mine, theirs))
        else:
            score = evaluate(theirs, mine, self._values)
        return min(high, max(low, score))

"""Alpha-beta search: what a position is worth as far as one can see."""

from __future__ import annotations

from engine.mnk.bounds import weight, weights
from engine.mnk.budget import Budget
from engine.mnk.evaluation import evaluate, line_values
from engine.mnk.table import Table
from engine.mnk.threats import Threats

TYPE_CHECKING = False  # `typing` is left unimported to start fast
if TYPE_CHECKING:
    from engine.mnk.bits import Board

WIN = 1_000_000
"""The worth of a position won at once; every ply to the end takes one off."""
SURE = WIN - 1_000
"""What is worth more is won."""

_EXACT, _LOWER, _UPPER = 0, 1, 2
_SEQUENCE_POSITIONS = 12
_LONGEST_SEQUENCE = 40
_WIDTH = 12
_ALL_CELLS = 64


class AlphaBeta:
    """Searches on one board, where a line wins. Its table is kept from search to search.

    Source: Knuth and Moore, An Analysis of Alpha-Beta Pruning (1975); zero windows after Marsland (1983).
    """

    def __init__(self, board: Board) -> None:
        self._board = board
        self._half = 1 << board.k - 1
        self._values = line_values(board.k)
        self._table = Table()
        self._threats = Threats(board)
        self.budget = Budget()
        """Pays for the search; `Spent` comes out of it."""

    def score(self, own: int, other: int, depth: int, alpha: int, beta: int, ply: int) -> int:
        """The worth for the side to move, exact where it lies between alpha and beta.

        Args:
            own: The bits of the marks of the side to move.
            other: The bits of the other side's marks.
            depth: The plies to look ahead; answers to threats do not count.
            alpha: What is worth less need not be told apart.
            beta: What is worth more need not be told apart.
            ply: The plies since the root.
        """
        self.budget.spend()
        board, half = self._board, self._half
        mine = board.missing(own, other, board.full)
        if mine[0]:
            return WIN - ply - 1
        theirs = board.missing(other, own, board.full)
        empty = board.full ^ own ^ other
        if theirs[0]:
            gaps = board.spread(theirs[0]) & empty
            bits = board.bits[board.cell_at[gaps.bit_length()]]
            if gaps & ~bits:
                return ply + 2 - WIN
            return -self.score(other, own | bits, depth, -beta, -alpha, ply + 1)
        # A side whose lines weigh too little cannot win: the worth is bounded by that of a draw.
        high = 0 if weight(mine, half) < half else WIN
        low = 0 if weight(theirs, half) < 2 * half else -WIN
        if low >= beta or low == high:
            return low
        if high <= alpha:
            return high
        if depth <= 0:
            score = self._quiet(own, other, mine, theirs, ply)
        else:
            score = self._deepen(own, other, depth, alpha, beta, ply, mine, theirs)
        return min(high, max(low, score))

    def principal_variation(self, own: int, other: int, cell: int) -> tuple[int, ...]:
        """Best play as far as the table knows it, from a cell that is played first."""
        cells = [cell]
        while True:
            own, other = other, own | self._board.bits[cells[-1]]
            entry = self._table.get((own, other))
            if entry is None or entry[3] < 0:
                return tuple(cells)
            cells.append(entry[3])

    def order(self, own: int, other: int, mine: tuple[int, ...], theirs: tuple[int, ...]) -> list[int]:
        """The empty cells that matter to either side, the heaviest first."""
        board, half = self._board, self._half
        empty = board.full ^ own ^ other
        if board.cells > _ALL_CELLS:
            marks = own | other
            empty &= marks << 1 | marks >> 1 | marks << 2 | marks >> 2
        cells = [cell for cell in board.order if board.bits[cell] & empty]
        through = [board.through[cell] for cell in cells]
        gains = weights(mine, half, through)
        blocks = weights(theirs, half, through)
        found = [(-3 * gain - 2 * block, cell) for gain, block, cell in zip(gains, blocks, cells, strict=True)]
        found.sort()
        return [cell for key, cell in found if key]

    def _quiet(self, own: int, other: int, mine: tuple[int, ...], theirs: tuple[int, ...], ply: int) -> int:
        """The worth where nobody can complete a line at once, by threats and open lines alone."""
        if mine[1]:
            sequence = self._threats.find(own, other, _LONGEST_SEQUENCE, _SEQUENCE_POSITIONS, self.budget)
            if sequence is not None:
                return WIN - ply - sequence.plies
        return evaluate(mine, theirs, self._values)

    def _deepen(
        self, own: int, other: int, depth: int, alpha: int, beta: int, ply: int, mine: tuple[int, ...], theirs: tuple[int, ...]
    ) -> int:
        key = own, other
        entry = self._table.get(key)
        first = -1
        if entry is not None:
            known, kind, score, first = entry
            score = _from_root(score, ply)
            if (known >= depth or abs(score) > SURE) and (
                kind == _EXACT or (kind == _LOWER and score >= beta) or (kind == _UPPER and score <= alpha)
            ):
                return score
        elif mine[1]:
            sequence = self._threats.find(own, other, _LONGEST_SEQUENCE, _SEQUENCE_POSITIONS, self.budget)
            if sequence is not None:
                self._table.put(key, (depth, _LOWER, WIN - sequence.plies, sequence.cell))
                return WIN - ply - sequence.plies
        cells = self.order(own, other, mine, theirs)[:_WIDTH]
        if not cells:
            return 0
        if first >= 0:
            cells = [first, *[cell for cell in cells if cell != first]]
        best, best_cell = self._best(own, other, cells, depth, alpha, beta, ply)
        kind = _LOWER if best >= beta else _UPPER if best <= alpha else _EXACT
        self._table.put(key, (depth, kind, _from_root(best, -ply), best_cell))
        return best

    def _best(
        self, own: int, other: int, cells: list[int], depth: int, alpha: int, beta: int, ply: int
    ) -> tuple[int, int]:
        """The highest worth after one of these cells, and the cell."""
        bits = self._board.bits
        best, best_cell = -WIN, cells[0]
        for cell in cells:
            if cell == cells[0]:
                score = -self.score(other, own | bits[cell], depth - 1, -beta, -alpha, ply + 1)
            else:
                score = -self.score(other, own | bits[cell], depth - 1, -alpha - 1, -alpha, ply + 1)
                if alpha < score < beta:
                    score = -self.score(other, own | bits[cell], depth - 1, -beta, -score, ply + 1)
            if score > best:
                best, best_cell = score, cell
                if score >= beta:
                    break
                alpha = max(alpha, score)
        return best, best_cell


def _from_root(score: int, plies: int) -> int:
    """A worth seen from so many plies earlier: a win or a loss is that much further away."""
    if score > SURE:
        return score - plies
    return score + plies if score < -SURE else score

"""What bounds a side's chances: the weight of its open lines, which also orders cells, and pairings of cells.

A line without a mark of the other side weighs 2^-(the number of marks that it lacks). Here weights are counted in
units of 2^-k, so that a line of k own marks would weigh 2^k. An own mark on a line doubles its weight, and a mark
of the other side removes it.

If a line wins, a side can't force one if its lines weigh less than 1 in all with the other side to move, or less
than 1/2 with itself to move: the other side takes the heaviest cell each time, and the total never grows (Erdős
and Selfridge, On a Combinatorial Game, 1973). In misère, a side whose lines weigh less than 1/2 never has to
complete one: it takes the lightest cell each time, and the next mark of the other side removes at least as much as
that added, so when it is to move no line lacks only one mark.
"""

from collections.abc import Iterable
from itertools import combinations
from operator import add
from typing import NamedTuple

from engine.search.base import Budget
from engine.search.bits import BitBoard


def weight(missing: Iterable[int], half: int) -> int:
    """The weight of lines, given their starts by how many marks they lack, from one up; `half` is 2^(k-1)."""
    total = 0
    for starts in missing:
        total += starts.bit_count() * half
        half >>= 1
    return total


def weights(missing: Iterable[int], half: int, cells: Iterable[int]) -> list[int]:
    """The weight of the lines through each cell, given the starts of all lines through it."""
    cells = list(cells)
    totals = [0] * len(cells)
    for starts in missing:
        if starts:
            totals = list(map(add, totals, [(starts & through).bit_count() * half for through in cells]))
        half >>= 1
    return totals


def weighed(
    board: BitBoard, cells: list[int], mine: tuple[int, ...], theirs: tuple[int, ...]
) -> list[tuple[int, int, int]]:
    """The weights of own's and of other's lines through each of these cells, and the cell."""
    half = 1 << board.k - 1
    through = [board.through[cell] for cell in cells]
    return list(zip(weights(mine, half, through), weights(theirs, half, through), cells, strict=True))


_COVERED = (0, 0, 8, 4, 2, 1, 1, 1, 1)
_HURT = (0, 0, 100, 8, 3, 1, 1, 1, 1)
"""By a line's number of empty cells: what a pair gains by covering it, and costs by taking one cell of it."""


class Pairings:
    """Looks for pairings on one board, which prove that a side can't complete a line.

    If every open line of a side contains a pair of empty cells, and no two pairs share a cell, the other side can
    block all of them: whenever one cell of a pair is taken, it takes the other (Hales and Jewett, Regularity and
    Positional Games, 1963). Overlapping lines in the same direction can share a pair, so a few pairs go far.
    """

    def __init__(self, board: BitBoard) -> None:
        self._board = board
        self._rows = tuple(bits & board.rows for bits in board.bits)
        last = len(board.cell_at)
        self._line: list[int] = [0] * last
        for length in range(1, last - board.k + 1):
            cells = board.cell_at[length : length + board.k]
            if min(cells) >= 0:
                self._line[length] = sum(self._rows[cell] for cell in cells)

    def hold(self, own: int, other: int, missing: Iterable[int]) -> bool:
        """Whether a pairing was found that blocks these open lines of own, with own to move.

        The search is greedy, taking the line with the fewest empty cells first, so it misses some pairings.

        `missing` has the starts of the lines, by how many marks they lack.
        """
        empty = (self._board.full ^ own ^ other) & self._board.rows
        lines = []
        for starts in missing:
            while starts:
                low = starts & -starts
                starts ^= low  # noqa: PLW2901 - the bits are taken off one by one
                lines.append(self._line[low.bit_length()] & empty)
        while lines:
            lines.sort(key=int.bit_count)
            if lines[0].bit_count() < 2:
                return False
            pair = _best_pair(lines)
            lines = [line & ~pair for line in lines if line & pair != pair]
        return True


def _best_pair(lines: list[int]) -> int:
    """The pair of cells of the first line that covers the most lines and takes the least from others."""
    rest = lines[0]
    if rest.bit_count() == 2:
        return rest
    cells = []
    while rest:
        low = rest & -rest
        rest ^= low
        cells.append(low)
    best, best_cost = 0, 0
    for one, two in combinations(cells, 2):
        pair = one | two
        cost = 0
        for line in lines:
            shared = line & pair
            if shared == pair:
                cost -= _COVERED[line.bit_count()]
            elif shared:
                cost += _HURT[line.bit_count()]
        if not best or cost < best_cost:
            best, best_cost = pair, cost
    return best


DOUBLE_THREAT = 3
"""The plies to a win by a double threat: the ply that makes it, an answer, and the ply that completes a line."""


class Sequence(NamedTuple):
    """A sequence that wins by force."""

    plies: int
    """The plies to the end."""
    cell: int
    """The first cell."""
    cells: int
    """The bits of all cells that either side plays in it."""
    answers: int
    """The bits of the cells among them that the losing side plays."""


class Threats:
    """Finds sequences of threats on one board."""

    def __init__(self, board: BitBoard) -> None:
        self._board = board
        self._left = 0
        self._budget = Budget()

    def find(self, own: int, other: int, plies: int, positions: int, budget: Budget) -> Sequence | None:
        """A winning sequence of at most so many plies for the side to move, found in so many positions.

        Neither side may be able to complete a line at once.
        """
        self._left = positions
        self._budget = budget
        return self._find(own, other, 0, plies)

    def _find(self, own: int, other: int, must: int, plies: int) -> Sequence | None:
        """The same if the side to move has to play the cell with the bits `must`, unless they are 0."""
        board = self._board
        bits, cell_at, full, k = board.bits, board.cell_at, board.full, board.k
        two = board.missing(own, other, full)[1]
        if not two or self._left <= 0:
            return None
        self._left -= 1
        self._budget.spend()
        empty = full ^ own ^ other
        while two:
            start = two & -two
            two ^= start
            gaps = (start << k) - start & empty
            low = gaps & -gaps
            for first, second in ((low, gaps ^ low), (gaps ^ low, low)):
                cell = cell_at[first.bit_length()]
                if must and bits[cell] != must:
                    continue
                answer = bits[cell_at[second.bit_length()]]
                found = self._after(own | bits[cell], other, cell, answer, plies)
                if found is not None:
                    return found
        return None

    def _after(self, own: int, other: int, cell: int, answer: int, plies: int) -> Sequence | None:
        """The sequence that begins with this cell, on which own's mark already is, and this answer."""
        board = self._board
        bits, full = board.bits, board.full
        empty = full ^ own ^ other
        more = board.spread(board.missing(own, other, full)[0]) & empty & ~answer
        if more:
            last = bits[board.cell_at[more.bit_length()]]
            return Sequence(DOUBLE_THREAT, cell, bits[cell] | answer | last, answer | last)
        if plies < DOUBLE_THREAT + 2:
            return None
        other |= answer
        must = 0
        counter = board.missing(other, own, full)[0]
        if counter:
            gaps = board.spread(counter) & (empty ^ answer)
            must = bits[board.cell_at[gaps.bit_length()]]
            if gaps & ~must:
                return None
        rest = self._find(own, other, must, plies - 2)
        if rest is None:
            return None
        cells = rest.cells | bits[cell] | answer
        return Sequence(rest.plies + 2, cell, cells, rest.answers | answer)

"""Bitboards on which every line is a run of adjacent bits.

A board's rows, columns and diagonals of both kinds follow each other in one integer, with a bit that is always 0
after each. A mark sets up to four bits. Questions about lines are answered for all lines in all directions at once
in a few operations, whatever the size of the board, because a shift by 1 leads to the next cell in every
direction. A line is identified by its lowest bit, its start.
"""

from collections.abc import Callable, Iterable
from functools import cache, lru_cache

from engine.rules.mnk import MnkRules, symmetries

FEW = 3
"""With at most so many marks, searches take symmetric positions for one."""
SOON_PROVEN = 36
"""On boards of up to so many cells most positions are proven within a second."""


class BitBoard:
    """The bits of a board of `m` columns and `n` rows with lines of `k` cells."""

    def __init__(self, m: int, n: int, k: int) -> None:
        self.m, self.n, self.k = m, n, k
        self.cells = m * n
        """The number of cells, numbered in reading order."""
        bits = [0] * self.cells
        starts = [0] * self.cells
        cell_at: list[int] = [-1]
        for sequence in _sequences(m, n, k):
            first = len(cell_at) - 1
            for step, cell in enumerate(sequence):
                bits[cell] |= 1 << first + step
                for start in range(max(0, step - k + 1), min(step, len(sequence) - k) + 1):
                    starts[cell] |= 1 << first + start
                cell_at.append(cell)
            cell_at.append(-1)
        self.bits = tuple(bits)
        """For each cell, its bits."""
        self.through = tuple(starts)
        """For each cell, the starts of the lines through it."""
        self.cell_at = tuple(cell_at)
        """The cell that a bit belongs to, by the bit's `bit_length()`."""
        self.full = sum(bits)
        """The bits of all cells."""
        self.rows = (1 << n * (m + 1)) - 1
        """The bits of the rows. In this mask each cell has exactly one bit."""
        self.missing: Callable[[int, int, int], tuple[int, ...]] = _MISSING.get(k, _missing_of(k))
        """`missing(own, other, full)`: the starts of own's open lines that lack one mark, two marks, and so on."""
        self._images = [tuple(bits[cell] for cell in image) for image in symmetries(m, n)]
        self.alike: Callable[[int, int], tuple[int, int]] = lru_cache(10_000)(self._first_image)
        """`alike(own, other)`: the sides of the position that stands for all that are symmetric to this one."""
        self.order = tuple(
            sorted(range(self.cells), key=lambda cell: (-starts[cell].bit_count(), self._aside(cell)))
        )
        """All cells: those on the most lines first, and among these the most central."""

    def _first_image(self, own: int, other: int) -> tuple[int, int]:
        sides = self.cells_of(own & self.rows), self.cells_of(other & self.rows)
        first, second = ([sum([bits[cell] for cell in cells]) for bits in self._images] for cells in sides)
        return min(zip(first, second, strict=True))

    def _aside(self, cell: int) -> int:
        row, column = divmod(cell, self.m)
        return (2 * row + 1 - self.n) ** 2 + (2 * column + 1 - self.m) ** 2

    def free(self, own: int, other: int, lines: int = 0, among: Iterable[int] | None = None) -> list[int]:
        """The empty cells on none of the lines with these starts, in the order of `among`, by default `order`."""
        empty = self.full ^ own ^ other
        cells = [cell for cell in among or self.order if self.bits[cell] & empty]
        return [cell for cell in cells if not self.through[cell] & lines] if lines else cells

    def spread(self, starts: int) -> int:
        """All bits of the lines with these starts."""
        found = starts
        for step in range(1, self.k):
            found |= starts << step
        return found

    def marks(self, cells: Iterable[int]) -> int:
        """The bits of some cells."""
        bits = 0
        for cell in cells:
            bits |= self.bits[cell]
        return bits

    def from_mask(self, mask: int) -> int:
        """The bits of the cells in a bitmask that has bit c for cell c."""
        return self.marks(cell for cell in range(self.cells) if mask >> cell & 1)

    def cells_of(self, marks: int) -> list[int]:
        """The cells that have at least one of these bits, in ascending order."""
        found = set()
        while marks:
            low = marks & -marks
            found.add(self.cell_at[low.bit_length()])
            marks ^= low
        return sorted(found)


@cache
def board(m: int, n: int, k: int) -> BitBoard:
    """The board of this size, made once."""
    return BitBoard(m, n, k)


def board_of(rules: MnkRules) -> BitBoard:
    """The board of these rules."""
    return board(rules.layout.columns, rules.layout.rows, rules.line)


def _sequences(m: int, n: int, k: int) -> list[list[int]]:
    """The cells of all rows, and of the columns and diagonals that are long enough for a line."""
    rows = [[row * m + column for column in range(m)] for row in range(n)]
    others = [[row * m + column for row in range(n)] for column in range(m)]
    for right in (1, -1):
        for shift in range(-max(m, n), m + n):
            columns = [(row, shift + right * row) for row in range(n)]
            others.append([row * m + column for row, column in columns if 0 <= column < m])
    return rows + [sequence for sequence in others if len(sequence) >= k]


def _missing_3(own: int, other: int, full: int) -> tuple[int, ...]:
    free = full ^ other
    live = free & free >> 1 & free >> 2
    second, third = own >> 1, own >> 2
    odd = own ^ second
    two = live & (own & second | odd & third)
    rest = live ^ two
    one = rest & (odd ^ third)
    return two, one, rest ^ one


def _missing_4(own: int, other: int, full: int) -> tuple[int, ...]:
    free = full ^ other
    live = free & free >> 1
    live &= live >> 2
    second = own >> 1
    odd, both = own ^ second, own & second
    odd_after = odd >> 2
    low = odd ^ odd_after
    high = live & (both ^ both >> 2 ^ odd & odd_after)
    three = high & low
    rest = live ^ high
    one = rest & low
    return three, high ^ three, one, rest ^ one


def _missing_5(own: int, other: int, full: int) -> tuple[int, ...]:
    free = full ^ other
    live = free & free >> 1
    live = live & live >> 2 & free >> 4
    second, fifth = own >> 1, own >> 4
    odd, both = own ^ second, own & second
    odd_after, both_after = odd >> 2, both >> 2
    low = odd ^ odd_after
    middle = both ^ both_after ^ odd & odd_after
    carry = low & fifth
    low ^= fifth
    four = live & (both & both_after | middle & carry)
    middle = live & (middle ^ carry)
    three = middle & low
    rest = live ^ four ^ middle
    one = rest & low
    return four, three, middle ^ three, one, rest ^ one


def _missing_of(k: int) -> Callable[[int, int, int], tuple[int, ...]]:
    """The same for any k, by counting the marks of all lines one cell of theirs after another."""

    def missing(own: int, other: int, full: int) -> tuple[int, ...]:
        free = live = full ^ other
        at_least = [live] + [0] * k
        for step in range(k):
            live &= free >> step
            marked = own >> step
            for count in range(step, -1, -1):
                at_least[count + 1] |= at_least[count] & marked
        at_least = [starts & live for starts in at_least]
        return tuple(at_least[count] ^ at_least[count + 1] for count in range(k - 1, -1, -1))

    return missing


_MISSING = {3: _missing_3, 4: _missing_4, 5: _missing_5}

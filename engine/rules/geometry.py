"""Boards: their size, the lines on them, and their symmetries."""

from __future__ import annotations

from functools import cache
from typing import Final

from engine.errors import InvalidRules

SMALLEST: Final = 3
LARGEST: Final = 8


class Geometry:
    """A board of `m` columns and `n` rows, and the lines of `k` cells on it. Immutable.

    Cells are numbered from 0 in reading order. A set of cells is a bitmask with bit c for cell c.
    """

    __slots__ = ("cells", "full", "k", "lines", "lines_through", "m", "masks", "n")

    def __init__(self, m: int, n: int, k: int) -> None:
        for side, name in ((m, "columns"), (n, "rows")):
            if not SMALLEST <= side <= LARGEST:
                raise InvalidRules(f"A board has {SMALLEST} to {LARGEST} {name}, not {side}.")
        if not SMALLEST <= k <= max(m, n):
            raise InvalidRules(
                f"On a board of {m} columns and {n} rows a line has {SMALLEST} to {max(m, n)} cells, not {k}."
            )
        self.m: Final = m
        """The number of columns."""
        self.n: Final = n
        """The number of rows."""
        self.k: Final = k
        """The number of cells in a line."""
        self.cells: Final = m * n
        """The number of cells."""
        self.full: Final = (1 << m * n) - 1
        """The bitmask of all cells."""
        self.lines: Final = tuple(_lines(m, n, k))
        """The cells of every line: rows first, then columns, falling and rising diagonals."""
        self.masks: Final = tuple(sum(1 << cell for cell in line) for line in self.lines)
        """The lines as bitmasks, in the order of `lines`."""
        self.lines_through: Final = tuple(
            tuple(mask for mask in self.masks if mask >> cell & 1) for cell in range(m * n)
        )
        """For each cell, the bitmasks of the lines through it, in the order of `lines`."""


def _lines(m: int, n: int, k: int) -> list[tuple[int, ...]]:
    """All lines of `k` cells, by direction, then by their first cells in reading order."""
    return [
        tuple((row + down * step) * m + column + right * step for step in range(k))
        for right, down in ((1, 0), (0, 1), (1, 1), (-1, 1))
        for row in range(n)
        for column in range(m)
        if 0 <= column + right * (k - 1) < m and row + down * (k - 1) < n
    ]


THREE_BY_THREE: Final = Geometry(3, 3, 3)
"""The board of ordinary tic-tac-toe."""

HAS_LINE: Final = tuple(
    any(marks & mask == mask for mask in THREE_BY_THREE.masks) for marks in range(THREE_BY_THREE.full + 1)
)
"""For each bitmask of nine cells, whether it contains a line."""


@cache
def symmetries(m: int, n: int) -> tuple[tuple[int, ...], ...]:
    """The permutations of cells that map lines to lines, on a board of m columns and n rows.

    There are eight on a square board and four on any other. Entry c of a permutation is the cell that c is mapped
    to; the first permutation is the identity.
    """
    cells = [divmod(cell, m) for cell in range(m * n)]
    return tuple(
        tuple(
            (n - 1 - down if flip else down) * m + (m - 1 - right if mirror else right)
            for down, right in ((column, row) if transpose else (row, column) for row, column in cells)
        )
        for transpose in ((False, True) if m == n else (False,))
        for flip in (False, True)
        for mirror in (False, True)
    )

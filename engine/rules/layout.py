"""How a board is laid out: cells in rows and columns, in one region or in several side by side."""

from __future__ import annotations

from typing import Final, NamedTuple

from engine.rules.marks import Mark


class Region(NamedTuple):
    """The state of one region of the board."""

    is_open: bool
    """Whether the next ply may be in it."""
    is_finished: bool = False
    """Whether it is won or full."""
    winner: Mark | None = None
    """Who has won it; None if nobody has."""


WHOLE: Final = (Region(is_open=True),)
"""The only region of an ordinary board while its game goes on,"""
OVER: Final = (Region(is_open=False, is_finished=True),)
"""and once it is over."""


class Layout:
    """Regions of the same size, side by side and one below the other. Immutable.

    Regions are numbered in reading order, and cells region by region in reading order.

    Args:
        columns: The columns of a region.
        rows: The rows of a region.
        across: How many regions are side by side; as many are one below the other.
    """

    __slots__ = ("across", "columns", "drawn", "has_names", "region_columns", "region_rows", "regions", "rows")

    def __init__(self, columns: int, rows: int, across: int = 1) -> None:
        size = columns * rows
        self.across: Final = across
        """How many regions are side by side; as many are one below the other."""
        self.region_columns: Final = columns
        """How many columns of cells a region has."""
        self.region_rows: Final = rows
        """How many rows of cells a region has."""
        self.columns: Final = columns * across
        """How many columns of cells the whole board has."""
        self.rows: Final = rows * across
        """How many rows of cells the whole board has."""
        self.regions: Final = tuple(range(start, start + size) for start in range(0, size * across**2, size))
        """The cells of each region."""
        self.drawn: Final = tuple(
            size * (row // rows * across + column // columns) + row % rows * columns + column % columns
            for row in range(self.rows)
            for column in range(self.columns)
        )
        """The cells in the order in which the board is drawn: row by row, from left to right."""
        self.has_names: Final = columns == rows == 3  # on three by three
        """Whether cells have names in words, such as "top left", as they have on 3 by 3."""

    def region_of(self, cell: int) -> int:
        """The region of a cell."""
        return cell // len(self.regions[0])

    def place_of(self, cell: int) -> tuple[int, int]:
        """The row and the column of a cell on the whole board, from 0."""
        return divmod(self.drawn.index(cell), self.columns)

    def cell_at(self, row: int, column: int) -> int:
        """The cell in a row and a column of the whole board, from 0."""
        return self.drawn[row * self.columns + column]

"""What a board looks like: cells in rows and columns, in one region or in several side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from engine.rules.marks import Mark


class Region(NamedTuple):
    """What a position makes of one region of its board."""

    is_open: bool
    """Whether the next ply may be in it."""
    is_finished: bool = False
    """Whether nobody can play in it any more."""
    winner: Mark | None = None
    """Whose it is; None for one that goes on or is nobody's."""


WHOLE: Final = (Region(is_open=True),)
"""The region of a board that has but one, while its game goes on,"""
OVER: Final = (Region(is_open=False, is_finished=True),)
"""and once it is over."""


class Layout:
    """Regions of equally many cells, side by side and below each other. Nothing of it ever changes.

    Cells are numbered region by region, in reading order, and so are the regions.

    Args:
        columns: The columns of a region.
        rows: The rows of a region.
        across: How many regions are side by side, and as many below each other.
    """

    __slots__ = ("across", "columns", "drawn", "has_names", "region_columns", "region_rows", "regions", "rows")

    def __init__(self, columns: int, rows: int, across: int = 1) -> None:
        size = columns * rows
        self.across: Final = across
        """How many regions are side by side, and as many below each other."""
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
        """The cells in the order in which a board is drawn: row by row, from left to right."""
        self.has_names: Final = columns == rows == 3  # noqa: PLR2004 - where top left, centre and so on say it all
        """Whether words say where in its region a cell lies, as they do on three by three."""

    def region_of(self, cell: int) -> int:
        """The region of a cell."""
        return cell // len(self.regions[0])

    def place_of(self, cell: int) -> tuple[int, int]:
        """The row and the column of a cell on the whole board, from 0."""
        return divmod(self.drawn.index(cell), self.columns)

    def cell_at(self, row: int, column: int) -> int:
        """The cell in a row and a column of the whole board, from 0."""
        return self.drawn[row * self.columns + column]

"""How a board is laid out: its regions and cells, their names, and drawings of it."""

from collections.abc import Sequence
from itertools import product
from string import ascii_lowercase
from typing import Final


class Layout:
    """Regions of the same size, side by side and one below the other. Immutable.

    Regions are numbered in reading order, and cells region by region in reading order.
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
        self.has_names: Final = columns == rows == 3
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

    def name_of(self, cell: int) -> str:
        """A cell's name: a letter for its column and a number for its row, counted from the top, such as `b2`."""
        row, column = self.place_of(cell)
        return f"{ascii_lowercase[column]}{row + 1}"

    def lines(self, signs: Sequence[str], between: str, gap: str) -> list[str]:
        """The rows of the whole board as text, given a sign for each cell in the order of `drawn`.

        `between` separates cells, `gap` the regions of a row; an empty line separates regions below each other.
        """
        columns, height = self.columns, self.region_rows
        rows = [self._line(signs[at : at + columns], between, gap) for at in range(0, len(signs), columns)]
        return [line for at in range(0, len(rows), height) for line in ("", *rows[at : at + height])][1:]

    def _line(self, signs: Sequence[str], between: str, gap: str) -> str:
        width = self.region_columns
        return gap.join(between.join(signs[at : at + width]) for at in range(0, len(signs), width))

    def as_text(self, signs: Sequence[str]) -> str:
        """The whole board with letters above its columns and numbers before its rows."""
        rows, head = iter(range(1, self.rows + 1)), self._line(ascii_lowercase[: self.columns], " ", "  ")
        lines = (f"{next(rows)} {line}".rstrip() if line else "" for line in self.lines(signs, " ", "  "))
        return "\n".join([f"  {head}", *lines])

    def as_svg(self, signs: Sequence[str], fills: Sequence[str]) -> str:
        """The same as a picture, given a colour for each cell, too."""
        xs = [30 * column + 8 * (column // self.region_columns) + 24 for column in range(self.columns)]
        ys = [30 * row + 8 * (row // self.region_rows) + 24 for row in range(self.rows)]
        texts = [(x, 0, ascii_lowercase[column]) for column, x in enumerate(xs)]
        texts += [(-2, y, str(row)) for row, y in enumerate(ys, 1)]
        parts = []
        for sign, fill, (y, x) in zip(signs, fills, product(ys, xs), strict=True):
            parts.append(f'<rect x="{x}" y="{y}" width="30" height="30" fill="{fill}" stroke="#999"/>')
            texts.append((x, y, sign))
        parts += [f'<text x="{x + 15}" y="{y + 20}">{text}</text>' for x, y, text in texts]
        size = f'width="{xs[-1] + 32}" height="{ys[-1] + 32}"'
        style = 'font-family="monospace" text-anchor="middle" fill="#555"'
        return f'<svg xmlns="http://www.w3.org/2000/svg" {size} {style}>{"".join(parts)}</svg>'

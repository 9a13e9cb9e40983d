"""What all games have in common: marks, layouts, positions, outcomes and rules."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Final, NamedTuple, Protocol, Self


class Mark(StrEnum):
    """A player's mark. X always moves first."""

    X = "X"
    O = "O"  # noqa: E741 - this is the mark's name

    @property
    def other(self) -> Mark:
        return Mark.O if self is Mark.X else Mark.X


class Region(NamedTuple):
    """The state of one region of the board."""

    is_open: bool
    """Whether the next ply may be in it."""
    is_finished: bool = False
    """Whether it is won or full."""
    winner: Mark | None = None
    """Who has won it; None if nobody has."""


WHOLE_REGION: Final = (Region(is_open=True),)
"""The only region of an ordinary board while its game goes on,"""
OVER: Final = (Region(is_open=False, is_finished=True),)
"""and once it is over."""


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


CELLS: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_!#$()*+,./;=?@[]^"
"""One character for each cell, so that the moves of a game take one character a ply."""

_CELL_OF: Final = {character: cell for cell, character in enumerate(CELLS)}


class Outcome(NamedTuple):
    """How a game ended."""

    winner: Mark | None
    """Who won; None for a draw."""
    lines: tuple[tuple[int, ...], ...] = ()
    """All lines that the last ply completed, each as its cells; none for a draw."""
    by_limit: bool = False
    """Whether it was drawn because the limit of plies was reached."""

    @property
    def is_draw(self) -> bool:
        """Whether the game ended without a line."""
        return self.winner is None


DRAW: Final = Outcome(None)


Marks = int | tuple[int, ...]
"""The cells of one side: as a bitmask, or the oldest first where their age counts."""


class Position(Protocol):
    """The state of a game: the marks on the board, and whatever else decides how it may go on.

    An immutable value. Positions compare equal however they were reached, so a position is its own transposition
    key.
    """

    @property
    def rules(self) -> Rules:
        """The rules of the game."""

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on."""

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""

    @property
    def turn(self) -> Mark:
        """The side to move; once the game is over, the side whose turn it would be."""

    @property
    def ply(self) -> int:
        """The number of plies played."""

    @property
    def sides(self) -> tuple[Marks, Marks]:
        """The marks of the side to move and of its opponent."""

    @property
    def legal_moves(self) -> tuple[int, ...]:
        """The cells that may be played, in ascending order; none once the game is over."""

    def play(self, cell: int) -> Self:
        """The position after the side to move has marked a cell.

        Raises:
            IllegalMove: The game is over, or this cell cannot be marked now.
        """

    def mark_at(self, cell: int) -> Mark | None:
        """The mark on a cell; None for an empty one."""

    @property
    def regions(self) -> tuple[Region, ...]:
        """The state of each region of the board."""

    @property
    def fading(self) -> tuple[int, ...]:
        """The cells whose marks their sides' next plies remove; that of the side to move first."""

    def __hash__(self) -> int: ...


def open_regions(position: Position) -> tuple[int, ...]:
    """The regions that the next ply may be in, in ascending order; none once the game is over."""
    return tuple([number for number, region in enumerate(position.regions) if region.is_open])


class Rules:
    """The rules of one game: its board, its start position, and how its moves are written.

    Immutable. Equal rules are the same object, so they can be compared by identity.
    """

    __slots__ = ("cells", "last_ply", "layout", "line", "misere", "text")

    def __init__(
        self, text: str, layout: Layout, *, line: int = 3, misere: bool = False, last_ply: int | None = None
    ) -> None:
        self.text: Final = text
        """The rules' name, which `parse_rules` reads: `5x5x4`, `3x3x3-misere`, `ultimate`."""
        self.layout: Final = layout
        """How the board is laid out."""
        self.cells: Final = len(layout.drawn)
        """The number of cells; they are numbered from 0, as the layout says."""
        self.line: Final = line
        """How many in a row decide the game: cells, or regions if there are several."""
        self.misere: Final = misere
        """Whether the side that completes a line loses."""
        self.last_ply: Final = self.cells if last_ply is None else last_ply
        """The ply after which the game is over at the latest."""

    def start(self) -> Position:
        """The position before the first ply."""
        raise NotImplementedError

    def replay(self, text: str) -> Position:
        """The position after these moves, one character each as `moves_text` writes them."""
        return self.after(self.read_moves(text))

    def after(self, cells: Iterable[int]) -> Position:
        """The position after these cells were played, X's first."""
        position = self.start()
        for cell in cells:
            position = position.play(cell)
        return position

    def move_text(self, cell: int) -> str:
        """The character for a cell."""
        if not 0 <= cell < self.cells:
            raise IllegalMove(no_cell(cell, self))
        return CELLS[cell]

    def moves_text(self, cells: Iterable[int]) -> str:
        """One character for each of these cells, in order: the inverse of `read_moves`."""
        return "".join(map(self.move_text, cells))

    def read_moves(self, text: str) -> tuple[int, ...]:
        """The cells that the characters stand for, in order; whether they can be played is not checked."""
        cells = tuple([_CELL_OF.get(character, -1) for character in text])
        for cell, character in zip(cells, text, strict=True):
            if not 0 <= cell < self.cells:
                raise MalformedMoves(f"The character {character!r} is not one of the {self.cells} cells.")
        return cells

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"parse_rules({self.text!r})"


def no_cell(cell: int, rules: Rules) -> str:
    """The error message for a cell outside the board."""
    return f"There is no cell {cell}: this board's cells are numbered 0 to {rules.cells - 1}."


class EngineError(ValueError):
    """The base class of all errors of the engine."""


class InvalidRules(EngineError):
    """There are no such rules: the size or the length of a line is out of range, or the text names no rules."""


class MalformedMoves(EngineError):
    """A text with a character that is not a cell of the board."""


class IllegalMove(EngineError):
    """A ply on a taken cell, outside the board or after the end of the game."""


class NoMoveToChoose(EngineError):
    """A strategy was asked about a finished game, or about rules that it does not play."""


class UnknownLevel(EngineError):
    """A text that names no level."""

"""Positions: marks on cells, and what follows from them by the rules."""

from __future__ import annotations

from engine.errors import IllegalMove, MalformedPosition, UnreachablePosition
from engine.geometry import CLASSIC, Geometry
from engine.marks import Mark
from engine.values import Value

TYPE_CHECKING = False  # `typing` is left unimported to start fast
if TYPE_CHECKING:
    from collections.abc import Iterable

EMPTY = "."


class Outcome(Value):
    """How a game ended."""

    __slots__ = ("winner", "lines")  # noqa: RUF023 - the order of the arguments

    winner: Mark | None
    """Who won; None for a draw."""
    lines: tuple[tuple[int, ...], ...]
    """Every line that the last ply completed, each as its cells; none for a draw."""

    def __init__(self, winner: Mark | None, lines: tuple[tuple[int, ...], ...] = ()) -> None:
        object.__setattr__(self, "winner", winner)
        object.__setattr__(self, "lines", lines)

    @property
    def is_draw(self) -> bool:
        """Whether the board filled up without a line."""
        return self.winner is None

    @property
    def line(self) -> tuple[int, ...]:
        """The winning line's cells, the first line's where one ply completed two; empty for a draw."""
        return self.lines[0] if self.lines else ()


_DRAW = Outcome(None)


class Position(Value):
    """Marks on a board that some game leads to. The side to move is derived from their counts.

    Equal positions are equal however they were reached, so that a position is its own transposition key.

    Args:
        x: The bitmask of the cells that hold an X (bit c for cell c).
        o: The bitmask of the cells that hold an O.
        geometry: The board.

    Raises:
        MalformedPosition: The bitmasks overlap or leave the board.
        UnreachablePosition: No game leads to these marks.
    """

    __slots__ = ("geometry", "o", "outcome", "x")

    x: int
    """The bitmask of the cells that hold an X."""
    o: int
    """The bitmask of the cells that hold an O."""
    geometry: Geometry
    """The board."""
    outcome: Outcome | None
    """How the game ended; None while it goes on."""

    def __init__(self, x: int = 0, o: int = 0, geometry: Geometry = CLASSIC) -> None:
        if x & o:
            raise MalformedPosition(f"X and O share {_cells(x & o, geometry)}.")
        if (x | o) & ~geometry.full:
            raise MalformedPosition(f"There are marks outside of the {geometry.cells} cells.")
        _set(self, x, o, geometry, _judge(x, o, geometry))

    @classmethod
    def start(cls, geometry: Geometry = CLASSIC) -> Position:
        """The empty board."""
        return _trusted(0, 0, geometry, None)

    @classmethod
    def parse(cls, text: str, geometry: Geometry | None = None) -> Position:
        """Read a position from its cells in reading order: X, O or a full stop.

        Args:
            text: All cells at once, or rows separated by slashes or newlines. Spaces do not count, so
                that a drawn board (`str`) can be read too.
            geometry: The board; not needed where it has three rows of three.

        Raises:
            MalformedPosition: The text is no board of that geometry.
            UnreachablePosition: No game leads to these marks.
        """
        rows = ["".join(row.split()) for row in text.strip().replace("\n", "/").split("/")]
        cells = "".join(rows)
        if strange := set(cells) - {Mark.X, Mark.O, EMPTY}:
            raise MalformedPosition(f"A cell is X, O or {EMPTY!r}, not {min(strange)!r}.")
        if geometry is None:
            if len(cells) != CLASSIC.cells or len(rows) not in (1, CLASSIC.n):
                raise MalformedPosition(
                    "Only a board of 3 rows and 3 columns can be read without its geometry: "
                    f"these are {len(cells)} cells in {len(rows)} rows."
                )
            geometry = CLASSIC
        if len(rows) > 1 and (len(rows) != geometry.n or {len(row) for row in rows} != {geometry.m}):
            lengths = ", ".join(str(len(row)) for row in rows)
            raise MalformedPosition(
                f"A board of {geometry.n} rows of {geometry.m} cells cannot have rows of {lengths}."
            )
        if len(cells) != geometry.cells:
            raise MalformedPosition(f"A board of {geometry.cells} cells cannot have {len(cells)}.")
        x = sum(1 << cell for cell, mark in enumerate(cells) if mark == Mark.X)
        o = sum(1 << cell for cell, mark in enumerate(cells) if mark == Mark.O)
        return cls(x, o, geometry)

    @classmethod
    def replay(cls, moves: Iterable[int], geometry: Geometry = CLASSIC) -> Position:
        """The position after these moves from the empty board.

        Raises:
            IllegalMove: One of them breaks the rules.
        """
        position = cls.start(geometry)
        for cell in moves:
            position = position.play(cell)
        return position

    @property
    def turn(self) -> Mark:
        """The side to move; after the end, the side whose turn it would be."""
        return Mark.X if self.x.bit_count() == self.o.bit_count() else Mark.O

    @property
    def ply(self) -> int:
        """The number of plies played."""
        return (self.x | self.o).bit_count()

    @property
    def sides(self) -> tuple[int, int]:
        """The bitmasks of the side to move and of its opponent."""
        x, o = self.x, self.o
        return (x, o) if x.bit_count() == o.bit_count() else (o, x)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.outcome is not None

    @property
    def legal_moves(self) -> tuple[int, ...]:
        """The cells that may be played, ascending; none once the game is over."""
        if self.outcome is not None:
            return ()
        taken = self.x | self.o
        return tuple([cell for cell in range(self.geometry.cells) if not taken >> cell & 1])

    def mark_at(self, cell: int) -> Mark | None:
        """The mark on a cell; None for an empty one.

        Raises:
            IndexError: There is no such cell.
        """
        if not 0 <= cell < self.geometry.cells:
            raise IndexError(_no_cell(cell, self.geometry))
        if self.x >> cell & 1:
            return Mark.X
        return Mark.O if self.o >> cell & 1 else None

    def play(self, cell: int) -> Position:
        """The position after the side to move has marked a cell.

        Raises:
            IllegalMove: The game is over, the cell is taken, or there is no such cell.
        """
        x, o, geometry = self.x, self.o, self.geometry
        if self.outcome is not None:
            raise IllegalMove(f"The game is over, so cell {cell} cannot be played.")
        if not 0 <= cell < geometry.cells:
            raise IllegalMove(_no_cell(cell, geometry))
        bit = 1 << cell
        if (x | o) & bit:
            raise IllegalMove(f"Cell {cell} is taken.")
        if x.bit_count() == o.bit_count():
            own = x = x | bit
        else:
            own = o = o | bit
        # A ply completes no other lines than those through its cell.
        for mask in geometry.lines_through[cell]:
            if own & mask == mask:
                return _trusted(x, o, geometry, _win(Mark.X if own == x else Mark.O, own, geometry))
        return _trusted(x, o, geometry, _DRAW if x | o == geometry.full else None)

    def format(self) -> str:
        """The text that `parse` reads: cells in reading order, with slashes between rows but on 3 by 3."""
        cells = self._cells()
        if self.geometry is CLASSIC:
            return cells
        m = self.geometry.m
        return "/".join(cells[start : start + m] for start in range(0, len(cells), m))

    def _cells(self) -> str:
        return "".join(self.mark_at(cell) or EMPTY for cell in range(self.geometry.cells))

    def _fields(self) -> tuple[int, int, Geometry]:
        return self.x, self.o, self.geometry

    def __eq__(self, other: object) -> bool:
        if type(other) is not Position:
            return NotImplemented
        return self.x == other.x and self.o == other.o and self.geometry is other.geometry

    def __hash__(self) -> int:
        return hash((self.x, self.o))

    def __repr__(self) -> str:
        geometry = "" if self.geometry is CLASSIC else f", {self.geometry!r}"
        return f"Position.parse({self.format()!r}{geometry})"

    def __str__(self) -> str:
        cells, m = self._cells(), self.geometry.m
        return "\n".join(" ".join(cells[start : start + m]) for start in range(0, len(cells), m))


def _set(position: Position, x: int, o: int, geometry: Geometry, outcome: Outcome | None) -> None:
    put = object.__setattr__
    put(position, "x", x)
    put(position, "o", o)
    put(position, "geometry", geometry)
    put(position, "outcome", outcome)


def _trusted(x: int, o: int, geometry: Geometry, outcome: Outcome | None) -> Position:
    """A position that needs no check, since legal plies lead to it."""
    position = object.__new__(Position)
    _set(position, x, o, geometry, outcome)
    return position


def _win(winner: Mark, own: int, geometry: Geometry) -> Outcome:
    pairs = zip(geometry.lines, geometry.masks, strict=True)
    return Outcome(winner, tuple(line for line, mask in pairs if own & mask == mask))


def _judge(x: int, o: int, geometry: Geometry) -> Outcome | None:
    """The outcome of marks that come from outside.

    A position can be reached exactly if the counts fit and nobody had a line before the last ply: then
    the plies before it can be played in any order. Nobody had one if the winner moved last and has no
    line left once some cell is taken away, a cell that all its lines must share.

    Raises:
        UnreachablePosition: No game leads to these marks.
    """
    ahead = x.bit_count() - o.bit_count()
    if ahead not in (0, 1):
        raise UnreachablePosition(
            f"X moves first and turns alternate, so {x.bit_count()} X and {o.bit_count()} O cannot be."
        )
    masks_x = [mask for mask in geometry.masks if x & mask == mask]
    masks_o = [mask for mask in geometry.masks if o & mask == mask]
    if masks_x and masks_o:
        raise UnreachablePosition("Both sides have a line, but the game ends with the first.")
    if masks_x and not ahead:
        raise UnreachablePosition("X has a line, but O has moved after it.")
    if masks_o and ahead:
        raise UnreachablePosition("O has a line, but X has moved after it.")
    if masks := masks_x or masks_o:
        winner = Mark.X if masks_x else Mark.O
        shared = geometry.full
        for mask in masks:
            shared &= mask
        if not shared:
            raise UnreachablePosition(f"{winner} has lines that no single ply can have completed.")
        return _win(winner, x if masks_x else o, geometry)
    return _DRAW if x | o == geometry.full else None


def _cells(mask: int, geometry: Geometry) -> str:
    cells = [str(cell) for cell in range(max(geometry.cells, mask.bit_length())) if mask >> cell & 1]
    return f"cell {cells[0]}" if len(cells) == 1 else f"cells {', '.join(cells)}"


def _no_cell(cell: int, geometry: Geometry) -> str:
    return f"There is no cell {cell}: this board's cells are numbered 0 to {geometry.cells - 1}."

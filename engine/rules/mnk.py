"""Boards of m columns and n rows on which k in a row win, or lose in misère: rules and positions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import Final, NamedTuple

from engine.errors import IllegalMove, MalformedPosition, UnreachablePosition
from engine.rules.base import DRAW, EMPTY, Outcome, Rules, no_cell
from engine.rules.geometry import Geometry
from engine.rules.layout import OVER, WHOLE, Layout, Region
from engine.rules.marks import Mark

MISERE: Final = "misere"
"""What the text of misère rules ends with."""


class MnkRules(Rules):
    """The rules of one board, made by `mnk_rules`.

    The game ends with the first line or a full board. A line wins; in misère it loses.
    """

    __slots__ = ("geometry",)

    def __init__(self, geometry: Geometry, *, misere: bool) -> None:
        text = f"{geometry.m}x{geometry.n}x{geometry.k}"
        super().__init__(
            f"{text}-{MISERE}" if misere else text, Layout(geometry.m, geometry.n), line=geometry.k, misere=misere
        )
        self.geometry: Final = geometry
        """The board and its lines."""

    def start(self) -> MnkPosition:
        """The empty board."""
        return MnkPosition(0, 0, self, None)

    def replay(self, text: str) -> MnkPosition:
        """The position after these moves, one character each.

        Raises:
            MalformedMoves: A character is not a cell.
            IllegalMove: One of the moves breaks the rules.
        """
        return self.after(self.read_moves(text))

    def after(self, cells: Iterable[int]) -> MnkPosition:
        """The position after these cells were played, X's first.

        Raises:
            IllegalMove: One of them breaks the rules.
        """
        position = self.start()
        for cell in cells:
            position = position.play(cell)
        return position

    def position(self, x: int, o: int) -> MnkPosition:
        """The position with these marks, given as bitmasks (bit c for cell c).

        Whether some game leads there is decided exactly: the counts must be right, and there must not have been a
        line before the last ply; the plies before it can then have been played in any order. There was no line if
        only the side that moved last has lines and one cell lies on all of them.

        Raises:
            MalformedPosition: The bitmasks overlap or have cells outside the board.
            UnreachablePosition: No game leads to these marks.
        """
        if x & o:
            raise MalformedPosition(f"X and O share {_cells(x & o, self)}.")
        if (x | o) & ~self.geometry.full:
            raise MalformedPosition(f"There are marks outside of the {self.cells} cells.")
        ahead = x.bit_count() - o.bit_count()
        if ahead not in (0, 1):
            raise UnreachablePosition(
                f"X moves first and turns alternate, so {x.bit_count()} X and {o.bit_count()} O cannot be."
            )
        masks_x, masks_o = ([mask for mask in self.geometry.masks if own & mask == mask] for own in (x, o))
        if masks_x and masks_o:
            raise UnreachablePosition("Both sides have a line, but the game ends with the first.")
        if masks_x and not ahead:
            raise UnreachablePosition("X has a line, but O has moved after it.")
        if masks_o and ahead:
            raise UnreachablePosition("O has a line, but X has moved after it.")
        if masks := masks_x or masks_o:
            mark, own = (Mark.X, x) if masks_x else (Mark.O, o)
            shared = self.geometry.full
            for mask in masks:
                shared &= mask
            if not shared:
                raise UnreachablePosition(f"{mark} has lines that no single ply can have completed.")
            return MnkPosition(x, o, self, self.ended_by(mark, own))
        return MnkPosition(x, o, self, DRAW if x | o == self.geometry.full else None)

    def parse(self, text: str) -> MnkPosition:
        """Read a position from its cells in reading order: X, O or a full stop.

        Args:
            text: All cells at once, or rows separated by slashes or newlines. Spaces are ignored, so that a drawn
                board (`str`) can be read, too.

        Raises:
            MalformedPosition: The text is not such a board.
            UnreachablePosition: No game leads to these marks; this is decided exactly.
        """
        rows = ["".join(row.split()) for row in text.strip().replace("\n", "/").split("/")]
        cells = "".join(rows)
        if strange := set(cells) - {Mark.X, Mark.O, EMPTY}:
            raise MalformedPosition(f"A cell is X, O or {EMPTY!r}, not {min(strange)!r}.")
        m, n = self.geometry.m, self.geometry.n
        if len(rows) > 1 and (len(rows) != n or {len(row) for row in rows} != {m}):
            lengths = ", ".join(str(len(row)) for row in rows)
            raise MalformedPosition(f"A board of {n} rows of {m} cells cannot have rows of {lengths}.")
        if len(cells) != self.cells:
            raise MalformedPosition(f"A board of {self.cells} cells cannot have {len(cells)}.")
        x, o = (sum(1 << cell for cell, each in enumerate(cells) if each == mark) for mark in Mark)
        return self.position(x, o)

    def ended_by(self, mark: Mark, own: int) -> Outcome:
        """The outcome after a side has completed a line; its marks are a bitmask."""
        pairs = zip(self.geometry.lines, self.geometry.masks, strict=True)
        lines = tuple(line for line, mask in pairs if own & mask == mask)
        return Outcome(mark.other if self.misere else mark, lines)

    def __reduce__(self) -> tuple[Callable[..., MnkRules], tuple[int, int, int, bool]]:
        return _known, (self.geometry.m, self.geometry.n, self.geometry.k, self.misere)


@cache
def _known(m: int, n: int, k: int, misere: bool) -> MnkRules:  # noqa: FBT001 - `cache` looks it up by place
    return MnkRules(Geometry(m, n, k), misere=misere)


def mnk_rules(m: int, n: int, k: int, *, misere: bool = False) -> MnkRules:
    """The rules of `k` in a row on `m` columns and `n` rows; the same object for the same arguments.

    Raises:
        InvalidRules: There is no such board.
    """
    return _known(m, n, k, misere)


class MnkPosition(NamedTuple):
    """Marks on a board. The side to move follows from how many there are of each.

    The constructor checks nothing: marks from outside go through `MnkRules.position` or `parse`.
    """

    x: int
    """The bitmask of the cells that hold an X (bit c for cell c)."""
    o: int
    """The bitmask of the cells that hold an O."""
    rules: MnkRules
    """The rules of the game."""
    outcome: Outcome | None
    """How the game ended; None while it goes on."""

    @property
    def turn(self) -> Mark:
        """The side to move; once the game is over, the side whose turn it would be."""
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
        """The cells that may be played, in ascending order; none once the game is over."""
        if self.outcome is not None:
            return ()
        taken = self.x | self.o
        return tuple([cell for cell in range(self.rules.cells) if not taken >> cell & 1])

    def mark_at(self, cell: int) -> Mark | None:
        """The mark on a cell; None for an empty one.

        Raises:
            IndexError: There is no such cell.
        """
        if not 0 <= cell < self.rules.cells:
            raise IndexError(no_cell(cell, self.rules))
        if self.x >> cell & 1:
            return Mark.X
        return Mark.O if self.o >> cell & 1 else None

    def play(self, cell: int) -> MnkPosition:
        """The position after the side to move has marked a cell.

        Raises:
            IllegalMove: The game is over, the cell is taken, or there is no such cell.
        """
        x, o, rules, outcome = self
        if outcome is not None:
            raise IllegalMove(f"The game is over, so cell {cell} cannot be played.")
        if not 0 <= cell < rules.cells:
            raise IllegalMove(no_cell(cell, rules))
        bit = 1 << cell
        if (x | o) & bit:
            raise IllegalMove(f"Cell {cell} is taken.")
        if x.bit_count() == o.bit_count():
            own = x = x | bit
        else:
            own = o = o | bit
        # A ply can only complete lines through its own cell.
        for mask in rules.geometry.lines_through[cell]:
            if own & mask == mask:
                return MnkPosition(x, o, rules, rules.ended_by(Mark.X if own == x else Mark.O, own))
        return MnkPosition(x, o, rules, DRAW if x | o == rules.geometry.full else None)

    @property
    def regions(self) -> tuple[Region, ...]:
        """The one region that there is."""
        return WHOLE if self.outcome is None else OVER

    @property
    def fading(self) -> tuple[int, ...]:
        """None: every mark stays."""
        return ()

    def format(self) -> str:
        """The text that `parse` reads: cells in reading order, with slashes between rows except on 3 by 3."""
        return ("" if self.rules.cells == CLASSIC.cells else "/").join(self._rows())

    def _rows(self) -> list[str]:
        rules = self.rules
        cells = "".join(self.mark_at(cell) or EMPTY for cell in range(rules.cells))
        width = rules.layout.columns
        return [cells[start : start + width] for start in range(0, rules.cells, width)]

    def __repr__(self) -> str:
        return f"{self.rules!r}.parse({self.format()!r})"

    def __str__(self) -> str:
        return "\n".join(" ".join(row) for row in self._rows())


def _cells(mask: int, rules: Rules) -> str:
    cells = [str(cell) for cell in range(max(rules.cells, mask.bit_length())) if mask >> cell & 1]
    return f"cell {cells[0]}" if len(cells) == 1 else f"cells {', '.join(cells)}"


CLASSIC: Final = mnk_rules(3, 3, 3)
"""Ordinary tic-tac-toe."""

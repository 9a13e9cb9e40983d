"""Boards of m columns and n rows on which k in a row win, or lose in misère: rules and positions."""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

from engine.errors import IllegalMove
from engine.rules.base import DRAW, OVER, WHOLE, Layout, Mark, Outcome, Region, Rules, no_cell
from engine.rules.geometry import Geometry

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
        return MnkPosition(0, 0, self, None)

    def ended_by(self, mark: Mark, own: int) -> Outcome:
        """The outcome after a side has completed a line; its marks are a bitmask."""
        pairs = zip(self.geometry.lines, self.geometry.masks, strict=True)
        lines = tuple(line for line, mask in pairs if own & mask == mask)
        return Outcome(mark.other if self.misere else mark, lines)


@cache
def _known(m: int, n: int, k: int, misere: bool) -> MnkRules:  # noqa: FBT001 - `cache` looks it up by place
    return MnkRules(Geometry(m, n, k), misere=misere)


def mnk_rules(m: int, n: int, k: int, *, misere: bool = False) -> MnkRules:
    """The rules of `k` in a row on `m` columns and `n` rows; the same object for the same arguments."""
    return _known(m, n, k, misere)


class MnkPosition(NamedTuple):
    """Marks on a board. The side to move follows from how many there are of each.

    The constructor checks nothing: marks from outside go through `play`.
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
        return Mark.X if self.x.bit_count() == self.o.bit_count() else Mark.O

    @property
    def ply(self) -> int:
        return (self.x | self.o).bit_count()

    @property
    def sides(self) -> tuple[int, int]:
        x, o = self.x, self.o
        return (x, o) if x.bit_count() == o.bit_count() else (o, x)

    @property
    def is_over(self) -> bool:
        return self.outcome is not None

    @property
    def legal_moves(self) -> tuple[int, ...]:
        if self.outcome is not None:
            return ()
        taken = self.x | self.o
        return tuple([cell for cell in range(self.rules.cells) if not taken >> cell & 1])

    def mark_at(self, cell: int) -> Mark | None:
        if not 0 <= cell < self.rules.cells:
            raise IndexError(no_cell(cell, self.rules))
        if self.x >> cell & 1:
            return Mark.X
        return Mark.O if self.o >> cell & 1 else None

    def play(self, cell: int) -> MnkPosition:
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
        return WHOLE if self.outcome is None else OVER

    @property
    def fading(self) -> tuple[int, ...]:
        return ()


CLASSIC: Final = mnk_rules(3, 3, 3)
"""Ordinary tic-tac-toe."""

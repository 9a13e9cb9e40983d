"""Boards of m columns and n rows on which k in a row win, or lose in misère: lines, symmetries, rules and play."""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

from engine.rules.base import DRAW, InvalidRules, Mark, Outcome, Position, RulesOf
from engine.rules.layout import Layout

SMALLEST: Final = 3
LARGEST: Final = 8

MISERE: Final = "misere"
"""What the text of misère rules ends with."""


class MnkRules(RulesOf["MnkPosition"]):
    """The rules of one board, made by `mnk_rules`.

    The game ends with the first line or a full board. A line wins; in misère it loses. Cells are numbered from 0
    in reading order. A set of cells is a bitmask with bit c for cell c.
    """

    __slots__ = ("full", "lines", "lines_through", "masks")

    def __init__(self, m: int, n: int, k: int, *, misere: bool) -> None:
        if not all(SMALLEST <= side <= LARGEST for side in (m, n)):
            raise InvalidRules(f"A board has {SMALLEST} to {LARGEST} columns and rows, not {m} and {n}.")
        if not SMALLEST <= k <= max(m, n):
            length = SMALLEST if max(m, n) == SMALLEST else f"{SMALLEST} to {max(m, n)}"
            raise InvalidRules(f"On a board of {m} columns and {n} rows a line has {length} cells, not {k}.")
        text = f"{m}x{n}x{k}-{MISERE}" if misere else f"{m}x{n}x{k}"
        super().__init__(text, Layout(m, n), line=k, misere=misere)
        self.full: Final = (1 << m * n) - 1
        """The bitmask of all cells."""
        self.lines: Final = tuple(
            tuple((row + down * step) * m + column + right * step for step in range(k))
            for right, down in ((1, 0), (0, 1), (1, 1), (-1, 1))
            for row in range(n)
            for column in range(m)
            if 0 <= column + right * (k - 1) < m and row + down * (k - 1) < n
        )
        """The cells of every line: rows first, then columns, falling and rising diagonals."""
        self.masks: Final = tuple(sum(1 << cell for cell in line) for line in self.lines)
        """The lines as bitmasks, in the order of `lines`."""
        self.lines_through: Final = tuple(
            tuple(mask for mask in self.masks if mask >> cell & 1) for cell in range(self.cells)
        )
        """For each cell, the bitmasks of the lines through it, in the order of `lines`."""

    def start(self) -> MnkPosition:
        return MnkPosition(0, 0, self, None)

    def ended_by(self, mark: Mark, own: int) -> Outcome:
        """The outcome after a side has completed a line; its marks are a bitmask."""
        pairs = zip(self.lines, self.masks, strict=True)
        lines = tuple(line for line, mask in pairs if own & mask == mask)
        return Outcome(mark.other if self.misere else mark, lines)


@cache
def _known(m: int, n: int, k: int, misere: bool) -> MnkRules:  # noqa: FBT001 - `cache` looks it up by place
    return MnkRules(m, n, k, misere=misere)


def mnk_rules(m: int, n: int, k: int, *, misere: bool = False) -> MnkRules:
    """The rules of `k` in a row on `m` columns and `n` rows; the same object for the same arguments."""
    return _known(m, n, k, misere)


class _MnkState(NamedTuple):
    """The fields of a position."""

    x: int
    """The bitmask of the cells that hold an X (bit c for cell c)."""
    o: int
    """The bitmask of the cells that hold an O."""
    rules: MnkRules
    """The rules of the game."""
    outcome: Outcome | None
    """How the game ended; None while it goes on."""


class MnkPosition(_MnkState, Position):
    """Marks on a board. The side to move follows from how many there are of each.

    The constructor checks nothing: marks from outside go through `play`.
    """

    __slots__ = ()
    __repr__ = Position.__repr__

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
    def legal_moves(self) -> tuple[int, ...]:
        if self.outcome is not None:
            return ()
        taken = self.x | self.o
        return tuple([cell for cell in range(self.rules.cells) if not taken >> cell & 1])

    def mark_at(self, cell: int) -> Mark | None:
        self.rules.checked(cell)
        if self.x >> cell & 1:
            return Mark.X
        return Mark.O if self.o >> cell & 1 else None

    def play(self, move: int | str) -> MnkPosition:
        x, o, rules, outcome = self
        cell = move if isinstance(move, int) else self.cell_of(move)
        if outcome is not None or not 0 <= cell < rules.cells or (x | o) >> cell & 1:
            raise self.refusal(cell)
        bit = 1 << cell
        if x.bit_count() == o.bit_count():
            own = x = x | bit
        else:
            own = o = o | bit
        # A ply can only complete lines through its own cell.
        for mask in rules.lines_through[cell]:
            if own & mask == mask:
                return MnkPosition(x, o, rules, rules.ended_by(Mark.X if own == x else Mark.O, own))
        return MnkPosition(x, o, rules, DRAW if x | o == rules.full else None)


CLASSIC: Final = mnk_rules(3, 3, 3)
"""Ordinary tic-tac-toe."""

HAS_LINE: Final = tuple(any(marks & mask == mask for mask in CLASSIC.masks) for marks in range(CLASSIC.full + 1))
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

"""Vanishing: 3 by 3, where each side keeps only three marks.

A fourth mark removes its side's oldest one as it is placed; lines are checked after that. A cell with a mark on it
can't be played, not even that of one's own oldest mark. Positions can repeat, so the game is drawn after 80 plies.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from engine.errors import IllegalMove, MalformedPosition, UnreachablePosition
from engine.rules.base import EMPTY, Outcome, Rules, no_cell
from engine.rules.geometry import THREE_BY_THREE
from engine.rules.layout import OVER, WHOLE, Layout, Region
from engine.rules.marks import Mark

KEPT: Final = 3
"""How many marks a side keeps."""

LAST_PLY: Final = 80
"""The ply after which the game is drawn."""

LIMIT: Final = Outcome(None, by_limit=True)
"""The outcome of a game that reaches that limit."""

NONE: Final = "-"
"""Written for a side that has no marks."""

_LINES: Final = {frozenset(line): line for line in THREE_BY_THREE.lines}


class VanishingRules(Rules):
    """The rules of vanishing. The only instance is `VANISHING`."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__("vanishing", Layout(3, 3))

    def start(self) -> VanishingPosition:
        """The empty board."""
        return VanishingPosition((), (), 0, None)

    def parse(self, text: str) -> VanishingPosition:
        """Read a position: X's cells and O's, each oldest first or a dash, and the plies played: `480 13 5`.

        Only the marks decide whether it is reachable: how many there are at that ply, and who has a line.

        Raises:
            MalformedPosition: The text is not such a position.
            UnreachablePosition: No game leads to it.
        """
        fields = text.split()
        if len(fields) != len(("X", "O", "plies")) or not (fields[2].isascii() and fields[2].isdecimal()):
            raise MalformedPosition(
                f"A position is X's cells, O's cells, each oldest first or {NONE!r}, and the plies."
            )
        x, o = (self.read_moves(field.removeprefix(NONE)) for field in fields[:2])
        ply = int(fields[2])
        if len({*x, *o}) != len(x) + len(o):
            raise MalformedPosition("Two marks cannot share a cell.")
        if (len(x), len(o)) != (min(KEPT, (ply + 1) // 2), min(KEPT, ply // 2)) or ply > LAST_PLY:
            raise UnreachablePosition(f"After {ply} plies there cannot be {len(x)} X and {len(o)} O.")
        last, other = (x, o) if ply % 2 else (o, x)
        if frozenset(other) in _LINES:
            raise UnreachablePosition("The side to move has a line, but the game ends with the first.")
        return VanishingPosition(x, o, ply, _outcome(last, ply))

    def __reduce__(self) -> tuple[Callable[[], VanishingRules], tuple[()]]:
        return _vanishing, ()


class VanishingPosition(NamedTuple):
    """The marks of both sides in the order in which they were placed.

    The constructor checks nothing: text from outside goes through `VanishingRules.parse`.
    """

    x: tuple[int, ...]
    """The cells that hold an X, the oldest first."""
    o: tuple[int, ...]
    """The cells that hold an O, the oldest first."""
    ply: int
    """The number of plies played."""
    outcome: Outcome | None
    """How the game ended; None while it goes on."""

    @property
    def rules(self) -> VanishingRules:
        """The rules of the game."""
        return VANISHING

    @property
    def turn(self) -> Mark:
        """The side to move; once the game is over, the side whose turn it would be."""
        return Mark.O if self.ply % 2 else Mark.X

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.outcome is not None

    @property
    def legal_moves(self) -> tuple[int, ...]:
        """The cells that may be played, in ascending order; none once the game is over."""
        if self.outcome is not None:
            return ()
        return tuple([cell for cell in range(9) if cell not in self.x and cell not in self.o])

    @property
    def regions(self) -> tuple[Region, ...]:
        """The one region that there is."""
        return WHOLE if self.outcome is None else OVER

    @property
    def fading(self) -> tuple[int, ...]:
        """The oldest mark of the side to move, if it has as many as it keeps."""
        own = self.o if self.ply % 2 else self.x
        return own[:1] if len(own) == KEPT and self.outcome is None else ()

    def mark_at(self, cell: int) -> Mark | None:
        """The mark on a cell; None for an empty one.

        Raises:
            IndexError: There is no such cell.
        """
        if not 0 <= cell < VANISHING.cells:
            raise IndexError(no_cell(cell, VANISHING))
        if cell in self.x:
            return Mark.X
        return Mark.O if cell in self.o else None

    def play(self, cell: int) -> VanishingPosition:
        """The position after the side to move has marked a cell.

        Raises:
            IllegalMove: The game is over, the cell is taken, or there is no such cell.
        """
        x, o, ply, outcome = self
        if outcome is not None:
            raise IllegalMove(f"The game is over, so cell {cell} cannot be played.")
        if not 0 <= cell < VANISHING.cells:
            raise IllegalMove(no_cell(cell, VANISHING))
        if cell in x or cell in o:
            raise IllegalMove(f"Cell {cell} is taken.")
        own = (*(o if ply % 2 else x)[1 - KEPT :], cell)
        ended = _outcome(own, ply + 1)
        return VanishingPosition(x, own, ply + 1, ended) if ply % 2 else VanishingPosition(own, o, ply + 1, ended)

    def format(self) -> str:
        """The text that `parse` reads."""
        x, o = (VANISHING.moves_text(cells) or NONE for cells in (self.x, self.o))
        return f"{x} {o} {self.ply}"

    def __repr__(self) -> str:
        return f"{VANISHING!r}.parse({self.format()!r})"

    def __str__(self) -> str:
        marks = [self.mark_at(cell) or EMPTY for cell in range(9)]
        marks = [mark.lower() if cell in self.fading else mark for cell, mark in enumerate(marks)]
        return "\n".join(" ".join(marks[start : start + 3]) for start in (0, 3, 6))


def _outcome(own: tuple[int, ...], ply: int) -> Outcome | None:
    """How the game ended with this ply, given the marks of the side that played it."""
    if line := _LINES.get(frozenset(own)):
        return Outcome(Mark.X if ply % 2 else Mark.O, (line,))
    return LIMIT if ply == LAST_PLY else None


def _vanishing() -> VanishingRules:
    return VANISHING


VANISHING: Final = VanishingRules()
"""The rules of vanishing."""

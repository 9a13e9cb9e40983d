"""Vanishing: 3 by 3, where each side keeps only three marks.

A fourth mark removes its side's oldest one as it is placed; lines are checked after that. A cell with a mark on it
can't be played, not even that of one's own oldest mark. Positions can repeat, so the game is drawn after 80 plies.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from engine.rules.base import Mark, Outcome, Position, RulesOf
from engine.rules.layout import Layout
from engine.rules.mnk import CLASSIC

KEPT: Final = 3
"""How many marks a side keeps."""

LAST_PLY: Final = 80
"""The ply after which the game is drawn."""

_LINES: Final = {frozenset(line): line for line in CLASSIC.lines}


class VanishingRules(RulesOf["VanishingPosition"]):
    """The rules of vanishing. The only instance is `VANISHING`."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__("vanishing", Layout(3, 3), last_ply=LAST_PLY)

    def start(self) -> VanishingPosition:
        return VanishingPosition((), (), 0, None)


class _VanishingState(NamedTuple):
    """The fields of a position."""

    x: tuple[int, ...]
    """The cells that hold an X, the oldest first."""
    o: tuple[int, ...]
    """The cells that hold an O, the oldest first."""
    ply: int
    """The number of plies played."""
    outcome: Outcome | None
    """How the game ended; None while it goes on."""


class VanishingPosition(_VanishingState, Position):
    """The marks of both sides in the order in which they were placed.

    The constructor checks nothing: moves from outside go through `play`.
    """

    __slots__ = ()

    def __repr__(self) -> str:
        x, o = (" ".join(map(VANISHING.name_of, side)) for side in (self.x, self.o))
        return f"VanishingPosition(x={x!r}, o={o!r}, ply={self.ply})"

    @property
    def rules(self) -> VanishingRules:
        return VANISHING

    @property
    def sides(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        return (self.o, self.x) if self.ply % 2 else (self.x, self.o)

    @property
    def legal_moves(self) -> tuple[int, ...]:
        if self.outcome is not None:
            return ()
        return tuple([cell for cell in range(9) if cell not in self.x and cell not in self.o])

    @property
    def fading(self) -> tuple[int, ...]:
        if self.outcome is not None:
            return ()
        return tuple([marks[0] for marks in self.sides if len(marks) == KEPT])

    def mark_at(self, cell: int) -> Mark | None:
        VANISHING.checked(cell)
        if cell in self.x:
            return Mark.X
        return Mark.O if cell in self.o else None

    def play(self, move: int | str) -> VanishingPosition:
        x, o, ply, outcome = self
        cell = move if isinstance(move, int) else self.cell_of(move)
        if outcome is not None or not 0 <= cell < VANISHING.cells or cell in x or cell in o:
            raise self.refusal(cell)
        own = (*(o if ply % 2 else x)[1 - KEPT :], cell)
        if line := _LINES.get(frozenset(own)):
            outcome = Outcome(self.turn, (line,))
        elif ply + 1 == LAST_PLY:
            outcome = Outcome(None, by_limit=True)
        return VanishingPosition(*((x, own) if ply % 2 else (own, o)), ply + 1, outcome)


VANISHING: Final = VanishingRules()
"""The rules of vanishing."""

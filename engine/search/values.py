"""What a position is worth to the side to move, and who can say so."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

if TYPE_CHECKING:
    from engine.rules.base import Position


_LONG: Final = 100
"""More plies than any game has: wins and losses whose plies are unknown score as if they took so many."""


class Result(IntEnum):
    """How a game ends for one side; it can be negated by `-` and compared."""

    LOSS = -1
    DRAW = 0
    WIN = 1


class Value(NamedTuple):
    """A position's evaluation, for the side to move."""

    result: Result | None
    """How the game ends if both play best; None where that is not proven."""
    plies: int | None = None
    """Where a win or a loss is proven, the plies to the end: the shortest win, the longest loss. None if only the
    result is known."""
    estimate: float = 0.0
    """Where nothing is proven, what is to be expected between -1 (a loss) and 1 (a win)."""
    depth: int = 0
    """Where nothing is proven, how many plies were looked ahead."""
    line: tuple[int, ...] = ()
    """The principal variation: the cells that follow if both play best, as far as they are known."""

    @property
    def score(self) -> float:
        """Between -2 and 2: better values score more, quick wins and long losses too."""
        if self.result is None:
            return self.estimate
        if self.result is Result.DRAW:
            return 0.0
        return self.result * (2 - (_LONG if self.plies is None else self.plies) / 1_000)

    def before(self, cell: int) -> Value:
        """This value for the side whose ply on this cell led here, before that ply."""
        line = (cell, *self.line)
        if self.result is None:
            return Value(None, estimate=0.0 - self.estimate, depth=self.depth + 1, line=line)
        return Value(Result(-self.result), None if self.plies is None else self.plies + 1, line=line)


class Evaluator(Protocol):
    """Whatever can value a position: an exact table, or a search within its budget."""

    def value(self, position: Position) -> Value:
        """The value of a position that is not over, for the side to move."""


def value_of_outcome(position: Position) -> Value | None:
    """The value of a finished position; None for one that goes on."""
    if position.outcome is None:
        return None
    winner = position.outcome.winner
    if winner is None:
        return Value(Result.DRAW)
    return Value(Result.WIN if winner is position.turn else Result.LOSS, 0)

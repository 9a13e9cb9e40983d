"""The value of a position for the side to move."""

from __future__ import annotations

from enum import IntEnum
from typing import Final, NamedTuple, Protocol

from engine.rules.base import Position

_LONG: Final = 100
"""More plies than any game has. Wins and losses in an unknown number of plies score as if they took so many."""


class Result(IntEnum):
    """How a game ends for one side. Results can be compared, and negated by `-`."""

    LOSS = -1
    DRAW = 0
    WIN = 1


class Value(NamedTuple):
    """The value of a position for the side to move: proven, or else an estimate."""

    result: Result | None
    """How the game ends if both sides play best; None if that isn't proven."""
    plies: int | None = None
    """The plies to the end of a proven win or loss: the shortest win, the longest loss. None if only the result is
    known."""
    estimate: float = 0.0
    """If nothing is proven, the expected result, between -1 (a loss) and 1 (a win)."""
    depth: int = 0
    """If nothing is proven, how many plies were searched."""
    line: tuple[int, ...] = ()
    """The principal variation, as far as it is known: the cells that follow if both sides play best."""

    @property
    def score(self) -> float:
        """A number between -2 and 2, higher for better values, for quicker wins and for longer losses."""
        if self.result is None:
            return self.estimate
        if self.result is Result.DRAW:
            return 0.0
        return self.result * (2 - (_LONG if self.plies is None else self.plies) / 1_000)

    def before(self, cell: int) -> Value:
        """The value of playing this cell, if what it leads to has this value for the other side."""
        line = (cell, *self.line)
        if self.result is None:
            return Value(None, estimate=0.0 - self.estimate, depth=self.depth + 1, line=line)
        return Value(Result(-self.result), None if self.plies is None else self.plies + 1, line=line)


class Evaluator(Protocol):
    """Anything that values positions: an exact table, or a search within its limits."""

    def value(self, position: Position) -> Value:
        """The value of a position that isn't over, for the side to move."""


def value_of_outcome(position: Position) -> Value | None:
    """The value of a position that is over; None if it isn't."""
    if position.outcome is None:
        return None
    winner = position.outcome.winner
    if winner is None:
        return Value(Result.DRAW)
    return Value(Result.WIN if winner is position.turn else Result.LOSS, 0)

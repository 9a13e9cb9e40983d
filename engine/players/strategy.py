"""The base class of everything that chooses moves."""

from __future__ import annotations

from random import Random
from typing import Final

from engine.errors import NoMoveToChoose
from engine.rules.base import Position, Rules
from engine.search.limits import Limits


class Strategy:
    """A way of choosing moves. The base class chooses any cell, under any rules."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name: Final = name

    def plays(self, rules: Rules) -> bool:  # noqa: ARG002 - this one plays all of them
        """Whether it plays these rules."""
        return True

    def candidates(self, position: Position) -> tuple[int, ...]:
        """The cells that it may choose: each as often as it is likely, ascending if all are equally likely.

        Raises:
            NoMoveToChoose: The game is over, or the strategy doesn't play these rules.
        """
        if position.outcome is not None:
            raise NoMoveToChoose("The game is over, so there is no move to choose.")
        return position.legal_moves

    def choose(self, position: Position, rng: Random) -> int:
        """One of the candidates.

        Raises:
            NoMoveToChoose: The game is over, or the strategy doesn't play these rules.
        """
        cells = self.candidates(position)
        return cells[0] if len(cells) == 1 else cells[int(rng.random() * len(cells))]

    def within(self, limits: Limits) -> Strategy:  # noqa: ARG002 - needs none
        """This strategy with limits for each choice; itself if it doesn't search."""
        return self

    def __repr__(self) -> str:
        return f"<Strategy {self.name}>"

"""Strategies that search, where no table is small enough: the one place where searches are plugged in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.errors import NoMoveToChoose
from engine.levels import Level
from engine.strategies import Strategy
from engine.ultimate import ULTIMATE
from engine.ultimate_search import UltimateSearch

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from engine.rules import Position, Rules
    from engine.values import Evaluator

_ULTIMATE_NODES: Final = {Level.MEDIUM: 200, Level.HARD: 3_000, Level.PERFECT: 150_000}
"""How many positions the levels look at in ultimate; the strongest takes about a quarter of a second."""


class Searching(Strategy):
    """Plays the first cell of what a search finds.

    Args:
        name: What it is called.
        rules: What it plays.
        search: Makes the search from a seed, which decides among equals; anew for each choice, so that a choice
            depends on the position and the seed alone.
    """

    __slots__ = ("_rules", "_search")

    def __init__(self, name: str, rules: Rules, search: Callable[[int], Evaluator]) -> None:
        super().__init__(name)
        self._rules: Final = rules
        self._search: Final = search

    def plays(self, rules: Rules) -> bool:
        """Whether the search is for these rules."""
        return rules is self._rules

    def candidates(self, position: Position) -> tuple[int, ...]:
        """The one cell that is found from the seed 0.

        Raises:
            NoMoveToChoose: The game is over, or it is another.
        """
        return self._found(position, 0)

    def choose(self, position: Position, rng: Random) -> int:
        """The cell that is found from a seed of the generator's.

        Raises:
            NoMoveToChoose: The game is over, or it is another.
        """
        return self._found(position, rng.getrandbits(32))[0]

    def _found(self, position: Position, seed: int) -> tuple[int, ...]:
        if not self.plays(position.rules):
            raise NoMoveToChoose(f"{self.name} does not play {position.rules}.")
        super().candidates(position)
        return self._search(seed).value(position).line[:1]


def searching(level: Level, rules: Rules) -> Strategy:
    """Who searches at this level, medium, hard or perfect.

    Raises:
        NoMoveToChoose: No search plays by these rules.
    """
    if rules is ULTIMATE:
        nodes = _ULTIMATE_NODES[level]
        return Searching(f"{level} in {rules}", rules, lambda seed: UltimateSearch(nodes=nodes, seed=seed))
    raise NoMoveToChoose(f"{level} does not play {rules}.")

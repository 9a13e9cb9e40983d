"""Strategies that search, where no table is small enough: the one place where searches are plugged in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.errors import NoMoveToChoose
from engine.strategies import Strategy
from engine.ultimate import ULTIMATE
from engine.ultimate_search import UltimateSearch

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from engine.levels import Level
    from engine.rules import Position, Rules
    from engine.values import Evaluator

_ULTIMATE_NODES: Final = {"medium": 200, "hard": 3_000, "perfect": 150_000}
"""How many positions the levels look at in ultimate; the strongest takes about a quarter of a second."""


class Searching(Strategy):
    """Plays the first cell of what a search finds.

    Args:
        name: What it is called.
        search: Makes the search from a seed, which decides among equals; anew for each choice, so that a choice
            depends on the position and the seed alone.
    """

    __slots__ = ("_search",)

    def __init__(self, name: str, search: Callable[[int], Evaluator]) -> None:
        super().__init__(name)
        self._search: Final = search

    def candidates(self, position: Position) -> tuple[int, ...]:
        """The one cell that is found from the seed 0.

        Raises:
            NoMoveToChoose: The game is over.
        """
        return self._found(position, 0)

    def choose(self, position: Position, rng: Random) -> int:
        """The cell that is found from a seed of the generator's.

        Raises:
            NoMoveToChoose: The game is over.
        """
        return self._found(position, rng.getrandbits(32))[0]

    def _found(self, position: Position, seed: int) -> tuple[int, ...]:
        super().candidates(position)
        return self._search(seed).value(position).line[:1]


def searching(level: Level, rules: Rules) -> Strategy:
    """Who searches at this level, medium, hard or perfect.

    Raises:
        NoMoveToChoose: No search plays by these rules.
    """
    if rules is ULTIMATE:
        nodes = _ULTIMATE_NODES[level]
        return Searching(f"{level} in {rules}", lambda seed: UltimateSearch(nodes=nodes, seed=seed))
    raise NoMoveToChoose(f"{level} does not play {rules}.")

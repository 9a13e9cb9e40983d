"""Which search plays which rules, and the levels that search. New searches are plugged in here."""

from __future__ import annotations

from random import Random
from typing import Final

from engine.errors import NoMoveToChoose, UnknownLevel
from engine.players.levels import Level, Strength, parse_level
from engine.players.strategy import Strategy
from engine.rules.base import Position, Rules
from engine.rules.mnk import MnkRules
from engine.rules.ultimate import ULTIMATE
from engine.search.driver import Search
from engine.search.exact import exact
from engine.search.limits import Limits
from engine.search.values import Evaluator

NODES_OF_A_VALUE: Final = 3_000
"""How many positions are searched for a value by default: 0.05 to 0.2 s."""


def nodes_of(name: str, rules: Rules) -> int | None:
    """How many positions the level of this name searches for a choice; None if it doesn't search."""
    try:
        strength = _strength(parse_level(name), rules)
    except UnknownLevel:
        return None
    return None if strength is None else strength.nodes


def _strength(level: Level, rules: Rules) -> Strength | None:
    return level.play.in_ultimate if rules is ULTIMATE else level.play.elsewhere


def search(rules: Rules, limits: Limits = Limits(), seed: int = 0) -> Search:  # noqa: B008 - an immutable value
    """A new search for these rules.

    Raises:
        NoMoveToChoose: No search plays them.
    """
    if rules is ULTIMATE:
        from engine.search.ultimate.search import UltimateSearch  # noqa: PLC0415 - loaded when it is first played

        return UltimateSearch(rules, limits, seed)
    if isinstance(rules, MnkRules):
        from engine.search.mnk.adapter import MnkSearch  # noqa: PLC0415 - loaded when it is first played

        return MnkSearch(rules, limits, seed)
    raise NoMoveToChoose(f"No search plays {rules}.")


def evaluator(rules: Rules, limits: Limits = Limits(NODES_OF_A_VALUE)) -> Evaluator:  # noqa: B008 - as above
    """What values positions: an exact table if there is one, else a search with these limits for each value."""
    return exact(rules) or search(rules, limits)


class Searching(Strategy):
    """Plays what a search finds when it pays attention, and as another strategy when it doesn't.

    Args:
        level: The level, which sets how often and how far it searches.
        rules: The rules that it plays.
        careless: How it plays when it doesn't pay attention.
        limits: Further limits for a choice. The strongest level spends all of them, others keep to their nodes.
            With nodes alone, the choice depends on position and seed alone.

    Raises:
        NoMoveToChoose: The level doesn't search.
    """

    __slots__ = ("_careless", "_level", "_limits", "_rules", "_strength")

    def __init__(
        self,
        level: Level,
        rules: Rules,
        careless: Strategy,
        *,
        limits: Limits = Limits(),  # noqa: B008 - an immutable value
    ) -> None:
        super().__init__(f"{level} in {rules}")
        strength = _strength(level, rules)
        if strength is None:
            raise NoMoveToChoose(f"The level {level} does not search.")
        self._level: Final = level
        self._rules: Final = rules
        self._careless: Final = careless
        self._strength: Final = strength
        self._limits: Final = limits

    def plays(self, rules: Rules) -> bool:
        """Whether the search is for these rules."""
        return rules is self._rules

    def within(self, limits: Limits) -> Strategy:
        """The same level with limits for each choice."""
        return Searching(self._level, self._rules, self._careless, limits=limits)

    def candidates(self, position: Position) -> tuple[int, ...]:
        """The one cell that it finds with attention and the seed 0.

        Raises:
            NoMoveToChoose: The game is over, or the rules are others.
        """
        return (self._found(position, 0),)

    def choose(self, position: Position, rng: Random) -> int:
        """The cell that it plays. The generator decides whether it pays attention, and seeds the search.

        Raises:
            NoMoveToChoose: The game is over, or the rules are others.
        """
        if rng.random() >= self._strength.attention:
            return self._careless.choose(position, rng)
        return self._found(position, rng.getrandbits(32))

    def _found(self, position: Position, seed: int) -> int:
        if not self.plays(position.rules):
            raise NoMoveToChoose(f"{self.name} does not play {position.rules}.")
        super().candidates(position)
        limits = self._limits._replace(nodes=self._nodes())
        return search(self._rules, limits, seed).best(position)

    def _nodes(self) -> int | None:
        nodes, own = self._limits.nodes, self._strength.nodes
        if self._level is Level.PERFECT and (nodes is not None or self._limits.seconds is not None):
            return nodes
        return own if nodes is None else min(own, nodes)

"""The classic strategies, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from engine.errors import NoMoveToChoose
from engine.players import lookahead
from engine.players.perfect import Perfect
from engine.players.rule_list import first_rule
from engine.players.strategy import Strategy
from engine.rules.base import Position, Rules
from engine.rules.mnk import CLASSIC, MnkPosition
from engine.search.exact import exact_mnk


class ClassicStrategy(Strategy):
    """A strategy that only plays on 3 by 3.

    Args:
        name: Its name.
        find: Gives the cells that it may choose, in ascending order, in a position that isn't over.
    """

    __slots__ = ("_find",)

    def __init__(self, name: str, find: Callable[[MnkPosition], tuple[int, ...]]) -> None:
        super().__init__(name)
        self._find = find

    def plays(self, rules: Rules) -> bool:
        """Whether these are the ordinary rules on 3 by 3."""
        return rules is CLASSIC

    def candidates(self, position: Position) -> tuple[int, ...]:
        """The cells that it may choose, in ascending order, all equally likely.

        Raises:
            NoMoveToChoose: The game is over, or the rules aren't the ordinary ones on 3 by 3.
        """
        return self._find(_on_classic(position, self.name))


def _on_classic(position: Position, name: str) -> MnkPosition:
    """The same position, if a strategy of this name can play it."""
    if position.outcome is not None:
        raise NoMoveToChoose("The game is over, so there is no move to choose.")
    if position.rules is not CLASSIC or not isinstance(position, MnkPosition):
        raise NoMoveToChoose(f"{name} plays {CLASSIC}, not {position.rules}.")
    return position


def _named(*strategies: Strategy) -> Mapping[str, Strategy]:
    return MappingProxyType({strategy.name: strategy for strategy in strategies})


STRATEGIES: Final = _named(
    Strategy("random"),
    ClassicStrategy("blocker", lookahead.first_safe),
    ClassicStrategy("open-lines", lookahead.best_by_open_lines),
    ClassicStrategy("tempo", lookahead.best_by_tempo),
    ClassicStrategy("rules", lambda position: (first_rule(position).cell,)),
    ClassicStrategy("alpha-beta", lambda position: exact_mnk(CLASSIC).keeping(position)[:1]),
    ClassicStrategy("minimax", lambda position: exact_mnk(CLASSIC).keeping(position)),
    Perfect(CLASSIC),
)
"""All strategies by name."""

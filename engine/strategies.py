"""The classic ways of playing this game, each by its name."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from engine import lookahead, perfect, search
from engine.errors import NoMoveToChoose
from engine.mnk_rules import CLASSIC, MnkPosition
from engine.rule_list import first_rule

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from random import Random

    from engine.limits import Limits
    from engine.rule_list import Rule
    from engine.rules import Position, Rules
    from engine.searching import Search


class Strategy:
    """A way of choosing moves. This one may choose every cell, by any rules.

    Args:
        name: What it is called.
    """

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name: Final = name

    def plays(self, rules: Rules) -> bool:  # noqa: ARG002 - this one plays by all of them
        """Whether it plays by these rules."""
        return True

    def candidates(self, position: Position) -> tuple[int, ...]:
        """The cells that it may choose, ascending, each with the same chance.

        Raises:
            NoMoveToChoose: The game is over, or the strategy does not play by these rules.
        """
        if position.outcome is not None:
            raise NoMoveToChoose("The game is over, so there is no move to choose.")
        return position.legal_moves

    def choose(self, position: Position, rng: Random) -> int:
        """One of the candidates.

        Raises:
            NoMoveToChoose: The game is over, or the strategy does not play by these rules.
        """
        cells = self.candidates(position)
        return cells[0] if len(cells) == 1 else cells[int(rng.random() * len(cells))]

    def within(self, limits: Limits, memory: Search | None = None) -> Strategy:  # noqa: ARG002 - needs none
        """The same with these limits for each choice and a memory of searches; itself where it does not search."""
        return self

    def __repr__(self) -> str:
        return f"<Strategy {self.name}>"


class ClassicStrategy(Strategy):
    """A strategy that plays on 3 by 3 alone.

    Args:
        name: What it is called.
        find: Gives the cells that it may choose, ascending, of a position that is not over.
    """

    __slots__ = ("_find",)

    def __init__(self, name: str, find: Callable[[MnkPosition], tuple[int, ...]]) -> None:
        super().__init__(name)
        self._find = find

    def plays(self, rules: Rules) -> bool:
        """Whether these are the rules of 3 by 3."""
        return rules is CLASSIC

    def candidates(self, position: Position) -> tuple[int, ...]:
        """The cells that it may choose, ascending, each with the same chance.

        Raises:
            NoMoveToChoose: The game is over, or the rules are not those of 3 by 3.
        """
        return self._find(_on_classic(position, self.name))


def explain(position: Position) -> Rule:
    """The rule by which the strategy `rules` plays here: the cell, and the reason.

    Raises:
        NoMoveToChoose: The game is over, or the rules are not those of 3 by 3.
    """
    return first_rule(_on_classic(position, "rules"))


def _on_classic(position: Position, name: str) -> MnkPosition:
    """The position, which a strategy of this name is to play, if it can."""
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
    ClassicStrategy("alpha-beta", search.first_of_the_best),
    ClassicStrategy("minimax", search.all_of_the_best),
    ClassicStrategy("perfect", perfect.candidates),
)
"""Every strategy by its name."""

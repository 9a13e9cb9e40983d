"""Which strategy plays at each level under which rules, and what the last level is called."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from random import Random
from types import MappingProxyType
from typing import Final

from engine.errors import UnknownLevel
from engine.players.levels import STRONGEST, Level, parse_level
from engine.players.lookahead import ByTable, Foresight, Slipping
from engine.players.perfect import Perfect
from engine.players.strategies import STRATEGIES
from engine.players.strategy import Strategy
from engine.rules.base import Position, Rules
from engine.rules.catalogue import parse_rules
from engine.rules.mnk import CLASSIC, MnkRules
from engine.rules.ultimate import ULTIMATE
from engine.search.limits import Limits


class LevelStrategy(Strategy):
    """A level as a strategy for any rules: it plays what `player` gives.

    Args:
        level: The level.
        limits: What a search may spend on a choice; by default, what suits the level.
    """

    __slots__ = ("_level", "_limits")

    def __init__(self, level: Level, limits: Limits = Limits()) -> None:  # noqa: B008 - immutable
        super().__init__(level.value)
        self._level: Final = level
        self._limits: Final = limits

    def candidates(self, position: Position) -> tuple[int, ...]:
        """The cells that the level may choose: each as often as it is likely.

        Raises:
            NoMoveToChoose: The game is over.
        """
        return self._player(position.rules).candidates(position)

    def choose(self, position: Position, rng: Random) -> int:
        """The cell that the level plays. A search takes its seed from the generator.

        Raises:
            NoMoveToChoose: The game is over.
        """
        return self._player(position.rules).choose(position, rng)

    def within(self, limits: Limits) -> Strategy:
        """The same level with limits for each choice."""
        return LevelStrategy(self._level, limits)

    def _player(self, rules: Rules) -> Strategy:
        return player(self._level, rules).within(self._limits)


@cache
def player(level: Level, rules: Rules) -> Strategy:
    """The strategy that plays at this level under these rules."""
    if is_perfect(rules):
        sight = level.play.on_nine_cells
        careful = _looking(rules, sight.plies)
        return Slipping(careful, _looking(rules, sight.careless), sight.slips) if sight.slips else careful
    if level is Level.BEGINNER:
        return STRATEGIES["random"]
    if rules is ULTIMATE and level is Level.EASY:
        from engine.players.board_by_board import BoardByBoard  # noqa: PLC0415 - the engine starts fast

        return BoardByBoard()
    if level is Level.EASY:
        return Foresight(2)
    from engine.players.searching import Searching  # noqa: PLC0415 - the engine starts fast

    return Searching(level, rules, player(Level.EASY, rules))


def _looking(rules: Rules, plies: int | None) -> Strategy:
    """A strategy that looks so many plies ahead, by a table of all positions; None is to the end, 0 not at all."""
    if plies == 0 or (plies is None and rules is CLASSIC):
        return STRATEGIES["random" if plies == 0 else "perfect"]
    if plies is None and isinstance(rules, MnkRules):
        return Perfect(rules)
    return ByTable(rules, plies)


def is_perfect(rules: Rules) -> bool:
    """Whether the last level is proven to play perfectly, because there is a table of all positions."""
    return rules.cells <= CLASSIC.cells


def needs_no_search(name: str, rules: Rules) -> bool:
    """Whether the level or strategy of this name chooses within milliseconds: by a table, by rules or at random.

    The others search, which the bot leaves to another process.
    """
    return name == Level.BEGINNER or is_perfect(rules) or (name in STRATEGIES and name not in list(Level))


def name_of(level: Level, rules: Rules) -> str:
    """The name of a level under these rules."""
    return STRONGEST if level is Level.PERFECT and not is_perfect(rules) else level.value


LEVELS: Final[Mapping[Level, Strategy]] = MappingProxyType({level: LevelStrategy(level) for level in Level})
"""All levels as strategies, weakest first."""


def player_named(name: str) -> Strategy:
    """The level or, if there is none, the strategy of this name.

    Raises:
        UnknownLevel: There is neither.
    """
    if name in STRATEGIES and name not in list(Level):
        return STRATEGIES[name]
    try:
        return LEVELS[parse_level(name)]
    except UnknownLevel as error:
        raise UnknownLevel(f"{error} Strategies are {', '.join(STRATEGIES)}.") from None


def best(rules: str, moves: str, level: str, rng: Random, limits: Limits) -> int:
    """The cell that a level or a strategy plays: a question of plain values, for worker processes.

    Args:
        rules: The name of the rules, as in `Rules.text`.
        moves: The moves so far, one character each as `Rules.moves_text` writes them.
        level: The name of a level or a strategy.
        rng: Chooses among equally good cells. If only nodes are limited, the same generator gives the same cell.
        limits: What a search may spend. The strongest level spends all of it, others at most what suits them.

    Raises:
        InvalidRules: There are no rules of this name.
        UnknownLevel: There is no level or strategy of this name.
        MalformedMoves: A character is not a cell.
        IllegalMove: One of the moves breaks the rules.
        NoMoveToChoose: The game is over.
    """
    position = parse_rules(rules).replay(moves)
    return player_named(level).within(limits).choose(position, rng)

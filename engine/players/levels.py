"""The levels of difficulty: what makes each as strong as it is, and what plays it under which rules."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from random import Random
from types import MappingProxyType
from typing import Final, NamedTuple, Self

from engine.errors import NoMoveToChoose, UnknownLevel
from engine.players.strategies import STRATEGIES
from engine.players.strategy import BoardByBoard, ByTable, Foresight, Perfect, Slipping, Strategy
from engine.rules.base import Position, Rules
from engine.rules.catalogue import parse_rules
from engine.rules.mnk import CLASSIC, MnkRules
from engine.rules.ultimate import ULTIMATE
from engine.search.driver import Limits, Search
from engine.search.solved import solved
from engine.search.values import Evaluator

STRONGEST: Final = "strongest"
"""The name of the last level where its play isn't proven to be perfect."""


class Strength(NamedTuple):
    """How often and how far a level searches."""

    attention: float
    """How often it searches at all, from 0 to 1; otherwise it plays as the easy level does. A search of 300
    positions scores nearly as much as the strongest one against a player who errs half the time, so attention
    rather than depth tells levels apart."""
    nodes: int
    """How many positions it looks at."""


class Sight(NamedTuple):
    """How well a level plays on nine cells, where a table holds every position."""

    plies: int | None
    """How many plies it looks ahead; None is to the end. It plays any of the cells that look best. With an even
    number, the last ply that it sees is the opponent's, whichever side it plays."""
    slips: int = 0
    """In how many moves of ten it slips, and looks ahead only as far as `careless` says."""
    careless: int = 0
    """How many plies it looks ahead when it slips; with 0 it plays any cell."""


class Play(NamedTuple):
    """How a level plays each kind of rules."""

    on_nine_cells: Sight
    elsewhere: Strength | None = None
    """How it searches on bigger boards; None if it doesn't."""
    in_ultimate: Strength | None = None
    """How it searches in ultimate, where a position takes less time."""


class Level(StrEnum):
    """How well the computer plays, weakest first. `name_of` names the last one."""

    _value_: str
    play: Play

    def __new__(cls, name: str, play: Play = Play(Sight(0))) -> Self:  # noqa: B008 - an immutable value
        """A level of this name; names are stored and sent."""
        level = str.__new__(cls, name)
        level._value_ = name
        level.play = play
        return level

    BEGINNER = "beginner", Play(Sight(0))
    """Any cell."""
    EASY = "easy", Play(Sight(2, slips=4))
    """Completes lines and blocks them; on nine cells it slips in two moves of five."""
    MEDIUM = "medium", Play(Sight(2, slips=1), Strength(1 / 3, 300), Strength(1 / 3, 200))
    HARD = "hard", Play(Sight(8, slips=5, careless=2), Strength(2 / 3, 1_000), Strength(2 / 3, 3_000))
    PERFECT = "perfect", Play(Sight(None), Strength(1, 10_000), Strength(1, 150_000))


def parse_level(text: str) -> Level:
    """The level of this name; `perfect` and `strongest` are the same level."""
    if text == STRONGEST:
        return Level.PERFECT
    if text not in list(Level):
        raise UnknownLevel(f"The levels are {', '.join(Level)} or {STRONGEST}, not {text!r}.")
    return Level(text)


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
    """A new search for these rules."""
    if rules is ULTIMATE:
        from engine.search.ultimate.search import UltimateSearch  # noqa: PLC0415 - loaded when it is first played

        return UltimateSearch(rules, limits, seed)
    if isinstance(rules, MnkRules):
        from engine.search.mnk.search import MnkSearch  # noqa: PLC0415 - loaded when it is first played

        return MnkSearch(rules, limits, seed)
    raise NoMoveToChoose(f"No search plays {rules}.")


def evaluator(rules: Rules, limits: Limits = Limits(NODES_OF_A_VALUE)) -> Evaluator:  # noqa: B008 - as above
    """What values positions: an exact table if there is one, else a search with these limits for each value."""
    return solved(rules) or search(rules, limits)


class Searching(Strategy):
    """Plays what a search finds when it pays attention, and as another strategy when it doesn't.

    `careless` plays when it doesn't pay attention. The strongest level spends all of `limits`, others keep to
    their nodes. With nodes alone, the choice depends on position and seed alone.
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
        return rules is self._rules

    def within(self, limits: Limits) -> Strategy:
        return Searching(self._level, self._rules, self._careless, limits=limits)

    def candidates(self, position: Position) -> tuple[int, ...]:
        return (self._found(position, 0),)

    def choose(self, position: Position, rng: Random) -> int:
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


class LevelStrategy(Strategy):
    """A level as a strategy for any rules: it plays what `player` gives."""

    __slots__ = ("_level", "_limits")

    def __init__(self, level: Level, limits: Limits = Limits()) -> None:  # noqa: B008 - immutable
        super().__init__(level.value)
        self._level: Final = level
        self._limits: Final = limits

    def candidates(self, position: Position) -> tuple[int, ...]:
        return self._player(position.rules).candidates(position)

    def choose(self, position: Position, rng: Random) -> int:
        return self._player(position.rules).choose(position, rng)

    def within(self, limits: Limits) -> Strategy:
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
        return BoardByBoard()
    if level is Level.EASY:
        return Foresight(2)
    return Searching(level, rules, player(Level.EASY, rules))


def _looking(rules: Rules, plies: int | None) -> Strategy:
    """A strategy that looks so many plies ahead, by a table of all positions; None is to the end, 0 not at all."""
    if plies == 0:
        return STRATEGIES["random"]
    return Perfect(rules) if plies is None else ByTable(rules, plies)


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
    """The level or, if there is none, the strategy of this name."""
    if name in STRATEGIES and name not in list(Level):
        return STRATEGIES[name]
    try:
        return LEVELS[parse_level(name)]
    except UnknownLevel as error:
        raise UnknownLevel(f"{error} Strategies are {', '.join(STRATEGIES)}.") from None


def best(rules: str, moves: str, level: str, rng: Random, limits: Limits) -> int:
    """The cell that a level or a strategy plays: a question of plain values, for worker processes.

    `moves` has one character each, as `Rules.moves_text` writes them. The strongest level spends all of `limits`,
    others at most what suits them. If only nodes are limited, the same generator gives the same cell.
    """
    position = parse_rules(rules).replay(moves)
    return player_named(level).within(limits).choose(position, rng)

"""The levels of difficulty: what plays each of them under which rules; and choosing a cell by any name."""

from collections.abc import Mapping
from enum import StrEnum
from random import Random
from typing import Any, Final, NamedTuple

from engine.rules.base import NoMoveToChoose, Position, Rules, UnknownLevel, running
from engine.rules.mnk import CLASSIC, MnkRules
from engine.rules.ultimate import ULTIMATE
from engine.search.base import Search, SearchLimits
from engine.strategies import STRATEGIES, Chooser, ahead, any_cell, board_by_board, perfect, slipping

STRONGEST_NAME: Final = "strongest"
"""The name of the last level where its play isn't proven to be perfect."""


class Level(StrEnum):
    """How well the computer plays, weakest first. Names are stored and sent.

    The strongest is stored as "perfect", which it's called only where it is (`name_of`).
    """

    BEGINNER = "beginner"
    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"
    STRONGEST = "perfect"


class Searching(NamedTuple):
    """A level that searches, in some of its moves."""

    nodes: int
    """How many positions it looks at; if it always searches, it may be given more."""
    attention: float = 1
    """How often it searches at all, from 0 to 1. A search of 300 positions scores nearly as much as the strongest
    one against a player who errs half the time, so attention rather than depth tells levels apart."""
    careless: Chooser = any_cell
    """How it plays otherwise."""


class Style(NamedTuple):
    """How a level plays each kind of rules."""

    on_nine_cells: Chooser
    elsewhere: Chooser | Searching
    in_ultimate: Chooser | Searching
    on_large_boards: Searching | None = None
    """Elsewhere, on boards of more than 36 cells, if that isn't the same."""


_LARGE: Final = 36
_TWO: Final = ahead(2)
"""With an even number of plies, the last one that it sees is the opponent's, whichever side it plays."""

PLAYS: Final[Mapping[str, Style]] = {
    Level.BEGINNER: Style(any_cell, any_cell, any_cell),
    Level.EASY: Style(slipping(_TWO, any_cell, 4), _TWO, board_by_board),
    Level.MEDIUM: Style(
        slipping(_TWO, any_cell, 1), Searching(300, 1 / 3, _TWO), Searching(200, 1 / 3, board_by_board)
    ),
    Level.HARD: Style(
        slipping(ahead(8), _TWO, 5), Searching(1_000, 2 / 3, _TWO), Searching(3_000, 2 / 3, board_by_board)
    ),
    Level.STRONGEST: Style(perfect, Searching(10_000), Searching(600_000), Searching(50_000)),
}


def name_of(level: Level, rules: Rules) -> str:
    """The name of a level under these rules."""
    return STRONGEST_NAME if level is Level.STRONGEST and not is_perfect(rules) else level.value


def is_perfect(rules: Rules) -> bool:
    """Whether the last level is proven to play perfectly, because there is a table of all positions."""
    return rules.cells <= CLASSIC.cells


def player(name: str, rules: Rules) -> Chooser | Searching:
    """What plays as the level or, if there is none, the strategy of this name."""
    if name in STRATEGIES and name not in PLAYS:
        if not plays(name, rules):
            raise NoMoveToChoose(f"{name} plays {CLASSIC}, not {rules}.")
        return STRATEGIES[name].cells
    play = PLAYS.get(Level.STRONGEST if name == STRONGEST_NAME else name)
    if play is None:
        levels, strategies = ", ".join(Level), ", ".join(STRATEGIES)
        raise UnknownLevel(
            f"The levels are {levels} or {STRONGEST_NAME}, not {name!r}. Strategies are {strategies}."
        )
    if is_perfect(rules):
        return play.on_nine_cells
    if rules is ULTIMATE:
        return play.in_ultimate
    return (rules.cells > _LARGE and play.on_large_boards) or play.elsewhere


def plays(name: str, rules: Rules) -> bool:
    """Whether the level or strategy of this name plays these rules."""
    return rules is CLASSIC or name == "random" or name not in STRATEGIES or name in PLAYS


def needs_no_search(name: str, rules: Rules) -> bool:
    """Whether the level or strategy of this name chooses within milliseconds: by a table, by rules or at random.

    The others look ahead, which the bot leaves to another process.
    """
    return name == Level.BEGINNER or is_perfect(rules) or (name in STRATEGIES and name not in PLAYS)


def nodes_of(name: str, rules: Rules) -> int | None:
    """How many positions the level of this name searches for a choice; None if it doesn't search."""
    chosen = player(name, rules)
    return chosen.nodes if isinstance(chosen, Searching) else None


def candidates(name: str, position: Position) -> tuple[int, ...]:
    """The cells that a level or a strategy may choose, each as often as it is likely; none if it searches."""
    chosen = player(name, running(position).rules)
    if isinstance(chosen, Searching):
        return ()
    return chosen(position)


def choose(name: str, position: Position, rng: Random, limits: SearchLimits | None = None) -> int:
    """The cell that a level or a strategy plays.

    A level that always searches spends all of `limits`, others at most what suits them. If only nodes are limited,
    the same generator gives the same cell.
    """
    chosen = player(name, running(position).rules)
    if isinstance(chosen, Searching):
        if rng.random() < chosen.attention:
            if limits is None or chosen.attention < 1:
                nodes, seconds = limits or SearchLimits()
                limits = SearchLimits(chosen.nodes if nodes is None else min(chosen.nodes, nodes), seconds)
            return search(position.rules, limits, rng.getrandbits(32)).best(position)
        chosen = chosen.careless
    cells = chosen(position)
    return cells[0] if len(cells) == 1 else cells[int(rng.random() * len(cells))]


def search(rules: Rules, limits: SearchLimits = SearchLimits(), seed: int = 0) -> Search[Any]:
    """A new search for these rules."""
    if rules is ULTIMATE:
        from engine.search.ultimate import UltimateSearch  # noqa: PLC0415 - loaded when it is first played

        return UltimateSearch(limits, seed)
    if isinstance(rules, MnkRules):
        from engine.search.mnk import MnkSearch  # noqa: PLC0415 - loaded when it is first played

        return MnkSearch(rules, limits, seed)
    raise NoMoveToChoose(f"No search plays {rules}.")

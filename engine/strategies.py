"""The classic ways of playing this game, each by its name, and the levels that people pick from."""

from __future__ import annotations

from importlib import import_module
from types import MappingProxyType

from engine import perfect
from engine.errors import NoMoveToChoose
from engine.geometry import CLASSIC
from engine.rules import first_rule

TYPE_CHECKING = False  # `typing` is left unimported to start fast
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from random import Random

    from engine.position import Position
    from engine.rules import Rule


class Strategy:
    """A way of choosing moves.

    Args:
        name: What it is called.
        find: Gives the cells that it may choose, ascending, of a position that is not over.
        any_board: Whether it plays on every geometry, not on 3 by 3 alone.
    """

    __slots__ = ("_any_board", "_find", "name")

    def __init__(self, name: str, find: Callable[[Position], tuple[int, ...]], *, any_board: bool = False) -> None:
        self.name = name
        self._find = find
        self._any_board = any_board

    def candidates(self, position: Position) -> tuple[int, ...]:
        """The cells that it may choose, ascending, each with the same chance.

        Raises:
            NoMoveToChoose: The game is over, or the strategy does not play on this board.
        """
        if position.outcome is not None:
            raise NoMoveToChoose("The game is over, so there is no move to choose.")
        if position.geometry is not CLASSIC and not self._any_board:
            raise NoMoveToChoose(f"{self.name} plays on {CLASSIC}, not on {position.geometry}.")
        return self._find(position)

    def choose(self, position: Position, rng: Random) -> int:
        """One of the candidates.

        Raises:
            NoMoveToChoose: The game is over, or the strategy does not play on this board.
        """
        cells = self.candidates(position)
        return cells[0] if len(cells) == 1 else cells[int(rng.random() * len(cells))]

    def __repr__(self) -> str:
        return f"<Strategy {self.name}>"


def explain(position: Position) -> Rule:
    """The rule by which the strategy `rules` plays here: the cell, and the reason.

    Raises:
        NoMoveToChoose: The game is over, or the board is not 3 by 3.
    """
    STRATEGIES["rules"].candidates(position)
    return first_rule(position)


def _later(module: str, function: str) -> Callable[[Position], tuple[int, ...]]:
    """A function of the engine that is imported when it is first called."""
    found: Callable[[Position], tuple[int, ...]] | None = None

    def find(position: Position) -> tuple[int, ...]:
        nonlocal found
        if found is None:
            found = getattr(import_module(f"engine.{module}"), function)
        return found(position)

    return find


def _named(*strategies: Strategy) -> Mapping[str, Strategy]:
    return MappingProxyType({strategy.name: strategy for strategy in strategies})


STRATEGIES = _named(
    Strategy("random", lambda position: position.legal_moves, any_board=True),
    Strategy("blocker", _later("lookahead", "first_safe")),
    Strategy("open-lines", _later("lookahead", "best_by_open_lines")),
    Strategy("tempo", _later("lookahead", "best_by_tempo")),
    Strategy("rules", lambda position: (first_rule(position).cell,)),
    Strategy("alpha-beta", _later("search", "first_of_the_best")),
    Strategy("minimax", _later("search", "all_of_the_best")),
    Strategy("perfect", perfect.candidates),
)
"""Every strategy by its name."""

LEVELS: Mapping[str, Strategy] = MappingProxyType(
    {
        "beginner": STRATEGIES["random"],
        "easy": STRATEGIES["blocker"],
        "medium": STRATEGIES["open-lines"],
        "hard": STRATEGIES["rules"],
        "perfect": STRATEGIES["perfect"],
    }
)
"""What a person picks, weakest first."""

"""What is known of finished games: their lessons, made at once where that is cheap, else learned from a search."""

from __future__ import annotations

from collections import OrderedDict
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from engine.analysis.lessons import lesson
from engine.search.exact import exact
from storage.games.game import rules_of

if TYPE_CHECKING:
    from engine.analysis.lessons import Lesson
    from storage.games.game import Game

REMEMBERED: Final = 1024
"""The most lessons that are kept after a search."""

_learned: OrderedDict[tuple[str, str], Lesson | None] = OrderedDict()
"""By rules and moves; None where the search has failed."""


def known_lesson(game: Game) -> Lesson | None:
    """The lesson of a game; None where nobody has looked for it yet, which takes a search."""
    if is_at_once(game):
        return _at_once(game.rules, game.moves)
    return _learned.get((game.rules, game.moves))


def is_at_once(game: Game) -> bool:
    """Whether the lesson of a game needs no search: there is a table of all positions."""
    return exact(rules_of(game.rules)) is not None


def is_pending(game: Game) -> bool:
    """Whether the lesson of a game is still to be looked for."""
    return not is_at_once(game) and (game.rules, game.moves) not in _learned


def learn(game: Game, found: Lesson) -> None:
    """Keep what a search has found of a game."""
    _keep(game, found)


def give_up(game: Game) -> None:
    """Note that no search finds anything of a game."""
    _keep(game, None)


def look_again(game: Game) -> None:
    """Forget that no search has found anything of a game, if so it was; a lesson is kept."""
    if known_lesson(game) is None:
        _learned.pop((game.rules, game.moves), None)


def _keep(game: Game, found: Lesson | None) -> None:
    """Of too many lessons, those learned first are forgotten."""
    _learned[game.rules, game.moves] = found
    if len(_learned) > REMEMBERED:
        _learned.popitem(last=False)


@lru_cache(maxsize=4096)
def _at_once(rules: str, moves: str) -> Lesson:
    return lesson(rules_of(rules), moves)

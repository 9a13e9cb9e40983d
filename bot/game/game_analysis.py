"""What is known of finished games: analyses, made right away where that is cheap, else found by a search."""

from __future__ import annotations

from collections import OrderedDict
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from engine.analysis.game_analysis import analyse_game
from engine.search.exact import exact
from storage.games.game import rules_of

if TYPE_CHECKING:
    from engine.analysis.game_analysis import GameAnalysis
    from storage.games.game import Game

REMEMBERED: Final = 1024
"""The most analyses that are kept after a search."""

_learned: OrderedDict[tuple[str, str], GameAnalysis | None] = OrderedDict()
"""By rules and moves; None where the search has failed."""


def known_analysis(game: Game) -> GameAnalysis | None:
    """The analysis of a game; None where nobody has looked for it yet, which takes a search."""
    if needs_no_search(game):
        return _at_once(game.rules, game.moves)
    return _learned.get((game.rules, game.moves))


def needs_no_search(game: Game) -> bool:
    """Whether the analysis of a game needs no search: there is a table of all positions."""
    return exact(rules_of(game.rules)) is not None


def is_pending(game: Game) -> bool:
    """Whether the analysis of a game is still to be looked for."""
    return not needs_no_search(game) and (game.rules, game.moves) not in _learned


def learn(game: Game, found: GameAnalysis) -> None:
    """Keep what a search has found of a game."""
    _keep(game, found)


def give_up(game: Game) -> None:
    """Note that no search finds anything of a game."""
    _keep(game, None)


def look_again(game: Game) -> None:
    """Forget that no search has found anything of a game, if so it was; an analysis is kept."""
    if known_analysis(game) is None:
        _learned.pop((game.rules, game.moves), None)


def _keep(game: Game, found: GameAnalysis | None) -> None:
    """Of too many analyses, those learned first are forgotten."""
    _learned[game.rules, game.moves] = found
    if len(_learned) > REMEMBERED:
        _learned.popitem(last=False)


@lru_cache(maxsize=4096)
def _at_once(rules: str, moves: str) -> GameAnalysis:
    return analyse_game(rules_of(rules), moves)

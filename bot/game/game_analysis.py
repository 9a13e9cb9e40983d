"""Keeps analyses of finished games: computed right away where that is cheap, else found by a search."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from bot.recent import Recent
from engine.analysis.game_analysis import GameAnalysis, analyse_game
from engine.search.exact import exact
from storage.games.game import Game, rules_of

REMEMBERED: Final = 1024
"""How many analyses found by a search are kept."""

_learned: Recent[tuple[str, str], GameAnalysis | None] = Recent(REMEMBERED)
"""By rules and moves; None if the search failed."""


def known_analysis(game: Game) -> GameAnalysis | None:
    """The analysis of a game; None if it needs a search that hasn't been made."""
    if needs_no_search(game):
        return _at_once(game.rules, game.moves)
    return _learned.get((game.rules, game.moves))


def needs_no_search(game: Game) -> bool:
    """Whether the analysis of a game needs no search, because a table has all positions."""
    return exact(rules_of(game.rules)) is not None


def is_pending(game: Game) -> bool:
    """Whether the analysis of a game still has to be searched for."""
    return not needs_no_search(game) and (game.rules, game.moves) not in _learned


def learn(game: Game, found: GameAnalysis) -> None:
    """Keep the analysis that a search found."""
    _keep(game, found)


def give_up(game: Game) -> None:
    """Note that the search for a game's analysis failed."""
    _keep(game, None)


def look_again(game: Game) -> None:
    """Forget that the search for a game's analysis failed, so that it is tried again."""
    if known_analysis(game) is None:
        _learned.pop((game.rules, game.moves), None)


def _keep(game: Game, found: GameAnalysis | None) -> None:
    """Of too many analyses, those learned first are forgotten."""
    _learned[game.rules, game.moves] = found


@lru_cache(maxsize=4096)
def _at_once(rules: str, moves: str) -> GameAnalysis:
    return analyse_game(rules_of(rules), moves)

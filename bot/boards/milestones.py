"""Milestones in words: on the board of the game that brought one, and in /stats."""

from __future__ import annotations

from collections.abc import Collection
from gettext import NullTranslations
from typing import Final

from bot.boards.level_names import level_name
from bot.boards.players import Viewer, player
from bot.boards.translations import N_, listed
from engine import Level, Mark
from storage.games.game import Game
from storage.results.milestone import GAMES, PUZZLES, UNBEATEN

_WORDS: Final = {
    UNBEATEN: N_("Ten games in a row without a loss"),
    GAMES: N_("A hundred games played"),
    PUZZLES: N_("A whole week of puzzles"),
}


def lines(reached: Collection[str], t: NullTranslations, who: str | None = None) -> list[str]:
    """A line for each milestone, one for all levels beaten; `who` reached them, if that should be said."""
    said = [t.gettext(words) for name, words in _WORDS.items() if name in reached]
    if levels := [level_name(level, t) for level in Level if level in reached]:
        said.insert(0, t.gettext("First win against OXO ({level})").format(level=listed(t, levels)))
    return [f"🏅 {who} · {words}" if who else f"🏅 {words}" for words in said]


def milestone_lines(game: Game, viewer: Viewer) -> list[str]:
    """The milestones that a finished game brought its viewer; in a group, all its players."""
    if viewer.person is not None:
        own = game.mark_of(viewer.person)
        return lines(((own and game.reached(own)) or "").split(), viewer.t)
    told = [(mark, reached.split()) for mark in Mark if (reached := game.reached(mark))]
    return [line for mark, each in told for line in lines(each, viewer.t, player(game, mark, viewer))]

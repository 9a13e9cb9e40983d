"""A person's games as a list of buttons, each of which moves its board to the bottom."""

from __future__ import annotations

from collections.abc import Iterable
from gettext import NullTranslations
from typing import Final

from bot.boards import translations
from bot.boards.buttons import OnGame
from bot.boards.players import computer
from bot.boards.rules import rules_name
from bot.boards.translations import is_right_to_left
from bot.boards.view import View, button, keyboard
from bot.game.actions import Bring
from bot.game.new_game import DEFAULT_RULES
from engine import Mark
from storage.games.game import COMPUTER, Game

MINUTE: Final = 60
HOUR: Final = 3600
DAY: Final = 86400


def number_of(game: Game) -> int:
    """A short number to tell boards apart: the end of the game's id, since a list has few games."""
    return game.id % 1000


def number_shown(game: Game, t: NullTranslations) -> str:
    """The number as people see it; a direction mark keeps its # in front after Arabic letters (UAX #9, W2)."""
    return f"\u200e#{number_of(game)}" if is_right_to_left(t) else f"#{number_of(game)}"


def games_list(head: str, games: Iterable[Game], person: int, now: int, t: NullTranslations) -> View:
    """A sentence, and a button for each of a person's games."""
    rows = [[button(line_of(game, t, person, now), OnGame(game.id, Bring()))] for game in games]
    return View(head, keyboard(rows))


def line_of(game: Game, t: NullTranslations, person: int, now: int) -> str:
    """A game in one line of plain text: number, opponent, whose turn it is, how many moves, how long ago."""
    mark = game.mark_of(person) or Mark.X
    fallback = t.gettext("Player")
    alone = game.seat(mark.other) == COMPUTER
    parts = [
        number_shown(game, t),
        computer(game, t) if alone else translations.plain(game.name(mark.other), fallback),
        t.gettext("your turn") if game.turn is mark else t.gettext("their turn"),
    ]
    if game.rules != DEFAULT_RULES:
        parts.insert(1, rules_name(game.rules, t))
    if game.ply:
        parts.append(t.ngettext("{count} move", "{count} moves", game.ply).format(count=game.ply))
    parts.append(ago(now - game.moved_at, t))
    return " · ".join(parts)


def ago(seconds: int, t: NullTranslations) -> str:
    """How long ago something was, in a few letters."""
    if seconds < MINUTE:
        return t.gettext("just now")
    if seconds < HOUR:
        return t.gettext("{count} min ago").format(count=seconds // MINUTE)
    if seconds < DAY:
        return t.gettext("{count} h ago").format(count=seconds // HOUR)
    days = seconds // DAY
    return t.ngettext("{count} day ago", "{count} days ago", days).format(count=days)

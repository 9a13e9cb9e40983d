"""A person's games as a list of buttons, each of which moves its board to the bottom."""

from collections.abc import Iterable
from typing import Final
from unicodedata import category, east_asian_width

from bot.boards import names
from bot.boards.buttons import OnGame
from bot.boards.names import belongs, clean
from bot.boards.players import computer, number_shown
from bot.boards.rules import rules_name
from bot.boards.translations import listed
from bot.boards.view import Key, Row, View, keyboard
from bot.game.new_game import DEFAULT_RULES
from bot.game.pages import Bring
from bot.language import _, n_
from engine import Mark
from storage.columns import DAY
from storage.games.game import COMPUTER, Game

MINUTE: Final = 60
HOUR: Final = 3600

MINE: Final = "👉"
THEIRS: Final = "⏳"
"""Before a game in which it's the person's turn, or the opponent's."""
BUTTON_LETTERS: Final = 32
"""The most letters of a button in a row of its own that a phone shows."""
IN_TWO, IN_THREE = 16, 11
"""The most of each that share a row."""
FEWEST_LETTERS: Final = 3
"""How many of a name are shown however little room there is."""


def games_list(head: str, games: Iterable[Game], person: int, now: int) -> View:
    """A sentence, what the signs mean, and a button for each of a person's games."""
    yours, theirs = _("your turn"), _("their turn")
    rows = game_rows(games, person, now)
    return View(f"{head}\n{listed([f'{MINE} {yours}', f'{THEIRS} {theirs}'])}", keyboard(rows))


def game_rows(games: Iterable[Game], person: int, now: int) -> list[Row]:
    """A button for each of a person's games; a number tells several apart."""
    found = list(games)
    several = len(found) > 1
    return [[Key(game_line(game, person, now, numbered=several), OnGame(game.id, Bring()))] for game in found]


def game_line(game: Game, person: int, now: int, *, numbered: bool = True) -> str:
    """A game in a line short enough for a button: whose turn it is, number, board, opponent, how long ago."""
    mark = game.mark_of(person) or Mark.X
    alone = game.seat(mark.other) == COMPUTER
    sign, parts = MINE if game.turn is mark else THEIRS, [number_shown(game)] if numbered else []
    if game.rules != DEFAULT_RULES:
        parts.append(rules_name(game.rules))
    room = BUTTON_LETTERS - width(f"{sign} {' · '.join([*parts, ''])}")
    if alone:
        full = computer(game)
        name = full if width(full) <= room else "OXO"
    else:
        name = naming("{name}", game.name(mark.other), room)
    moved = ago(now - game.moved_at)
    return f"{sign} " + " · ".join([*parts, name, *([moved] if width(f"{name} · {moved}") <= room else [])])


def width(label: str) -> int:
    """How many letters wide a text is on a phone: a Chinese character or an emoji is as wide as two."""
    return sum(1 + (east_asian_width(sign) in ("W", "F")) for sign in label if category(sign) not in ("Mn", "Cf"))


def cut(name: str, room: int) -> str:
    """As much of a name as fits, with no emoji and no cluster of letters cut in two."""
    if width(name) <= room:
        return name
    end = len(name)
    while end and (width(name[:end]) >= room or belongs(name, end)):
        end -= 1
    return f"{name[:end].rstrip()}…"


def naming(words: str, name: str | None, room: int) -> str:
    """A label with as much of a name as a phone has room for beside the other words."""
    left = max(FEWEST_LETTERS, room - width(words.format(name="")))
    return words.format(name=names.plain(cut(clean(name or ""), left), _("Player")))


def ago(seconds: int) -> str:
    """How long ago something was, in a few letters."""
    if seconds < MINUTE:
        return _("just now")
    if seconds < HOUR:
        return _("{count} min ago").format(count=seconds // MINUTE)
    if seconds < DAY:
        return _("{count} h ago").format(count=seconds // HOUR)
    days = seconds // DAY
    return n_("{count} day ago", "{count} days ago", days).format(count=days)

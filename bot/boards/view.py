"""A message as it is shown: its text, the buttons below it, and the marks of the themes."""

from __future__ import annotations

import html
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from bot.boards import buttons
from bot.boards.names import clean
from bot.boards.translations import listed
from engine import Mark
from storage.games.record import Board

EMPTY: Final = "·"
"""The label of an empty cell. It has to be visible: Telegram drops blank buttons."""

ARROWS: Final = ("↖", "⬆", "↗", "⬅", "•", "➡", "↙", "⬇", "↘")
"""Regions on buttons, by their place."""

NOBODYS: Final = "–"
"""A finished region without a winner, on its button and in letters."""

FADING: Final = "⏳"
"""Added to a mark that vanishes with the next move."""

DEFAULT: Final = "classic"
LETTERS: Final = "letters"

THEMES: Final[Mapping[str, Mapping[Mark | None, str]]] = {
    name: {Mark.X: x, Mark.O: o, None: EMPTY}
    for name, x, o in (
        (DEFAULT, "❌", "🟡"),  # visible on blue and green buttons, too
        (LETTERS, "X", "O"),
        ("shapes", "▲", "●"),
        ("sky", "⭐", "🌙"),
    )
}
"""The marks of each theme, and the label of an empty cell."""


def marks_of(theme: str | None) -> Mapping[Mark | None, str]:
    """The marks of a theme; the default if none is chosen, or the chosen one no longer exists."""
    return THEMES.get(theme or DEFAULT, THEMES[DEFAULT])


def marks_in(boards: Iterable[Board], chat_id: int | None) -> Mapping[Mark | None, str]:
    """The marks as the board of a chat shows them; a message of inline mode has no chat."""
    for board in boards:
        if board.chat_id == chat_id and not board.leaving:
            return marks_of(LETTERS if board.as_text else board.theme)
    return marks_of(None)


class View(NamedTuple):
    """A message: HTML text, and the inline keyboard as ready JSON."""

    text: str
    keyboard: str | None = None


MARKS: Final = marks_of(None)
"""The marks of the default theme."""


def quoted(word: str) -> str:
    """A word that somebody sent, shortened, as safe HTML."""
    return f"<code>{html.escape(clean(word)) or '?'}</code>"


def coded(words: Iterable[str]) -> str:
    """A list of words as HTML, each copied by a tap."""
    return listed(f"<code>{word}</code>" for word in words)


def button(label: str, carries: buttons.Button, style: str | None = None) -> dict[str, str]:
    """A button as the Bot API takes it, its label plain text; `style` is primary, success or danger."""
    made = {"text": label, "callback_data": buttons.write(carries)}
    return made | {"style": style} if style else made


def choice(label: str, carries: buttons.Button, now: buttons.Button) -> dict[str, str]:
    """A button among others of which one is chosen now, its label with a capital letter."""
    label = label[:1].upper() + label[1:]
    return button(f"✓ {label}", carries, "primary") if carries == now else button(label, carries)


def keyboard(rows: Sequence[Sequence[dict[str, str]]]) -> str:
    """An inline keyboard as JSON."""
    return compact({"inline_keyboard": rows})


compact: Final = json.JSONEncoder(separators=(",", ":")).encode
"""Writes JSON without spaces."""

"""The themes of marks that a chat can choose. The marks of a theme differ in shape, not in colour alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from engine import Mark
from storage.games.board import Board

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
        (DEFAULT, "❌", "🟡"),  # visible on blue, green and red buttons too
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

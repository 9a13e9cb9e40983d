"""A message as a value, and the pieces that all messages are made of."""

from __future__ import annotations

import html
import json
from collections.abc import Iterable, Sequence
from gettext import NullTranslations
from typing import Final, NamedTuple

from bot.boards import buttons, names
from bot.boards.themes import marks_of
from bot.boards.translations import listed


class View(NamedTuple):
    """A message: HTML text, and the inline keyboard as ready JSON."""

    text: str
    keyboard: str | None = None


MARKS: Final = marks_of(None)
"""The marks of the default theme."""


def quoted(word: str) -> str:
    """A word that somebody sent, shortened, as safe HTML."""
    return f"<code>{html.escape(names.clean(word)) or '?'}</code>"


def coded(words: Iterable[str], t: NullTranslations) -> str:
    """A list of words as HTML, each copied by a tap."""
    return listed(t, (f"<code>{word}</code>" for word in words))


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

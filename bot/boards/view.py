"""A message as it is shown: its text, the buttons below it, and the marks of the themes."""

import html
import re
from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar
from urllib.parse import quote

import orjson

from bot.boards import buttons
from bot.boards.names import clean
from bot.boards.translations import listed
from engine import Mark
from storage.games.record import Record

K = TypeVar("K")

EMPTY: Final = "·"
"""The label of an empty cell. It has to be visible: Telegram drops blank buttons."""

ARROWS: Final = ("↖", "⬆", "↗", "⬅", "•", "➡", "↙", "⬇", "↘")
"""Regions on buttons, by their place."""

NOBODYS: Final = "–"
"""A finished region without a winner, on its button and in letters."""

FADING: Final = "⏳"
"""Added to a mark that vanishes with its side's next move."""

DEFAULT: Final = "classic"
LETTERS: Final = "letters"

THEMES: Final[Mapping[str, Mapping[Mark | None, str]]] = {
    name: {Mark.X: x, Mark.O: o, None: EMPTY}
    for name, x, o in (
        (DEFAULT, "❌", "🟡"),  # visible on blue and green buttons, too
        (LETTERS, "X", "O"),
        ("shapes", "▲", "●"),
        ("sky", "⭐", "🎈"),
        ("hearts", "❤️", "💙"),
        ("pets", "🐱", "🐶"),
        ("fruit", "🍎", "🍌"),
        ("sweets", "🍩", "🍪"),
        ("weather", "⚡", "🌈"),
        ("space", "🚀", "🪐"),
    )
}
"""The marks of each theme, which differ by colour and mostly by shape, and the label of an empty cell."""


def marks_of(theme: str | None) -> Mapping[Mark | None, str]:
    """The marks of a theme; the default if none is chosen, or the chosen one no longer exists."""
    return THEMES.get(theme or DEFAULT, THEMES[DEFAULT])


def theme_in(record: Record, chat_id: int | None) -> str | None:
    """The theme of a game's board in a chat; a message of inline mode has no chat."""
    return next((LETTERS if board.as_text else board.theme for board in record.boards_in(chat_id)), None)


ANY_CHAT: Final = ("allow_user_chats", "allow_group_chats", "allow_channel_chats")
"""The kinds of chats that somebody may choose for what a button types."""


LONGEST_SENT: Final = 4096
"""The most characters of a text as a link carries it, up to twelve for each; Telegram takes 10 kB of buttons."""


class View(NamedTuple):
    """A message: HTML text, and the inline keyboard as ready JSON."""

    text: str
    keyboard: str | None = None

    @property
    def plain(self) -> str:
        """The text without its markup, as Telegram sends it back."""
        return html.unescape(re.sub("<[^>]*>", "", self.text)).strip()


MARKS: Final = marks_of(None)
"""The marks of the default theme."""


def quoted(word: str) -> str:
    """A word that somebody sent, shortened, as safe HTML."""
    return f"<code>{html.escape(clean(word)) or '?'}</code>"


def coded(words: Iterable[str]) -> str:
    """A list of words as HTML, each copied by a tap."""
    return listed(f"<code>{word}</code>" for word in words)


class Query(NamedTuple):
    """What a button types after the bot's name, in a chat that is then chosen."""

    words: str


class Key(NamedTuple):
    """A button: its label in plain text, what it carries, opens or types for somebody, and its style.

    A style is primary, success or danger.
    """

    label: str
    carries: buttons.Button | Query | str
    style: str | None = None
    typed: tuple[str, ...] = ()
    """The commands that do the same, without their slashes, if they aren't those of its action."""

    @property
    def words(self) -> tuple[str, ...]:
        """The commands that do the same; the first is the one told to those who type."""
        action = self.carries.action if isinstance(self.carries, buttons.OnGame) else None
        return self.typed or (() if action is None else action.rule.typed)

    @property
    def json(self) -> dict[str, Any]:
        """The button as the Bot API takes it."""
        if isinstance(self.carries, str):
            made: dict[str, Any] = {"url": self.carries}
        elif isinstance(self.carries, Query):
            chosen = {"query": self.carries.words, **dict.fromkeys(ANY_CHAT, True)}
            made = {"switch_inline_query_chosen_chat": chosen}
        else:
            return as_json(self.label, buttons.write(self.carries), self.style)
        return {"text": self.label, **made, **({"style": self.style} if self.style else {})}


Row: TypeAlias = list[Key]


def as_json(label: str, data: str, style: str | None) -> dict[str, str]:
    """A button that carries some data as the Bot API takes it."""
    made = {"text": label, "callback_data": data}
    return made | {"style": style} if style else made


def choice(label: str, carries: buttons.Button, now: buttons.Button) -> Key:
    """A button among others of which one is chosen now, its label with a capital letter."""
    label = label[:1].upper() + label[1:]
    return Key(f"✓ {label}", carries, "primary") if carries == now else Key(label, carries)


def sending(label: str, link: str, text: str) -> Key:
    """A button that asks in which chats to send a link with a plain text, of which the last lines may not fit."""
    lines = text.split("\n")
    while len(quoted := quote("\n".join(lines), safe="")) > LONGEST_SENT:
        lines.pop()
    return Key(label, f"https://t.me/share/url?url={quote(link, safe='')}&text={quoted}")


def keyboard(rows: Iterable[Row]) -> str:
    """An inline keyboard as JSON."""
    return (b'{"inline_keyboard":%b}' % rows_as_json(offered(rows))).decode()


def first_blue(row: Row) -> Row:
    """A row whose first button is the one that most people want next."""
    return [key._replace(style=key.style if at else "primary") for at, key in enumerate(row)]


def in_rows(keys: list[K], width: int = 2) -> list[list[K]]:
    """Buttons in rows of so many."""
    return [keys[start : start + width] for start in range(0, len(keys), width)]


def offered(rows: Iterable[Row]) -> list[Row]:
    """Rows without buttons for what isn't done here, and without those that are empty then."""
    if buttons.NOT_DONE:
        rows = [
            [key for key in row if isinstance(key.carries, Query | str) or buttons.is_offered(key.carries)]
            for row in rows
        ]
    return [row for row in rows if row]


def rows_as_json(rows: Iterable[Row]) -> bytes:
    """Rows of buttons as JSON."""
    return orjson.dumps([[key.json for key in row] for row in rows])

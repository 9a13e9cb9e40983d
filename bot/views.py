"""What people see, beside the boards: the pieces of messages, and the menus of choices."""

from __future__ import annotations

import html
import json
from typing import TYPE_CHECKING, Final, NamedTuple

from bot import buttons, names, play
from bot.texts import texts
from engine import Mark

if TYPE_CHECKING:
    from collections.abc import Sequence
    from gettext import NullTranslations


class View(NamedTuple):
    """A message: HTML text, and the inline keyboard as ready JSON."""

    text: str
    keyboard: str | None = None


MARKS: Final = {Mark.X: "❌", Mark.O: "⭕", None: "·"}
"""The labels of cells; an empty one needs a visible label, since Telegram drops blank buttons."""


def N_(message: str) -> str:  # noqa: N802 - gettext's name for a text that is translated later
    """Mark a text for translation where it is written, not where it is shown."""
    return message


_LEVELS: Final = {
    "beginner": N_("beginner"),
    "easy": N_("easy"),
    "medium": N_("medium"),
    "hard": N_("hard"),
    "perfect": N_("perfect"),
}
_FIRSTS: Final = {"me": N_("you"), "bot": N_("me"), "random": N_("a coin decides")}

LEVELS: Final = tuple(_LEVELS)
"""The levels, weakest first, in the words of the commands."""


def quoted(word: str) -> str:
    """A word that somebody has sent, safe and short, as HTML."""
    return f"<code>{html.escape(names.clean(word)) or '?'}</code>"


def level_name(level: str, t: NullTranslations) -> str:
    """A level's name in a language."""
    return t.gettext(_LEVELS[level])


def first_name(first: str, t: NullTranslations) -> str:
    """Who moves first, spoken by the bot to the person: `me` is you, `bot` is me."""
    return t.gettext(_FIRSTS[first])


def cell_name(cell: int, columns: int, t: NullTranslations) -> str:
    """A cell in words: its row and column, from 1."""
    row, column = divmod(cell, columns)
    return t.gettext("row {row}, column {column}").format(row=row + 1, column=column + 1)


def choices(kind: str, chosen: str, tag: str | None) -> View:
    """The menu of /difficulty (`kind` is `level`) or /first (`first`), with the present choice marked."""
    t = texts(tag)
    entries: list[tuple[str, str, buttons.Button]]
    if kind == "level":
        text = t.gettext("How strong shall I play in new games here? Now: <b>{choice}</b>.")
        entries = [(level, level_name(level, t), buttons.ChooseLevel(level)) for level in LEVELS]
        name = level_name(chosen, t)
    else:
        text = t.gettext("Who moves first in new games here? Now: <b>{choice}</b>.")
        entries = [(first, first_name(first, t), buttons.ChooseFirst(first)) for first in play.FIRSTS]
        name = first_name(chosen, t)
    rows = [
        [button(f"✓ {label}", carries, "primary") if value == chosen else button(label, carries)]
        for value, label, carries in entries
    ]
    return View(text.format(choice=name), keyboard(rows))


def welcome(tag: str | None) -> View:
    """The greeting in a private chat."""
    t = texts(tag)
    text = t.gettext(
        "Hello! I am OXO and I play noughts and crosses.\n\n"
        "/newgame starts a game: tap the board, and I answer at once. /help tells the rest."
    )
    return View(text, keyboard([[button(t.gettext("Challenge a friend"), buttons.Invite())]]))


def button(label: str, carries: buttons.Button, style: str | None = None) -> dict[str, str]:
    """A button as the Bot API takes it; `style` is primary, success or danger."""
    made = {"text": label, "callback_data": buttons.write(carries)}
    return made | {"style": style} if style else made


def keyboard(rows: Sequence[Sequence[dict[str, str]]]) -> str:
    """An inline keyboard as JSON."""
    return compact({"inline_keyboard": rows})


def compact(value: object) -> str:
    """JSON without spaces."""
    return json.dumps(value, separators=(",", ":"))

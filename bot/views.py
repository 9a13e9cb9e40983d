"""What people see: a message's text in HTML and its keyboard, made from a game and a language."""

from __future__ import annotations

import html
import json
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from bot import buttons, names, play
from bot.texts import texts
from engine import Mark
from storage.game import COMPUTER, FULL_BOARD, cell_of, replay

if TYPE_CHECKING:
    from gettext import NullTranslations

    from storage.game import Game

PLACEHOLDER: Final = "999999999999999999"
"""Stands for a game's id in the cached part of a keyboard; no game gets that far."""

MARKS: Final = {Mark.X: "❌", Mark.O: "⭕", None: "·"}
"""The labels of cells; an empty one needs a visible label, since Telegram drops blank buttons."""


class View(NamedTuple):
    """A message: HTML text, and the inline keyboard as ready JSON."""

    text: str
    keyboard: str | None = None


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


def board(game: Game) -> View:
    """The message of a game: who plays which mark, the level, whose turn or how it ended, and the board."""
    t = texts(game.language)
    text = "\n".join((_players(game, t), "", _state(game, t)))
    return View(text, _keyboard(game))


def choices(kind: str, chosen: str, tag: str | None) -> View:
    """The menu of /difficulty (`kind` is `level`) or /first (`first`), with the present choice marked."""
    t = texts(tag)
    entries: list[tuple[str, str, buttons.Button]]
    if kind == "level":
        text = t.gettext("How strong shall I play in new games here? Now: <b>{choice}</b>.")
        entries = [(level, level_name(level, t), buttons.ChooseLevel(level)) for level in _LEVELS]
        name = level_name(chosen, t)
    else:
        text = t.gettext("Who moves first in new games here? Now: <b>{choice}</b>.")
        entries = [(first, first_name(first, t), buttons.ChooseFirst(first)) for first in play.FIRSTS]
        name = first_name(chosen, t)
    rows = [
        [
            {
                "text": f"✓ {label}" if value == chosen else label,
                "callback_data": buttons.write(button),
                **({"style": "primary"} if value == chosen else {}),
            }
        ]
        for value, label, button in entries
    ]
    return View(text.format(choice=name), _json({"inline_keyboard": rows}))


def _players(game: Game, t: NullTranslations) -> str:
    """Both marks with who plays them, and the level."""
    seats = "   ".join(f"{MARKS[mark]} {_player(game, mark, t)}" for mark in Mark)
    return f"{seats}   · {level_name(game.level, t)}" if game.level else seats


def _player(game: Game, mark: Mark, t: NullTranslations) -> str:
    if game.seat(mark) == COMPUTER:
        return "OXO"
    if _is_private(game):
        return t.gettext("You")
    return names.shown(game.name(mark), t.gettext("Player"))


def _state(game: Game, t: NullTranslations) -> str:
    """Whose turn it is, or how the game ended."""
    person = Mark.X if game.o_seat == COMPUTER else Mark.O
    name = names.shown(game.name(person), t.gettext("Player"))
    if not game.is_over:
        if _is_private(game):
            return t.gettext("<b>Your turn.</b> Tap a cell.")
        return t.gettext("<b>{name}, it is your turn.</b> Tap a cell.").format(name=name)
    if game.termination == FULL_BOARD:
        return t.gettext("🤝 <b>Draw.</b> The board is full and nobody has a line.")
    if game.winner == person:
        if _is_private(game):
            return t.gettext("🎉 <b>You win!</b> Three in a row, well played.")
        return t.gettext("🎉 <b>You win, {name}!</b> Three in a row, well played.").format(name=name)
    return t.gettext("🤖 <b>I win.</b> Three in a row for me this time.")


def _is_private(game: Game) -> bool:
    """Whether the board stands in a private chat, whose id is the person's."""
    return game.chat_id in (game.x_seat, game.o_seat)


def _keyboard(game: Game) -> str:
    """The keyboard as JSON: the cells, and what else can be done now."""
    rows = _cells(game.geometry, game.moves, _line_style(game)).replace(PLACEHOLDER, str(game.id))
    t = texts(game.language)
    if play.is_fresh(game):
        rows += "," + _fresh_buttons(game, t)
    elif game.is_over and game.next_game is None:
        again, swapped = (buttons.Again(game.id, swap=swap) for swap in (False, True))
        rows += "," + _row((t.gettext("Play again"), again), (t.gettext("Swap sides"), swapped))
    return f'{{"inline_keyboard":[{rows}]}}'


def _line_style(game: Game) -> str:
    """The style of the winning line: good news or bad for the person who looks at it."""
    lost = game.winner is not None and game.seat(Mark(game.winner)) == COMPUTER
    return "danger" if lost else "success"


@lru_cache(maxsize=8192)
def _cells(geometry: str, moves: str, line_style: str) -> str:
    """The rows of cells as JSON, with a placeholder for the id, so that games with equal moves share them."""
    position = replay(geometry, moves)
    played = [cell_of(character) for character in moves]
    styles = dict.fromkeys(played[-2:], "primary")
    if position.outcome is not None:
        styles |= {cell: line_style for line in position.outcome.lines for cell in line}
    cells = [
        {
            "text": MARKS[position.mark_at(cell)],
            "callback_data": buttons.write(buttons.Tap(int(PLACEHOLDER), len(moves), cell)),
            **({"style": styles[cell]} if cell in styles else {}),
        }
        for cell in range(position.geometry.cells)
    ]
    width = position.geometry.m
    return ",".join(_json(cells[start : start + width]) for start in range(0, len(cells), width))


def _fresh_buttons(game: Game, t: NullTranslations) -> str:
    level = game.level or play.DEFAULT_LEVEL
    next_level = LEVELS[(LEVELS.index(level) + 1) % len(LEVELS)]
    person_first = game.o_seat == COMPUTER
    return _row(
        (
            t.gettext("Level: {level}").format(level=level_name(level, t)),
            buttons.SetLevel(game.id, next_level),
        ),
        (
            t.gettext("You move first") if person_first else t.gettext("I move first"),
            buttons.SetFirst(game.id, "bot" if person_first else "me"),
        ),
    )


def _row(*entries: tuple[str, buttons.Button]) -> str:
    return _json([{"text": label, "callback_data": buttons.write(button)} for label, button in entries])


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))

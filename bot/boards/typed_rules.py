"""Boards as people type them: `5x5`, `6x6x4`, `misère`, `ultimate`, in any order among other words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from gettext import NullTranslations
from typing import Final, NamedTuple

from bot.boards.rules import NAMED, rules_name, words_of
from bot.boards.translations import N_, meanings, understood
from bot.boards.view import coded
from engine import InvalidRules
from engine.rules.geometry import LARGEST, SMALLEST
from engine.rules.offered import longest_line, offered

LONGEST: Final = 24
"""The longest word that may name a board."""

SIZE: Final = re.compile(r"([0-9]{1,4})[x×*]([0-9]{1,4})(?:[x×*]([0-9]{1,4}))?")

# Translators: what people may type for misère, with | between; the first one is told to them.
MISERE: Final = N_("misere|misère")
# Translators: what people may type for three by three.
BOARD_OF_THREE: Final = N_("classic")

SIZES: Final = ("3x3", "4x4", "5x5", "6x6", "7x7", "8x8")


class WordError(ValueError):
    """Arguments of a command that make no sense."""


class WordTwice(WordError):
    """Two arguments of a command that answer the same question."""


class NoBoard(WordError):
    """Arguments that name a board that doesn't exist; the error's text says so, as HTML."""


class _Named(NamedTuple):
    """What one word says about a board."""

    size: tuple[int, int, int | None] | None = None
    misere: bool = False
    rules: str | None = None
    """The text of rules with a name of their own."""


@cache
def board_words(t: NullTranslations) -> Mapping[str, _Named]:
    """What each word, in English and in a language, says about a board; words are folded."""
    own = {named.typed: _Named(rules=text) for text, named in NAMED.items()}
    return meanings({BOARD_OF_THREE: _Named((3, 3, 3)), MISERE: _Named(misere=True), **own}, t)


def take(words: Sequence[str], t: NullTranslations) -> tuple[Sequence[str], str | None]:
    """The words that name no board, and the rules that the others name together, if there are any.

    Raises:
        NoBoard: with a sentence about the board, as HTML.
        WordTwice: for two boards.
    """
    rest: list[str] = []
    named: list[_Named] = []
    for word, found in understood(words, lambda word: _named(word, t)):
        if found is None:
            rest.append(word)
        elif found not in named:
            named.append(found)
    return rest, _together(named, t) if named else None


def to_say(t: NullTranslations) -> Sequence[str]:
    """Words for boards, in a language."""
    return (*SIZES, t.gettext(MISERE).split("|")[0], *(words_of(text, t)[0] for text in NAMED))


def what_there_is(t: NullTranslations) -> str:
    """The words for boards, as a sentence in HTML."""
    return t.gettext("Boards: {boards}. {example} also sets how many in a row.").format(
        boards=coded(to_say(t), t), example="<code>6x6x5</code>"
    )


def _named(word: str, t: NullTranslations) -> _Named | None:
    if len(word) > LONGEST:
        return None
    if word in board_words(t):
        return board_words(t)[word]
    board, dash, variant = word.partition("-")
    found = SIZE.fullmatch(board)
    if found is None or (dash and board_words(t).get(variant) != _Named(misere=True)):
        return None
    columns, rows, line = found.groups()
    return _Named((int(columns), int(rows), int(line) if line else None), misere=bool(dash))


def _together(named: Sequence[_Named], t: NullTranslations) -> str:
    sizes = {each.size for each in named if each.size is not None}
    own = {each.rules for each in named if each.rules is not None}
    misere = any(each.misere for each in named)
    if len(sizes) + len(own) > 1:
        raise WordTwice
    for rules in own:
        if misere:
            said = t.gettext("There's no misère version of {rules}.")
            raise NoBoard(said.format(rules=rules_name(rules, t)))
        return rules
    columns, rows, line = next(iter(sizes), (SMALLEST, SMALLEST, None))
    try:
        return offered(columns, rows, line, misere=misere).text
    except InvalidRules:
        raise NoBoard(_refusal(columns, rows, t)) from None


def _refusal(columns: int, rows: int, t: NullTranslations) -> str:
    if not all(SMALLEST <= side <= LARGEST for side in (columns, rows)):
        return t.gettext(
            "I don't have a {columns}×{rows} board: each side has {smallest} to {largest} cells."
        ).format(columns=columns, rows=rows, smallest=SMALLEST, largest=LARGEST)
    lines = dict.fromkeys((SMALLEST, longest_line(columns, rows)))
    return t.gettext(
        "On {columns}×{rows} I play {lines} in a row: longer lines nearly always draw, shorter ones are over too "
        "soon."
    ).format(columns=columns, rows=rows, lines="–".join(map(str, lines)))

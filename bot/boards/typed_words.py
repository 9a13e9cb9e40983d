"""Reads the words after a command; for one that means nothing, says which words do."""

from __future__ import annotations

import re
from collections.abc import Sequence
from gettext import NullTranslations
from typing import Final

from bot.boards import typed_rules as board_words
from bot.boards.level_names import first_words, level_names, level_words
from bot.boards.translations import sentences, typed, understood
from bot.boards.typed_rules import NoBoard, WordError, WordTwice
from bot.boards.view import coded, quoted
from bot.game.new_game import ADAPTIVE, SERIES, First

CLOCK_WORDS: Final = {"30s": "30", "2m": "120", "10m": "600", "1d": "86400"}
"""The words for clocks, with the seconds per move."""
SERIES_WORDS: Final = {f"bo{count}": str(count) for count in SERIES if count > 1}
"""The words for series, with the number of games; “best of 3” means the same."""
_BEST_OF: Final = re.compile(r"\bbest[ -]?of[ -]?(?=\d)", re.IGNORECASE)


class BadWord(WordError):
    """An argument of a command that means nothing; the error's text is the word."""


def read(words: Sequence[str], t: NullTranslations, *kinds: str) -> dict[str, str]:
    """What the arguments of a command ask for: level, first mover, clock, series, rules, or none of these.

    The words of the person's language work beside the English ones. Only words of the `kinds` named are known.

    Raises:
        BadWord: for a word that means nothing.
        WordTwice: for two levels, two first movers, or two boards.
        NoBoard: for a board that doesn't exist.
    """
    wished: dict[str, str] = {}
    words = _BEST_OF.sub("bo", " ".join(words)).split()
    if "rules" in kinds:
        words, rules = board_words.take(words, t)
        if rules is not None:
            wished["rules"] = rules
    known: dict[str, tuple[str, str]] = {}
    if "level" in kinds:
        known |= dict.fromkeys(typed(ADAPTIVE, t), ("level", ADAPTIVE))
        known |= {word: ("level", level) for word, level in level_words(t).items()}
    if "clock" in kinds:
        known |= {word: ("clock", seconds) for word, seconds in CLOCK_WORDS.items()}
        known |= {word: ("best_of", count) for word, count in SERIES_WORDS.items()}
    if "first" in kinds:
        known |= {word: ("first", first) for word, first in first_words(t).items()}
    for word, meaning in understood(words, known.get):
        if meaning is None:
            raise BadWord(word)
        kind, value = meaning
        if wished.setdefault(kind, value) != value:
            raise WordTwice(word)
    return wished


def complaint(
    error: WordError, t: NullTranslations, *kinds: str, person: str | None = None, other: str | None = None
) -> str:
    """The answer to arguments that make no sense, as HTML, with the words that do.

    `person` is a sentence for people who may have meant a person by an unknown word, `other` one about more words.
    """
    levels, firsts = coded(level_names(t), t), coded(First, t)
    if kinds == ("level",):
        known = t.gettext("Levels: {levels}.").format(levels=levels)
    elif kinds == ("first",):
        known = t.gettext("First move: {firsts}.").format(firsts=firsts)
    elif "level" in kinds:
        known = t.gettext("Levels: {levels}. First move: {firsts}.").format(levels=levels, firsts=firsts)
    elif "first" in kinds:
        known = t.gettext("First move: {firsts}.").format(firsts=firsts)
    else:
        known = ""
    if "clock" in kinds:
        clocks = t.gettext("Clock: {clocks}.").format(clocks=coded(CLOCK_WORDS, t))
        known = sentences(t, known, clocks, t.gettext("Series: {series}.").format(series=coded(SERIES_WORDS, t)))
    if "rules" in kinds:
        known = sentences(t, *(said for said in (known, board_words.what_there_is(t), other) if said))
    if isinstance(error, NoBoard):
        return sentences(t, str(error), board_words.what_there_is(t))
    if isinstance(error, WordTwice) and kinds == ("rules",):
        said = t.gettext("One word too many: name just one board.")
    elif isinstance(error, WordTwice):
        said = t.gettext("One word too many: name at most one level, one first player and one board.")
    else:
        said = t.gettext("I don't know the word {word}.").format(word=quoted(str(error)))
        if person is not None:
            return f"{sentences(t, said, person)}\n\n{known}"
    return sentences(t, said, known)

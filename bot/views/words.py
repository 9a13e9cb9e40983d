"""The words that follow a command: read, and where they mean nothing, answered with those that do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.game.new_game import First
from bot.views.choices import level_name, level_names
from bot.views.texts import sentences
from bot.views.view import coded, quoted
from engine import Level

if TYPE_CHECKING:
    from collections.abc import Sequence
    from gettext import NullTranslations


class WordError(ValueError):
    """Arguments of a command that make no sense."""


class BadWord(WordError):
    """An argument of a command that means nothing; the word is the error's text."""


class WordTwice(WordError):
    """Two arguments of a command that answer the same question."""


def read(words: Sequence[str], t: NullTranslations, *kinds: str) -> dict[str, str]:
    """What the arguments of a command wish for: a `level`, who moves `first`, both or neither.

    The English words always work; the levels of the person's language do too. Only words of the `kinds` named
    are known.

    Raises:
        BadWord: for a word that means nothing.
        WordTwice: for two levels, or two who move first.
    """
    known: dict[str, tuple[str, str]] = {}
    if "level" in kinds:
        known |= {word: ("level", level) for level in Level for word in (level, level_name(level, t).lower())}
    if "first" in kinds:
        known |= {first: ("first", first) for first in First}
    wished: dict[str, str] = {}
    for word in words:
        if word.lower() not in known:
            raise BadWord(word)
        kind, value = known[word.lower()]
        if wished.setdefault(kind, value) != value:
            raise WordTwice(word)
    return wished


def complaint(error: WordError, t: NullTranslations, *kinds: str, person: str | None = None) -> str:
    """What to say about arguments that make no sense, as HTML, with the words that do.

    `person` is a sentence for who may have meant a person by a word that is unknown.
    """
    levels, firsts = coded(level_names(t), t), coded(First, t)
    if kinds == ("level",):
        known = t.gettext("The levels are {levels}.").format(levels=levels)
    elif kinds == ("first",):
        known = t.gettext("You can say {firsts}.").format(firsts=firsts)
    else:
        known = t.gettext("The levels are {levels}; who moves first is {firsts}.").format(
            levels=levels, firsts=firsts
        )
    if isinstance(error, WordTwice):
        said = t.gettext("That is one word too many: please say one level and one first mover.")
    else:
        said = t.gettext("I do not know the word {word}.").format(word=quoted(str(error)))
        if person is not None:
            return f"{sentences(t, said, person)}\n\n{known}"
    return sentences(t, said, known)

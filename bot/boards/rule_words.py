"""Reads the words that people type for boards, rules and choices."""

import re
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from bot.boards.players import difficulty_words, first_name, first_words, level_name, level_names
from bot.boards.rules import NAMED_RULES, rules_name, words_of
from bot.boards.translations import meanings, sentences, to_type, understood
from bot.boards.view import coded, quoted
from bot.game.choices import SERIES, First
from bot.language import N_, _, per_language
from engine import InvalidRules, Level
from engine.rules.catalogue import MENU, longest_line, offered
from engine.rules.mnk import LARGEST, SMALLEST

LONGEST_WORD: Final = 24
"""The longest word that may name a board."""

SIZE: Final = re.compile(r"([0-9]{1,4})[x×*]([0-9]{1,4})(?:[x×*]([0-9]{1,4}))?")

# Translators: what people may type for misère, with | between; the first one is told to them.
MISERE_WORD: Final = N_("misere|misère")
# Translators: what people may type for three by three.
BOARD_OF_THREE: Final = N_("classic")

SIZES: Final = tuple(dict.fromkeys(f"{found[1]}x{found[2]}" for text in MENU if (found := SIZE.fullmatch(text))))
"""The sizes of the boards in menus, as people type them."""


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


@per_language
def board_words() -> Mapping[str, _Named]:
    """What each word, in English and in a language, says about a board; words are folded."""
    own = {named.typed: _Named(rules=text) for text, named in NAMED_RULES.items()}
    return meanings({BOARD_OF_THREE: _Named((3, 3, 3)), MISERE_WORD: _Named(misere=True), **own})


def rules_among(words: Sequence[str]) -> tuple[Sequence[str], str | None]:
    """The words that name no board, and the rules that the others name together, if there are any.

    Raises NoBoard with a sentence about the board as HTML, and WordTwice for two boards.
    """
    rest: list[str] = []
    named: list[_Named] = []
    for word, found in understood(words, _named):
        if found is None:
            rest.append(word)
        elif found not in named:
            named.append(found)
    return rest, _together(named) if named else None


def to_say() -> Sequence[str]:
    """Words for boards, in a language."""
    return (*SIZES, to_type(MISERE_WORD), *(words_of(text)[0] for text in NAMED_RULES))


def what_there_is() -> str:
    """The words for boards, as a sentence in HTML."""
    return _("Boards: {boards}. {example} also sets how many in a row.").format(
        boards=coded(to_say()), example="<code>6x6x5</code>"
    )


def _named(word: str) -> _Named | None:
    if len(word) > LONGEST_WORD:
        return None
    if word in board_words():
        return board_words()[word]
    board, dash, variant = word.partition("-")
    found = SIZE.fullmatch(board)
    if found is None or (dash and board_words().get(variant) != _Named(misere=True)):
        return None
    columns, rows, line = found.groups()
    return _Named((int(columns), int(rows), int(line) if line else None), misere=bool(dash))


def _together(named: Sequence[_Named]) -> str:
    sizes = {each.size for each in named if each.size is not None}
    own = {each.rules for each in named if each.rules is not None}
    misere = any(each.misere for each in named)
    if len(sizes) + len(own) > 1:
        raise WordTwice
    for rules in own:
        if misere:
            said = _("There's no misère version of {rules}.")
            raise NoBoard(said.format(rules=rules_name(rules)))
        return rules
    columns, rows, line = next(iter(sizes), (SMALLEST, SMALLEST, None))
    try:
        return offered(columns, rows, line, misere=misere).text
    except InvalidRules:
        raise NoBoard(_refusal(columns, rows)) from None


def _refusal(columns: int, rows: int) -> str:
    if not all(SMALLEST <= side <= LARGEST for side in (columns, rows)):
        return _("I don't have a {columns}×{rows} board: each side has {smallest} to {largest} cells.").format(
            columns=columns, rows=rows, smallest=SMALLEST, largest=LARGEST
        )
    lines = dict.fromkeys((SMALLEST, longest_line(columns, rows)))
    return _(
        "On {columns}×{rows} you need {lines} in a row: with more it's nearly always a draw, with fewer it's over "
        "too soon."
    ).format(columns=columns, rows=rows, lines="–".join(map(str, lines)))


CLOCK_WORDS: Final = {"30s": "30", "2m": "120", "10m": "600", "1d": "86400"}
"""The words for clocks, with the seconds per move."""
SERIES_WORDS: Final = {f"bo{count}": str(count) for count in SERIES if count > 1}
"""The words for series, with the number of games; “best of 3” means the same."""
_BEST_OF: Final = re.compile(r"\bbest[ -]?of[ -]?(\d+)\b", re.IGNORECASE)


class BadWord(WordError):
    """An argument of a command that means nothing; the error's text is the word."""


def read(words: Sequence[str], *kinds: str) -> dict[str, str]:
    """What the arguments of a command ask for: level, first mover, clock, series, rules, or none of these.

    The words of the person's language work beside the English ones. Only words of the `kinds` named are known.
    Raises BadWord, NoBoard, or WordTwice for two levels, two first movers, or two boards.
    """
    wished: dict[str, str] = {}
    if "series" in kinds:
        words = _BEST_OF.sub(_short, " ".join(words)).split()
    if "rules" in kinds:
        words, rules = rules_among(words)
        if rules is not None:
            wished["rules"] = rules
    known: dict[str, tuple[str, str]] = {}
    if "level" in kinds:
        known |= {word: ("level", level) for word, level in difficulty_words().items()}
    if "clock" in kinds:
        known |= {word: ("clock", seconds) for word, seconds in CLOCK_WORDS.items()}
    if "series" in kinds:
        known |= {word: ("best_of", count) for word, count in SERIES_WORDS.items()}
    if "first" in kinds:
        known |= {word: ("first", first) for word, first in first_words().items()}
    for word, meaning in understood(words, known.get):
        if meaning is None:
            raise BadWord(word)
        kind, value = meaning
        if wished.setdefault(kind, value) != value:
            raise WordTwice(word)
    return wished


def _short(found: re.Match[str]) -> str:
    """The word for “best of 3”; a length that doesn't exist stays as it was typed, for the complaint."""
    word = f"bo{int(found[1])}"
    return word if word in SERIES_WORDS else found[0]


def words_there_are(*kinds: str) -> str:
    """The words of these kinds, as sentences in HTML; those of players are levels, which follow nobody's play."""
    levels = coded(level_names() if "level" in kinds else map(level_name, Level))
    firsts = coded(map(first_name, First))
    said = []
    if {"level", "first"} <= {*kinds}:
        said.append(_("Levels: {levels}. First move: {firsts}.").format(levels=levels, firsts=firsts))
    elif "first" in kinds:
        said.append(_("First move: {firsts}.").format(firsts=firsts))
    elif "level" in kinds or "players" in kinds:
        said.append(_("Levels: {levels}.").format(levels=levels))
    if "clock" in kinds:
        said.append(_("Clock: {clocks}.").format(clocks=coded(CLOCK_WORDS)))
    if "series" in kinds:
        said.append(_("Series: {series}.").format(series=coded(SERIES_WORDS)))
    if "rules" in kinds:
        said.append(what_there_is())
    return sentences(*said)


def complaint(error: WordError, *kinds: str, person: str | None = None, other: str | None = None) -> str:
    """The answer to arguments that make no sense, as HTML, with the words that do.

    `person` is a sentence for people who may have meant a person by an unknown word, `other` one about more words.
    """
    if isinstance(error, NoBoard):
        return sentences(str(error), what_there_is())
    known = sentences(words_there_are(*kinds), *(() if other is None else (other,)))
    if isinstance(error, WordTwice) and kinds == ("rules",):
        said = _("One word too many: name just one board.")
    elif isinstance(error, WordTwice):
        said = _("One word too many: say each thing just once.")
    else:
        said = _("I don't know the word {word}.").format(word=quoted(str(error)))
        if person is not None:
            return f"{sentences(said, person)}\n\n{known}"
    return sentences(said, known)

"""What people type and read in any language: sentences, lists, and words in one spelling."""

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from typing import Final, TypeVar

from bot.language import _, is_right_to_left, per_language

Meaning = TypeVar("Meaning")

ALIKE: Final = str.maketrans("ıđĐكيىةँхХаАвВсСеЕоОіІ", "iddکییهंxxaabbcceeooii")
"""Letters that people type for one another, and those of a column that look the same in another script."""

ACCENTS: Final = frozenset("'`‘’ʻʼ") | frozenset(
    map(chr, (*range(0x300, 0x370), *range(0x64B, 0x656), 0x640, 0x670, 0x93C, 0x20E3, 0xFE0F))
)
"""What people leave out: apostrophes, accents, Arabic vowel signs, hamzas and tatweel, the nukta, the key of 6️⃣."""

AROUND: Final = " .,!¡。、،।"
"""What people and their keyboards put around a word that they type."""

NO_BREAK_SPACE: Final = "\N{NO-BREAK SPACE}"

MOST_TOGETHER: Final = 4
"""Words that mean one thing together."""


def sentences(*parts: str) -> str:
    """Joins sentences as a language does: Chinese puts no space between them."""
    # Translators: two sentences, one after the other.
    both = _("{one} {two}")
    return reduce(lambda one, two: both.format(one=one, two=two), parts)


def listed(words: Iterable[str]) -> str:
    """A list of words, as a language writes it."""
    # Translators: two words of a list.
    both = _("{one}, {two}")
    return reduce(lambda one, two: both.format(one=one, two=two), words)


def versus(one: str, other: str) -> str:
    """Two sides of a game, the first where lines begin: names are isolated and say of no direction (UAX #9)."""
    start = "\u200f" if is_right_to_left() else ""
    return f"{start}{one} – {other}"


def in_order(rows: str) -> str:
    """A drawn board, kept from being mirrored in a right-to-left language (UAX #9)."""
    if not is_right_to_left():
        return rows
    lines = rows.split("\n")
    width = max(map(len, lines))
    return "\n".join(f"\u200e\u2066{line.ljust(width, NO_BREAK_SPACE)}\u2069" for line in lines)


def folded(text: str) -> str:
    """Typed text in one spelling: no capitals, no accents, digits 0 to 9."""
    letters = unicodedata.normalize("NFKD", text.replace("\u200c", " ")).translate(ALIKE).casefold()
    return "".join(
        str(unicodedata.decimal(letter, letter))
        for letter in letters
        if letter not in ACCENTS and unicodedata.category(letter) != "Cf"
    )


@per_language
def typed(words: str) -> Sequence[str]:
    """What people may type for one thing, in English and in their language, folded.

    `words` is the English text, with | between them.
    """
    return tuple(dict.fromkeys(map(folded, f"{words}|{_(words)}".split("|"))))


def to_type(words: str) -> str:
    """What texts tell people to type, of the words for one thing in their language: the first."""
    return _(words).partition("|")[0]


def meanings(words: Mapping[str, Meaning]) -> Mapping[str, Meaning]:
    """What each word that people may type means, given the English texts of `typed`."""
    return {word: meaning for text, meaning in words.items() for word in typed(text)}


def understood(
    words: Sequence[str], meaning_of: Callable[[str], Meaning | None]
) -> Iterator[tuple[str, Meaning | None]]:
    """Splits typed words into runs that mean something together, each with its meaning."""
    while words:
        for count in range(min(len(words), MOST_TOGETHER), 0, -1):
            together = " ".join(words[:count])
            if (meaning := meaning_of(folded(together))) is not None or count == 1:
                yield together, meaning
                words = words[count:]
                break

"""People's names as they are shown: on one line, in the text's direction, and without links.

Nothing here depends on which version of Unicode Python knows, but for the marks of scripts that are new.
"""

import html
import re
from functools import lru_cache
from typing import Final
from unicodedata import category

LONGEST_NAME: Final = 48
"""The most characters of a name that are shown; Telegram allows 128 in its two parts together."""

MOST_MARKS: Final = 4
"""The most marks above and below one letter; Burmese, Hebrew and Tibetan words have as many."""

WORD_JOINER: Final = "\u2060"
FIRST_STRONG_ISOLATE: Final = "\u2068"
POP_ISOLATE: Final = "\u2069"

ZWNJ, ZWJ = "\u200c", "\u200d"

BLANK: Final = "\u115f\u1160\u180e\u2800\u3164\uffa0\ufffc\U00013441\U00013442\U0001d159"
"""Letters and symbols that show nothing, such as Hangul fillers and the empty Braille pattern."""

_JOINERS: Final = ZWNJ + ZWJ
_VIRAMAS: Final = "\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca\u1039\u17d2"
_FLAG: Final = "[\U0001f000-\U0001faff]\ufe0f?[\U000e0020-\U000e007e]{2,16}\U000e007f"
"""An emoji that tags make another one, such as the flag of England."""
_UNSEEN: Final = (
    "\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\xad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff0-\ufffb"
    "\ud800-\udfff\ufdd0-\ufdef\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e00ff\U000e01f0-\U000e0fff"
) + "".join(chr(plane | end) for plane in range(0, 0x110000, 0x10000) for end in (0xFFFE, 0xFFFF))
"""Controls, directions, invisible characters, halves of pairs, tags outside of a flag, and noncharacters."""
_TOLD: Final = "🏆🥇🥈🥉✓▶⏳"
"""By these marks people tell who has won a cup, or leads a table, and which games are over or run."""
_DROPPED: Final = re.compile(f"({_FLAG})|[{_TOLD}]\ufe0f?|[{_UNSEEN}]")
_DASHES: Final = re.compile("[\u2012-\u2015\u2212]")
"""One of them is between two people who meet, or their points."""
_SPACES: Final = re.compile(rf"[\s{BLANK}]+")
_REPEATED: Final = re.compile(f"([{_JOINERS}])[{_JOINERS}]+")
_LOOSE: Final = re.compile(
    rf"(?<![^\s{BLANK}])[{_JOINERS}]|(?<![{_VIRAMAS}\u0620-\u08ff])[{_JOINERS}](?![^\s{BLANK}])"
)
"""Joiners with nothing to join; at a word's end, Arabic letters and viramas still change with one."""

_COMBINING: Final = "\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f"
_MARK: Final = re.compile(f"[{_COMBINING}]")
_EXTENDING: Final = re.compile(
    f"[{_JOINERS}\u0e33\u0eb3\u1160-\u11ff\ud7b0-\ud7ff\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]"
)
_REGIONS_AT_END: Final = re.compile("[\U0001f1e6-\U0001f1ff]*$")

_LINKING: Final = re.compile(rf"[@$](?=\w)|#(?![\s{_COMBINING}]|$)|(?<!\w)/(?=\w)|\.(?=\d|\w[^\s.])|:(?=//)")
"""The signs by which Telegram finds mentions, tags, commands and addresses, but not # as the emoji of a key."""
_NUMBER: Final = re.compile(r"\d(?:[ ().\u2010-\u2015-]*\d){4,}")
_DIGIT: Final = re.compile(r"\d(?=.*\d)")


@lru_cache(maxsize=8192)
def clean(name: str) -> str:
    """A name as Telegram shows it, but on one line, in the text's direction, and not too long.

    It has none of the marks by which a table tells how people and games stand.
    The result may be empty: a deleted account has no name, and some names have nothing visible.
    """
    own = _DASHES.sub("-", _DROPPED.sub(r"\1", name))
    kept = _REPEATED.sub(r"\1", _few_marks(own))
    words = _SPACES.sub(" ", _LOOSE.sub("", kept)).strip(" ")
    if not any(map(_is_visible, words)):
        return ""
    return words if len(words) <= LONGEST_NAME else _cut(words)


@lru_cache(maxsize=8192)
def inert(name: str) -> str:
    """A name of which Telegram makes no mention, hashtag, command, address or phone number.

    It looks the same: an invisible word joiner follows what would begin one.
    """
    apart = _NUMBER.sub(lambda number: _DIGIT.sub(rf"\g<0>{WORD_JOINER}", number.group()), name)
    return _LINKING.sub(rf"\g<0>{WORD_JOINER}", apart)


def plain(name: str | None, fallback: str) -> str:
    """A name as plain text for the label of a button, isolated like `shown`."""
    return f"{FIRST_STRONG_ISOLATE}{inert(clean(name or '')) or fallback}{POP_ISOLATE}"


def shown(name: str | None, fallback: str) -> str:
    """A name as HTML, isolated so that a right-to-left one leaves the rest of the line in its order (UAX #9)."""
    return html.escape(plain(name, fallback))


def linked(name: str, person: int) -> str:
    """A name in HTML that links to its person, whom it notifies in a new message, but not in an edit."""
    return f'<a href="tg://user?id={person}">{name}</a>'


def _is_visible(character: str) -> bool:
    kind = category(character)
    return kind[0] in "LNPS" or (kind in {"Cf", "Cn"} and character not in _JOINERS)


def _few_marks(name: str) -> str:
    kept, marks = [], 0
    for character in name:
        if category(character) in {"Mn", "Me"} or _MARK.match(character):
            marks += 1
        elif character not in _JOINERS:
            marks = 0
        if marks <= MOST_MARKS or character in _JOINERS:
            kept.append(character)
    return "".join(kept)


def _cut(words: str) -> str:
    """The beginning of a name that is too long, with no emoji and no cluster of letters cut in two (UAX #29)."""
    end = LONGEST_NAME - 1
    while end and belongs(words, end):
        end -= 1
    return words[: end or LONGEST_NAME - 1].rstrip(" " + _JOINERS) + "…"


def belongs(words: str, at: int) -> bool:
    """Whether the character at an index and the one before it are parts of one cluster (UAX #29)."""
    before, after = words[at - 1], words[at]
    if category(after)[0] == "M" or _EXTENDING.match(after) or before == ZWJ:
        return True
    if before in _VIRAMAS:
        return category(after)[0] == "L"
    regions = _REGIONS_AT_END.search(words, 0, at)
    return regions is not None and len(regions.group()) % 2 == 1 and "\U0001f1e6" <= after <= "\U0001f1ff"

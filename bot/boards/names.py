"""Names of people, made safe for a message."""

from __future__ import annotations

import html
import unicodedata
from functools import lru_cache
from typing import Final

LONGEST: Final = 48
"""The most characters of a name that are shown; Telegram allows 128 in its two parts together."""

BLANK: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Characters that count as letters or symbols but show nothing: Hangul fillers, the empty Braille pattern."""

FIRST_STRONG_ISOLATE: Final = "\u2068"
POP_ISOLATE: Final = "\u2069"


@lru_cache(maxsize=8192)
def clean(name: str) -> str:
    """A name on one line, without characters that are invisible or change the text's direction, and not too long.

    The result may be empty: a deleted account has no name, and some names have nothing visible.
    """
    kept = "".join(
        " " if c in BLANK or unicodedata.category(c).startswith("Z") else c
        for c in name
        if not unicodedata.category(c).startswith("C") or c == "\u200d"  # joins emoji
    )
    words = " ".join(kept.split())
    if not any(unicodedata.category(c)[0] in "LNPS" for c in words):
        return ""
    return words if len(words) <= LONGEST else words[: LONGEST - 1] + "…"


def plain(name: str | None, fallback: str) -> str:
    """A name as plain text for the label of a button, isolated like `shown`."""
    return f"{FIRST_STRONG_ISOLATE}{clean(name or '') or fallback}{POP_ISOLATE}"


def shown(name: str | None, fallback: str) -> str:
    """A name as HTML, isolated so that a right-to-left one leaves the rest of the line in its order (UAX #9)."""
    return f"{FIRST_STRONG_ISOLATE}{html.escape(clean(name or '') or fallback)}{POP_ISOLATE}"

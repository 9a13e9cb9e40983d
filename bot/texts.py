"""The texts of one language, read from its catalogue (`.po`) as people see them.

In a right-to-left language, names, commands and the like are kept apart from the text around them (UAX #9),
so that translators needn't care.
"""

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from gettext import c2py
from pathlib import Path
from typing import Final

import orjson

RIGHT_TO_LEFT: Final = frozenset({"R", "AL"})
"""The bidirectional classes of right-to-left letters (UAX #9)."""
_DOUBTFUL: Final = re.compile("^#,.*fuzzy", re.MULTILINE)
_PART: Final = re.compile(r'^(msgid|msgid_plural|msgstr)(?:\[\d\])? (".*"(?:\n".*")*)$', re.MULTILINE)
_FORM: Final = re.compile("plural=([^;]+)")
_TAG: Final = re.compile(r"(</?(?!code)[a-z][^>]*>|&[a-z]+;)")
_LATIN: Final = r"(?:<code>[^<]*</code>|\{\w*\}|[@#/]?[A-Za-z0-9][A-Za-z0-9_]*)"
_RUN: Final = re.compile(rf"{_LATIN}(?:(?:[-–:×/.+=]|(?<=[A-Za-z0-9]) (?=[A-Za-z0-9/@])){_LATIN})*")
_PLAIN: Final = re.compile(r"[A-Za-z ]+")
"""Latin words, which a line can hold as they are if nothing is filled in there."""
_TWO_SENTENCES: Final = "{one} {two}"
"""The text that puts sentences one after another: each has its own direction already."""


def read(catalogue: Path) -> tuple[Mapping[str, Sequence[str]], Callable[[int], int]]:
    """The forms of each text, without what is missing or marked as doubtful (`fuzzy`); and which a number has."""
    known: dict[str, Sequence[str]] = {}
    for entry in catalogue.read_text(encoding="utf-8").split("\n\n"):
        parts = [(name, orjson.loads(text.replace('"\n"', ""))) for name, text in _PART.findall(entry)]
        forms = [text for name, text in parts if name == "msgstr"]
        if forms and all(forms) and not _DOUBTFUL.search(entry):
            known[parts[0][1]] = forms
    form_of = c2py(_FORM.findall(known.pop("")[0])[0])
    if unicodedata.bidirectional(known["English"][0][0]) in RIGHT_TO_LEFT:
        known |= {
            text: [*map(from_right_to_left, forms)] for text, forms in known.items() if text != _TWO_SENTENCES
        }
    return known, form_of


def found_in(catalogue: Path, text: str) -> str:
    """The translation of one short text, without reading all others; itself if it has none."""
    found = re.search(f'^msgid "{re.escape(text)}"\nmsgstr "(.+)"$', catalogue.read_text("utf-8"), re.MULTILINE)
    return found[1] if found else text


def from_right_to_left(text: str) -> str:
    """A text of a right-to-left language with marks that keep its parts in order; words to type have none."""
    return text if "|" in text else "\n".join(map(_isolated, text.split("\n")))


def _isolated(line: str) -> str:
    """A right-to-left line: it starts at the right, and names, commands and the like are isolated in it."""

    def apart(found: re.Match[str]) -> str:
        is_plain = found[0].isdecimal() or ("{" not in line and _PLAIN.fullmatch(found[0]))
        return found[0] if is_plain else f"\u2068{found[0]}\u2069"

    parts = [part if _TAG.fullmatch(part) else _RUN.sub(apart, part) for part in _TAG.split(line)]
    letters = "".join(part for part in parts if not _TAG.fullmatch(part))
    kinds = (unicodedata.bidirectional(letter) for letter in letters)
    first = next((kind for kind in kinds if kind in {"L", *RIGHT_TO_LEFT}), "R")
    return "".join(parts) if first in RIGHT_TO_LEFT else "\u200f" + "".join(parts)

"""The languages, their texts as their catalogues (`.po`) have them, and the language that is spoken now.

`make texts` brings the catalogues of all languages up to date. In a right-to-left language, names, commands and
the like are kept apart from the text around them (UAX #9), so that translators needn't care.
"""

import re
import unicodedata
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextvars import ContextVar
from functools import cache, lru_cache, wraps
from gettext import c2py
from pathlib import Path
from typing import Final, TypeVar, TypeVarTuple

import orjson

LOCALES: Final = Path(__file__).parent / "locales"
DOMAIN: Final = "oxo"


def _parts(tag: str) -> list[str]:
    return tag.replace("_", "-").lower().split("-", 3)[:3]


def by_code(folders: Iterable[str]) -> Mapping[str, str]:
    """The languages that have these folders, and English, by IETF tags as short as they can be.

    Of several scripts of one language, the first is meant where none is named: `zh` is that of `zh_Hans`.
    """
    found = {"en": "en"}
    for folder in sorted(folders):
        first, *rest = _parts(folder)
        found["-".join([first, *rest]) if first in found else first] = folder
    return found


LANGUAGES: Final = by_code(folder.name for folder in LOCALES.iterdir() if folder.is_dir())
"""The languages that exist: English, and each that has a folder."""

OTHER_TAGS: Final = {"in": "id", "zh-tw": "zh-hant", "zh-hk": "zh-hant", "zh-mo": "zh-hant"}
"""Tags that mean another: withdrawn ISO 639 codes, which some devices send, and places that tell a script."""


def N_(message: str) -> str:  # noqa: N802 - gettext's name for a text that is translated later
    """Mark a text for translation where it is written, not where it is shown."""
    return message


def language_of(tag: str | None) -> str:
    """The language to speak to somebody whose Telegram speaks `tag` (such as `zh-hans`); English if in doubt.

    Telegram's `language_code` is optional and may be anything (Bot API, User).
    """
    return LANGUAGES[code_of(tag) or "en"]


@lru_cache
def code_of(tag: str | None) -> str | None:
    """The language of a tag by its code among `LANGUAGES`; None if the bot does not speak it."""
    parts = _parts(tag or "")
    tags = ("-".join(parts[:count]) for count in range(len(parts), 0, -1))
    return next((code for each in tags if (code := OTHER_TAGS.get(each, each)) in LANGUAGES), None)


def catalogue_of(language: str) -> Path:
    """The file that has the texts of a language, which is named by its folder."""
    return LOCALES / language / "LC_MESSAGES" / f"{DOMAIN}.po"


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


def forms_in(catalogue: Path) -> tuple[Mapping[str, Sequence[str]], Callable[[int], int]]:
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


def _found_in(catalogue: Path, text: str) -> str:
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


class Texts:
    """The translations of English texts, with the methods of gettext; without one, a text stays English."""

    def __init__(self, known: Mapping[str, Sequence[str]], form_of: Callable[[int], int]) -> None:
        self._known = known
        self._form_of = form_of

    def gettext(self, text: str) -> str:
        return self._known[text][0] if text in self._known else text

    def ngettext(self, one: str, many: str, count: int) -> str:
        if one in self._known:
            return self._known[one][self._form_of(count)]
        return one if count == 1 else many


def source_of(tag: str) -> str:
    """The catalogue of a language as it is written; English has none."""
    language = language_of(tag)
    return "" if language == "en" else catalogue_of(language).read_text(encoding="utf-8")


def read_texts(tag: str | None) -> Texts:
    """The texts in a language, read from its file and not kept."""
    language = language_of(tag)
    return Texts({}, int) if language == "en" else Texts(*forms_in(catalogue_of(language)))


_catalogue: Final = cache(read_texts)


@cache
def own_name(code: str) -> str:
    """The name of a language in that language."""
    # Translators: the name of this language, in itself.
    name = N_("English")
    return name if code == "en" else _found_in(catalogue_of(LANGUAGES[code]), name)


_spoken: Final[ContextVar[str]] = ContextVar("spoken", default="en")


class speaking:  # noqa: N801 - it reads as a word; a generator would take three times as long, at each board
    """Say everything in here to somebody whose Telegram speaks `tag`; elsewhere English is spoken.

    A task that is started in here goes on in the same language.
    """

    def __init__(self, tag: str | None) -> None:
        self._language = language_of(tag)

    def __enter__(self) -> None:
        self._before = _spoken.set(self._language)

    def __exit__(self, *_: object) -> None:
        _spoken.reset(self._before)


def spoken() -> str:
    """The language that is spoken, as one of `LANGUAGES`."""
    return _spoken.get()


def _(message: str) -> str:
    """The text in the language that is spoken."""
    return _catalogue(_spoken.get()).gettext(message)


def n_(one: str, many: str, count: int) -> str:
    """The text for a number, in the language that is spoken."""
    return _catalogue(_spoken.get()).ngettext(one, many, count)


def is_right_to_left() -> bool:
    """Whether the language that is spoken is written from right to left."""
    return unicodedata.bidirectional(_("English")[0]) in RIGHT_TO_LEFT


T = TypeVar("T")
Ts = TypeVarTuple("Ts")


def per_language(make: Callable[[*Ts], T]) -> Callable[[*Ts], T]:
    """Remember what a function returns, for each language in which it was called."""
    made: dict[object, T] = {}

    @wraps(make)
    def remembered(*given: *Ts) -> T:
        key = _spoken.get(), given
        if key not in made:
            made[key] = make(*given)
        return made[key]

    return remembered


def in_language(tag: str | None, make: Callable[[], Awaitable[T]]) -> Callable[[], Awaitable[T]]:
    """The function, which speaks the language of `tag` whenever it is called."""

    async def made() -> T:
        with speaking(tag):
            return await make()

    return made

"""The languages, their texts, and the language that is spoken now.

`make texts` brings the catalogues of all languages up to date.
"""

import unicodedata
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, lru_cache, wraps
from pathlib import Path
from typing import Final, TypeVar, TypeVarTuple

from bot import texts

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


def read_texts(tag: str | None) -> Texts:
    """The texts in a language, read from its file and not kept."""
    language = language_of(tag)
    return Texts({}, int) if language == "en" else Texts(*texts.read(catalogue_of(language)))


_catalogue: Final = cache(read_texts)


@cache
def own_name(code: str) -> str:
    """The name of a language in that language."""
    # Translators: the name of this language, in itself.
    name = N_("English")
    return name if code == "en" else texts.found_in(catalogue_of(LANGUAGES[code]), name)


_spoken: Final[ContextVar[str]] = ContextVar("spoken", default="en")


@contextmanager
def speaking(tag: str | None) -> Iterator[None]:
    """Say everything in here to somebody whose Telegram speaks `tag`; elsewhere English is spoken.

    A task that is started in here goes on in the same language.
    """
    before = _spoken.set(language_of(tag))
    try:
        yield
    finally:
        _spoken.reset(before)


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
    return unicodedata.bidirectional(_("English")[0]) in texts.RIGHT_TO_LEFT


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

"""The languages of the bot, by gettext: English in the source, translations in `bot/locales/`, one folder each.

The compiled catalogues are part of the package; `make texts` brings all of them up to date.
"""

from __future__ import annotations

import gettext
from functools import lru_cache, reduce
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

LOCALES: Final = Path(__file__).parents[1] / "locales"
DOMAIN: Final = "oxo"


def _first_part(tag: str) -> str:
    return tag.replace("_", "-").partition("-")[0].lower()


LANGUAGES: Final = {"en": "en"} | {
    _first_part(folder.name): folder.name for folder in sorted(LOCALES.iterdir()) if folder.is_dir()
}
"""The languages that exist, by the first part of an IETF tag: English, and each that has a folder."""


def N_(message: str) -> str:  # noqa: N802 - gettext's name for a text that is translated later
    """Mark a text for translation where it is written, not where it is shown."""
    return message


def sentences(t: gettext.NullTranslations, *parts: str) -> str:
    """Sentences one after another, as a language puts them: in Chinese no space stands between them."""
    # Translators: two sentences, one after the other.
    both = t.gettext("{one} {two}")
    return reduce(lambda one, two: both.format(one=one, two=two), parts)


def listed(t: gettext.NullTranslations, words: Iterable[str]) -> str:
    """Words in a row, as a language lists them."""
    # Translators: two words of a list.
    both = t.gettext("{one}, {two}")
    return reduce(lambda one, two: both.format(one=one, two=two), words)


def language_of(tag: str | None) -> str:
    """The language to speak to somebody whose Telegram speaks `tag` (such as `zh-hans`); English if in doubt.

    Telegram's `language_code` is optional and may be anything (Bot API, User).
    """
    return LANGUAGES.get(_first_part(tag or ""), "en")


@lru_cache(maxsize=64)
def _catalogue(language: str) -> gettext.NullTranslations:
    return gettext.translation(DOMAIN, LOCALES, [language], fallback=language == "en")


def texts(tag: str | None) -> gettext.NullTranslations:
    """The texts for somebody whose Telegram speaks `tag`: `.gettext(message)` translates."""
    return _catalogue(language_of(tag))


def typed(words: str) -> frozenset[str]:
    """What people may type for one thing, in all languages; `words` is the English text, with | between them."""
    return frozenset(word.casefold() for tag in LANGUAGES for word in texts(tag).gettext(words).split("|"))

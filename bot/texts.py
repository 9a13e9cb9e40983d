"""The languages of the bot, by gettext: English in the source, translations in `locales/`.

`python -m bot.texts` is not needed at run time: the compiled catalogues are part of the package.
"""

from __future__ import annotations

import gettext
from functools import lru_cache
from pathlib import Path
from typing import Final

LOCALES: Final = Path(__file__).with_name("locales")
DOMAIN: Final = "oxo"

LANGUAGES: Final = {"en": "en", "zh": "zh_Hans"}
"""The languages that exist, by the first part of an IETF tag."""


def language_of(tag: str | None) -> str:
    """The language to speak to somebody whose Telegram speaks `tag` (such as `zh-hans`); English if in doubt.

    Telegram's `language_code` is optional and may be anything (Bot API, User).
    """
    first = (tag or "").replace("_", "-").partition("-")[0].lower()
    return LANGUAGES.get(first, "en")


@lru_cache(maxsize=len(LANGUAGES))
def _catalogue(language: str) -> gettext.NullTranslations:
    return gettext.translation(DOMAIN, LOCALES, [language], fallback=language == "en")


def texts(tag: str | None) -> gettext.NullTranslations:
    """The texts for somebody whose Telegram speaks `tag`: `.gettext(message)` translates."""
    return _catalogue(language_of(tag))

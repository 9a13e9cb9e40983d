"""The bot's name and descriptions, by language."""

from __future__ import annotations

import re
from typing import Literal, get_args

from playground.errors import bad_request

Kind = Literal["name", "description", "short_description"]
KINDS: tuple[Kind, ...] = get_args(Kind)

_MAXIMUM = {"name": 64, "description": 512, "short_description": 120}
_LANGUAGE = re.compile(r"(?:[a-z]{2})?")


class Descriptions:
    """What setMyName, setMyDescription and setMyShortDescription stored."""

    def __init__(self) -> None:
        self._texts: dict[tuple[Kind, str], str] = {}

    def set(self, kind: Kind, text: str, language: str) -> None:
        """Store a text for a language, or with "" for all languages without their own; an empty text removes it.

        Raises:
            ApiError: It is too long, or the language is malformed.
        """
        if len(text) > _MAXIMUM[kind]:
            raise bad_request(f"{kind} is too long")
        if text:
            self._texts[kind, _known(language)] = text
        else:
            self._texts.pop((kind, _known(language)), None)

    def get(self, kind: Kind, language: str) -> str:
        """The text for a language, or nothing.

        Raises:
            ApiError: The language is malformed.
        """
        return self._texts.get((kind, _known(language)), "")

    def as_json(self) -> dict[str, dict[str, str]]:
        """All texts by kind and language, for the page."""
        return {
            kind: {language: text for (other, language), text in self._texts.items() if other == kind}
            for kind in KINDS
        }


def _known(language: str) -> str:
    if not _LANGUAGE.fullmatch(language):
        raise bad_request("LANGUAGE_CODE_INVALID")
    return language

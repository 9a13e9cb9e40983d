"""The levels that people pick from."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from engine.errors import UnknownLevel

STRONGEST: Final = "strongest"
"""What the last level is called where its play is not proven to be perfect."""


class Level(StrEnum):
    """How well the computer plays, weakest first. The last is called by `name_of` in `engine.players`."""

    BEGINNER = "beginner"
    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"
    PERFECT = "perfect"


def parse_level(text: str) -> Level:
    """The level of this name; `perfect` and `strongest` are one.

    Raises:
        UnknownLevel: There is none.
    """
    if text == STRONGEST:
        return Level.PERFECT
    if text not in list(Level):
        raise UnknownLevel(f"The levels are {', '.join(Level)} or {STRONGEST}, not {text!r}.")
    return Level(text)

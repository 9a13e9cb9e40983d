"""The levels that people pick from, each with all that makes it what it is."""

from __future__ import annotations

from enum import StrEnum
from typing import Final, NamedTuple, Self

from engine.errors import UnknownLevel

STRONGEST: Final = "strongest"
"""What the last level is called where its play is not proven to be perfect."""


class Strength(NamedTuple):
    """How well a level searches."""

    attention: float
    """How often it searches at all, from 0 to 1; else it plays as the easy level does. An attentive search of 300
    positions scores nearly as much as the strongest one against who errs half the time, so that attention, more
    than depth, is what sets levels apart."""
    nodes: int
    """How many positions it looks at."""


class Play(NamedTuple):
    """How a level plays by each kind of rules."""

    classic: str
    """On 3 by 3, the strategy of this name."""
    on_nine_cells: int | None = None
    """How many plies it looks ahead by other rules on a board as small, such as misère; None is to the end. An
    even number serves both sides alike: what it sees last is the other side's."""
    elsewhere: Strength | None = None
    """How it searches where a line decides; None where it does not."""
    in_ultimate: Strength | None = None
    """Likewise in ultimate, where a position takes less time."""


class Level(StrEnum):
    """How well the computer plays, weakest first. The last is called by `name_of` in `engine.players.by_level`."""

    _value_: str
    play: Play

    def __new__(cls, name: str, play: Play = Play("random")) -> Self:  # noqa: B008 - an immutable value
        """A level of this name, which is stored and sent."""
        level = str.__new__(cls, name)
        level._value_ = name
        level.play = play
        return level

    BEGINNER = "beginner", Play("random")
    """Any cell."""
    EASY = "easy", Play("blocker", 1)
    """Sees a line that can be completed, and no further."""
    MEDIUM = "medium", Play("open-lines", 3, Strength(1 / 3, 300), Strength(1 / 3, 200))
    HARD = "hard", Play("rules", 8, Strength(2 / 3, 1_000), Strength(2 / 3, 3_000))
    PERFECT = "perfect", Play("perfect", None, Strength(1, 10_000), Strength(1, 150_000))


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

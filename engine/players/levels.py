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


class Sight(NamedTuple):
    """How well a level plays where a table holds every position: on nine cells."""

    plies: int | None
    """How many plies it looks ahead; None is to the end. It may play any of the cells that look best. An even
    number serves both sides alike: what it sees last is the opponent's."""
    slips: int = 0
    """In how many moves of ten it slips, and plays as `careless` says."""
    careless: int = 0
    """How many plies it looks ahead then; 0 is any cell."""


class Play(NamedTuple):
    """How a level plays by each kind of rules."""

    on_nine_cells: Sight
    elsewhere: Strength | None = None
    """How it searches where a line decides; None where it does not."""
    in_ultimate: Strength | None = None
    """Likewise in ultimate, where a position takes less time."""


class Level(StrEnum):
    """How well the computer plays, weakest first. The last is called by `name_of` in `engine.players.by_level`."""

    _value_: str
    play: Play

    def __new__(cls, name: str, play: Play = Play(Sight(0))) -> Self:  # noqa: B008 - an immutable value
        """A level of this name, which is stored and sent."""
        level = str.__new__(cls, name)
        level._value_ = name
        level.play = play
        return level

    BEGINNER = "beginner", Play(Sight(0))
    """Any cell."""
    EASY = "easy", Play(Sight(2, slips=4))
    """Completes a line and blocks one; on nine cells it slips in two moves of five."""
    MEDIUM = "medium", Play(Sight(2, slips=1), Strength(1 / 3, 300), Strength(1 / 3, 200))
    HARD = "hard", Play(Sight(8, slips=5, careless=2), Strength(2 / 3, 1_000), Strength(2 / 3, 3_000))
    PERFECT = "perfect", Play(Sight(None), Strength(1, 10_000), Strength(1, 150_000))


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

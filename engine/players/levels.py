"""The levels of difficulty, and what makes each as strong as it is."""

from __future__ import annotations

from enum import StrEnum
from typing import Final, NamedTuple, Self

from engine.errors import UnknownLevel

STRONGEST: Final = "strongest"
"""The name of the last level where its play isn't proven to be perfect."""


class Strength(NamedTuple):
    """How often and how far a level searches."""

    attention: float
    """How often it searches at all, from 0 to 1; otherwise it plays as the easy level does. A search of 300
    positions scores nearly as much as the strongest one against a player who errs half the time, so attention
    rather than depth tells levels apart."""
    nodes: int
    """How many positions it looks at."""


class Sight(NamedTuple):
    """How well a level plays on nine cells, where a table holds every position."""

    plies: int | None
    """How many plies it looks ahead; None is to the end. It plays any of the cells that look best. With an even
    number, the last ply that it sees is the opponent's, whichever side it plays."""
    slips: int = 0
    """In how many moves of ten it slips, and looks ahead only as far as `careless` says."""
    careless: int = 0
    """How many plies it looks ahead when it slips; with 0 it plays any cell."""


class Play(NamedTuple):
    """How a level plays each kind of rules."""

    on_nine_cells: Sight
    elsewhere: Strength | None = None
    """How it searches on bigger boards; None if it doesn't."""
    in_ultimate: Strength | None = None
    """How it searches in ultimate, where a position takes less time."""


class Level(StrEnum):
    """How well the computer plays, weakest first. `name_of` in `engine.players.by_level` names the last one."""

    _value_: str
    play: Play

    def __new__(cls, name: str, play: Play = Play(Sight(0))) -> Self:  # noqa: B008 - an immutable value
        """A level of this name; names are stored and sent."""
        level = str.__new__(cls, name)
        level._value_ = name
        level.play = play
        return level

    BEGINNER = "beginner", Play(Sight(0))
    """Any cell."""
    EASY = "easy", Play(Sight(2, slips=4))
    """Completes lines and blocks them; on nine cells it slips in two moves of five."""
    MEDIUM = "medium", Play(Sight(2, slips=1), Strength(1 / 3, 300), Strength(1 / 3, 200))
    HARD = "hard", Play(Sight(8, slips=5, careless=2), Strength(2 / 3, 1_000), Strength(2 / 3, 3_000))
    PERFECT = "perfect", Play(Sight(None), Strength(1, 10_000), Strength(1, 150_000))


def parse_level(text: str) -> Level:
    """The level of this name; `perfect` and `strongest` are the same level.

    Raises:
        UnknownLevel: There is no such level.
    """
    if text == STRONGEST:
        return Level.PERFECT
    if text not in list(Level):
        raise UnknownLevel(f"The levels are {', '.join(Level)} or {STRONGEST}, not {text!r}.")
    return Level(text)

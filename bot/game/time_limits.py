"""How long people may take, and for how long things are kept."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, NamedTuple

DAY_SECONDS: Final = 24 * 3600

ASKED_SECONDS: Final = 10 * 60
ANSWERED_SECONDS: Final = 3 * 60
"""After so long in the queue people are asked whether they are still there, and have so long to answer."""

FIRST_MOVE_SECONDS: Final = 3 * 60
"""For the first move in a game between two who met in the queue; without it the game has not begun."""
MOVE_SECONDS: Final = 2 * 60
"""For each move after that."""

CLOCKS: Final = (30, 2 * 60, 10 * 60, DAY_SECONDS)
"""The seconds for a move that two people can agree on."""
CALLED_SECONDS: Final = 60 * 60
"""Where a move may take so long, a message reminds whoever is to move; else the board alone does."""


@dataclass(frozen=True, slots=True)
class TimeLimits:
    """For how many seconds what waits."""

    challenge: int = DAY_SECONDS
    move: int = 3 * DAY_SECONDS
    computer: int = 30 * DAY_SECONDS

    @property
    def reminder(self) -> int:
        """After so many seconds without a move the person to move is reminded."""
        return self.move * 3 // 4

    @property
    def asked(self) -> int:
        """After so many seconds without a sign of life who waits in the queue is asked whether they are there."""
        return min(ASKED_SECONDS, self.challenge)

    @property
    def answered(self) -> int:
        """So many seconds they have to answer that."""
        return min(ANSWERED_SECONDS, self.challenge)

    def of_strangers(self, *, begun: bool) -> TimeLimits:
        """The limits of a game between two who met in the queue, before and after both have moved."""
        return replace(self, move=min(self.move, MOVE_SECONDS if begun else FIRST_MOVE_SECONDS))


DEFAULT_GROUP_DAYS: Final = 30
"""After so long a group that has removed the bot is forgotten, unless the host says otherwise."""


class Retention(NamedTuple):
    """For how many days things are kept; None for as long as nobody asks for more."""

    days: int | None
    group_days: int


FOR_EVER: Final = Retention(None, DEFAULT_GROUP_DAYS)
"""What holds unless the host says otherwise."""

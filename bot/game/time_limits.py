"""How long people may take."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

DAY_SECONDS: Final = 24 * 3600

ASKED_SECONDS: Final = 10 * 60
ANSWERED_SECONDS: Final = 3 * 60
"""After how many seconds waiting people are asked whether they are still there, and the seconds for an answer."""

FIRST_MOVE_SECONDS: Final = 3 * 60
"""For each player's first move in a game made by matchmaking; without it the game hasn't begun."""
MOVE_SECONDS: Final = 2 * 60
"""For each move after that."""

CLOCKS: Final = (30, 2 * 60, 10 * 60, DAY_SECONDS)
"""The seconds for a move that two people can agree on."""
CALLED_SECONDS: Final = 60 * 60
"""With at least this much time per move, a message reminds the player to move; with less, only the board does."""


@dataclass(frozen=True, slots=True)
class TimeLimits:
    """How many seconds a challenge, a move between two people, and a move against the computer may take."""

    challenge: int = DAY_SECONDS
    move: int = 3 * DAY_SECONDS
    computer: int = 30 * DAY_SECONDS

    @property
    def reminder(self) -> int:
        """After this many seconds without a move, the player to move is reminded."""
        return self.move * 3 // 4

    @property
    def asked(self) -> int:
        """After this many seconds without a sign of life, a waiting person is asked whether they are there."""
        return min(ASKED_SECONDS, self.challenge)

    @property
    def answered(self) -> int:
        """How many seconds they have to answer that."""
        return min(ANSWERED_SECONDS, self.challenge)

    def of_strangers(self, *, begun: bool) -> TimeLimits:
        """The limits of a game made by matchmaking, before and after both have moved."""
        return replace(self, move=min(self.move, MOVE_SECONDS if begun else FIRST_MOVE_SECONDS))

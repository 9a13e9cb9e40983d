"""How long who may take over what."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

DAY_SECONDS: Final = 24 * 3600


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

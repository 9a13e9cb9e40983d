"""What a private chat may take: a burst, which is filled again at a steady rate."""

from __future__ import annotations

import math
from typing import Final

from bot.delivery.rates import BURST, MINUTE, SLACK, Paced

PRIVATE_PER_MINUTE: Final = 57
"""A little less than the 60 that Telegram is said to take: what is sent evenly need not arrive so."""
KEPT: Final = 6
"""So many calls of a private chat's burst are kept from what nobody waits for."""


class Bucket(Paced):
    """A burst, which is filled again at a steady rate."""

    __slots__ = ("_at", "_left")

    def __init__(self) -> None:
        super().__init__(PRIVATE_PER_MINUTE)
        self._left = float(BURST)
        self._at = -math.inf

    def wait(self, now: float, ahead: int = 0) -> float:
        """Seconds until a call may begin."""
        share = self._fill(now)
        missing = (1.0 + ahead - self._left) * MINUTE / (PRIVATE_PER_MINUTE * share)
        wait = max(missing + max(self._at - now, 0.0), self.closed_until - now)
        return wait if wait > SLACK else 0.0

    def begin(self, now: float) -> bool:
        """Count a call that begins now; False if it must not begin yet."""
        self._fill(now)
        if self._left < 1.0 - SLACK or self.closed_until > now + SLACK:
            return False
        self._left -= 1.0
        return True

    def wait_to_spare(self, now: float) -> float:
        """Seconds until a call may begin that nobody waits for."""
        share = self._fill(now)
        missing = (1.0 + KEPT * share - self._left) * MINUTE / (PRIVATE_PER_MINUTE * share)
        return max(missing, self.wait(now))

    def refused(self, now: float) -> None:
        """Lose a part of the rate, and of the burst all but one call, which tries whether the refusal is over."""
        super().refused(now)
        self._left = 1.0
        self._at = max(now, self.closed_until)

    def is_moderate(self, now: float) -> bool:
        """Whether at least half of the burst is left."""
        return self._left >= BURST * self._fill(now) / 2

    def is_idle(self, now: float) -> bool:
        """Whether the burst is whole, and nothing is known of a limit."""
        self._fill(now)
        return super().is_idle(now) and self._left >= BURST * self.share(now)

    def _fill(self, now: float) -> float:
        """Fill the burst with what has come since; the result is the share of the rate."""
        share = self.share(now) if self._lost else 1.0
        if now > self._at:
            left = self._left + (now - self._at) * share * PRIVATE_PER_MINUTE / MINUTE
            most = max(BURST * share, 1.0)
            self._left = min(left, most)
            self._at = now
        return share

"""How fast calls may go to one chat: made slower by refusals and faster again by time.

Times are seconds of any clock that never goes back.
"""

from __future__ import annotations

import math
from typing import Final

MINUTE: Final = 60.0
BURST: Final = 10
"""So many calls go to one chat at once."""
LEAST_PER_MINUTE: Final = 6
"""No chat becomes slower than this of itself; a refusal can always ask for more."""
AFTER_REFUSAL: Final = 0.5
AFTER_SILENCE: Final = 0.1
"""The part of its rate that a chat loses by a refusal, and by a call that was held back."""
RECOVERY_SECONDS: Final = 120.0
"""After so long without a refusal a chat is as fast as it was when it was refused."""
FORGOTTEN_SECONDS: Final = 600.0
"""So long after a refusal a chat counts as a new one, if nothing was sent to it since."""
SLACK: Final = 1e-6
"""Seconds that do not count: times are sums of numbers that are not exact."""


class Unpaced:
    """A chat without a pace of its own, which is closed at times."""

    __slots__ = ("closed_until",)

    def __init__(self) -> None:
        self.closed_until = -math.inf

    def wait(self, now: float, ahead: int = 0) -> float:  # noqa: ARG002 - a pace needs it
        """Seconds until a call may begin, after so many that are ahead of it; 0.0 is now."""
        wait = self.closed_until - now
        return wait if wait > SLACK else 0.0

    def begin(self, now: float) -> bool:
        """Count a call that begins now; False if it must not begin yet."""
        return self.closed_until <= now + SLACK

    def wait_to_spare(self, now: float) -> float:
        """Seconds until a call may begin that nobody waits for, and that keeps nobody's waiting."""
        return self.wait(now)

    def unasked(self, now: float) -> None:
        """Note that nobody waits for the call that begins now."""

    def wait_for_words(self, now: float) -> float:  # noqa: ARG002 - a pace needs it
        """Seconds until words may be said, beside what all calls wait for, without keeping boards waiting."""
        return 0.0

    def words_begin(self, now: float) -> None:
        """Note that the call that begins now says words."""

    def refused(self, now: float) -> None:
        """Telegram refused a call, and `closed_until` says for how long."""

    def held_back(self, now: float) -> None:
        """A call was carried out late."""

    def succeeded(self, now: float) -> None:
        """A call was carried out."""

    def forgive(self) -> None:
        """Forget what was lost."""

    def is_moderate(self, now: float) -> bool:  # noqa: ARG002 - a pace needs it
        """Whether at most half of what it may send was sent, so that a refusal must have another reason."""
        return False

    def is_idle(self, now: float) -> bool:
        """Whether nothing is known that a new chat would not know."""
        return self.closed_until <= now


class Paced(Unpaced):
    """A chat with a rate, which refusals lower and time raises again.

    The rate grows as that of TCP CUBIC (RFC 9438): fast at first, hardly at all near where it was refused, and
    then faster and faster, so that it spends most of its time close to a limit that stays, and finds one that
    was lifted within minutes.
    """

    __slots__ = ("_grows_from", "_least", "_lost", "_peak")

    def __init__(self, per_minute: float) -> None:
        super().__init__()
        self._least = min(LEAST_PER_MINUTE / per_minute, 1.0)
        self._peak = 1.0
        self._lost = 0.0
        self._grows_from: float | None = None

    def share(self, now: float) -> float:
        """The part of its first rate that this chat has now, above 0 and at most 1."""
        if not self._lost:
            return 1.0
        way = -1.0 if self._grows_from is None else (now - self._grows_from) / RECOVERY_SECONDS - 1.0
        share = self._peak * (1.0 + self._lost * way**3)
        if share >= 1.0:
            self.forgive()
            return 1.0
        return max(share, self._least)

    def refused(self, now: float) -> None:
        """Lose a part of the rate, until a call succeeds."""
        self._lower(AFTER_REFUSAL, now)

    def held_back(self, now: float) -> None:
        """Lose a little of the rate."""
        self._lower(AFTER_SILENCE, now)

    def _lower(self, part: float, now: float) -> None:
        self._peak = self.share(now)
        self._lost = part
        self._grows_from = None

    def succeeded(self, now: float) -> None:
        """Let the rate grow from now on, if it does not grow yet."""
        if self._lost and self._grows_from is None:
            self._grows_from = now

    def forgive(self) -> None:
        """Go back to the first rate at once."""
        self._peak, self._lost, self._grows_from = 1.0, 0.0, None

    def is_idle(self, now: float) -> bool:
        """Whether nothing is known of a limit, or nobody has asked about it for long."""
        if self._lost and self._grows_from is None:
            return self.closed_until + FORGOTTEN_SECONDS <= now
        return self.closed_until <= now and self.share(now) >= 1.0

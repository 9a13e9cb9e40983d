"""What one chat may take: how fast calls may go to it, made slower by refusals and faster again by time.

Times are seconds of any clock that never goes back.
"""

from __future__ import annotations

import math
from collections import deque
from typing import Final

MINUTE: Final = 60.0
GROUP_PER_MINUTE: Final = 18
PRIVATE_PER_MINUTE: Final = 57
"""A little less than the 20 and the 60 that Telegram is said to take: what is sent evenly need not arrive so."""
BURST: Final = 10
"""So many calls go to one chat at once."""
FOR_BOARDS: Final = 4
"""So many calls of a group's burst are left when words are said there: its boards need not wait for them."""
WORDS_SECONDS: Final = 30.0
"""Where boards take all the rest, words are still said so often."""
LEAST_PER_MINUTE: Final = 6
"""No chat becomes slower than this of itself; a refusal can always ask for more."""
AFTER_REFUSAL: Final = 0.5
AFTER_SILENCE: Final = 0.1
"""The part of its rate that a chat loses by a refusal, and by a call that was held back."""
RECOVERY_SECONDS: Final = 120.0
"""After so long without a refusal a chat is as fast as it was when it was refused."""
FORGOTTEN_SECONDS: Final = 600.0
"""So long after a refusal a chat counts as a new one, if nothing was sent to it since."""

SPARED: Final = 2 / 3
"""The part of a group's calls that may go to what nobody waits for, evenly spread: the rest is for players."""
KEPT: Final = 6
"""So many calls of a private chat's burst are kept likewise."""

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


class Window(Paced):
    """At most so many calls in any minute (or other time), some of them at once and the others spread evenly."""

    __slots__ = ("_burst", "_limit", "_seconds", "_sent", "_unasked", "_words_at")

    def __init__(self, limit: int, burst: int, seconds: float = MINUTE) -> None:
        super().__init__(limit * MINUTE / seconds)
        self._limit = limit
        self._burst = burst
        self._seconds = seconds
        self._sent: deque[float] = deque()
        self._unasked: deque[float] = deque()
        """Those among them that nobody waited for: they take nothing from the burst."""
        self._words_at = -math.inf
        """When words were said last."""

    def wait(self, now: float, ahead: int = 0) -> float:
        """Seconds until a call may begin."""
        sent = self._recent(now)
        share = self.share(now)
        at = self._after(sent, now, share)
        if ahead:
            to_come = deque(sent)
            for _ in range(ahead):
                to_come.append(max(at, now))
                at = self._after(to_come, now, share)
        wait = max(at, self.closed_until) - now
        return wait if wait > SLACK else 0.0

    def _after(self, sent: deque[float], now: float, share: float) -> float:
        """When a call may follow those sent."""
        limit = max(int(self._limit * share), 1)
        burst = self._burst * share
        if self._unasked:
            burst = min(burst + len(self._recent(now, self._unasked)), limit)
        return self._evenly(sent, now, limit, burst)

    def _evenly(self, sent: deque[float], now: float, limit: int, burst: float) -> float:
        """When a call may follow those sent, if a burst goes at once and what is over it evenly."""
        least_gap = 0.9 * self._seconds / limit
        number, at = len(sent), now
        while True:
            while number and sent[-number] <= at - self._seconds + SLACK:
                number -= 1
            if number < burst:
                return at
            if number >= limit:
                then = sent[-limit] + self._seconds
            else:
                evenly = (sent[-number] + self._seconds - sent[-1]) / (limit - number + 1)
                then = sent[-1] + max(evenly, least_gap)
            if then <= at + SLACK:
                return at
            at = then

    def begin(self, now: float) -> bool:
        """Count a call that begins now; False if it must not begin yet."""
        if self.wait(now):
            return False
        self._sent.append(now)
        return True

    def wait_to_spare(self, now: float) -> float:
        """Seconds until a call may begin that nobody waits for."""
        sent, unasked, share = self._recent(now), self._recent(now, self._unasked), self.share(now)
        limit = max(int(self._limit * share * SPARED), 1)
        at = self._evenly(unasked, now, limit, max(self._burst * share / 2, 1.0))
        if len(sent) >= limit:
            at = max(at, sent[-limit] + self._seconds)
        return max(at - now, self.wait(now))

    def unasked(self, now: float) -> None:
        """Note that nobody waits for the call that begins now."""
        self._unasked.append(now)

    def wait_for_words(self, now: float) -> float:
        """Seconds until words may be said: bystanders who ask for them would else use up what boards need."""
        sent = self._recent(now)
        again = self._words_at + WORDS_SECONDS - now
        share, needed = self.share(now), len(sent) + 1 + FOR_BOARDS
        asked = needed - len(self._recent(now, self._unasked))
        if again <= SLACK or (asked <= self._burst * share and needed <= self._limit * share):
            return 0.0
        return min(again, sent[0] + self._seconds - now) if sent else again

    def words_begin(self, now: float) -> None:
        """Note that the call that begins now says words."""
        self._words_at = now

    def is_moderate(self, now: float) -> bool:
        """Whether at most half of what the window takes is in it."""
        return len(self._recent(now)) <= self._limit * self.share(now) / 2

    def is_idle(self, now: float) -> bool:
        """Whether nothing is in the window, and nothing is known of a limit."""
        return super().is_idle(now) and not self._recent(now)

    def _recent(self, now: float, sent: deque[float] | None = None) -> deque[float]:
        """The times of calls that are still in the window, of all if none are given."""
        if sent is None:
            sent = self._sent
        while sent and sent[0] <= now - self._seconds + SLACK:
            sent.popleft()
        return sent


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

"""What a group may take: so many calls in any minute, some of which are left to boards that people wait for."""

from __future__ import annotations

import math
from collections import deque
from typing import Final

from bot.delivery.rates import MINUTE, SLACK, Paced

GROUP_PER_MINUTE: Final = 18
"""A little less than the 20 that Telegram is said to take: what is sent evenly need not arrive so."""
FOR_BOARDS: Final = 4
"""So many calls of a group's burst are left when words are said there: its boards need not wait for them."""
WORDS_SECONDS: Final = 30.0
"""Where boards take all the rest, words are still said so often."""
SPARED: Final = 2 / 3
"""The part of a group's calls that may go to what nobody waits for, evenly spread: the rest is for players."""


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

"""Telegram's flood limits, for tests that want them as strict as they are."""

from __future__ import annotations

import math
from collections import defaultdict, deque

from playground.errors import too_many_requests

WINDOW = 60.0
"""Seconds over which a group's limit counts."""
LIMITED = frozenset({"sendMessage", "editMessageText", "editMessageReplyMarkup"})
"""Sending and editing share one limit; answers to callbacks have none."""


class FloodLimits:
    """About 20 messages and edits a minute in a group, 1 a second in a private chat, 30 a second in all.

    Off until `enabled`. Telegram's server silently waits through short floods before it refuses; this one
    refuses at once.
    """

    def __init__(self) -> None:
        self.enabled = False
        self.per_group_minute = 20
        self.per_private_second = 1
        self.overall_second = 30
        self.burst = 5
        """How many calls a private chat may be ahead of its rate."""
        self._sent: defaultdict[int, deque[float]] = defaultdict(deque)
        self._all: deque[float] = deque()

    def check(self, chat: int | None, now: float) -> None:
        """Count a call, and refuse it when it is one too many.

        Raises:
            ApiError: 429 with the seconds to wait.
        """
        _forget(self._all, now - 1.0)
        if len(self._all) >= self.overall_second:
            raise too_many_requests(math.ceil(self._all[0] + 1.0 - now) or 1)
        if chat is not None:
            window = WINDOW if chat < 0 else float(self.burst)
            limit = self.per_group_minute if chat < 0 else self.burst * self.per_private_second
            sent = self._sent[chat]
            _forget(sent, now - window)
            if len(sent) >= limit:
                raise too_many_requests(math.ceil(sent[0] + window - now) or 1)
            sent.append(now)
        self._all.append(now)


def _forget(times: deque[float], before: float) -> None:
    while times and times[0] <= before:
        times.popleft()

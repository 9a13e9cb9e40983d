"""Telegram's flood limits, for tests that want them as strict as they are."""

from __future__ import annotations

import asyncio
import math
from collections import defaultdict, deque
from typing import TYPE_CHECKING

from playground.errors import too_many_requests

if TYPE_CHECKING:
    from playground.clock import Clock

WINDOW = 60.0
"""Seconds over which a group's limit counts."""
LIMITED = frozenset({"sendMessage", "editMessageText", "editMessageReplyMarkup"})
"""Sending and editing share one limit; answers to callbacks have none."""


class FloodError(Exception):
    """A call is one too many for now."""

    def __init__(self, pause: float) -> None:
        super().__init__(pause)
        self.pause = pause
        """Seconds."""


class FloodLimits:
    """About 20 messages and edits a minute in a group, 1 a second in a private chat, 30 a second in all.

    Off until `enabled`. With `silence` the server waits through short floods, 8 seconds on Telegram, before it
    refuses (TDLib's NetQueryDelayer.cpp).
    """

    def __init__(self) -> None:
        self.enabled = False
        self.per_group_minute = 20
        self.per_private_second = 1
        self.overall_second = 30
        self.burst = 5
        """How many calls a private chat may be ahead of its rate."""
        self.silence = 0.0
        """Seconds that a call is held back at most instead of being refused."""
        self._sent: defaultdict[int, deque[float]] = defaultdict(deque)
        self._all: deque[float] = deque()

    async def wait(self, chat: int | None, clock: Clock) -> None:
        """Let a call through, after a silent wait where that is enough.

        Raises:
            ApiError: 429 with the seconds to wait.
        """
        waited = 0.0
        while True:
            try:
                self.check(chat, clock.now())
            except FloodError as flood:
                if waited + flood.pause > self.silence:
                    raise too_many_requests(math.ceil(flood.pause) or 1) from None
                waited += flood.pause
                await asyncio.sleep(flood.pause)
            else:
                return

    def check(self, chat: int | None, now: float) -> None:
        """Count a call, and refuse it when it is one too many.

        Raises:
            FloodError: It is, with the seconds until it would not be.
        """
        _forget(self._all, now - 1.0)
        if len(self._all) >= self.overall_second:
            raise FloodError(self._all[0] + 1.0 - now)
        if chat is not None:
            window = WINDOW if chat < 0 else float(self.burst)
            limit = self.per_group_minute if chat < 0 else self.burst * self.per_private_second
            sent = self._sent[chat]
            _forget(sent, now - window)
            if len(sent) >= limit:
                raise FloodError(sent[0] + window - now)
            sent.append(now)
        self._all.append(now)


def _forget(times: deque[float], before: float) -> None:
    while times and times[0] <= before:
        times.popleft()

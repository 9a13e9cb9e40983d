"""What all parts of the playground share: the bot's account, time, random numbers, counters, events."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import count
from typing import Any

from playground.accounts import Bot
from playground.clock import Clock

_FIRST_MESSAGE = 101


class Ground:
    """The shared parts."""

    def __init__(self, bot: Bot, *, seed: int = 0) -> None:
        self.bot = bot
        self.clock = Clock()
        self.random = random.Random(seed)  # noqa: S311 - repeatable ids, no secret
        self.patience = 30.0
        """The seconds that waiting methods wait by default."""
        self.listeners: list[Callable[[str, Any], None]] = []
        """Called with "message", "edited", "deleted", "chat" ... and the object concerned."""
        self._message_ids = count(_FIRST_MESSAGE)

    def next_message_id(self) -> int:
        """The account-wide counter of message ids."""
        return next(self._message_ids)

    def tell(self, event: str, subject: object) -> None:
        """Tell the open pages."""
        for listener in self.listeners:
            listener(event, subject)

"""What all of the playground stands on: the bot's account, time, chance, counters, and who hears of changes."""

from __future__ import annotations

import random
from itertools import count
from typing import TYPE_CHECKING, Any

from playground.clock import Clock

if TYPE_CHECKING:
    from collections.abc import Callable

    from playground.accounts import Bot

_FIRST_MESSAGE = 101


class Ground:
    """What chats and their messages need, whoever is in them."""

    def __init__(self, bot: Bot, *, seed: int = 0) -> None:
        self.bot = bot
        self.clock = Clock()
        self.random = random.Random(seed)  # noqa: S311 - repeatable ids, no secret
        self.patience = 30.0
        """Seconds that the driver waits when it is not told otherwise."""
        self.listeners: list[Callable[[str, Any], None]] = []
        """Hear of "message", "edited", "deleted", "chat" ..., each with its object."""
        self._message_ids = count(_FIRST_MESSAGE)

    def next_message_id(self) -> int:
        """The account-wide counter of message ids."""
        return next(self._message_ids)

    def tell(self, event: str, subject: object) -> None:
        """Tell the page, if one is open."""
        for listener in self.listeners:
            listener(event, subject)

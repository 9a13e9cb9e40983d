"""What chats and people share: time, counters, who listens, and what lies between them and the bot."""

import asyncio
import random
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from typing import Any

from playground.accounts import Bot
from playground.errors import Json
from playground.faults import Faults
from playground.flood import FloodLimits
from playground.queries import InlineQuery, InlineResult, Queries, Tap
from playground.updates import Updates
from playground.waiting import Clock
from playground.webhook import Webhook

ANSWER_DEADLINE = 15.0
"""Seconds in which queries must be answered; Telegram names no figure, failures are told after 15 to 20."""
_FIRST_MESSAGE = 101
_FIRST_GROUP = 4_000_000_001
_FIRST_SUPERGROUP = 1_002_000_000_001


class Hub:
    """The shared parts of a world."""

    def __init__(self, bot: Bot, *, seed: int = 0) -> None:
        self.bot = bot
        self.clock = Clock()
        self.random = random.Random(seed)  # noqa: S311 - repeatable ids, no secret
        self.listeners: list[Callable[[str, Any], None]] = []
        """Called with "message", "edited", "deleted", "chat" ... and the object concerned."""
        self.faults = Faults(seed)
        self.flood = FloodLimits()
        self.commands: dict[tuple[str, str], list[Json]] = {}
        """The bot's command lists, by the type of their scope and language."""
        self.descriptions: dict[str, dict[str, str]] = {"name": {}, "description": {}, "short_description": {}}
        """What the bot says of itself, by language."""
        self.taps: Queries[Tap] = Queries(ANSWER_DEADLINE)
        self.inline_queries: Queries[InlineQuery] = Queries(ANSWER_DEADLINE)
        self.inline_cache: dict[tuple[str, str, int | None], tuple[float, list[InlineResult]]] = {}
        """Results served without asking the bot: (text, offset, person or everybody) to (until, results)."""
        self.updates = Updates(self.clock, self.random)
        self.webhook = Webhook(self.updates, self.clock)
        # What chats and messages are, is said above: `World` names the types of these two.
        self.chats: dict[int, Any] = {}
        self.inline_messages: dict[str, Any] = {}
        self.message_ids = count(_FIRST_MESSAGE)
        """The account's own; a supergroup has others."""
        self.group_ids = count(-_FIRST_GROUP, -1)
        self.supergroup_ids = count(-_FIRST_SUPERGROUP, -1)
        self._query_ids = count(self.random.randrange(10**17, 10**18))

    def tell(self, event: str, subject: object) -> None:
        for listener in self.listeners:
            listener(event, subject)

    def query_id(self) -> str:
        return str(next(self._query_ids))

    def push(self, kind: str, payload: Json, key: tuple[str, int]) -> None:
        """Queue an update for the bot, if it asked for its kind, with whatever fault strikes it."""
        update = self.updates.make(kind, payload, key)
        if update is None:
            return
        fault = self.faults.of_update(kind, payload)
        if fault is not None and fault.kind == "no_instance":
            del payload["chat_instance"]
        if fault is not None and fault.kind == "old" and "message" in payload:
            shown = payload["message"]
            payload["message"] = {"chat": shown["chat"], "message_id": shown["message_id"], "date": 0}
        if fault is None or fault.kind != "reorder":
            self.updates.push(update)
        if fault is None or fault.kind in {"old", "no_instance"}:
            return
        later = asyncio.get_running_loop().call_later
        if fault.kind == "resend":
            later(fault.delay, self._resend, kind, payload, key)
            return
        update.out_of_order = True
        later(fault.delay, self.updates.push, update if fault.kind == "reorder" else replace(update))

    def _resend(self, kind: str, payload: Json, key: tuple[str, int]) -> None:
        """Deliver the same as a new update; a query gets a new id, too, whose answer nobody awaits."""
        if "id" in payload:
            payload = {**payload, "id": self.query_id()}
        update = self.updates.make(kind, payload, key)
        if update is not None:
            self.updates.push(update)

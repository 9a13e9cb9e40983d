"""Pages for a host's tools: liveness, readiness and metrics."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from aiohttp import web
from telegram import Bot
from telegram.error import TelegramError

from bot.intake.server import Page
from bot.metrics import Metrics
from storage.audit import count_games
from storage.errors import StorageError
from storage.store import Store

PROBE_SECONDS: Final = 3
COUNT_SECONDS: Final = 15
"""How long the numbers of games are used before they are counted again."""


class Pages:
    """The liveness, readiness and metrics pages of one bot."""

    def __init__(self, bot: Bot, store: Store, metrics: Metrics) -> None:
        """Pages about this bot, its database and its numbers."""
        self._bot = bot
        self._store = store
        self._metrics = metrics
        self._counted_at = -float(COUNT_SECONDS)
        self._probes = (_Probe(self._ask_database, 1), _Probe(self._ask_telegram, 10))
        self.ready = False
        """Whether the bot takes updates."""

    def by_path(self) -> Mapping[str, Page]:
        """Where each page is."""
        return {
            "/healthz": Page("GET", self._healthz),
            "/readyz": Page("GET", self._readyz),
            "/metrics": Page("GET", self._show_metrics),
        }

    async def _healthz(self, _request: web.BaseRequest) -> web.Response:
        """Alive: the event loop runs."""
        return web.Response(text="alive\n")

    async def _readyz(self, _request: web.BaseRequest) -> web.Response:
        """Ready: the database and Telegram can be reached, and updates are taken."""
        troubles = [
            trouble for trouble in await asyncio.gather(*(probe.ask() for probe in self._probes)) if trouble
        ]
        if not self.ready:
            troubles.append("updates are not taken yet, or not any more")
        if troubles:
            return web.Response(status=503, text="".join(f"{trouble}\n" for trouble in troubles))
        return web.Response(text="ready\n")

    async def _show_metrics(self, _request: web.BaseRequest) -> web.Response:
        now = time.monotonic()
        if now - self._counted_at >= COUNT_SECONDS:
            self._counted_at = now
            try:
                async with asyncio.timeout(PROBE_SECONDS):
                    self._metrics.count_games(await self._store.read(count_games))
            except (StorageError, TimeoutError):
                self._metrics.count_games({})
        kind = {"Content-Type": "text/plain; version=0.0.4; charset=utf-8"}
        return web.Response(body=self._metrics.text(), headers=kind)

    async def _ask_database(self) -> str | None:
        try:
            async with asyncio.timeout(PROBE_SECONDS):
                await self._store.run(lambda connection: connection.exec_driver_sql("SELECT 1").scalar())
        except (StorageError, TimeoutError):
            return "the database cannot be used"
        return None

    async def _ask_telegram(self) -> str | None:
        try:
            async with asyncio.timeout(PROBE_SECONDS):
                await self._bot.get_me(read_timeout=PROBE_SECONDS)
        except (TelegramError, TimeoutError, RuntimeError):  # the last is PTB's for a bot not initialized
            return "Telegram cannot be reached"
        return None


class _Probe:
    """A check whose result is reused for some seconds, so that asking often costs nothing."""

    def __init__(self, question: Callable[[], Awaitable[str | None]], seconds: float) -> None:
        self._question = question
        self._seconds = seconds
        self._asked_at = -seconds
        self._answer: str | None = None
        self._one_at_a_time = asyncio.Lock()

    async def ask(self) -> str | None:
        """What is wrong, or None."""
        async with self._one_at_a_time:
            if time.monotonic() - self._asked_at >= self._seconds:
                self._answer = await self._question()
                self._asked_at = time.monotonic()
            return self._answer

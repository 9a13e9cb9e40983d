"""The webhook: receives the updates that Telegram sends.

Telegram gets a 200 only after what an update asked for is stored; what couldn't be stored, it delivers again.
Requests that aren't from Telegram are refused before any work is done for them.
"""

import asyncio
import hmac
import logging
import math
import time
from typing import Final
from urllib.parse import unquote, urlsplit

from aiohttp import web
from telegram import Bot, Update
from telegram.error import TelegramError

from bot.delivery.calls import Reply
from bot.intake.server import body_of
from bot.intake.updates import UPDATE_KEPT_SECONDS, UPDATES, Intake
from bot.metrics import Metrics
from bot.network.transport import read_json, reading

log = logging.getLogger(__name__)

WEBHOOK_CONNECTIONS: Final = 100
"""How many updates Telegram may deliver in parallel; its own limit (Bot API, setWebhook)."""

PENDING_SECONDS: Final = 3.0
"""For how long Telegram may take to say how many updates wait: deadlines wait for the answer."""

LATER: Final = {"Retry-After": "1"}
"""Seconds until Telegram should deliver an update again; on its own, it would wait longer each time."""


class Webhook:
    """The page that Telegram delivers updates to."""

    patience = float(UPDATE_KEPT_SECONDS[Update.CALLBACK_QUERY])
    """How long Telegram keeps a tap, and so the longest wait for one."""

    def __init__(self, bot: Bot, metrics: Metrics, url: str, secret: str) -> None:
        """The webhook at the path of a URL; Telegram proves itself by the `secret`."""
        self._bot = bot
        self._metrics = metrics
        self._url = url
        self._path = unquote(urlsplit(url).path) or "/"
        self._secret = secret.encode()
        self._intake: Intake | None = None
        self._took_at = self._heard = time.monotonic()
        """When the last update came, and the last moment at which Telegram could bring some."""

    def add_to(self, router: web.UrlDispatcher) -> None:
        page = web.PlainResource(self._path)  # `add_post` would take braces in it for a pattern
        router.register_resource(page)
        page.add_route("POST", self._take)

    async def set(self) -> None:
        """Ask Telegram to deliver updates here; raises TelegramError if it refuses or cannot be reached."""
        secret = self._secret.decode()
        await self._bot.set_webhook(
            self._url, secret_token=secret, allowed_updates=UPDATES, max_connections=WEBHOOK_CONNECTIONS
        )

    def open(self, intake: Intake) -> None:
        """Take updates from now on; until then, Telegram is asked to come again."""
        self._intake = intake

    def close(self) -> None:
        self._intake = None

    async def covered(self, wanted: float) -> float:  # noqa: ARG002 - Telegram tells of now alone
        asked = time.monotonic()
        return asked if await self._pending() == 0 else -math.inf

    async def heard(self) -> float:
        asked, pending = time.monotonic(), await self._pending()
        if pending == 0 or (pending is not None and self._took_at > self._heard):
            self._heard = asked
        return self._heard

    async def _pending(self) -> int | None:
        """How many updates wait at Telegram; None if it doesn't answer."""
        try:
            with reading():
                return (await self._bot.get_webhook_info(read_timeout=PENDING_SECONDS)).pending_update_count
        except TelegramError as error:
            log.debug("How many updates wait is not known: %s", error)
            return None

    async def _take(self, request: web.BaseRequest) -> web.Response:
        shown = request.headers.get("X-Telegram-Bot-Api-Secret-Token", "").encode("utf-8", "surrogateescape")
        if not hmac.compare_digest(shown, self._secret):
            return web.Response(status=401)  # before any body is read
        body = await body_of(request)
        intake = self._intake
        if intake is None:
            return web.Response(status=503, headers=LATER)
        try:
            data = read_json(body)
        except ValueError:
            return web.Response(status=400)
        if not isinstance(data, dict) or type(data.get("update_id")) is not int:
            return web.Response(status=400)
        self._took_at = time.monotonic()
        reply = Reply(lambda: request.transport is not None and not request.transport.is_closing())
        taking = intake.begin(data, comes_again=True, reply=reply)
        if taking is None:
            return web.Response()
        await asyncio.wait((taking,))
        reply.close()
        if not intake.is_done(data["update_id"]):
            return web.Response(status=503, headers=LATER)
        return web.Response(body=reply.body, content_type="application/json") if reply.body else web.Response()

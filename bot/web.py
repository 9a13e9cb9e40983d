"""The bot's own web server, inside its event loop: the webhook, and what a host's tools ask.

Telegram hears 200 only after what an update asked for is stored. Whatever is not from Telegram is refused before
anything is done for it.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import logging
import socket
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

import uvicorn
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from telegram import Update
from telegram.error import TelegramError

from bot.intake import KINDS
from bot.tapped import lighten
from storage.audit import count_games
from storage.errors import StorageError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

    from telegram import Bot

    from bot.intake import Intake
    from bot.metrics import Metrics
    from storage.store import Store

log = logging.getLogger(__name__)

SECRET_HEADER: Final = "X-Telegram-Bot-Api-Secret-Token"  # noqa: S105 - the name of a header

LARGEST: Final = 2**20
"""Bytes of the largest body that is read; Telegram's updates are a few thousand."""

CONNECTIONS: Final = 100
"""How many updates Telegram may bring side by side; its own limit (Bot API, setWebhook)."""

PROBE_SECONDS: Final = 3
COUNT_SECONDS: Final = 15
"""For so long the numbers of games are good enough."""
CLOSING_SECONDS: Final = 4
"""For how long a stop waits for updates under way; Telegram brings the others again."""


async def set_webhook(bot: Bot, url: str, secret: str) -> None:
    """Ask Telegram to bring updates to a URL.

    Raises:
        TelegramError: if it refuses or cannot be reached.
    """
    await bot.set_webhook(url, secret_token=secret, allowed_updates=KINDS, max_connections=CONNECTIONS)


class Web:
    """The pages of one bot, and the server for them."""

    def __init__(
        self, bot: Bot, store: Store, metrics: Metrics, *, webhook_url: str | None, secret: str | None
    ) -> None:
        """Prepare; without a `webhook_url` there are only the host's pages."""
        self._bot = bot
        self._store = store
        self._metrics = metrics
        self._secret = (secret or "").encode()
        self._intake: Intake | None = None
        self._counted_at = -float(COUNT_SECONDS)
        self._probes = (_Probe(self._ask_database, 1), _Probe(self._ask_telegram, 10))
        routes = [
            Route("/healthz", self._healthz, methods=["GET"]),
            Route("/readyz", self._readyz, methods=["GET"]),
            Route("/metrics", self._show_metrics, methods=["GET"]),
        ]
        if webhook_url is not None:
            routes.append(Route(urlsplit(webhook_url).path or "/", self._take, methods=["POST"]))
        pages = Starlette(routes=routes)
        pages.router.redirect_slashes = False
        config = uvicorn.Config(
            pages,
            http="h11",
            ws="none",
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_keep_alive=75,  # longer than a proxy keeps its idle connections
            timeout_graceful_shutdown=CLOSING_SECONDS,
        )
        self._server = _Server(config)

    async def serve(self, listener: socket.socket) -> None:
        """Serve on a socket until `close`."""
        await self._server.serve([listener])

    def open(self, intake: Intake) -> None:
        """Take updates from now on; before, Telegram is asked to come again."""
        self._intake = intake

    def close(self) -> None:
        """Let `serve` end, once the requests under way are answered."""
        self._intake = None
        self._server.should_exit = True

    # Telegram's page.

    async def _take(self, request: Request) -> Response:
        given = request.headers.get(SECRET_HEADER, "")
        if not hmac.compare_digest(given.encode("latin-1"), self._secret):
            return Response(status_code=401)
        intake = self._intake
        if intake is None:
            return Response(status_code=503, headers={"Retry-After": "1"})
        body = await _read(request)
        if body is None:
            return Response(status_code=413)
        try:
            data = json.loads(body)
        except (ValueError, RecursionError):
            return Response(status_code=400)
        if not isinstance(data, dict) or type(data.get("update_id")) is not int:
            return Response(status_code=400)
        update = self._parsed(data)
        if update is not None:
            await intake.take(update)
        return Response()

    def _parsed(self, data: dict[str, Any]) -> Update | None:
        """The update; None, with a line in the log, for one that cannot be parsed and never will be."""
        update_id = data["update_id"]
        try:
            lighten(data)
            return Update.de_json(data, self._bot)
        except Exception:
            log.exception("An update cannot be parsed", extra={"update_id": update_id})
            self._metrics.updates["unknown", "unreadable"] += 1
            return None

    # The host's pages.

    async def _healthz(self, _request: Request) -> Response:
        """Alive: the event loop runs."""
        return PlainTextResponse("alive\n")

    async def _readyz(self, _request: Request) -> Response:
        """Ready: the database and Telegram can be reached, and updates are taken."""
        troubles = [
            trouble for trouble in await asyncio.gather(*(probe.ask() for probe in self._probes)) if trouble
        ]
        if self._intake is None:
            troubles.append("updates are not taken yet, or not any more")
        if troubles:
            return PlainTextResponse("".join(f"{trouble}\n" for trouble in troubles), 503)
        return PlainTextResponse("ready\n")

    async def _show_metrics(self, _request: Request) -> Response:
        now = time.monotonic()
        if now - self._counted_at >= COUNT_SECONDS:
            self._counted_at = now
            try:
                async with asyncio.timeout(PROBE_SECONDS):
                    self._metrics.games = await self._store.run(count_games)
            except (StorageError, TimeoutError):
                self._metrics.games = {}
        return Response(self._metrics.text(), media_type="text/plain; version=0.0.4")

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
        except (TelegramError, TimeoutError, RuntimeError):  # PTB's word for a bot that is not initialized
            return "Telegram cannot be reached"
        return None


class _Probe:
    """A question whose answer stays good for some seconds, so that asking often costs nothing."""

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


class _Server(uvicorn.Server):
    """A server that leaves the signals to the bot."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Capture none."""
        yield


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens; port 0 takes a free one.

    Raises:
        OSError: if the address cannot be used.
    """
    listener = socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    listener.setblocking(False)
    log.info("Health and metrics are at http://%s:%d", host, listener.getsockname()[1])
    return listener


async def _read(request: Request) -> bytes | None:
    """The body; None if it is larger than allowed, of which the declared length is enough to tell."""
    declared = request.headers.get("content-length", "")
    if declared.isdecimal() and int(declared) > LARGEST:
        return None
    body = bytearray()
    try:
        async for chunk in request.stream():
            body += chunk
            if len(body) > LARGEST:
                return None
    except ClientDisconnect:
        return b""
    return bytes(body)

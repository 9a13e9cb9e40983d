"""The server for the webhook, and the pages that tell whether the bot works.

Requests are limited in size and time, as strangers may send anything. The number of connections is limited well
below the limit of open files, so that the bot can always open what it needs.
"""

import asyncio
import logging
import socket
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final, cast

from aiohttp import web, web_response
from telegram import Bot
from telegram.error import TelegramError

from bot.metrics import Metrics
from bot.network.proxies import share_of_files
from bot.network.transport import reading
from storage.errors import StorageError
from storage.maintenance import count_games
from storage.store import Store

PROBE_SECONDS: Final = 3
COUNT_SECONDS: Final = 15
"""How long the numbers of games are used before they are counted again."""


class Health:
    """The liveness, readiness and metrics pages of one bot."""

    def __init__(self, bot: Bot, store: Store, metrics: Metrics) -> None:
        self._bot = bot
        self._store = store
        self._metrics = metrics
        self._counted_at = -float(COUNT_SECONDS)
        self._probes = (_Probe(self._ask_database, 1), _Probe(self._ask_telegram, 10))
        self.ready = False
        """Whether the bot takes updates."""
        self.is_contested: Callable[[], bool] = bool
        """Whether another program takes them, too."""

    def add_to(self, router: web.UrlDispatcher) -> None:
        router.add_get("/healthz", self._healthz)
        router.add_get("/readyz", self._readyz)
        router.add_get("/metrics", self._show_metrics)

    async def _healthz(self, _request: web.BaseRequest) -> web.Response:
        return web.Response(text="alive\n")

    async def _readyz(self, _request: web.BaseRequest) -> web.Response:
        troubles = [
            trouble for trouble in await asyncio.gather(*(probe.ask() for probe in self._probes)) if trouble
        ]
        if not self.ready:
            troubles.append("updates are not taken yet, or not any more")
        if self.is_contested():
            troubles.append("another program takes this bot's updates")
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
                with reading():
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


log = logging.getLogger(__name__)

# The Server header, also of the answers that aiohttp makes by itself.
web_response.SERVER_SOFTWARE = "OXO"  # type: ignore[attr-defined] # it is no part of its interface

KEPT_ALIVE: Final = 75.0
"""How long an idle connection is kept (longer than a proxy keeps its own), and how long a request may take."""
BODY_SECONDS: Final = 20.0
"""For how long a request's body may take."""
SERVER_CLOSING_SECONDS: Final = 4.0
"""How long a stop waits for requests under way; Telegram delivers again what wasn't answered."""
TICK_SECONDS: Final = 1.0
"""How often to look for idle connections."""
BACKLOG: Final = 2048
"""How many connections may wait to be accepted."""
MOST_CONNECTIONS: Final = 512
"""The most open connections; Telegram opens up to 100, and so does a proxy in front."""


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens, where port 0 takes a free one; raises OSError if the address cannot be used."""
    listener = socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    listener.setblocking(False)
    log.info("Health and metrics are at http://%s:%d", host, listener.getsockname()[1])
    return listener


async def body_of(request: web.BaseRequest) -> bytes:
    """The body of a request, of at most 1 MiB; raises HTTPException if it is larger, or takes too long."""
    if request.headers.get("Expect", "").lower() == "100-continue":
        await request.writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        request.writer.output_size = 0  # the response is still to come
    try:
        async with asyncio.timeout(BODY_SECONDS):
            return await request.read()
    except TimeoutError:
        raise web.HTTPRequestTimeout from None
    except (OSError, web.RequestPayloadError):  # it breaks off
        raise web.HTTPBadRequest from None


class Server:
    """Serves the pages that a router knows."""

    def __init__(self, router: web.UrlDispatcher) -> None:
        self._router = router
        self._stopping = asyncio.Event()

    async def serve(self, listener: socket.socket) -> None:
        """Serve on a socket until `close`; requests under way are answered first."""
        connections = _Connections(self._answer, share_of_files(MOST_CONNECTIONS))
        runner = web.ServerRunner(connections, shutdown_timeout=SERVER_CLOSING_SECONDS)
        await runner.setup()
        await web.SockSite(runner, listener, backlog=BACKLOG).start()
        while not self._stopping.is_set():
            with suppress(TimeoutError):
                await asyncio.wait_for(self._stopping.wait(), TICK_SECONDS)
            connections.end_idle(KEPT_ALIVE)
        await runner.cleanup()

    def close(self) -> None:
        self._stopping.set()

    async def _answer(self, page: web.BaseRequest) -> web.StreamResponse:
        request = cast("web.Request", page)  # the router wants one, and asks for no more than the other has
        try:
            route = await self._router.resolve(request)
            return await route.handler(request)
        except web.HTTPException:
            raise
        except Exception:
            log.exception("A page failed")
            return web.Response(status=500)


def _is_own_trouble(record: logging.LogRecord) -> bool:
    """Whether a log line is about more than what a stranger sent; pages that fail are logged above."""
    return not record.getMessage().startswith("Error handling request")


class _Connections(web.Server):
    """The connections of a server, limited in number."""

    def __init__(self, answer: Callable[[web.BaseRequest], Awaitable[web.StreamResponse]], most: int) -> None:
        logger = logging.getLogger("aiohttp.server")
        logger.addFilter(_is_own_trouble)
        super().__init__(
            self._handle, keepalive_timeout=KEPT_ALIVE, access_log=None, auto_decompress=False, logger=logger
        )
        self._answer = answer
        self._most = most
        self._idle: dict[web.RequestHandler, float] = {}
        """The idle connections and when they became idle, longest first."""
        self._open: set[web.RequestHandler] = set()

    def connection_made(self, handler: web.RequestHandler, transport: asyncio.Transport) -> None:
        """Take a new connection; if there are too many, close the one that has been idle longest."""
        super().connection_made(handler, transport)
        self._open.add(handler)
        self._idle[handler] = asyncio.get_running_loop().time()
        if len(self._open) > self._most:
            self._end(next(iter(self._idle)))

    def connection_lost(self, handler: web.RequestHandler, exc: BaseException | None = None) -> None:
        super().connection_lost(handler, exc)
        self._open.discard(handler)
        self._idle.pop(handler, None)

    def end_idle(self, seconds: float) -> None:
        """Close connections that have been idle for long, even if their client doesn't read the answers."""
        before = asyncio.get_running_loop().time() - seconds
        for handler in [handler for handler, since in self._idle.items() if since < before]:
            self._end(handler)

    def _end(self, handler: web.RequestHandler) -> None:
        self._open.discard(handler)
        self._idle.pop(handler, None)
        if handler.transport is not None:
            handler.transport.abort()

    async def _handle(self, request: web.BaseRequest) -> web.StreamResponse:
        handler = request.protocol
        self._idle.pop(handler, None)
        try:
            return await self._answer(request)
        finally:
            if handler in self._open:
                self._idle[handler] = asyncio.get_running_loop().time()

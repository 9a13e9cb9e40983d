"""The bot's own web server, inside its event loop: aiohttp's low-level one, on routes that are a dictionary.

Calls to Telegram travel by aiohttp, so it is there anyway. Under the whole of a tap its server costs half of what
Starlette on uvicorn does (docs/start.md).
"""

from __future__ import annotations

import asyncio
import logging
import socket
from typing import TYPE_CHECKING, Final, TypeAlias

from aiohttp import web

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

log = logging.getLogger(__name__)

Page: TypeAlias = "Callable[[web.BaseRequest], Awaitable[web.Response]]"

KEPT_ALIVE: Final = 75
"""Seconds that an idle connection is kept, longer than a proxy keeps its own."""

CLOSING_SECONDS: Final = 4
"""For how long a stop waits for requests under way; Telegram brings again what was not answered."""


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens; port 0 takes a free one.

    Raises:
        OSError: if the address cannot be used.
    """
    listener = socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    listener.setblocking(False)
    log.info("Health and metrics are at http://%s:%d", host, listener.getsockname()[1])
    return listener


class Server:
    """Pages by path, each for one method."""

    def __init__(self, pages: Mapping[str, tuple[str, Page]]) -> None:
        """Serve these pages, each a method and a function; what is there for GET answers HEAD too."""
        self._pages = pages
        self._closing = asyncio.Event()

    async def serve(self, listener: socket.socket) -> None:
        """Serve on a socket until `close`."""
        # Nothing that comes here is compressed, and a server that unpacks can be made to work for nothing.
        server = web.Server(self._answer, access_log=None, auto_decompress=False, keepalive_timeout=KEPT_ALIVE)
        # The runner waits so long for the requests under way, and then once more for their connections.
        runner = web.ServerRunner(server, shutdown_timeout=CLOSING_SECONDS / 2)
        await runner.setup()
        try:
            await web.SockSite(runner, listener).start()
            await self._closing.wait()
        finally:
            await runner.cleanup()

    def close(self) -> None:
        """Let `serve` end, once the requests under way are answered."""
        self._closing.set()

    async def _answer(self, request: web.BaseRequest) -> web.Response:
        allowed, page = self._pages.get(request.path, ("", None))
        if page is None:
            return web.Response(status=404, text="Not Found")
        if request.method != allowed and (request.method, allowed) != ("HEAD", "GET"):
            return web.Response(status=405, text="Method Not Allowed", headers={"Allow": allowed})
        try:
            return await page(request)
        except Exception:
            log.exception("A page failed")
            return web.Response(status=500)

"""The bot's own web server: pages by path, each for one method, inside the bot's event loop."""

from __future__ import annotations

import asyncio
import logging
import socket
import time
from contextlib import suppress
from email.utils import formatdate
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote

import httptools

from bot.intake.connection import Connection

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bot.intake.http import Page

log = logging.getLogger(__name__)

KEPT_ALIVE: Final = 75
"""Seconds that an idle connection is kept, longer than a proxy keeps its own; a request has as long to come."""

CLOSING_SECONDS: Final = 4
"""For how long a stop waits for requests under way; Telegram brings again what was not answered."""

TICK_SECONDS: Final = 1.0
"""How often the date is set and the connections are looked through."""

BACKLOG: Final = 2048
"""How many connections may wait to be accepted."""


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
    """Serves pages."""

    def __init__(self, pages: Mapping[str, Page]) -> None:
        """Serve these pages by path."""
        self._pages = pages
        self._by_url = {path.encode(): page for path, page in pages.items()}
        self._stopping = asyncio.Event()
        self._all_gone = asyncio.Event()
        self._connections: set[Connection] = set()
        self.date = b""
        """The header of now."""

    async def serve(self, listener: socket.socket) -> None:
        """Serve on a socket until `close`; requests under way are answered first."""
        loop = asyncio.get_running_loop()
        self._tick()
        serving = await loop.create_server(lambda: Connection(self), sock=listener, backlog=BACKLOG)
        while not self._stopping.is_set():
            with suppress(TimeoutError):
                await asyncio.wait_for(self._stopping.wait(), TICK_SECONDS)
            self._tick()
        serving.close()
        for connection in list(self._connections):
            connection.close()
        if self._connections:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._all_gone.wait(), CLOSING_SECONDS)
        for connection in list(self._connections):
            connection.abort()

    def close(self) -> None:
        """Let `serve` end."""
        self._stopping.set()

    # What connections ask.

    @property
    def is_closing(self) -> bool:
        """Whether no further request is taken."""
        return self._stopping.is_set()

    def find(self, url: bytes) -> Page | None:
        """The page that a URL names, if there is one.

        Raises:
            HttpParserInvalidURLError: if it is none.
        """
        page = self._by_url.get(url)
        if page is not None:
            return page
        path = httptools.parse_url(url).path or b""
        return self._pages.get(unquote(path.decode("latin-1")))

    def opened(self, connection: Connection) -> None:
        """Somebody has connected."""
        self._connections.add(connection)

    def gone(self, connection: Connection) -> None:
        """A connection is closed."""
        self._connections.discard(connection)
        if not self._connections and self._stopping.is_set():
            self._all_gone.set()

    def _tick(self) -> None:
        """Set the date, and end connections on which nothing has been done for too long."""
        self.date = b"date: %b\r\n" % formatdate(time.time(), usegmt=True).encode()
        oldest = asyncio.get_running_loop().time() - KEPT_ALIVE
        for connection in [one for one in self._connections if one.since < oldest and not one.is_answering]:
            connection.abort()

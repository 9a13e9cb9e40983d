"""HTTP/1.1 to one server over kept-alive connections: a POST with a body that is ready, and its answer.

A tap makes two calls, and with aiohttp's client these took as much of the processor as all else together
(benchmarks/README.md). The answers are parsed by httptools, and addresses are tried by aiohappyeyeballs; what
stands here is which connection carries which call, and when one is over. A call is never repeated here: who makes
it knows whether it may be.
"""

from __future__ import annotations

import asyncio
import socket as sockets
import ssl
from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast
from urllib.parse import urlsplit

import aiohappyeyeballs
import httptools

if TYPE_CHECKING:
    from collections.abc import Callable

KEPT_SECONDS: Final = 60.0
"""An idle connection is used again for so long; Telegram's servers close theirs after about 75 s."""
SECOND_ADDRESS_SECONDS: Final = 0.25
"""When a second address is tried beside the first (RFC 8305)."""
LARGEST_ANSWER: Final = 32 * 2**20
"""Bytes; a batch of a hundred updates takes a few hundred thousand."""

JSON: Final = "application/json"
INFORMATIONAL: Final = range(100, 200)


class Unconnected(Exception):
    """No connection came about, so that nothing was sent; its cause says why."""


class Broken(Exception):
    """The connection ended before an answer was whole, or what came is no HTTP; the call may have taken effect."""


class Answer(NamedTuple):
    """The answer to a call."""

    status: int
    body: bytes


class _Connection(asyncio.Protocol):
    """One connection, which carries one call at a time."""

    def __init__(self, gone: Callable[[_Connection], None]) -> None:
        self._gone = gone
        self._transport: asyncio.Transport | None = None
        self._parser = httptools.HttpResponseParser(self)
        self._answer: asyncio.Future[Answer] | None = None
        self._body: list[bytes] = []
        self._size = 0
        self.is_open = False
        self.idle_since = 0.0

    async def call(self, request: bytes, seconds: float | None) -> Answer:
        """Send a request and wait for its answer; whoever waits no longer closes the connection with that."""
        transport = self._transport
        if transport is None or not self.is_open:
            raise Broken
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Answer] = loop.create_future()
        self._answer = answer
        timer = None if seconds is None else loop.call_later(seconds, self._expire)
        transport.write(request)
        try:
            return await answer
        except BaseException:
            self.close()
            raise
        finally:
            self._answer = None
            if timer is not None:
                timer.cancel()

    def close(self) -> None:
        """Close at once; a call under way is broken off."""
        self.is_open = False
        if self._transport is not None:
            self._transport.abort()

    # What asyncio tells.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self.is_open = True

    def data_received(self, data: bytes) -> None:
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserError:
            self._break()

    def eof_received(self) -> None:
        """Close from this side too, and carry no call from now on: asyncio says only later that it is lost."""
        self.is_open = False

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - asyncio's
        self._break()
        self._gone(self)

    # What the parser tells.

    def on_body(self, body: bytes) -> None:
        self._body.append(body)
        self._size += len(body)
        if self._size > LARGEST_ANSWER:
            self._break()

    def on_message_complete(self) -> None:
        status, body = self._parser.get_status_code(), b"".join(self._body)
        self._body, self._size = [], 0
        if status in INFORMATIONAL:
            return
        # An answer may come before the request is sent whole, as to one that is too large: the rest of it stands
        # in the way of what follows.
        sent = self._transport is not None and not self._transport.get_write_buffer_size()
        self.is_open = self.is_open and sent and self._parser.should_keep_alive()
        answer = self._answer
        if answer is None or answer.done():
            self.close()  # nobody has asked for it: what comes next would be taken for the answer to another call
        else:
            answer.set_result(Answer(status, body))

    def _expire(self) -> None:
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(TimeoutError())

    def _break(self) -> None:
        self.is_open = False
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(Broken())
        if self._transport is not None:
            self._transport.abort()


class Pool:
    """The connections to one server."""

    def __init__(self, origin: str, most: int) -> None:
        """None yet.

        Args:
            origin: Scheme, host and port, as of a URL.
            most: The most connections at a time; further calls wait for one.
        """
        parts = urlsplit(origin)
        self._host = parts.hostname or ""
        self._tls = ssl.create_default_context() if parts.scheme == "https" else None
        self._port = parts.port or (443 if self._tls else 80)
        host = parts.netloc.rpartition("@")[2]
        self._head = f" HTTP/1.1\r\nHost: {host}\r\nUser-Agent: OXO\r\nContent-Type: "
        self._free = asyncio.Semaphore(most)
        self._idle: deque[_Connection] = deque()
        """Those that carry no call, the one that was used last at the right."""
        self._all: set[_Connection] = set()

    async def call(
        self, path: str, body: bytes, *, kind: str = JSON, seconds: float | None, connect: float | None
    ) -> Answer:
        """Make a call, by POST.

        Args:
            path: With the query, as it stands in a URL.
            body: What is sent.
            kind: Its media type.
            seconds: For how long the answer is waited for, once there is a connection; None is for ever.
            connect: For how long a connection is waited for; likewise.

        Raises:
            Unconnected: if no connection came about.
            Broken: if no whole answer came.
            TimeoutError: if none came in time.
        """
        request = f"POST {path}{self._head}{kind}\r\nContent-Length: {len(body)}\r\n\r\n".encode("latin-1") + body
        if self._free.locked():
            try:
                async with asyncio.timeout(connect):
                    await self._free.acquire()
            except TimeoutError as error:
                raise Unconnected from error
        else:
            await self._free.acquire()
        try:
            connection = self._kept() or await self._connect(connect)
            answer = await connection.call(request, seconds)
            if connection.is_open:
                connection.idle_since = asyncio.get_running_loop().time()
                self._idle.append(connection)
            else:
                connection.close()
            return answer
        finally:
            self._free.release()

    @property
    def idle(self) -> int:
        """How many connections wait for a call."""
        return len(self._idle)

    async def close(self) -> None:
        """Close all connections."""
        for connection in list(self._all):
            connection.close()
        self._idle.clear()
        await asyncio.sleep(0)  # transports say that they are closed in the loop's next round

    def _kept(self) -> _Connection | None:
        """An idle connection that is still open; those that were idle for too long are closed."""
        idle = self._idle
        if not idle:
            return None
        oldest = asyncio.get_running_loop().time() - KEPT_SECONDS
        while idle and idle[0].idle_since < oldest:
            idle.popleft().close()
        while idle:
            connection = idle.pop()
            if connection.is_open:
                return connection
        return None

    async def _connect(self, seconds: float | None) -> _Connection:
        loop = asyncio.get_running_loop()
        connection = _Connection(self._gone)
        try:
            async with asyncio.timeout(seconds):
                found = await loop.getaddrinfo(self._host, self._port, type=sockets.SOCK_STREAM)
                socket = await aiohappyeyeballs.start_connection(
                    found, happy_eyeballs_delay=SECOND_ADDRESS_SECONDS, interleave=1
                )
                named: dict[str, Any] = {"server_hostname": self._host} if self._tls else {}
                try:
                    await loop.create_connection(lambda: connection, sock=socket, ssl=self._tls, **named)
                except BaseException:
                    with suppress(OSError):
                        socket.close()
                    raise
        except (OSError, TimeoutError) as error:  # TLS and addresses fail with kinds of OSError
            raise Unconnected from error
        self._all.add(connection)
        return connection

    def _gone(self, connection: _Connection) -> None:
        self._all.discard(connection)
        with suppress(ValueError):
            self._idle.remove(connection)

"""The bot's own web server: uvicorn inside its event loop, on pages that are a dictionary.

Of the well-kept servers it is the smallest to load (docs/start.md), and as fast as any where a webhook's tap is
answered in the response (benchmarks/README.md). It speaks ASGI (asgi.readthedocs.io), translated here.
"""

from __future__ import annotations

import logging
import socket
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias, cast

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Mapping

    from uvicorn._types import ASGIReceiveCallable, ASGISendCallable, HTTPScope, Scope

log = logging.getLogger(__name__)

KEPT_ALIVE: Final = 75
"""Seconds that an idle connection is kept, longer than a proxy keeps its own."""

CLOSING_SECONDS: Final = 4
"""For how long a stop waits for requests under way; Telegram brings again what was not answered."""

LARGEST_HEAD: Final = 2**16
"""About how many bytes of a request's first line and headers are read; uvicorn itself has no limit on them."""

TEXT: Final = "text/plain; charset=utf-8"


class TooLarge(Exception):
    """A request's body is larger than is read."""


class Gone(Exception):
    """Whoever asked has gone before the request was whole."""


class Request:
    """What somebody asks for."""

    __slots__ = ("_receive", "_scope")

    def __init__(self, scope: HTTPScope, receive: ASGIReceiveCallable) -> None:
        """The request of an ASGI scope."""
        self._scope = scope
        self._receive = receive

    def header(self, name: bytes) -> bytes:
        """A header, by its name in small letters; empty if it is not there."""
        return next((value for key, value in self._scope["headers"] if key == name), b"")

    async def body(self, most: int) -> bytes:
        """The whole body.

        Raises:
            TooLarge: if it has more than so many bytes.
            Gone: if the rest of it never comes.
        """
        parts: list[bytes] = []
        length, more = 0, True
        while more:
            message = await self._receive()
            if message["type"] != "http.request":
                raise Gone
            parts.append(message.get("body", b""))
            length += len(parts[-1])
            if length > most:
                raise TooLarge
            more = message.get("more_body", False)
        return b"".join(parts)


class Response(NamedTuple):
    """The answer to a request."""

    body: bytes = b""
    status: int = 200
    kind: str = TEXT
    headers: tuple[tuple[bytes, bytes], ...] = ()
    """Further ones; names in small letters."""


Page: TypeAlias = "Callable[[Request], Awaitable[Response]]"


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens; port 0 takes a free one.

    Raises:
        OSError: if the address cannot be used.
    """
    listener = socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    listener.setblocking(False)
    log.info("Health and metrics are at http://%s:%d", host, listener.getsockname()[1])
    return listener


class _Connection(HttpToolsProtocol):
    """A connection on which no request may begin without an end."""

    _head = 0
    """Bytes of what may be a request's first line and headers; -1 while its body comes."""

    def on_message_begin(self) -> None:
        """Begin to count."""
        self._head = 0
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Count no more."""
        self._head = -1
        super().on_headers_complete()

    def data_received(self, data: bytes) -> None:
        """Take what has come, and close on too much of it."""
        super().data_received(data)
        if self._head >= 0:
            self._head += len(data)
            if self._head > LARGEST_HEAD and not self.transport.is_closing():
                self.send_400_response("Request headers are too large.")


class _Uvicorn(uvicorn.Server):
    """Uvicorn, which leaves the signals to the bot."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Take none."""
        yield


class Server:
    """Pages by path, each for one method."""

    def __init__(self, pages: Mapping[str, tuple[str, Page]]) -> None:
        """Serve these pages, each a method and a function; what is there for GET answers HEAD too."""
        self._pages = pages
        config = uvicorn.Config(
            self._app,
            http=_Connection,
            ws="none",
            lifespan="off",
            interface="asgi3",
            log_config=None,
            access_log=False,
            proxy_headers=False,
            server_header=False,
            timeout_keep_alive=KEPT_ALIVE,
            timeout_graceful_shutdown=CLOSING_SECONDS,
        )
        self._server = _Uvicorn(config)

    async def serve(self, listener: socket.socket) -> None:
        """Serve on a socket until `close`."""
        await self._server.serve(sockets=[listener])

    def close(self) -> None:
        """Let `serve` end, once the requests under way are answered."""
        self._server.should_exit = True

    async def _app(self, scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
        request = cast("HTTPScope", scope)  # lifespan and WebSockets are off
        body, status, kind, further = await self._answer(request, Request(request, receive))
        headers = [(b"content-type", kind.encode()), (b"content-length", b"%d" % len(body)), *further]
        await send({"type": "http.response.start", "status": status, "headers": headers, "trailers": False})
        await send({"type": "http.response.body", "body": body, "more_body": False})

    async def _answer(self, scope: HTTPScope, request: Request) -> Response:
        allowed, page = self._pages.get(scope["path"], ("", None))
        if page is None:
            return Response(b"Not Found", 404)
        if scope["method"] != allowed and (scope["method"], allowed) != ("HEAD", "GET"):
            return Response(b"Method Not Allowed", 405, headers=((b"allow", allowed.encode()),))
        try:
            return await page(request)
        except Exception:
            log.exception("A page failed")
            return Response(status=500)

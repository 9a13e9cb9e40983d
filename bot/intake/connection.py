"""HTTP/1.1 as the bot's web server speaks it: a connection, and the answers to the requests on it, in their order.

Requests are parsed by httptools, as Telegram's answers are (`bot/delivery/connections.py`). What stands here is
what a server owes to strangers: nothing that they send may be without an end, and nobody is waited for for ever.
An update by webhook is taken without a task for its request, and answered in one write: a tap costs a seventh
less than with a ready-made server (benchmarks/README.md).
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from itertools import chain
from typing import TYPE_CHECKING, Final, TypeAlias, cast

import httptools

from bot.intake.http import Request, Response, written

if TYPE_CHECKING:
    from bot.intake.site import Site

log = logging.getLogger(__name__)

LARGEST_HEAD: Final = 2**16
"""About how many bytes of a request's first line and headers are read."""

LARGEST_BODY: Final = 2**20
"""Bytes of the largest body that is read; Telegram's updates are a few thousand."""

LARGEST_MESSAGE: Final = 4 * LARGEST_BODY
"""Bytes of the largest request that is heard to its end after it was refused, so that its sender hears of it."""

CONTINUE: Final = b"HTTP/1.1 100 Continue\r\n\r\n"


_Answer: TypeAlias = "asyncio.Future[Response]"


class Connection(asyncio.Protocol):
    """One connection, on which requests are answered in their order."""

    def __init__(self, site: Site) -> None:
        """A connection to these pages."""
        self._site = site
        self._clock = asyncio.get_running_loop().time
        self._parser = httptools.HttpRequestParser(self)
        self._transport: asyncio.Transport
        self._heard = 0
        """Bytes that have come in pieces after the one in which the last request ended."""
        self._in_head = True
        """Whether what comes may be a request's first line and headers."""
        self._url = b""
        self._headers: dict[bytes, bytes] = {}
        self._parts: list[bytes] = []
        self._size = 0
        self._coming: Request | None = None
        """The request whose body comes; None where it is not wanted any more."""
        self._waiting: deque[Request] = deque()
        """Requests that are there and not begun."""
        self._answering: Request | None = None
        self._answer: _Answer | None = None
        self._may_write = True
        self._is_paused = False
        self._is_over = False
        """Whether no further request is taken."""
        self._chunk = 0
        """Bytes of what has come last."""
        self.since = 0.0
        """When it was opened, or a request began or was answered last, by the loop's clock."""

    @property
    def is_answering(self) -> bool:
        """Whether an answer is being made."""
        return self._answering is not None

    def close(self) -> None:
        """Close once the request under way is answered."""
        self._waiting.clear()
        self._end()

    def abort(self) -> None:
        """Close at once, whatever is under way."""
        self._leave()
        if self._answer is not None:
            self._answer.cancel()
        self._transport.abort()

    # What asyncio tells.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Let requests come."""
        self._transport = cast("asyncio.Transport", transport)
        self.since = self._clock()
        self._site.opened(self)
        if self._site.is_closing:
            self.close()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - asyncio's
        """Take no more; nobody hears the answer to what is under way."""
        self._site.gone(self)
        self._is_over = True
        self._waiting.clear()
        self._parts.clear()
        self._leave()
        del self._parser  # it holds this connection, and garbage is looked for seldom

    def eof_received(self) -> bool:
        """Answer who may only have ended what they send; most who end it are gone."""
        self._leave()
        self._end()
        return self._answering is not None

    def data_received(self, data: bytes) -> None:
        """Read requests."""
        if self._is_over:
            self._heard += len(data)
            if self._heard > LARGEST_MESSAGE:
                self.abort()
            return
        self._chunk = len(data)
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserUpgrade:
            return  # it is answered as if it had not asked for another protocol, and is the last
        except httptools.HttpParserError:
            self._break_off()
            return
        self._heard += len(data)
        if self._heard > (LARGEST_HEAD if self._in_head else LARGEST_MESSAGE):
            self._break_off()

    def pause_writing(self) -> None:
        """Begin nothing while what was answered is not fetched."""
        self._may_write = False

    def resume_writing(self) -> None:
        """Go on."""
        self._may_write = True
        self._go_on()

    # What the parser tells.

    def on_message_begin(self) -> None:
        """Begin anew."""
        self.since = self._clock()
        self._in_head = True
        self._url = b""
        self._headers = {}

    def on_url(self, url: bytes) -> None:
        """Take a part of the URL."""
        self._url += url

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header; what comes behind a body is none."""
        if self._in_head:
            self._headers[name.lower()] = value

    def on_headers_complete(self) -> None:
        """Refuse a request before its body comes, or let that come."""
        if self._is_over:
            return
        parser = self._parser
        keeps = parser.should_keep_alive() and not parser.should_upgrade() and parser.get_http_version() != "1.0"
        request = Request(parser.get_method(), self._headers, keeps=keeps)
        size = len(self._url) + sum(map(len, chain(*self._headers.items()))) if self._chunk > LARGEST_HEAD else 0
        if size > LARGEST_HEAD:
            self._break_off()
            return
        page = request.page = self._site.find(self._url)
        self._in_head = False
        if page is None:
            request.refusal = Response(b"Not Found", 404)
        elif request.method != page.method and (request.method, page.method) != (b"HEAD", b"GET"):
            request.refusal = Response(b"Method Not Allowed", 405, headers=((b"allow", page.method),))
        elif page.refuse is not None:
            request.refusal = page.refuse(request)
        if request.refusal is not None:
            self._take(request)
            return
        self._coming = request
        is_next = self._answering is None and not self._waiting
        if is_next and request.header(b"expect").lower() == b"100-continue" and parser.get_http_version() != "1.0":
            self._transport.write(CONTINUE)

    def on_body(self, body: bytes) -> None:
        """Take a part of the body, and refuse it on too much of it."""
        request = self._coming
        if request is None:
            return
        self._size += len(body)
        if self._size > LARGEST_BODY:
            request.refusal = Response(status=413)
            self._parts.clear()
            self._take(request)
        elif request.method == b"POST":  # with any other it means nothing
            self._parts.append(body)

    def on_message_complete(self) -> None:
        """Answer the request, and count anew from the next piece on."""
        self._heard = -self._chunk
        if (request := self._coming) is not None:
            parts = self._parts
            request.body = parts[0] if len(parts) == 1 else b"".join(parts)
            self._parts = []
            self._take(request)

    # What becomes of requests.

    def _leave(self) -> None:
        """Tell the page that nobody seems to wait for its answer any more."""
        if self._answering is not None and self._answering.left is not None:
            self._answering.left()

    def _end(self) -> None:
        """Close once all that has come is answered."""
        self._is_over = True
        last = self._waiting[-1] if self._waiting else self._answering
        if last is None:
            self._transport.close()
        else:
            last.keeps = False

    def _break_off(self) -> None:
        """Say that it is no request that can be read, once all before is answered, and end."""
        if self._is_over:
            return
        if self._coming is None and not self._in_head:
            self._end()  # it is refused already
            return
        self._parts.clear()
        request = Request(b"", {}, keeps=False)
        request.refusal = Response(status=400)
        self._take(request)

    def _take(self, request: Request) -> None:
        """Answer a request, once all before it are answered; while some wait, no more is read."""
        self._coming = None
        self._size = 0
        if not request.keeps:
            self._is_over = True
        self._waiting.append(request)
        if self._answering is None:
            self._go_on()
        if self._waiting and not self._is_paused:
            self._is_paused = True
            self._transport.pause_reading()

    def _go_on(self) -> None:
        """Answer what waits."""
        waiting = self._waiting
        while waiting and self._may_write and self._answering is None:
            request = self._answering = waiting.popleft()
            answer = self._begin(request)
            if isinstance(answer, Response):
                self._write(request, answer)
            else:
                self._answer = answer
                answer.add_done_callback(self._answered)
        if self._is_paused and not waiting and not self._transport.is_closing():
            self._is_paused = False
            self._transport.resume_reading()

    def _begin(self, request: Request) -> Response | _Answer:
        if request.refusal is not None or request.page is None:
            return request.refusal or Response(status=400)
        try:
            answer = request.page.answer(request)
        except Exception:
            log.exception("A page failed")
            return Response(status=500)
        return answer if isinstance(answer, Response) else asyncio.ensure_future(answer)

    def _answered(self, answer: _Answer) -> None:
        request, self._answer = self._answering, None
        if answer.cancelled() or request is None:
            self._answering = None
            return
        if (error := answer.exception()) is not None:
            log.error("A page failed", exc_info=error)
        self._write(request, Response(status=500) if error is not None else answer.result())
        self._go_on()

    def _write(self, request: Request, response: Response) -> None:
        self._answering = None
        self.since = self._clock()
        transport = self._transport
        if transport.is_closing():
            return
        ends = not request.keeps or self._site.is_closing
        transport.write(written(response, self._site.date, ends=ends, is_head=request.method == b"HEAD"))
        if not ends:
            return
        if request.refusal is None or self._site.is_closing:
            self.close()
        else:
            transport.write_eof()  # the rest of what is refused is let come, or a reset would destroy the answer

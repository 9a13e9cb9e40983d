"""Requests, responses and pages, as the bot's web server has them."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

TEXT: Final = "text/plain; charset=utf-8"
_FIRST_LINES: Final = {status.value: f"HTTP/1.1 {status} {status.phrase}\r\n".encode() for status in HTTPStatus}


class Response(NamedTuple):
    """The answer to a request."""

    body: bytes = b""
    status: int = 200
    kind: str = TEXT
    headers: tuple[tuple[bytes, bytes], ...] = ()
    """Further ones; names in small letters."""


def written(response: Response, date: bytes, *, ends: bool, is_head: bool) -> bytes:
    """A response as it is sent: with a header of the date, and whether it is the last on its connection."""
    body, status, kind, further = response
    head = b"%bcontent-type: %b\r\ncontent-length: %d\r\n%b" % (
        _FIRST_LINES[status],
        kind.encode(),
        len(body),
        date,
    )
    for name, value in further:
        head += b"%b: %b\r\n" % (name, value)
    return b"%b%b\r\n%b" % (head, b"connection: close\r\n" if ends else b"", b"" if is_head else body)


class Request:
    """What somebody asks for."""

    __slots__ = ("_headers", "body", "keeps", "left", "method", "page", "refusal")

    def __init__(self, method: bytes, headers: dict[bytes, bytes], *, keeps: bool) -> None:
        """A request whose body is still to come; `keeps` says whether another may follow it."""
        self._headers = headers
        self.method = method
        self.keeps = keeps
        self.page: Page | None = None
        self.refusal: Response | None = None
        """The answer where it goes to no page."""
        self.body = b""
        self.left: Callable[[], None] | None = None
        """Called by the connection once it seems that nobody waits for the answer any more."""

    def header(self, name: bytes) -> bytes:
        """A header, by its name in small letters; empty if it is not there."""
        return self._headers.get(name, b"")


class Page(NamedTuple):
    """What is at a path."""

    method: bytes
    """The one that it answers; where that is GET, HEAD too."""
    answer: Callable[[Request], Response | Awaitable[Response]]
    """Answers at once, or gives what the answer will come of."""
    refuse: Callable[[Request], Response | None] | None = None
    """Looks at the headers before any body is read."""

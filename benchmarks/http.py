"""HTTP/1.1 reduced to what a load generator needs: keep-alive and bodies with a length.

The generator shares a machine with the bot under test, so a request must cost only microseconds: two searches in
the head and one write for the response.
"""

import asyncio
import json
import re
from collections.abc import Callable
from typing import Any, cast
from urllib.parse import parse_qsl

_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
_BOUNDARY = re.compile(rb"\r\ncontent-type: *multipart/form-data; *boundary=\"?([^\s\";]+)", re.IGNORECASE)
_JSON = re.compile(rb"\r\ncontent-type: *application/json", re.IGNORECASE)
_NAME = re.compile(rb' name="([^"]+)"')
_REASONS = {200: b"200 OK", 409: b"409 Conflict", 429: b"429 Too Many Requests"}


class Request:
    """A call of a Bot API method, waiting for its reply."""

    __slots__ = ("_body", "_head", "_transport", "method")

    def __init__(self, transport: asyncio.WriteTransport, head: bytes, body: bytes) -> None:
        self._transport = transport
        self._head = head
        self._body = body
        path = head.split(b" ", 2)[1].partition(b"?")[0]
        self.method = path.rpartition(b"/")[2].decode("ascii", "replace").lower()
        """The method's name in lower case, as Telegram reads names without regard to case."""

    @property
    def gone(self) -> bool:
        """Whether the caller has hung up."""
        return self._transport.is_closing()

    def parameters(self) -> dict[str, Any]:
        """The parameters, sent as JSON, as a form or as multipart."""
        if not self._body:
            return {}
        if _JSON.search(self._head):
            parsed: dict[str, Any] = json.loads(self._body)
            return parsed
        if boundary := _BOUNDARY.search(self._head):
            return _parts(self._body, boundary[1])
        return dict(parse_qsl(self._body.decode()))

    def reply(self, body: bytes, status: int = 200) -> None:
        """Send the response, unless the caller has hung up."""
        if not self._transport.is_closing():
            self._transport.write(
                b"HTTP/1.1 %b\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%b"
                % (_REASONS[status], len(body), body)
            )


def _parts(body: bytes, boundary: bytes) -> dict[str, Any]:
    """The text fields of a multipart body."""
    found: dict[str, Any] = {}
    for part in body.split(b"--" + boundary)[1:-1]:
        head, _, content = part.partition(b"\r\n\r\n")
        if name := _NAME.search(head):
            found[name[1].decode()] = content.removesuffix(b"\r\n").decode()
    return found


class Messages(asyncio.Protocol):
    """Splits a connection's bytes into messages, each a head and a body of the length given in the head."""

    def __init__(self) -> None:
        self._buffer = b""
        self.transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport."""
        # uvloop's transports don't inherit from asyncio's.
        self.transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        """Hand over each message that is complete."""
        buffer = self._buffer + data if self._buffer else data
        while (end := buffer.find(b"\r\n\r\n")) >= 0:
            head = buffer[:end]
            length = _LENGTH.search(head)
            after = end + 4 + (int(length[1]) if length else 0)
            if len(buffer) < after:
                break
            body, buffer = buffer[end + 4 : after], buffer[after:]
            self.message_received(head, body)
        self._buffer = buffer

    def message_received(self, head: bytes, body: bytes) -> None:
        """Do something with a message."""
        raise NotImplementedError


class ServerConnection(Messages):
    """A connection that the bot opened."""

    def __init__(self, answer: Callable[[Request], None]) -> None:
        super().__init__()
        self._answer = answer

    def message_received(self, head: bytes, body: bytes) -> None:
        """Hand the request to the Bot API."""
        self._answer(Request(self.transport, head, body))

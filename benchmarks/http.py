"""HTTP/1.1 reduced to what a load generator needs: keep-alive, bodies with a length, and webhooks.

The generator shares a machine with the bot under test, so a request must cost only microseconds: two searches in
the head and one write for the response.
"""

import asyncio
import re
from collections import deque
from collections.abc import Callable
from typing import Any, cast
from urllib.parse import parse_qsl, urlsplit

import orjson

_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
_JSON = re.compile(rb"\r\ncontent-type: *application/json", re.IGNORECASE)


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

    def parameters(self) -> dict[str, Any]:
        """The parameters of a call without files, sent as JSON or as a form."""
        if not _JSON.search(self._head):
            return dict(parse_qsl(self._body.decode()))
        parsed: dict[str, Any] = orjson.loads(self._body or b"{}")
        return parsed

    def reply(self, body: bytes) -> None:
        """Send the response, unless the caller has hung up."""
        if not self._transport.is_closing():
            head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
            self._transport.write(head % len(body) + body)


class Messages(asyncio.Protocol):
    """Splits a connection's bytes into messages, each a head and a body of the length given in the head."""

    def __init__(self) -> None:
        self._buffer = b""
        self.transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # uvloop's transports don't inherit from asyncio's.
        self.transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
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
        raise NotImplementedError


class ServerConnection(Messages):
    """A connection that the bot opened; its requests go to a function."""

    def __init__(self, answer: Callable[[Request], None]) -> None:
        super().__init__()
        self._answer = answer

    def message_received(self, head: bytes, body: bytes) -> None:
        self._answer(Request(self.transport, head, body))


class Webhook:
    """A webhook with its pool of connections and the updates that wait for one.

    Args:
        url: Where updates are posted.
        secret: The header X-Telegram-Bot-Api-Secret-Token.
        carry_out: Gets the calls that come in responses.
    """

    def __init__(self, url: str, secret: str, carry_out: Callable[[bytes], None]) -> None:
        self.carry_out = carry_out
        parts = urlsplit(url)
        self._host, self._port = parts.hostname or "127.0.0.1", parts.port or 80
        self.head = (
            f"POST {parts.path} HTTP/1.1\r\nHost: {parts.netloc}\r\nContent-Type: application/json\r\n"
            f"X-Telegram-Bot-Api-Secret-Token: {secret}\r\nContent-Length: %d\r\n\r\n"
        ).encode()
        self._idle: deque[_ToWebhook] = deque()
        self._waiting: deque[bytes] = deque()
        self._loop = asyncio.get_running_loop()

    async def connect(self, connections: int) -> None:
        """Open the connections, as soon as somebody listens."""
        while len(self._idle) < connections:
            try:
                _, opened = await self._loop.create_connection(lambda: _ToWebhook(self), self._host, self._port)
            except OSError:
                await asyncio.sleep(0.05)
            else:
                self._idle.append(opened)

    def post(self, update: bytes) -> None:
        if self._idle:
            self._idle.popleft().carry(update)
        else:
            self._waiting.append(update)

    def free(self, connection: "_ToWebhook") -> None:
        if self._waiting:
            connection.carry(self._waiting.popleft())
        else:
            self._idle.append(connection)

    def refused(self, update: bytes) -> None:
        """Post an update again that got no 2xx."""
        self._loop.call_later(1, self.post, update)


class _ToWebhook(Messages):
    """A connection to a webhook, which carries one update at a time."""

    def __init__(self, webhook: Webhook) -> None:
        super().__init__()
        self._webhook = webhook
        self._carried: bytes | None = None

    def carry(self, update: bytes) -> None:
        self._carried = update
        self.transport.write(self._webhook.head % len(update) + update)

    def message_received(self, head: bytes, body: bytes) -> None:
        update, self._carried = self._carried, None
        if not head.split(b" ", 2)[1].startswith(b"2"):
            self._webhook.refused(update or b"")
        elif body:
            self._webhook.carry_out(body)
        self._webhook.free(self)

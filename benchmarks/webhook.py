"""Delivers updates to webhooks over persistent connections."""

import asyncio
from collections import deque
from collections.abc import Callable
from urllib.parse import urlsplit

from benchmarks.http import Messages


class _Connection(Messages):
    """A connection to a webhook, which carries one update at a time."""

    def __init__(self, webhook: "Webhook") -> None:
        super().__init__()
        self._webhook = webhook
        self._carried: bytes | None = None

    def carry(self, update: bytes) -> None:
        """Post an update."""
        self._carried = update
        self.transport.write(self._webhook.head % len(update) + update)

    def message_received(self, head: bytes, body: bytes) -> None:
        """Take the response: anything but a 2xx gets the update posted again; a body is a call to make."""
        refused = None if head.split(b" ", 2)[1].startswith(b"2") else self._carried
        self._carried = None
        if body and refused is None:
            self._webhook.carry_out(body)
        self._webhook.finished(self, refused)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - the update counts, not the reason
        """Post an unconfirmed update again, on another connection."""
        self._webhook.lost(self, self._carried)


class Webhook:
    """One webhook with its pool of connections and the updates that wait for one."""

    def __init__(self, url: str, secret: str, carry_out: Callable[[bytes], None]) -> None:
        self.carry_out = carry_out
        parts = urlsplit(url)
        self._host, self._port = parts.hostname or "127.0.0.1", parts.port or 80
        self.head = (
            f"POST {parts.path or '/'} HTTP/1.1\r\nHost: {parts.netloc}\r\nContent-Type: application/json\r\n"
            f"X-Telegram-Bot-Api-Secret-Token: {secret}\r\nContent-Length: %d\r\n\r\n"
        ).encode()
        self._idle: deque[_Connection] = deque()
        self._waiting: deque[bytes] = deque()
        self._loop = asyncio.get_running_loop()
        self.refusals = 0
        """Updates that had to be posted again."""

    async def connect(self, connections: int) -> None:
        """Open the connections; raises OSError while nobody listens."""
        for _ in range(connections):
            _, connection = await self._loop.create_connection(lambda: _Connection(self), self._host, self._port)
            self._idle.append(connection)

    def post(self, update: bytes) -> None:
        """Deliver an update as soon as a connection is free."""
        if self._idle:
            self._idle.popleft().carry(update)
        else:
            self._waiting.append(update)

    def finished(self, connection: _Connection, refused: bytes | None) -> None:
        """A connection is free again."""
        if refused is not None:
            self.refusals += 1
            self._loop.call_later(1, self.post, refused)
        if self._waiting:
            connection.carry(self._waiting.popleft())
        else:
            self._idle.append(connection)

    def lost(self, connection: _Connection, carried: bytes | None) -> None:
        """A connection is gone."""
        if connection in self._idle:
            self._idle.remove(connection)
        if carried is not None:
            self.refusals += 1
            self._loop.call_later(1, self.post, carried)


class Webhooks:
    """Several webhooks that share the updates in turn, as a proxy in front of replicas does."""

    def __init__(self, urls: list[str], secret: str, carry_out: Callable[[bytes], None]) -> None:
        """Deliver to these URLs; `carry_out` gets the calls in their responses."""
        self._webhooks = [Webhook(url, secret, carry_out) for url in urls]
        self._turn = 0

    async def connect(self, connections: int, patience: float) -> None:
        """Connect to each webhook, waiting until it listens.

        Raises:
            TimeoutError: one did not listen within `patience` seconds.
        """
        async with asyncio.timeout(patience):
            for webhook in self._webhooks:
                while True:
                    try:
                        await webhook.connect(connections)
                    except OSError:
                        await asyncio.sleep(0.05)
                    else:
                        break

    def post(self, update: bytes) -> None:
        """Deliver an update to the next webhook in turn."""
        self._turn = (self._turn + 1) % len(self._webhooks)
        self._webhooks[self._turn].post(update)

    @property
    def refusals(self) -> int:
        """Updates that had to be posted again."""
        return sum(webhook.refusals for webhook in self._webhooks)

"""Bringing updates to the bot's webhook."""

import asyncio
import contextlib
import json
from collections import defaultdict, deque
from collections.abc import Awaitable, Callable

import aiohttp

from playground.errors import ApiError, Json
from playground.updates import Queued, Updates
from playground.waiting import Clock

SILENCE = 60.0
"""Seconds after which an answer is no longer waited for."""
_LONGEST_PAUSE = 60.0
_LONGEST_RETRY_AFTER = 3600.0
_UNANSWERABLE = ("get", "setwebhook", "deletewebhook", "close", "logout")


class Webhook:
    """The webhook and its deliveries.

    Updates of one key (a chat's messages, a person's taps) go one after another, each only when the one
    before it was taken with a 2xx; different keys side by side, up to `connections`. A refused update is
    delivered again immediately, then after 2, 4, 8 ... seconds, until its lifetime ends (Telegram's WebhookActor).
    """

    def __init__(self, updates: Updates, clock: Clock) -> None:
        self._updates = updates
        self._clock = clock
        self.on_method: Callable[[str, Json], Awaitable[object]] | None = None
        """Carries out a method that came as the answer."""
        self.url = ""
        self.secret = ""
        self.connections = 40
        self.set_at = 0.0
        self.last_error: tuple[int, str] | None = None
        self.first_pause = 2.0
        """Seconds before the second retry; each later one waits twice as long. A test may shorten it."""
        self._queues: defaultdict[tuple[str, int], deque[Queued]] = defaultdict(deque)
        self._carriers: dict[tuple[str, int], asyncio.Task[None]] = {}
        self._slots = asyncio.Semaphore(self.connections)
        self._session: aiohttp.ClientSession | None = None

    def set(self, url: str, secret: str, connections: int) -> None:
        """Take up deliveries, beginning with what is pending."""
        self._stop()
        self.url, self.secret, self.connections = url, secret, connections
        self.set_at = self._clock.now()
        self.last_error = None
        self._slots = asyncio.Semaphore(connections)
        self.resume()

    def resume(self) -> None:
        """Take up deliveries again, if a webhook is set."""
        if self.url:
            self._updates.on_push = self._offer
            for update in self._updates.pending():
                self._offer(update)

    def remove(self) -> None:
        """Give up deliveries; what is pending stays for polling."""
        self._stop()
        self.url = self.secret = ""
        self._updates.on_push = None

    def _stop(self) -> None:
        for carrier in self._carriers.values():
            carrier.cancel()
        self._carriers.clear()
        self._queues.clear()

    async def close(self) -> None:
        """End all deliveries and connections, until `resume`."""
        self._updates.on_push = None
        carriers = list(self._carriers.values())
        self._stop()
        await asyncio.gather(*carriers, return_exceptions=True)
        if self._session is not None:
            await self._session.close()
            self._session = None

    def _offer(self, update: Queued) -> None:
        self._queues[update.key].append(update)
        if update.key not in self._carriers:
            self._carriers[update.key] = asyncio.get_running_loop().create_task(self._carry(update.key))

    async def _carry(self, key: tuple[str, int]) -> None:
        queue = self._queues[key]
        while queue:
            await self._bring(queue[0])
            self._updates.remove(queue.popleft())
        del self._carriers[key], self._queues[key]

    async def _bring(self, update: Queued) -> None:
        pause = 0.0
        while update.expires > self._clock.now():
            async with self._slots:
                taken, retry_after = await self._post(update.body)
            if taken:
                return
            await asyncio.sleep(pause if retry_after is None else min(retry_after, _LONGEST_RETRY_AFTER))
            pause = min(pause * 2, _LONGEST_PAUSE) if pause else self.first_pause

    async def _post(self, body: Json) -> tuple[bool, float | None]:
        if self._session is None:
            # The connections are counted by the slots.
            self._session = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(limit=0, ssl=False),
                timeout=aiohttp.ClientTimeout(total=SILENCE),
            )
        headers = {"X-Telegram-Bot-Api-Secret-Token": self.secret} if self.secret else {}
        try:
            async with self._session.post(self.url, json=body, headers=headers) as response:
                answer = await response.read()
                if response.ok:
                    await self._answered(answer if response.content_type == "application/json" else b"")
                    return True, None
                self._failed(f"Wrong response from the webhook: {response.status} {response.reason}")
                after = response.headers.get("Retry-After", "")
                return False, float(after) if after.isdecimal() else None
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            self._failed(str(error) or "Connection timed out")
            return False, None

    def _failed(self, reason: str) -> None:
        self.last_error = (int(self._clock.now()), reason)

    async def _answered(self, answer: bytes) -> None:
        """Carry out a method that came as the answer, as JSON; its result and its errors nobody sees."""
        try:
            call = json.loads(answer)
        except ValueError:
            return
        name = call.pop("method", None) if isinstance(call, dict) else None
        if not isinstance(name, str) or name.lower().startswith(_UNANSWERABLE) or self.on_method is None:
            return
        with contextlib.suppress(ApiError):
            await self.on_method(name, call)

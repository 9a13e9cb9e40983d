"""What waits to be sent to one chat, in order, at the pace that the chat allows.

A lane lives while something waits in it, and the pace of its chat a little longer, so their number follows the
work under way. In a lane, the newest state of a board takes the place of an older one that still waits.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from aiolimiter import AsyncLimiter

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Hashable, Iterable

T = TypeVar("T")

PRIVATE_BURST: Final = 60
PRIVATE_PER_SECOND: Final = 5
"""So many calls go to one private chat at once, and so many a second in a longer burst: enough for the fastest
player, and too few for one person to use up the calls of all. Telegram itself may ask for less, and is obeyed."""

LONGEST: Final = 100
"""The most entries that wait for one chat: beyond it somebody plays with the bot rather than the game."""


class Lane(Generic[T]):
    """The queue of one chat; entries with equal keys replace each other."""

    def __init__(self, pace: AsyncLimiter | None) -> None:
        """An empty lane; `pace` limits its calls."""
        self._pace = pace
        self._waiting: dict[Hashable, T] = {}
        self._under_way: Hashable = None
        self._quiet_until = 0.0
        self.task: asyncio.Task[None] | None = None

    def __contains__(self, key: Hashable) -> bool:
        return key in self._waiting or key == self._under_way

    def __len__(self) -> int:
        return len(self._waiting)

    def waiting_for(self, key: Hashable) -> T | None:
        """The entry that waits with this key."""
        return self._waiting.get(key)

    def entries(self) -> Iterable[T]:
        """What waits, in no certain order."""
        return self._waiting.values()

    def put(self, key: Hashable, entry: T) -> bool:
        """Let an entry wait, in the place of an older one with the same key; False if the lane is full."""
        if len(self._waiting) >= LONGEST and key not in self._waiting:
            return False
        self._waiting[key] = entry
        return True

    def put_back(self, key: Hashable, entry: T) -> None:
        """Let an entry that could not be sent wait again, before all others, unless a newer one waits."""
        if key not in self._waiting:
            self._waiting = {key: entry, **self._waiting}

    def be_quiet(self, seconds: float) -> None:
        """Send nothing for so many seconds."""
        self._quiet_until = max(self._quiet_until, asyncio.get_running_loop().time() + seconds)

    async def empty(self, deliver: Callable[[Hashable, T], Awaitable[None]], pace: AsyncLimiter | None) -> None:
        """Deliver entry after entry until none waits; `pace` is the one that all lanes share.

        An entry is taken only when it may be sent, so that it is the newest there is.
        """
        loop = asyncio.get_running_loop()
        while self._waiting:
            if (wait := self._quiet_until - loop.time()) > 0:
                await asyncio.sleep(wait)
                continue
            if self._pace is not None:
                await self._pace.acquire()
            if pace is not None:
                await pace.acquire()
            key = self._under_way = next(iter(self._waiting))
            await deliver(key, self._waiting.pop(key))
            self._under_way = None


class Lanes(Generic[T]):
    """The lanes of all chats; each empties itself in a task of its own."""

    def __init__(
        self,
        deliver: Callable[[Lane[T], Hashable, T], Awaitable[None]],
        *,
        per_second: int,
        group_per_minute: int,
        most: int = 10_000,
    ) -> None:
        """No lanes yet; a limit of 0 is none, and `most` bounds the number of lanes.

        Telegram allows about 30 calls a second in all and 20 messages or edits a minute in a group
        (core.telegram.org/bots/faq; tdlib/td#2592).
        """
        self._deliver = deliver
        self._pace = AsyncLimiter(per_second, 1) if per_second else None
        self._group_per_minute = group_per_minute
        self._most = most
        self._lanes: dict[Hashable, Lane[T]] = {}
        self._paces: dict[Hashable, AsyncLimiter] = {}
        self._forget_at = 64
        self._closed = False

    def __len__(self) -> int:
        return len(self._lanes)

    @property
    def waiting(self) -> int:
        """How many entries wait in all lanes."""
        return sum(map(len, self._lanes.values()))

    def entries(self) -> Iterable[T]:
        """What waits in all lanes."""
        for lane in self._lanes.values():
            yield from lane.entries()

    def waiting_for(self, chat: Hashable, key: Hashable) -> T | None:
        """The entry that waits for a chat with this key."""
        lane = self._lanes.get(chat)
        return None if lane is None else lane.waiting_for(key)

    def waits(self, chat: Hashable, key: Hashable) -> bool:
        """Whether an entry waits for a chat or is being sent to it."""
        lane = self._lanes.get(chat)
        return lane is not None and key in lane

    def put(self, chat: Hashable, key: Hashable, entry: T) -> bool:
        """Let an entry wait for a chat; False if there is no room, or nothing is sent any more."""
        lane = self._lanes.get(chat)
        if lane is None:
            if len(self._lanes) >= self._most or self._closed:
                return False
            lane = self._lanes[chat] = Lane(self._pace_of(chat))
        if not lane.put(key, entry):
            return False
        if lane.task is None:
            lane.task = asyncio.create_task(self._empty(chat, lane))
        return True

    async def close(self, seconds: float) -> None:
        """Let what waits be sent, for so many seconds at the most; then drop it."""
        deadline = asyncio.get_running_loop().time() + seconds
        while tasks := [lane.task for lane in self._lanes.values() if lane.task is not None]:
            left = deadline - asyncio.get_running_loop().time()
            if left <= 0:
                break
            await asyncio.wait(tasks, timeout=left)
        self._closed = True
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _empty(self, chat: Hashable, lane: Lane[T]) -> None:
        async def deliver(key: Hashable, entry: T) -> None:
            await self._deliver(lane, key, entry)

        try:
            await lane.empty(deliver, self._pace)
        finally:
            del self._lanes[chat]

    def _pace_of(self, chat: Hashable) -> AsyncLimiter | None:
        """The pace of a chat, which outlives its lane by the minute that it remembers."""
        in_group = isinstance(chat, int) and chat < 0
        if not (self._group_per_minute if in_group else self._pace):
            return None
        pace = self._paces.get(chat)
        if pace is None:
            if len(self._paces) >= self._forget_at:
                self._forget_idle_paces()
            pace = self._paces[chat] = (
                AsyncLimiter(self._group_per_minute, 60)
                if in_group
                else AsyncLimiter(PRIVATE_BURST, PRIVATE_BURST / PRIVATE_PER_SECOND)
            )
        return pace

    def _forget_idle_paces(self) -> None:
        """Drop the paces of chats that are idle; next when there are twice as many as stay now."""
        self._paces = {
            chat: pace
            for chat, pace in self._paces.items()
            if chat in self._lanes or not pace.has_capacity(pace.max_rate)
        }
        self._forget_at = 2 * len(self._paces) + 64

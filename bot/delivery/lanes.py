"""What waits to be sent, one lane a chat: in order, boards first, the newest state in the place of older ones.

A lane lives while something waits in it, and has a task of its own, so no chat waits for another. When a call may
begin is the pace's to say (`bot.delivery.pace`).
"""

from __future__ import annotations

import asyncio
import logging
import math
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from bot.delivery.lane import Kind, Lane

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Hashable, Iterable

    from bot.delivery.pace import Chat, Pace

log = logging.getLogger(__name__)

T = TypeVar("T")

LONGEST: Final = 100
"""The most entries that wait for one chat: beyond it somebody plays with the bot rather than the game. Boards have
half of them to themselves."""

_BOARD: Final = Kind.BOARD
_REPLY: Final = Kind.REPLY
_UNPROMPTED: Final = Kind.UNPROMPTED


class Lanes(Generic[T]):
    """The lanes of all chats; each empties itself in a task of its own."""

    def __init__(
        self, deliver: Callable[[Chat, Hashable, T], Awaitable[bool | None]], pace: Pace, *, most: int = 10_000
    ) -> None:
        """No lanes yet.

        Args:
            deliver: Makes one call to Telegram for an entry (chat, key, entry); it reports a refusal by `refused`,
                and brings what failed back by `put_back`. How long it takes tells the pace about the chat; if
                it is True, the call has only begun.
            pace: When a call may begin.
            most: The most chats for which something waits.
        """
        self._deliver = deliver
        self._pace = pace
        self._most = most
        self._lanes: dict[Chat, Lane[T]] = {}
        self._prompted: dict[Lane[T], None] = {}
        """Lanes that wait for the pace of all calls together, in the order in which they came."""
        self._unprompted: dict[Lane[T], None] = {}
        """Likewise, with nothing but unprompted entries: these go when no other waits there."""
        self._woken: Lane[T] | None = None
        """The one among them that may go now, and has not yet."""
        self._timer: asyncio.TimerHandle | None = None
        self._closed = False

    def __len__(self) -> int:
        """For how many chats something waits or is under way."""
        return len(self._lanes)

    @property
    def waiting(self) -> int:
        """How many entries wait in all lanes."""
        return sum(len(lane.waiting) for lane in self._lanes.values())

    def entries(self) -> Iterable[T]:
        """What waits in all lanes."""
        for lane in self._lanes.values():
            for _, entry in lane.waiting.values():
                yield entry

    def waiting_for(self, chat: Chat, key: Hashable) -> T | None:
        """The entry that waits for a chat with this key."""
        lane = self._lanes.get(chat)
        found = None if lane is None else lane.waiting.get(key)
        return None if found is None else found[1]

    def waits(self, chat: Chat, key: Hashable) -> bool:
        """Whether an entry waits for a chat or is being sent to it."""
        lane = self._lanes.get(chat)
        return lane is not None and (key in lane.waiting or lane.under_way == key)

    def put(self, chat: Chat, key: Hashable, entry: T, kind: Kind) -> float | None:
        """Let an entry wait for a chat, in the place of an older one with the same key.

        Returns:
            About how many seconds pass until it is sent: 0.0 where nothing holds it back. None if there is no
            room for it, or nothing is sent any more.
        """
        lane = self._lanes.get(chat)
        if lane is None:
            if len(self._lanes) >= self._most or self._closed:
                return None
            now = asyncio.get_running_loop().time()
            at_once = kind is _BOARD and not self._prompted and self._pace.begin(chat, now)
            lane = self._open(chat, now if at_once else None)
            lane.waiting[key] = kind, entry
            return 0.0 if at_once else self._pace.expect(chat, now)
        older = lane.waiting.get(key)
        if older is None:
            if len(lane.waiting) >= (LONGEST if kind is _BOARD else LONGEST // 2):
                return None
        elif older[0] < kind:
            kind = older[0]
        lane.waiting[key] = kind, entry
        if (kind is not _UNPROMPTED and lane in self._unprompted) or (lane.holds and kind is not _REPLY):
            self._wake(lane)
        ahead = 0 if len(lane.waiting) == 1 else lane.ahead_of(key) - (lane.begun is not None)
        return self._pace.expect(chat, asyncio.get_running_loop().time(), ahead)

    def expect(self, chat: Chat) -> float:
        """About how many seconds would pass until something that is put in now is sent."""
        lane = self._lanes.get(chat)
        ahead = 0 if lane is None else len(lane.waiting) - (lane.begun is not None)
        return self._pace.expect(chat, asyncio.get_running_loop().time(), max(0, ahead))

    def wait_to_spare(self, chat: Chat) -> float:
        """Seconds until something may be put in that nobody waits for; infinite while anything waits there."""
        if chat in self._lanes:
            return math.inf
        return self._pace.wait_to_spare(chat, asyncio.get_running_loop().time())

    def put_back(self, chat: Chat, key: Hashable, entry: T, kind: Kind = _BOARD) -> bool:
        """Let an entry that could not be sent wait again, before all of its kind; False if a newer one waits.

        Its kind is that of the entry with this key that is under way in the lane, if one is. Nothing waits once
        all is closed.
        """
        lane = self._lanes.get(chat)
        if lane is None:
            if self._closed:
                return False
            lane = self._open(chat, None)
        if key in lane.waiting:
            return False
        kind = lane.kind if lane.under_way == key else kind
        lane.waiting = {key: (kind, entry), **lane.waiting}
        return True

    def refused(self, chat: Chat | None, retry_after: float) -> None:
        """Send nothing to a chat (to any chat, where the refused call had none) for so many seconds."""
        now = asyncio.get_running_loop().time()
        self._pace.refused(chat, retry_after, now)
        if self._pace.wait_of_all(now):
            for lane in self._lanes.values():
                lane.begun = None
        elif chat in self._lanes:
            self._lanes[chat].begun = None

    def pause(self, chat: Chat, seconds: float) -> None:
        """Send nothing to a chat for so many seconds, though Telegram has not refused anything."""
        self._pace.pause(chat, seconds, asyncio.get_running_loop().time())
        if chat in self._lanes:
            self._lanes[chat].begun = None

    async def close(self, seconds: float) -> None:
        """Let what waits be sent, for so many seconds at the most; then drop it."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + seconds
        while (tasks := self._tasks()) and (left := deadline - loop.time()) > 0:
            await asyncio.wait(tasks, timeout=left)
        self._closed = True
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._lanes.clear()  # a task that had not begun yet leaves its lane behind
        if self._timer is not None:
            self._timer.cancel()

    def _tasks(self) -> list[asyncio.Task[None]]:
        return [lane.task for lane in self._lanes.values() if lane.task is not None]

    def _open(self, chat: Chat, begun: float | None) -> Lane[T]:
        lane: Lane[T] = Lane()
        self._lanes[chat] = lane
        lane.begun = begun
        loop = asyncio.get_running_loop()
        lane.task = loop.create_task(self._empty(chat, lane, loop.time))
        return lane

    async def _empty(self, chat: Chat, lane: Lane[T], time: Callable[[], float]) -> None:
        """Deliver entry after entry until none waits.

        An entry is taken only when it may be sent, so that it is the newest there is.
        """
        pace = self._pace
        its_turn = False
        try:
            while waiting := lane.waiting:
                key = next(iter(waiting)) if len(waiting) == 1 else lane.next()
                begun = lane.begun
                if begun is None and waiting[key][0] is _REPLY:
                    key = await self._words_or_other(chat, lane, key, time())
                    if key is None:
                        its_turn = False
                        continue
                kind, entry = waiting[key]
                unprompted = kind is _UNPROMPTED
                if begun is None:
                    begun = time()
                    its_turn = its_turn or self._nobody_before(unprompted=unprompted)
                    if not (its_turn and pace.begin(chat, begun, unprompted=unprompted)):
                        its_turn = await self._wait(chat, lane, begun, unprompted=unprompted)
                        continue
                lane.begun = None
                if kind is _REPLY:
                    pace.words_begin(chat, begun)
                del waiting[key]
                lane.under_way, lane.kind = key, kind
                if not await self._attempt(chat, key, entry):
                    pace.ended(chat, begun, time())
                lane.under_way = None
                if unprompted:
                    pace.unprompted_ended()
                its_turn = False
                if self._prompted or self._unprompted:
                    self._wake_next()
        finally:
            del self._lanes[chat]

    async def _attempt(self, chat: Chat, key: Hashable, entry: T) -> bool | None:
        if self._prompted or self._unprompted:
            self._wake_next()
        try:
            return await self._deliver(chat, key, entry)
        except Exception:  # whatever one entry does, the others of its chat follow
            log.exception("Delivery failed", extra={"chat_id": chat})
            return False

    async def _words_or_other(self, chat: Chat, lane: Lane[T], key: Hashable, now: float) -> Hashable | None:
        """The key of words that may be said now, else of something unprompted; None once a while has passed."""
        hold = self._pace.wait_for_words(chat, now)
        if not hold:
            return key
        for other, (kind, _) in lane.waiting.items():
            if kind is _UNPROMPTED:
                return other
        loop = asyncio.get_running_loop()
        lane.turn = turn = loop.create_future()
        lane.holds = True
        timer = loop.call_later(hold, self._wake, lane)
        self._wake_next()
        try:
            await turn
        finally:
            timer.cancel()
            lane.turn = None
            lane.holds = False
        return None

    async def _wait(self, chat: Chat, lane: Lane[T], now: float, *, unprompted: bool) -> bool:
        """Wait for the chat's pace, or for the lane's turn; True if it is its turn."""
        if wait := self._pace.wait(chat, now):
            self._wake_next()
            await asyncio.sleep(wait)
            return False
        await self._take_turn(lane, self._unprompted if unprompted else self._prompted)
        return True

    def _nobody_before(self, *, unprompted: bool) -> bool:
        """Whether no other lane waits longer for the pace of all calls together."""
        if self._woken is not None or self._prompted:
            return False
        return not (unprompted and self._unprompted)

    async def _take_turn(self, lane: Lane[T], queue: dict[Lane[T], None]) -> None:
        """Wait until all calls together leave room for one more, and the lanes before have had theirs."""
        lane.turn = asyncio.get_running_loop().create_future()
        queue[lane] = None
        self._wake_next()
        try:
            await lane.turn
        finally:
            queue.pop(lane, None)
            lane.turn = None
            if self._woken is lane:
                self._woken = None

    def _wake_next(self) -> None:
        """Wake the first lane of those that wait for their turn, if a call may begin, or as soon as it may."""
        queue = self._prompted or self._unprompted
        if not queue or self._woken is not None:
            return
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        loop = asyncio.get_running_loop()
        wait = self._pace.wait_of_all(loop.time(), unprompted=queue is self._unprompted)
        if not wait:
            self._woken = next(iter(queue))
            self._wake(self._woken)
        elif wait < math.inf:
            self._timer = loop.call_later(wait, self._wake_next)

    def _wake(self, lane: Lane[T]) -> None:
        self._prompted.pop(lane, None)
        self._unprompted.pop(lane, None)
        if lane.turn is not None and not lane.turn.done():
            lane.turn.set_result(None)

"""Queues of what waits to be sent, a lane for each chat: tapped boards first, and newer states replace older ones.

A lane exists while something waits in it, and has a task of its own, so that no chat waits for another. The pace
says when a call may begin (`bot.delivery.pace`).
"""

import asyncio
import logging
import math
from collections.abc import Hashable, Iterable, Iterator
from contextlib import suppress
from typing import Final, NamedTuple

from telegram.error import TelegramError

from bot.delivery.entries import Entry, NotNow
from bot.delivery.pace import Chat, Pace, Priority
from bot.delivery.recovery import Recovery
from bot.delivery.tasks import Tasks
from bot.metrics import seconds_since
from storage.errors import StorageError

log = logging.getLogger(__name__)

LONGEST_LANE: Final = 100
"""The most entries that wait for one chat: beyond that somebody is flooding the bot. Half of it is reserved for
boards, and one person has at most a tenth of it for anything else."""
SLOW_SECONDS: Final = 1.5
"""People are told if what they wait for can't be sent for longer."""


class Lane:
    """What waits for one chat."""

    __slots__ = ("_served", "changed", "task", "under_way", "waiting")

    def __init__(self) -> None:
        self.waiting: dict[Hashable, Entry] = {}
        self.under_way: Entry | None = None
        self.changed = asyncio.Event()
        """Set when something has come that may go sooner, or when its turn may have come among all lanes."""
        self.task: asyncio.Task[None] | None = None
        self._served: dict[int | None, int] = {}
        """How often each person was served since the lane was opened."""

    def in_order(self) -> Iterable[Entry]:
        """What may be sent next, best first: by priority, then the first entry of each person, least served first.

        The first that makes a new message and the first that doesn't both count.
        """
        if len(self.waiting) == 1:
            return list(self.waiting.values())
        first: dict[tuple[Priority, int | None, bool], Entry] = {}
        for each in self.waiting.values():
            first.setdefault((each.priority, each.person, each.is_send), each)
        return sorted(first.values(), key=lambda each: (each.priority, self._served.get(each.person, 0)))

    def has(self, key: Hashable) -> bool:
        return key in self.waiting or (self.under_way is not None and self.under_way.key == key)

    def take(self, entry: Entry) -> None:
        del self.waiting[entry.key]
        self.under_way = entry
        if self.waiting:
            served = self._served
            # Newcomers rank with the person served least so far.
            least = min(served.get(each.person, 0) for each in self.waiting.values())
            served[entry.person] = max(served.get(entry.person, 0), least) + 1

    def has_room_for(self, entry: Entry) -> bool:
        if entry.key in self.waiting:
            return True
        if entry.priority < Priority.NEW:
            return len(self.waiting) < LONGEST_LANE
        others = [each for each in self.waiting.values() if each.priority >= Priority.NEW]
        theirs = sum(each.person == entry.person for each in others)
        is_much = entry.person is not None and theirs >= LONGEST_LANE // 10
        return not is_much and len(self.waiting) < LONGEST_LANE // 2


class _Resting(NamedTuple):
    """An entry outside its lane, and when it comes there."""

    entry: Entry
    timer: asyncio.TimerHandle


class Lanes:
    """The lanes of all chats; each empties itself in a task of its own."""

    def __init__(self, pace: Pace, recovery: Recovery, *, most: int = 10_000) -> None:
        """At `most`, so many chats may have something waiting."""
        self._pace, self.uncount = pace, pace.uncount
        self._recovery = recovery
        self._most = most
        self._lanes: dict[Chat, Lane] = {}
        self._prompted: dict[Lane, None] = {}
        """Lanes that wait for the limits on all calls together, first come, first served."""
        self._unprompted: dict[Lane, None] = {}
        """The same for lanes that have nothing but unprompted entries: these go when `_prompted` is empty."""
        self._resting: dict[tuple[Chat, Hashable], _Resting] = {}
        """Entries that are still to come into their lanes, or have failed and are to come again."""
        self._uploads = Tasks()
        self._closed = False

    def __len__(self) -> int:
        return len(self._lanes)

    @property
    def waiting(self) -> int:
        return sum(len(lane.waiting) for lane in self._lanes.values()) + len(self._resting)

    def entries(self, chat: Chat | None = None) -> Iterator[Entry]:
        """What waits, in all chats or in one."""
        lanes = self._lanes.values() if chat is None else filter(None, [self._lanes.get(chat)])
        for lane in lanes:
            yield from lane.waiting.values()
        for resting in self._resting.values():
            if chat in (None, resting.entry.chat):
                yield resting.entry

    def lag(self) -> float:
        """For how long the oldest tapped board has waited, in seconds."""
        prompts = [each.prompt for each in self.entries() if each.prompt is not None]
        return seconds_since(
            min((each.arrived for each in prompts if each.priority is Priority.TAPPED), default=None)
        )

    def waiting_for(self, chat: Chat, key: Hashable) -> Entry | None:
        """The entry of a chat with this key that waits, unless it's under way."""
        if (chat, key) in self._resting:
            return self._resting[chat, key].entry
        lane = self._lanes.get(chat)
        return None if lane is None else lane.waiting.get(key)

    def waits(self, chat: Chat, key: Hashable) -> bool:
        """Whether there is such an entry, perhaps under way."""
        lane = self._lanes.get(chat)
        return (chat, key) in self._resting or (lane is not None and lane.has(key))

    def put(self, entry: Entry, *, after: float = 0.0) -> bool:
        """Add an entry to its chat's lane, where it replaces an older one with the same key.

        Unless it replaces one, it comes there `after` some seconds, in which a newer one may replace it. If there
        is no room for it, or the lanes are closed, it is dropped. True if people should be told that it will take
        a while: it was dropped, or the chat or all chats are slowed down.
        """
        chat, lane = entry.chat, self._lanes.get(entry.chat)
        older = self.waiting_for(chat, entry.key)
        if (rested := self._resting.pop((chat, entry.key), None)) is not None:
            rested.timer.cancel()
        if older is not None:
            entry.follow(older)
        has_room = len(self._lanes) < self._most if lane is None else lane.has_room_for(entry)
        if self._closed or not has_room:
            entry.dropped()
            return True
        if after and older is None:
            self._rest(entry, after)
        else:
            lane = lane or self._open(chat)
            lane.waiting[entry.key] = entry
            lane.changed.set()
        now = asyncio.get_running_loop().time()
        return max(self._wait(entry, now), self._pace.wait_of_all(now, entry.priority)) > SLOW_SECONDS

    def put_back(self, entry: Entry, *, after: float = 0.0) -> bool:
        """Let an entry that could not be sent wait again, before all others; False if a newer one waits or rests.

        With `after` it first rests for that many seconds outside its lane, so that it delays nothing else.
        """
        if self._closed or self.waiting_for(entry.chat, entry.key) is not None:
            return False
        if after:
            entry.tries += 1
            self._rest(entry, after)
            return True
        lane = self._lanes.get(entry.chat) or self._open(entry.chat)
        lane.waiting = {entry.key: entry, **lane.waiting}
        lane.changed.set()
        return True

    def hurry(self, chat: Chat, key: Hashable, most: float) -> None:
        """Try an entry again now if it would rest for longer than this many seconds."""
        resting = self._resting.get((chat, key))
        if resting is not None and resting.timer.when() - asyncio.get_running_loop().time() > most:
            self.put(resting.entry)

    def wait_to_spare(self, chat: Chat) -> float:
        """Seconds until something that nobody asked for may be put in; infinite while anything waits there."""
        lane = self._lanes.get(chat)
        held = self.sends_held(chat)
        if lane is not None and (
            lane.under_way or not all(held and each.is_send for each in lane.waiting.values())
        ):
            return math.inf
        return self._pace.wait_to_spare(chat, asyncio.get_running_loop().time())

    def sends_held(self, chat: Chat) -> float:
        """For how many seconds a chat takes no new messages."""
        return self._pace.sends_held(chat, asyncio.get_running_loop().time())

    async def close(self, seconds: float) -> None:
        """Send what waits, for at most this many seconds; then drop the rest."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + seconds
        for resting in [each for each in self._resting.values() if not each.entry.tries]:
            self.put(resting.entry)
        while (tasks := self._tasks()) and (left := deadline - loop.time()) > 0:
            await asyncio.wait(tasks, timeout=left)
        self._closed = True
        for resting in self._resting.values():
            resting.timer.cancel()
        self._resting.clear()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._lanes.clear()  # a task that was cancelled before it began has left its lane here
        await self._uploads.close(max(deadline - loop.time(), 0))

    def _tasks(self) -> list[asyncio.Task[None]]:
        return [lane.task for lane in self._lanes.values() if lane.task is not None]

    def _rest(self, entry: Entry, seconds: float) -> None:
        timer = asyncio.get_running_loop().call_later(seconds, self.put, entry)
        self._resting[entry.id] = _Resting(entry, timer)

    def _open(self, chat: Chat) -> Lane:
        lane = self._lanes[chat] = Lane()
        lane.task = asyncio.get_running_loop().create_task(self._empty(chat, lane))
        return lane

    async def _empty(self, chat: Chat, lane: Lane) -> None:
        """Send entries until none waits; each is taken only when it may be sent, so that it is the newest."""
        try:
            while lane.waiting:
                try:
                    entry = await self._next(lane)
                    lane.take(entry)
                finally:
                    self._leave(lane)
                if entry.is_upload:
                    self._uploads.start(self._send(entry))
                else:
                    await self._send(entry)
                lane.under_way = None
        finally:
            del self._lanes[chat]

    async def _send(self, entry: Entry) -> None:
        """Send an entry whose turn has come, and see to what follows."""
        try:
            try:
                await entry.send()
            except TelegramError as error:
                again = await self._recovery.after(entry, error)
                if again is not None and self.put_back(entry, after=again):
                    return
            else:
                self._recovery.succeeded(entry)
        except (NotNow, StorageError) as error:
            log.debug("Leaving something to the sweep: %s", error)
        except Exception:  # one entry's error must not stop the others of its chat
            log.exception("Delivery failed", extra={"chat_id": entry.chat})
        entry.leave()

    async def _next(self, lane: Lane) -> Entry:
        """Wait until an entry may be sent; its call is counted then."""
        pace, time = self._pace, asyncio.get_running_loop().time
        while True:
            lane.changed.clear()
            now, wait = time(), math.inf
            for entry in lane.in_order():
                if not (its_wait := self._wait(entry, now)):
                    wait = self._wait_of_all(lane, entry.priority, now)
                    if not wait and pace.begin(entry.chat, now, entry.priority, entry.person):
                        return entry
                    break
                wait = min(wait, its_wait)
            else:
                self._leave(lane)
            with suppress(TimeoutError):
                async with asyncio.timeout(None if wait == math.inf else wait):
                    await lane.changed.wait()

    def _wait(self, entry: Entry, now: float) -> float:
        """Seconds until its chat allows an entry."""
        return self._pace.wait(entry.chat, now, entry.priority, entry.person, is_send=entry.is_send)

    def _wait_of_all(self, lane: Lane, priority: Priority, now: float) -> float:
        """Seconds until the limits on all calls together let a lane go on; infinity while others go first."""
        queue, other = self._prompted, self._unprompted
        if priority is Priority.UNPROMPTED:
            queue, other = other, queue
        other.pop(lane, None)
        goes_first = next(iter(queue), lane) is lane and not (priority is Priority.UNPROMPTED and self._prompted)
        wait = self._pace.wait_of_all(now, priority) if goes_first else math.inf
        if wait:
            queue[lane] = None
        return wait

    def _leave(self, lane: Lane) -> None:
        """Let a lane wait no longer for the limits on all calls together, and the next one look."""
        self._prompted.pop(lane, None)
        self._unprompted.pop(lane, None)
        following = next(iter(self._prompted or self._unprompted), None)
        if following is not None:
            following.changed.set()

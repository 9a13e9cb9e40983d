"""Queues of what waits to be sent, a lane for each chat: tapped boards first, and newer states replace older ones.

A lane exists while something waits in it, and has a task of its own, so that no chat waits for another. The pace
says when a call may begin (`bot.delivery.pace`).
"""

import asyncio
import itertools
import logging
import math
from collections.abc import Hashable, Iterable, Iterator
from contextlib import suppress
from typing import Any, Final, NamedTuple, Protocol, TypeVar

from bot.delivery.pace import Chat, Kind, Pace

log = logging.getLogger(__name__)


class Tap(NamedTuple):
    """A tap, or a command, that somebody waits to see the effect of."""

    person: int
    arrived: float
    """When it came in, by `time.perf_counter`."""
    kind: Kind
    """The kind that its boards have in their lanes: that of replies for a command, unless it is a move."""
    chat_id: int | None
    """The chat where it was made; None for inline mode. Elsewhere nobody has tapped."""


class Entry(Protocol):
    """What can wait in a lane."""

    @property
    def key(self) -> Hashable:
        """Newer entries with the same key replace it."""

    @property
    def kind(self) -> Kind:
        """What it is, which says when its turn comes."""

    @property
    def for_whom(self) -> int | None:
        """The person who asked for it."""

    @property
    def is_send(self) -> bool:
        """Whether it makes a new message: a group in slow mode refuses that, and goes on taking edits."""


E_contra = TypeVar("E_contra", bound=Entry, contravariant=True)


class Sender(Protocol[E_contra]):
    """What sends one kind of entries."""

    async def deliver(self, chat: Chat, entry: E_contra) -> None:
        """Make one call; reports refusals by `Lanes.refused`, and returns what failed by `Lanes.put_back`."""

    def dropped(self, entry: E_contra) -> None:
        """Learn that there is no room for an entry, or no longer."""


LONGEST_LANE: Final = 100
"""The most entries that wait for one chat: beyond that somebody is flooding the bot. Half of it is reserved for
boards, and one person has at most a tenth of it for anything else."""


class Waiting(NamedTuple):
    """An entry that waits in a lane."""

    entry: Entry
    sender: Sender[Any]
    kind: Kind
    """Its own, or that of an older entry that it has replaced, if that came sooner."""
    person: int | None


class Lane:
    """What waits for one chat."""

    __slots__ = ("_served", "changed", "task", "under_way", "waiting")

    def __init__(self) -> None:
        self.waiting: dict[Hashable, Waiting] = {}
        self.under_way: tuple[Hashable, Waiting] | None = None
        self.changed = asyncio.Event()
        """Set when something has come that may go sooner, or when its turn may have come among all lanes."""
        self.task: asyncio.Task[None] | None = None
        self._served: dict[int | None, int] = {}
        """How often each person was served since the lane was opened."""

    def in_order(self) -> Iterator[tuple[Hashable, Waiting]]:
        """What may be sent next, best first: by kind, then the first entry of each person, least served first.

        The first that makes a new message and the first that doesn't both count.
        """
        waiting = self.waiting
        if len(waiting) == 1:
            yield from waiting.items()
            return
        first: dict[tuple[Kind, int | None, bool], tuple[Hashable, Waiting]] = {}
        for key, each in waiting.items():
            first.setdefault((each.kind, each.person, each.entry.is_send), (key, each))
        served = self._served
        yield from sorted(first.values(), key=lambda pair: (pair[1].kind, served.get(pair[1].person, 0)))

    def is_sending(self, key: Hashable) -> bool:
        return self.under_way is not None and self.under_way[0] == key

    def take(self, key: Hashable) -> Waiting:
        taken = self.waiting.pop(key)
        self.under_way = key, taken
        if self.waiting:
            served = self._served
            # Newcomers rank with the person served least so far.
            least = min(served.get(each.person, 0) for each in self.waiting.values())
            served[taken.person] = max(served.get(taken.person, 0), least) + 1
        return taken

    def ahead_of(self, what: Waiting) -> int:
        """How many entries came before one that comes now, and aren't of a later kind."""
        came_before = itertools.takewhile(lambda other: other != what.entry.key, self.waiting)
        return sum(self.waiting[each].kind <= what.kind for each in came_before)

    def has_room_for(self, what: Waiting) -> bool:
        if what.entry.key in self.waiting:
            return True
        if what.kind < Kind.NEW:
            return len(self.waiting) < LONGEST_LANE
        theirs = [each for each in self.waiting.values() if each.person == what.person and each.kind >= Kind.NEW]
        is_much = what.person is not None and len(theirs) >= LONGEST_LANE // 10
        return not is_much and len(self.waiting) < LONGEST_LANE // 2


class _Resting(NamedTuple):
    """An entry that has failed, until it is tried again."""

    what: Waiting
    timer: asyncio.TimerHandle


class Lanes:
    """The lanes of all chats; each empties itself in a task of its own."""

    def __init__(self, pace: Pace, *, most: int = 10_000) -> None:
        """At `most`, so many chats may have something waiting."""
        self._pace, self.uncount = pace, pace.uncount
        self._most = most
        self._lanes: dict[Chat, Lane] = {}
        self._prompted: dict[Lane, None] = {}
        """Lanes that wait for the limits on all calls together, first come, first served."""
        self._unprompted: dict[Lane, None] = {}
        """The same for lanes that have nothing but unprompted entries: these go when `_prompted` is empty."""
        self._resting: dict[tuple[Chat, Hashable], _Resting] = {}
        """Entries that have failed and wait to be tried again, by chat and key."""
        self._sends: dict[Chat, float] = {}
        """Until when groups take no new messages, by the loop's time."""
        self._closed = False

    def __len__(self) -> int:
        return len(self._lanes)

    @property
    def waiting(self) -> int:
        return sum(len(lane.waiting) for lane in self._lanes.values()) + len(self._resting)

    def entries(self) -> Iterable[Entry]:
        for lane in self._lanes.values():
            for each in lane.waiting.values():
                yield each.entry
        for resting in self._resting.values():
            yield resting.what.entry

    def waiting_for(self, chat: Chat, key: Hashable) -> Entry | None:
        if (chat, key) in self._resting:
            return self._resting[chat, key].what.entry
        lane = self._lanes.get(chat)
        found = None if lane is None else lane.waiting.get(key)
        return None if found is None else found.entry

    def waits(self, chat: Chat, key: Hashable) -> bool:
        lane = self._lanes.get(chat)
        here = lane is not None and (key in lane.waiting or lane.is_sending(key))
        return here or (chat, key) in self._resting

    def put(self, chat: Chat, entry: Entry, sender: Sender[Any]) -> float:
        """Add an entry to a chat's lane; it replaces an older one with the same key.

        Returns about how many seconds it waits because its chat, or every chat, is slowed down: infinity if there
        is no room for it, or the lanes are closed, which the sender is told, too.
        """
        what, key, lane = Waiting(entry, sender, entry.kind, entry.for_whom), entry.key, self._lanes.get(chat)
        rested = self._resting.pop((chat, key), None) if self._resting else None
        older = None if lane is None else lane.waiting.get(key)
        if rested is not None:
            rested.timer.cancel()
            older = rested.what
        if older is not None and older.kind < what.kind:
            what = what._replace(kind=older.kind)
        has_room = len(self._lanes) < self._most if lane is None else lane.has_room_for(what)
        if self._closed or not has_room:
            sender.dropped(entry)
            return math.inf
        lane = lane or self._open(chat)
        ahead = lane.ahead_of(what)
        lane.waiting[key] = what
        lane.changed.set()
        return max(self.wait(chat, what.kind, what.person, ahead), self._held(chat, entry))

    def wait(self, chat: Chat, kind: Kind, person: int | None, ahead: int = 0) -> float:
        """About how many seconds an entry waits behind so many others, if its chat or all are slowed down."""
        return self._pace.wait_behind(ahead, chat, asyncio.get_running_loop().time(), kind, person)

    def wait_to_spare(self, chat: Chat) -> float:
        """Seconds until something that nobody asked for may be put in; infinite while anything waits there."""
        lane = self._lanes.get(chat)
        if lane is not None and (
            lane.under_way or not all(self._held(chat, each.entry) for each in lane.waiting.values())
        ):
            return math.inf
        return self._pace.wait_to_spare(chat, asyncio.get_running_loop().time())

    def put_back(self, chat: Chat, entry: Entry, sender: Sender[Any], *, after: float = 0.0) -> bool:
        """Let an entry that could not be sent wait again, before all others; False if a newer one waits or rests.

        It keeps the kind that it had in the lane, if it is under way there. With `after` it first waits for that
        many seconds outside its lane, so that it delays nothing else.
        """
        key, lane = entry.key, self._lanes.get(chat)
        if self._closed or (chat, key) in self._resting or (lane is not None and key in lane.waiting):
            return False
        what = Waiting(entry, sender, entry.kind, entry.for_whom)
        if lane is not None and lane.under_way is not None and lane.is_sending(key):
            what = lane.under_way[1]._replace(entry=entry)
        if after:
            timer = asyncio.get_running_loop().call_later(after, self._again, chat, key)
            self._resting[chat, key] = _Resting(what, timer)
            return True
        lane = lane or self._open(chat)
        lane.waiting = {key: what, **lane.waiting}
        lane.changed.set()
        return True

    def hurry(self, chat: Chat, key: Hashable, most: float) -> None:
        """Try an entry again now if it would rest for longer than this many seconds."""
        resting = self._resting.get((chat, key))
        if resting is not None and resting.timer.when() - asyncio.get_running_loop().time() > most:
            self._again(chat, key)

    def _again(self, chat: Chat, key: Hashable) -> None:
        what = self._resting[chat, key].what
        self.put(chat, what.entry, what.sender)

    def refused(self, chat: Chat, retry_after: float) -> None:
        """Send nothing to a chat for as long as Telegram asks; to none if several have refused together."""
        self._pace.refused(chat, retry_after, asyncio.get_running_loop().time())

    def hold_sends(self, chat: Chat, seconds: float) -> None:
        """Make no new messages in a group for as long as Telegram asks; edits go on."""
        now = asyncio.get_running_loop().time()
        self._sends = {each: until for each, until in self._sends.items() if until > now}
        self._sends[chat] = max(self._sends.get(chat, now), now + seconds)

    def sends_held(self, chat: Chat) -> float:
        """For how many seconds a chat takes no new messages."""
        until = self._sends.get(chat)
        return 0.0 if until is None else max(until - asyncio.get_running_loop().time(), 0.0)

    def _held(self, chat: Chat, entry: Entry) -> float:
        return self.sends_held(chat) if self._sends and entry.is_send else 0.0

    async def close(self, seconds: float) -> None:
        """Send what waits, for at most this many seconds; then drop the rest."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + seconds
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

    def _tasks(self) -> list[asyncio.Task[None]]:
        return [lane.task for lane in self._lanes.values() if lane.task is not None]

    def _open(self, chat: Chat) -> Lane:
        lane = self._lanes[chat] = Lane()
        lane.task = asyncio.get_running_loop().create_task(self._empty(chat, lane))
        return lane

    async def _empty(self, chat: Chat, lane: Lane) -> None:
        """Deliver entries until none waits; each is taken only when it may be sent, so that it is the newest."""
        try:
            while lane.waiting:
                try:
                    chosen = lane.take(await self._next(chat, lane))
                finally:
                    self._leave(lane)
                try:
                    await chosen.sender.deliver(chat, chosen.entry)
                except Exception:  # one entry's error must not stop the others of its chat
                    log.exception("Delivery failed", extra={"chat_id": chat})
                lane.under_way = None
        finally:
            del self._lanes[chat]

    async def _next(self, chat: Chat, lane: Lane) -> Hashable:
        """Wait until an entry may be sent; its call is counted then."""
        pace, time = self._pace, asyncio.get_running_loop().time
        while True:
            lane.changed.clear()
            now = time()
            waits = {
                key: max(pace.wait(chat, now, each.kind, each.person), self._held(chat, each.entry))
                for key, each in lane.in_order()
            }
            key = next((key for key, wait in waits.items() if not wait), None)
            if key is None:
                self._leave(lane)
                wait = min(waits.values())
            else:
                chosen = lane.waiting[key]
                wait = self._wait_of_all(lane, chosen.kind, now)
                if not wait and pace.begin(chat, now, chosen.kind, chosen.person):
                    return key
            with suppress(TimeoutError):
                async with asyncio.timeout(None if wait == math.inf else wait):
                    await lane.changed.wait()

    def _wait_of_all(self, lane: Lane, kind: Kind, now: float) -> float:
        """Seconds until the limits on all calls together let a lane go on; infinity while others go first."""
        queue, other = self._prompted, self._unprompted
        if kind is Kind.UNPROMPTED:
            queue, other = other, queue
        other.pop(lane, None)
        goes_first = next(iter(queue), lane) is lane and not (kind is Kind.UNPROMPTED and self._prompted)
        wait = self._pace.wait_of_all(now, kind) if goes_first else math.inf
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

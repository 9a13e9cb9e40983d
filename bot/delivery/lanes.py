"""Queues of what waits to be sent, a lane for each chat: tapped boards first, and newer states replace older ones.

A lane exists while something waits in it, and has a task of its own, so that no chat waits for another. The pace
says when a call may begin (`bot.delivery.pace`).
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import math
from collections import Counter
from collections.abc import Awaitable, Callable, Hashable, Iterable, Iterator
from typing import Final, Generic, NamedTuple, Protocol, TypeVar

from bot.delivery.pace import Chat, Kind, Pace

log = logging.getLogger(__name__)


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


T = TypeVar("T", bound=Entry)

LONGEST: Final = 100
"""The most entries that wait for one chat: beyond that somebody is flooding the bot. Half of it is reserved for
boards, and one person has at most a tenth of it for anything else."""


class Waiting(NamedTuple, Generic[T]):
    """An entry that waits in a lane."""

    entry: T
    kind: Kind
    """Its own, or that of an older entry that it has replaced, if that came sooner."""
    person: int | None


class Lane(Generic[T]):
    """What waits for one chat."""

    __slots__ = ("_served", "begun", "task", "turn", "under_way", "waiting")

    def __init__(self) -> None:
        self.waiting: dict[Hashable, Waiting[T]] = {}
        self.begun: float | None = None
        """When the pace has allowed the first call, until that is under way."""
        self.under_way: tuple[Hashable, Waiting[T]] | None = None
        self.turn: asyncio.Future[None] | None = None
        """Set while it waits because nothing may be sent yet, or other lanes go first."""
        self.task: asyncio.Task[None] | None = None
        self._served: dict[int | None, int] = {}
        """How often each person was served since the lane was opened."""

    def in_order(self) -> Iterator[tuple[Hashable, Waiting[T]]]:
        """What may be sent next, best first: by kind, then the first entry of each person, least served first.

        The first that makes a new message and the first that doesn't both count.
        """
        waiting = self.waiting
        if len(waiting) == 1:
            yield from waiting.items()
            return
        first: dict[tuple[Kind, int | None, bool], tuple[Hashable, Waiting[T]]] = {}
        for key, each in waiting.items():
            first.setdefault((each.kind, each.person, each.entry.is_send), (key, each))
        served = self._served
        yield from sorted(first.values(), key=lambda pair: (pair[1].kind, served.get(pair[1].person, 0)))

    def is_sending(self, key: Hashable) -> bool:
        return self.under_way is not None and self.under_way[0] == key

    def take(self, key: Hashable) -> Waiting[T]:
        taken = self.waiting.pop(key)
        self.under_way = key, taken
        if self.waiting:
            served = self._served
            # Newcomers rank with the person served least so far.
            least = min((served.get(each.person, 0) for each in self.waiting.values()), default=0)
            served[taken.person] = max(served.get(taken.person, 0), least) + 1
        return taken

    def ahead_of(self, key: Hashable) -> Iterator[Waiting[T]]:
        """The entries that came before this one, and aren't of a later kind."""
        kind = self.waiting[key].kind
        came_before = itertools.takewhile(lambda other: other != key, self.waiting)
        return (each for each in map(self.waiting.__getitem__, came_before) if each.kind <= kind)


class _Resting(NamedTuple, Generic[T]):
    """An entry that has failed, until it is tried again."""

    what: Waiting[T]
    timer: asyncio.TimerHandle


class Lanes(Generic[T]):
    """The lanes of all chats; each empties itself in a task of its own."""

    def __init__(self, deliver: Callable[[Chat, T], Awaitable[None]], pace: Pace, *, most: int = 10_000) -> None:
        """`deliver` makes one call; it reports refusals by `refused`, and returns what failed by `put_back`.

        At `most`, so many chats may have something waiting.
        """
        self._deliver = deliver
        self.on_dropped: Callable[[T], None] | None = None
        """Told each entry that has rested and finds no room any more, or whose newer state finds none."""
        self._pace = pace
        self._most = most
        self._lanes: dict[Chat, Lane[T]] = {}
        self._prompted: dict[Lane[T], None] = {}
        """Lanes that wait for the limit on all calls together, first come, first served."""
        self._unprompted: dict[Lane[T], None] = {}
        """The same for lanes that have nothing but unprompted entries: these go when `_prompted` is empty."""
        self._woken: Lane[T] | None = None
        """The one of them that may go now, and has not yet."""
        self._timer: asyncio.TimerHandle | None = None
        self._resting: dict[tuple[Chat, Hashable], _Resting[T]] = {}
        """Entries that have failed and wait to be tried again, by chat and key."""
        self._sends: dict[Chat, float] = {}
        """Until when groups take no new messages, by the loop's time."""
        self._closed = False

    def __len__(self) -> int:
        return len(self._lanes)

    @property
    def waiting(self) -> int:
        return sum(len(lane.waiting) for lane in self._lanes.values()) + len(self._resting)

    def entries(self) -> Iterable[T]:
        for lane in self._lanes.values():
            for each in lane.waiting.values():
                yield each.entry
        for resting in self._resting.values():
            yield resting.what.entry

    def waiting_for(self, chat: Chat, key: Hashable) -> T | None:
        if (chat, key) in self._resting:
            return self._resting[chat, key].what.entry
        lane = self._lanes.get(chat)
        found = None if lane is None else lane.waiting.get(key)
        return None if found is None else found.entry

    def waits(self, chat: Chat, key: Hashable) -> bool:
        lane = self._lanes.get(chat)
        here = lane is not None and (key in lane.waiting or lane.is_sending(key))
        return here or (chat, key) in self._resting

    def put(self, chat: Chat, entry: T) -> float | None:
        """Add an entry to a chat's lane; it replaces an older one with the same key.

        Returns about how many seconds pass until it is sent: 0.0 if nothing holds it back, None if there is no
        room for it, or the lanes are closed.
        """
        return self._put(chat, Waiting(entry, entry.kind, entry.for_whom))

    def _put(self, chat: Chat, what: Waiting[T]) -> float | None:
        (entry, kind, person), key = what, what.entry.key
        rested = self._resting.pop((chat, key), None) if self._resting else None
        if rested is not None:
            rested.timer.cancel()
            kind = min(kind, rested.what.kind)
        if not self._has_room(chat, key, kind, person):
            if rested is not None and self.on_dropped is not None:
                self.on_dropped(rested.what.entry)
            return None
        lane = self._lanes.get(chat)
        if lane is None:
            now = asyncio.get_running_loop().time()
            at_once = (
                kind is not Kind.UNPROMPTED
                and self._nobody_before(kind)
                and not self._held(chat, entry)
                and self._pace.begin(chat, now, kind, person)
            )
            lane = self._open(chat, now if at_once else None)
            lane.waiting[key] = Waiting(entry, kind, person)
            return 0.0 if at_once else max(self._pace.expect(chat, now, kind, person), self._held(chat, entry))
        older = lane.waiting.get(key)
        if older is not None:
            kind = min(kind, older.kind)
        lane.waiting[key] = Waiting(entry, kind, person)
        if lane.turn is not None and lane not in self._prompted:
            self._wake(lane)  # this entry may be sent before the one that the lane waits for
        return max(self._expect(chat, kind, person, lane.ahead_of(key)), self._held(chat, entry))

    def _has_room(self, chat: Chat, key: Hashable, kind: Kind, person: int | None) -> bool:
        lane = self._lanes.get(chat)
        if lane is None:
            return len(self._lanes) < self._most and not self._closed
        if key in lane.waiting:
            return True
        if kind < Kind.NEW:
            return len(lane.waiting) < LONGEST
        theirs = [each for each in lane.waiting.values() if each.person == person and each.kind >= Kind.NEW]
        is_much = person is not None and len(theirs) >= LONGEST // 10
        return not is_much and len(lane.waiting) < LONGEST // 2

    def expect(self, chat: Chat, person: int | None) -> float:
        """About how many seconds a board that a person has tapped would wait if it were put in now."""
        waiting = self._lanes[chat].waiting.values() if chat in self._lanes else ()
        return self._expect(chat, Kind.TAPPED, person, (each for each in waiting if each.kind is Kind.TAPPED))

    def _expect(self, chat: Chat, kind: Kind, person: int | None, before: Iterable[Waiting[T]]) -> float:
        """About how many seconds an entry waits behind others: of its kind, each person's in turn."""
        ahead = [(each.kind, each.person) for each in before]
        turns = Counter(ahead)[kind, person] + 1
        taken: Counter[tuple[Kind, int | None]] = Counter()
        for theirs in ahead:
            taken[theirs] += theirs[0] < kind or taken[theirs] < turns
        now = asyncio.get_running_loop().time()
        return self._pace.expect(chat, now, kind, person, ahead=list(taken.elements()))

    def wait_to_spare(self, chat: Chat) -> float:
        """Seconds until something that nobody asked for may be put in; infinite while anything waits there."""
        lane = self._lanes.get(chat)
        if lane is not None and (
            lane.under_way or not all(self._held(chat, each.entry) for each in lane.waiting.values())
        ):
            return math.inf
        return self._pace.wait_to_spare(chat, asyncio.get_running_loop().time())

    def put_back(self, chat: Chat, entry: T, *, after: float = 0.0) -> bool:
        """Let an entry that could not be sent wait again, before all others; False if a newer one waits or rests.

        It keeps the kind that it had in the lane, if it is under way there. With `after` it first waits for that
        many seconds outside its lane, so that it delays nothing else.
        """
        key, lane = entry.key, self._lanes.get(chat)
        if self._closed or (chat, key) in self._resting or (lane is not None and key in lane.waiting):
            return False
        what = Waiting(entry, entry.kind, entry.for_whom)
        if lane is not None and lane.under_way is not None and lane.is_sending(key):
            what = lane.under_way[1]._replace(entry=entry)
        if after:
            timer = asyncio.get_running_loop().call_later(after, self._again, chat, key)
            self._resting[chat, key] = _Resting(what, timer)
            return True
        if lane is None:
            lane = self._open(chat, None)
        lane.waiting = {key: what, **lane.waiting}
        return True

    def hurry(self, chat: Chat, key: Hashable, most: float) -> None:
        """Try an entry again now if it would rest for longer than this many seconds."""
        resting = self._resting.get((chat, key))
        if resting is not None and resting.timer.when() - asyncio.get_running_loop().time() > most:
            self._again(chat, key)

    def _again(self, chat: Chat, key: Hashable) -> None:
        self._put(chat, self._resting[chat, key].what)

    def refused(self, chat: Chat, retry_after: float) -> None:
        """Send nothing to a chat for as long as Telegram asks; to none if several have refused together."""
        now = asyncio.get_running_loop().time()
        self._pace.refused(chat, retry_after, now)
        if self._pace.wait_of_all(now):
            for lane in self._lanes.values():
                lane.begun = None
        elif chat in self._lanes:
            self._lanes[chat].begun = None

    def hold_sends(self, chat: Chat, seconds: float) -> None:
        """Make no new messages in a group for as long as Telegram asks; edits go on."""
        now = asyncio.get_running_loop().time()
        self._sends = {each: until for each, until in self._sends.items() if until > now}
        self._sends[chat] = max(self._sends.get(chat, now), now + seconds)
        if chat in self._lanes:
            self._lanes[chat].begun = None

    def sends_held(self, chat: Chat) -> float:
        """For how many seconds a chat takes no new messages."""
        until = self._sends.get(chat)
        return 0.0 if until is None else max(until - asyncio.get_running_loop().time(), 0.0)

    def _held(self, chat: Chat, entry: T) -> float:
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
        """Deliver entries until none waits; each is taken only when it may be sent, so that it is the newest."""
        pace = self._pace
        its_turn = False
        try:
            while lane.waiting:
                if lane.begun is not None:
                    key, chosen = next(each for each in lane.in_order() if not self._held(chat, each[1].entry))
                else:
                    now = time()
                    waits = {
                        key: max(pace.wait(chat, now, each.kind, each.person), self._held(chat, each.entry))
                        for key, each in lane.in_order()
                    }
                    key = next((key for key, wait in waits.items() if not wait), None)
                    if key is None:
                        its_turn = False
                        await self._sleep(lane, min(waits.values()))
                        continue
                    chosen = lane.waiting[key]
                    its_turn = its_turn or self._nobody_before(chosen.kind)
                    if not (its_turn and pace.begin(chat, now, chosen.kind, chosen.person)):
                        await self._take_turn(lane, chosen.kind)
                        its_turn = True
                        continue
                lane.begun = None
                lane.take(key)
                self._wake_next()
                try:
                    await self._deliver(chat, chosen.entry)
                except Exception:  # one entry's error must not stop the others of its chat
                    log.exception("Delivery failed", extra={"chat_id": chat})
                lane.under_way = None
                its_turn = False
        finally:
            del self._lanes[chat]

    async def _sleep(self, lane: Lane[T], seconds: float) -> None:
        """Wait until a call to the chat may begin, or an entry comes that may go sooner."""
        loop = asyncio.get_running_loop()
        lane.turn = turn = loop.create_future()
        timer = loop.call_later(seconds, self._wake, lane)
        self._wake_next()
        try:
            await turn
        finally:
            timer.cancel()
            lane.turn = None

    def _nobody_before(self, kind: Kind) -> bool:
        """Whether no other lane has been waiting for the limit on all calls together."""
        if self._woken is not None or self._prompted:
            return False
        return not (kind is Kind.UNPROMPTED and self._unprompted)

    async def _take_turn(self, lane: Lane[T], kind: Kind) -> None:
        """Wait until the limit on all calls together has room for one more, and it is this lane's turn."""
        queue = self._unprompted if kind is Kind.UNPROMPTED else self._prompted
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
        queue = self._prompted or self._unprompted
        if not queue or self._woken is not None:
            return
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        loop = asyncio.get_running_loop()
        kind = Kind.UNPROMPTED if queue is self._unprompted else Kind.TAPPED
        if wait := self._pace.wait_of_all(loop.time(), kind):
            self._timer = loop.call_later(wait, self._wake_next)
        else:
            self._woken = next(iter(queue))
            self._wake(self._woken)

    def _wake(self, lane: Lane[T]) -> None:
        self._prompted.pop(lane, None)
        self._unprompted.pop(lane, None)
        if lane.turn is not None and not lane.turn.done():
            lane.turn.set_result(None)

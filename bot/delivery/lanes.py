"""What waits to be sent, one lane a chat: tapped boards first, the newest state in the place of older ones.

A lane lives while something waits in it, and has a task of its own, so no chat waits for another. When a call may
begin is the pace's to say (`bot.delivery.pace`).
"""

from __future__ import annotations

import asyncio
import logging
import math
from typing import TYPE_CHECKING, Final, Generic, NamedTuple, TypeVar

from bot.delivery.pace import Kind

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Hashable, Iterable, Iterator

    from bot.delivery.pace import Chat, Pace

log = logging.getLogger(__name__)

T = TypeVar("T")

LONGEST: Final = 100
"""The most entries that wait for one chat: beyond it somebody plays with the bot rather than the game. Boards have
half of them to themselves."""


class Waiting(NamedTuple, Generic[T]):
    """What waits in a lane."""

    entry: T
    kind: Kind
    person: int | None
    """Who has asked for it."""


class Lane(Generic[T]):
    """What waits for one chat."""

    __slots__ = ("_served", "begun", "task", "turn", "under_way", "waiting")

    def __init__(self) -> None:
        """Nothing waits yet."""
        self.waiting: dict[Hashable, Waiting[T]] = {}
        self.begun: float | None = None
        """When the pace allowed the first call, until that is under way."""
        self.under_way: tuple[Hashable, Waiting[T]] | None = None
        self.turn: asyncio.Future[None] | None = None
        """What it waits for while nothing may be sent, or others go first."""
        self.task: asyncio.Task[None] | None = None
        self._served: dict[int | None, int] = {}
        """How often each person was served since the lane was opened."""

    def in_order(self) -> Iterator[tuple[Hashable, Waiting[T]]]:
        """What may be sent next, best first: by kind, and among those of a kind one of each person, in turn."""
        waiting = self.waiting
        if len(waiting) == 1:
            yield from waiting.items()
            return
        first: dict[tuple[Kind, int | None], tuple[Hashable, Waiting[T]]] = {}
        for key, each in waiting.items():
            first.setdefault((each.kind, each.person), (key, each))
        served = self._served
        yield from sorted(first.values(), key=lambda pair: (pair[1].kind, served.get(pair[1].person, 0)))

    def is_sending(self, key: Hashable) -> bool:
        """Whether the entry with this key is under way."""
        return self.under_way is not None and self.under_way[0] == key

    def take(self, key: Hashable) -> Waiting[T]:
        """Take what is sent now."""
        taken = self.waiting.pop(key)
        self.under_way = key, taken
        if self.waiting:
            served = self._served
            # Whoever comes later begins with those who were served least.
            least = min((served.get(each.person, 0) for each in self.waiting.values()), default=0)
            served[taken.person] = max(served.get(taken.person, 0), least) + 1
        return taken

    def ahead_of(self, key: Hashable) -> int:
        """How many entries will be sent before this one, about: those of its kind that came before it."""
        kind, ahead = self.waiting[key].kind, 0
        for other, each in self.waiting.items():
            if other == key:
                break
            ahead += each.kind <= kind
        return ahead


class _Resting(NamedTuple, Generic[T]):
    """What has failed, until it is tried again."""

    what: Waiting[T]
    timer: asyncio.TimerHandle


class Lanes(Generic[T]):
    """The lanes of all chats; each empties itself in a task of its own."""

    def __init__(
        self, deliver: Callable[[Chat, Hashable, T], Awaitable[None]], pace: Pace, *, most: int = 10_000
    ) -> None:
        """No lanes yet.

        Args:
            deliver: Makes one call to Telegram for an entry (chat, key, entry); it reports a refusal by `refused`,
                and brings what failed back by `put_back`.
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
        self._resting: dict[tuple[Chat, Hashable], _Resting[T]] = {}
        """What has failed and waits to be tried again, by chat and key."""
        self._closed = False

    def __len__(self) -> int:
        """For how many chats something waits or is under way."""
        return len(self._lanes)

    @property
    def waiting(self) -> int:
        """How many entries wait."""
        return sum(len(lane.waiting) for lane in self._lanes.values()) + len(self._resting)

    def entries(self) -> Iterable[T]:
        """What waits."""
        for lane in self._lanes.values():
            for each in lane.waiting.values():
                yield each.entry
        for resting in self._resting.values():
            yield resting.what.entry

    def waiting_for(self, chat: Chat, key: Hashable) -> T | None:
        """The entry that waits for a chat with this key."""
        if (chat, key) in self._resting:
            return self._resting[chat, key].what.entry
        lane = self._lanes.get(chat)
        found = None if lane is None else lane.waiting.get(key)
        return None if found is None else found.entry

    def waits(self, chat: Chat, key: Hashable) -> bool:
        """Whether an entry waits for a chat or is being sent to it."""
        lane = self._lanes.get(chat)
        here = lane is not None and (key in lane.waiting or lane.is_sending(key))
        return here or (chat, key) in self._resting

    def put(self, chat: Chat, key: Hashable, entry: T, kind: Kind, person: int | None = None) -> float | None:
        """Let an entry wait for a chat, in the place of an older one with the same key.

        Returns:
            About how many seconds pass until it is sent: 0.0 where nothing holds it back. None if there is no
            room for it, or nothing is sent any more.
        """
        if self._resting and (resting := self._resting.pop((chat, key), None)) is not None:
            resting.timer.cancel()
            kind = min(kind, resting.what.kind)
        lane = self._lanes.get(chat)
        if lane is None:
            if len(self._lanes) >= self._most or self._closed:
                return None
            now = asyncio.get_running_loop().time()
            at_once = (
                kind is not Kind.UNPROMPTED
                and self._nobody_before(kind)
                and self._pace.begin(chat, now, kind, person)
            )
            lane = self._open(chat, now if at_once else None)
            lane.waiting[key] = Waiting(entry, kind, person)
            return 0.0 if at_once else self._pace.expect(chat, now, kind, person)
        older = lane.waiting.get(key)
        if older is None:
            if len(lane.waiting) >= (LONGEST if kind < Kind.NEW else LONGEST // 2):
                return None
        else:
            kind = min(kind, older.kind)
        lane.waiting[key] = Waiting(entry, kind, person)
        if lane.turn is not None and lane not in self._prompted:
            self._wake(lane)  # it may be sent before what the lane waits for
        ahead = 0 if len(lane.waiting) == 1 else lane.ahead_of(key)
        return self._pace.expect(chat, asyncio.get_running_loop().time(), kind, person, ahead=ahead)

    def expect(self, chat: Chat) -> float:
        """About how many seconds would pass until a tapped board that is put in now is sent."""
        lane = self._lanes.get(chat)
        ahead = 0 if lane is None else sum(each.kind is Kind.TAPPED for each in lane.waiting.values())
        return self._pace.expect(chat, asyncio.get_running_loop().time(), ahead=ahead)

    def wait_to_spare(self, chat: Chat) -> float:
        """Seconds until something may be put in that nobody waits for; infinite while anything waits there."""
        if chat in self._lanes:
            return math.inf
        return self._pace.wait_to_spare(chat, asyncio.get_running_loop().time())

    def put_back(
        self,
        chat: Chat,
        key: Hashable,
        entry: T,
        kind: Kind = Kind.BOARD,
        person: int | None = None,
        *,
        after: float = 0.0,
    ) -> bool:
        """Let an entry that could not be sent wait again, before all others; False if a newer one waits.

        Its kind is that of the entry with this key that is under way in the lane, if one is. With `after` it waits
        so many seconds outside of its lane first, so that it holds up nothing else. Nothing waits once all is
        closed.
        """
        lane = self._lanes.get(chat)
        if self._closed or (lane is not None and key in lane.waiting):
            return False
        what = Waiting(entry, kind, person)
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

    def _again(self, chat: Chat, key: Hashable) -> None:
        """Let what has rested wait in its lane again."""
        self.put(chat, key, *self._resting.pop((chat, key)).what)

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
        for resting in self._resting.values():
            resting.timer.cancel()
        self._resting.clear()
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
            while lane.waiting:
                if lane.begun is not None:
                    key, chosen = next(lane.in_order())
                else:
                    now = time()
                    waits = {key: pace.wait(chat, now, each.kind, each.person) for key, each in lane.in_order()}
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
                    await self._deliver(chat, key, chosen.entry)
                except Exception:  # whatever one entry does, the others of its chat follow
                    log.exception("Delivery failed", extra={"chat_id": chat})
                lane.under_way = None
                its_turn = False
        finally:
            del self._lanes[chat]

    async def _sleep(self, lane: Lane[T], seconds: float) -> None:
        """Wait until the chat takes something again, or something comes that it takes now."""
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
        """Whether no other lane waits longer for the pace of all calls together."""
        if self._woken is not None or self._prompted:
            return False
        return not (kind is Kind.UNPROMPTED and self._unprompted)

    async def _take_turn(self, lane: Lane[T], kind: Kind) -> None:
        """Wait until all calls together leave room for one more, and the lanes before have had theirs."""
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
        """Wake the first lane of those that wait for their turn, if a call may begin, or as soon as it may."""
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

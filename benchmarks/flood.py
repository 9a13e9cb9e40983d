"""How much of Telegram's limits is used, and how much others are delayed, under models of those limits.

The pace, the lanes and the models are the real ones; only the time is virtual, so an hour takes seconds. Besides
each chat in which people play as fast as boards are shown, there are quiet ones. `python -m benchmarks.flood`
prints tables; `tests/benchmarks/test_flood.py` sees to the targets.
"""

import asyncio
import dataclasses
import math
import random
import statistics
from collections import defaultdict
from collections.abc import Callable, Hashable
from functools import cache
from typing import NamedTuple, cast

from telegram import Bot as Telegram
from telegram.error import RetryAfter

from benchmarks import virtual
from bot.delivery.entries import Entry
from bot.delivery.lanes import Lanes
from bot.delivery.pace import Chat, Pace, Priority
from bot.delivery.recovery import Reach, Recovery
from bot.delivery.tasks import Tasks
from bot.metrics import Metrics
from playground.flood import FloodError, Model, Published, Refusal, Silent
from storage.store import Store

LATENCY = 0.05
"""Seconds that a call takes, half of them on its way; give or take two fifths."""
GROUP, PRIVATE = -1, 1
"""The busy chats."""
QUIET = (*range(101, 121), *range(-105, -100))
"""Twenty private chats and five groups."""
QUIET_SECONDS = 6.0
"""In each of them a board changes so often."""
BUSY_GAMES = 4
"""In a busy chat so many boards change, each as soon as it is shown."""


@dataclasses.dataclass
class Seen:
    """The result of a run."""

    shown: defaultdict[Chat, list[float]] = dataclasses.field(default_factory=lambda: defaultdict(list))
    """By chat: when its boards were shown."""
    waits: list[float] = dataclasses.field(default_factory=list)
    """Seconds from the change of a quiet chat's board until it was shown."""
    refusals: int = 0
    into_closed: int = 0
    """Calls made in a chat before the wait that Telegram asked for was over."""


@dataclasses.dataclass(kw_only=True, eq=False)
class Change(Entry):
    """A tapped board, waiting in a lane."""

    by: "Bot"
    at: float

    async def send(self) -> None:
        await self.by.send(self)

    def dropped(self) -> None:
        raise AssertionError(f"there is room for {self}")


class Bot:
    """A bot that only shows boards, and a Telegram that follows a model."""

    def __init__(self, model: Model, busy: int | None) -> None:
        self.seen = Seen()
        self._model = model
        self._busy = busy
        self._chance = random.Random(1)
        self._loop = asyncio.get_running_loop()
        self._closed: dict[Chat, float] = {}
        pace, unused = Pace(), cast("Store", None)
        reach, metrics = Reach(cast("Telegram", None), unused, Tasks()), Metrics()
        self._lanes = Lanes(pace, Recovery(pace, unused, reach, metrics))

    async def play(self, seconds: float) -> None:
        if self._busy is not None:
            for game in range(BUSY_GAMES):
                self._change(self._busy, game)
        for number in range(int(seconds / QUIET_SECONDS) * len(QUIET)):
            await asyncio.sleep(QUIET_SECONDS / len(QUIET))
            self._change(QUIET[number % len(QUIET)], 0)
        await self._lanes.close(0)

    def _change(self, chat: Chat, game: Hashable) -> None:
        at, chat_id = self._loop.time(), int(chat)
        change = Change(
            chat=chat,
            key=game,
            priority=Priority.TAPPED,
            person=None,
            is_send=False,
            chat_id=chat_id,
            by=self,
            at=at,
        )
        self._lanes.put(change)

    async def send(self, entry: Change) -> None:
        """Let Telegram show a change, or refuse it."""
        chat = entry.chat
        self.seen.into_closed += self._loop.time() < self._closed.get(chat, -math.inf)
        way = LATENCY / 2 * self._chance.uniform(0.6, 1.4)
        await asyncio.sleep(way)
        try:
            silence = self._model.check(int(chat), self._loop.time())
        except FloodError as flood:
            await asyncio.sleep(flood.silence + way)
            retry_after = math.ceil(flood.pause)
            self.seen.refusals += 1
            self._closed[chat] = self._loop.time() + retry_after
            raise RetryAfter(retry_after) from None
        await asyncio.sleep(silence + way)
        self.seen.shown[chat].append(self._loop.time())
        if chat == self._busy:
            self._change(chat, entry.key)
        else:
            self.seen.waits.append(self._loop.time() - entry.at)


def simulate(model: Model, seconds: float, busy: int | None) -> Seen:
    """Play for this long under a model, in quiet chats and perhaps a busy one."""

    async def main() -> Seen:
        bot = Bot(model, busy)
        await bot.play(seconds)
        return bot.seen

    return virtual.run(main())


def at_best(model: Model, seconds: float, chat: int) -> list[float]:
    """When a sender who knows the model would show boards in a chat."""
    now, shown = 0.0, []
    while now < seconds:
        try:
            now += model.check(chat, now) + LATENCY
        except FloodError as flood:
            now += flood.silence + flood.pause
        else:
            shown.append(now)
    return shown


@dataclasses.dataclass(frozen=True)
class Trial:
    """A model, a chat in which people play fast, and the target for every part of the time."""

    name: str
    chat: int
    model: Callable[[], Model]
    wanted: float
    """The least share of what a sender who knows the model would show."""
    parts: int = 1
    """The number of ten-minute parts; a model changes only between parts."""


class Outcome(NamedTuple):
    """What a trial found."""

    seen: Seen
    shares: list[tuple[int, int]]
    """By part: the boards shown in the busy chat, and those that a sender who knows the model would show."""

    @property
    def share(self) -> float:
        """The lowest share of all parts."""
        return min(shown / possible for shown, possible in self.shares)


PART = 600.0
CHANGES_GROUP = ((0.0, 20), (600.0, 8), (1200.0, 14), (1800.0, 5), (2400.0, 20))
CHANGES_PRIVATE = ((0.0, 60), (600.0, 20), (1200.0, 60), (1800.0, 10), (2400.0, 30), (3000.0, 60))


def _silent(chat: int, a_minute: int) -> Callable[[], Model]:
    return lambda: Silent(Published(changing={chat: [(0, a_minute)]}))


TRIALS = (
    Trial("published numbers, group", GROUP, Published, 0.8),
    Trial("published numbers, private chat", PRIVATE, Published, 0.8),
    Trial("changing limit, group", GROUP, lambda: Published(changing={GROUP: CHANGES_GROUP}), 0.55, 5),
    Trial("changing limit, private chat", PRIVATE, lambda: Published(changing={PRIVATE: CHANGES_PRIVATE}), 0.6, 6),
    Trial("silent waits, group of 15 a minute", GROUP, _silent(GROUP, 15), 0.8),
    Trial("silent waits, group of 10 a minute", GROUP, _silent(GROUP, 10), 0.8),
    Trial("silent waits, private chat of 40 a minute", PRIVATE, _silent(PRIVATE, 40), 0.8),
    Trial("silent waits, private chat of 20 a minute", PRIVATE, _silent(PRIVATE, 20), 0.8),
)


def attempt(trial: Trial) -> Outcome:
    """Carry out a trial."""
    seconds = trial.parts * PART
    seen = simulate(trial.model(), seconds, trial.chat)
    shown, possible = (
        [sum(PART * part <= time < PART * (part + 1) for time in times) for part in range(trial.parts)]
        for times in (seen.shown[trial.chat], at_best(trial.model(), seconds, trial.chat))
    )
    return Outcome(seen, list(zip(shown, possible, strict=True)))


@cache
def undisturbed() -> Seen:
    """What the quiet chats see without a busy one, which is the same under each model."""
    return simulate(Published(), PART, None)


def after_a_refusal(begin: float, end: float) -> tuple[float, Seen]:
    """Refuse everything for a while; returns the seconds from its end to the first board, and what was seen."""
    seen = simulate(Refusal(begin, end), end + 60.0, GROUP)
    first = min(time for times in seen.shown.values() for time in times if time >= end)
    return first - end, seen


def _waits(seen: Seen) -> str:
    return f"{statistics.median(seen.waits) * 1000:.0f} / {max(seen.waits) * 1000:.0f}"


def main() -> None:
    """Print the tables."""
    print(
        "| model, busy chat | boards a minute | possible | least share | wanted | refusals | into closed chats "
        "| others' wait, median / longest ms | without the busy chat |\n"
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|"
    )
    for trial in TRIALS:
        seen, shares = outcome = attempt(trial)
        shown, possible = (sum(each) / (trial.parts * PART / 60) for each in zip(*shares, strict=True))
        print(
            f"| {trial.name} | {shown:.1f} | {possible:.1f} | {outcome.share:.2f} | {trial.wanted:.2f} "
            f"| {seen.refusals} | {seen.into_closed} | {_waits(seen)} | {_waits(undisturbed())} |",
            flush=True,
        )
    print("\n| everything refused for | first board after its end, s | wanted | refusals | into closed chats |")
    print("|---:|---:|---:|---:|---:|")
    for seconds in (5.4, 20.4, 60.4):
        first, seen = after_a_refusal(120.0, 120.0 + seconds)
        print(f"| {seconds:g} s | {first:.2f} | 2.00 | {seen.refusals} | {seen.into_closed} |", flush=True)


if __name__ == "__main__":
    main()

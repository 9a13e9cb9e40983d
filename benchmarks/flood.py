"""How much of Telegram's limits is used, and how much others are delayed, under models of those limits.

The pace, the lanes and the models are the real ones; only the time is virtual, so an hour takes seconds. Besides
each chat in which people play as fast as boards are shown, there are quiet ones. `python -m benchmarks.flood`
prints a table.
"""

import asyncio
import dataclasses
import math
import random
import statistics
import sys
from collections import defaultdict
from collections.abc import Callable, Hashable

from benchmarks import virtual
from bot.delivery.lanes import Lanes
from bot.delivery.pace import Chat, Kind, Pace
from playground.flood import Changing, FloodError, Model, Published, Refusal, Silent

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


@dataclasses.dataclass(frozen=True)
class Change:
    """A tapped board, waiting in a lane."""

    key: Hashable
    at: float
    kind: Kind = Kind.TAPPED
    for_whom: int | None = None


class Bot:
    """A bot that only shows boards, and a Telegram that follows a model."""

    def __init__(self, model: Model, busy: int | None) -> None:
        self.seen = Seen()
        self._model = model
        self._busy = busy
        self._chance = random.Random(1)
        self._loop = asyncio.get_running_loop()
        self._closed: dict[Chat, float] = {}
        self._lanes: Lanes[Change] = Lanes(self._deliver, Pace())

    async def play(self, seconds: float) -> None:
        """Let boards change for this long."""
        if self._busy is not None:
            for game in range(BUSY_GAMES):
                self._change(self._busy, game)
        for number in range(int(seconds / QUIET_SECONDS) * len(QUIET)):
            await asyncio.sleep(QUIET_SECONDS / len(QUIET))
            self._change(QUIET[number % len(QUIET)], 0)
        await self._lanes.close(0)

    def _change(self, chat: Chat, game: Hashable) -> None:
        """Change a board."""
        self._lanes.put(chat, Change(game, self._loop.time()))

    async def _deliver(self, chat: Chat, change: Change) -> None:
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
            self._lanes.refused(chat, retry_after)
            self._lanes.put_back(chat, change)
            return
        await asyncio.sleep(silence + way)
        self.seen.shown[chat].append(self._loop.time())
        if chat == self._busy:
            self._change(chat, change.key)
        else:
            self.seen.waits.append(self._loop.time() - change.at)


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


@dataclasses.dataclass(frozen=True)
class Outcome:
    """What a trial found."""

    seconds: float
    shown: list[int]
    """Boards shown in the busy chat, by part."""
    possible: list[int]
    """Those that a sender who knows the model would show."""
    refusals: int
    into_closed: int
    waits: list[float]
    """Seconds that the boards of the quiet chats waited."""
    waits_alone: list[float]
    """Likewise without the busy chat."""

    @property
    def share(self) -> float:
        """The lowest share of all parts."""
        return min(shown / possible for shown, possible in zip(self.shown, self.possible, strict=True))


PART = 600.0
CHANGES_GROUP = ((0.0, 20), (600.0, 8), (1200.0, 14), (1800.0, 5), (2400.0, 20))
CHANGES_PRIVATE = ((0.0, 60), (600.0, 20), (1200.0, 60), (1800.0, 10), (2400.0, 30), (3000.0, 60))

TRIALS = (
    Trial("published numbers, group", GROUP, Published, 0.8),
    Trial("published numbers, private chat", PRIVATE, Published, 0.8),
    Trial("changing limit, group", GROUP, lambda: Changing(GROUP, CHANGES_GROUP), 0.55, len(CHANGES_GROUP)),
    Trial(
        "changing limit, private chat",
        PRIVATE,
        lambda: Changing(PRIVATE, CHANGES_PRIVATE),
        0.6,
        len(CHANGES_PRIVATE),
    ),
    Trial("silent waits, group of 15 a minute", GROUP, lambda: Silent(Changing(GROUP, [(0, 15)])), 0.8),
    Trial("silent waits, group of 10 a minute", GROUP, lambda: Silent(Changing(GROUP, [(0, 10)])), 0.8),
    Trial("silent waits, private chat of 40 a minute", PRIVATE, lambda: Silent(Changing(PRIVATE, [(0, 40)])), 0.8),
    Trial("silent waits, private chat of 20 a minute", PRIVATE, lambda: Silent(Changing(PRIVATE, [(0, 20)])), 0.8),
)


def attempt(trial: Trial) -> Outcome:
    """Carry out a trial."""
    seconds = trial.parts * PART
    seen = simulate(trial.model(), seconds, trial.chat)
    possible = at_best(trial.model(), seconds, trial.chat)
    return Outcome(
        seconds,
        _by_part(seen.shown[trial.chat], trial.parts),
        _by_part(possible, trial.parts),
        seen.refusals,
        seen.into_closed,
        seen.waits,
        simulate(trial.model(), seconds, None).waits,
    )


def _by_part(times: list[float], parts: int) -> list[int]:
    return [sum(PART * part <= time < PART * (part + 1) for time in times) for part in range(parts)]


def after_a_refusal(begin: float, end: float) -> tuple[float, Seen]:
    """Refuse everything for a while; returns the seconds from its end to the first board, and what was seen."""
    seen = simulate(Refusal(begin, end), end + 60.0, GROUP)
    first = min(time for times in seen.shown.values() for time in times if time >= end)
    return first - end, seen


async def crowd(people: int = 100) -> list[float]:
    """Let this many people tap at once, each in their own chat; returns the seconds until each is shown."""
    loop = asyncio.get_running_loop()
    shown: list[float] = []

    async def deliver(_chat: Chat, change: Change) -> None:
        await asyncio.sleep(LATENCY)
        shown.append(loop.time() - change.at)

    lanes: Lanes[Change] = Lanes(deliver, Pace())
    for number in range(people):
        chat = number + 1 if number % 2 else -number - 1
        lanes.put(chat, Change("board", loop.time()))
    await lanes.close(60)
    return sorted(shown)


def _waits(waits: list[float]) -> str:
    return f"{statistics.median(waits) * 1000:.0f} / {max(waits) * 1000:.0f}"


def main() -> int:
    """Print the table; returns 1 if a target was missed."""
    print(
        "| model, busy chat | boards a minute | possible | least share | wanted | refusals | into closed chats |",
        end="",
    )
    print(" others' wait, median / longest ms | without the busy chat |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|---:|")
    reached = True
    for trial in TRIALS:
        outcome = attempt(trial)
        minutes = outcome.seconds / 60
        print(
            f"| {trial.name} | {sum(outcome.shown) / minutes:.1f} | {sum(outcome.possible) / minutes:.1f} "
            f"| {outcome.share:.2f} | {trial.wanted:.2f} | {outcome.refusals} | {outcome.into_closed} "
            f"| {_waits(outcome.waits)} | {_waits(outcome.waits_alone)} |",
            flush=True,
        )
        reached &= outcome.share >= trial.wanted and not outcome.into_closed
    print("\n| everything refused for | first board after its end, s | wanted | refusals | into closed chats |")
    print("|---:|---:|---:|---:|---:|")
    for seconds in (5.4, 20.4, 60.4):
        first, seen = after_a_refusal(120.0, 120.0 + seconds)
        print(f"| {seconds:g} s | {first:.2f} | 2.00 | {seen.refusals} | {seen.into_closed} |", flush=True)
        reached &= first <= 2.0 and not seen.into_closed
    waits = asyncio.run(crowd())
    median, late = statistics.median(waits), waits[int(0.95 * len(waits))]
    print("\n| 100 people at once in 100 chats, 50 ms a call | s | wanted |\n|---|---:|---:|")
    print(f"| median | {median:.3f} | 0.2 |\n| 95th of 100 | {late:.3f} | 0.3 |")
    return 0 if reached and median <= 0.2 and late <= 0.3 else 1


if __name__ == "__main__":
    sys.exit(main())

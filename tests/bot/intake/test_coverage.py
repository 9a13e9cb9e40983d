"""What a poller calls handled is handled, however slow anything is, and nothing slow holds up all else."""

import asyncio
import json
import math
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import patch

import pytest
from telegram import Bot
from telegram.error import NetworkError, TimedOut

from bot.background.clock import caught_up
from bot.intake.polling import Poller
from bot.intake.updates import Intake
from bot.metrics import Metrics
from bot.network.transport import Transport

pytestmark = pytest.mark.virtual_time

ON_ITS_WAY = 0.04
Arrivals = Sequence[tuple[float, float]]
"""When Telegram gets each update, and how many seconds it takes to handle it."""


class Telegram:
    """Has updates from the moment at which each arrives, until an offset confirms it."""

    def __init__(
        self, arrivals: Arrivals, *, out: tuple[float, float] = (0, 0), silent: tuple[float, float] = (0, 0)
    ) -> None:
        """`out` and `silent` say from when until when it refuses, and doesn't answer."""
        self.arrivals = arrivals
        self.done: set[int] = set()
        self._out = out
        self._silent = silent

    async def call(self, _url: str, body: bytes, patience: float) -> list[dict[str, Any]]:
        asked, clock = json.loads(body), asyncio.get_running_loop().time
        began = clock()
        await asyncio.sleep(ON_ITS_WAY)
        until = clock() + asked["timeout"]
        while True:
            if self._out[0] <= clock() < self._out[1]:
                raise NetworkError("no route")
            if self._silent[0] <= clock() < self._silent[1]:
                await asyncio.sleep(began + patience - clock())
                raise TimedOut
            if (found := self._had(clock(), asked["offset"])) or clock() >= until:
                break
            await asyncio.sleep(0.01)
        await asyncio.sleep(ON_ITS_WAY)
        return [{"update_id": number} for number in found[: asked["limit"]]]

    def _had(self, now: float, offset: int) -> list[int]:
        return [number for number, (at, _) in enumerate(self.arrivals, 1) if at <= now and number >= offset]

    def begin(self, update: dict[str, Any]) -> asyncio.Task[None] | None:
        number = update["update_id"]
        return None if number in self.done else asyncio.create_task(self._handle(number))

    async def _handle(self, number: int) -> None:
        await asyncio.sleep(self.arrivals[number - 1][1])
        self.done.add(number)


@asynccontextmanager
async def polling(telegram: Telegram) -> AsyncIterator[Poller]:
    loop, stopping = asyncio.get_running_loop(), asyncio.Event()
    with patch.object(time, "monotonic", loop.time):
        bot = cast("Bot", SimpleNamespace(base_url=""))
        poller = Poller(
            bot, cast("Transport", telegram), cast("Intake", telegram), Metrics(), failed=lambda _: None
        )
        running = asyncio.create_task(poller.run(stopping))
        yield poller
        stopping.set()
        await running


def many(count: int, at: float, takes: float = 0.0) -> list[tuple[float, float]]:
    return [(at, takes)] * count


STEADY = [(number / 17, 1.0 if number % 10 == 0 else 0.002) for number in range(17 * 40)]
"""17 updates a second, of which one in ten takes a second."""
ROWS: list[tuple[str, Arrivals, float, float, bool]] = [
    ("nothing comes", [], 5, 7, True),
    ("one that came before is slow", [(4, 10)], 5, 13, False),
    ("one that came before was slow", [(4, 10)], 5, 15, True),
    ("one that came long after is slow", [(7, 60)], 5, 10, True),
    ("one that came long before is slow", [(1, 60)], 5, 30, False),
    ("another one is always slow", [(number / 2, 1.5) for number in range(60)], 5, 8, True),
    ("steady load", STEADY, 5, 8, True),
    ("a full batch", many(100, 4.9), 5, 7, True),
    ("more than a batch, and the last is slow", [*many(150, 4.9), (4.9, 10)], 5, 10, False),
    ("more than a batch, and the last was slow", [*many(150, 4.9), (4.9, 10)], 5, 17, True),
    ("the first of many is slow", [(4.9, 10), *many(150, 4.9)], 5, 10, False),
    ("the first of many was slow", [(4.9, 10), *many(150, 4.9)], 5, 17, True),
    ("more than a batch at the start", [*many(350, -60, 0.3), (5.5, 60)], 5, 9, True),
    ("all batches are full", [(number / 2000, 0.0) for number in range(20_000)], 5, 7, False),
]
"""What comes, when a deadline is due, when the clock has asked for long enough, and whether it may fire then."""


@pytest.mark.parametrize("row", [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
async def test_what_is_covered_is_handled_and_only_what_came_before_a_deadline_holds_it_up(
    row: tuple[Arrivals, float, float, bool],
) -> None:
    arrivals, due, by, fires = row
    telegram, clock = Telegram(arrivals), asyncio.get_running_loop().time
    async with polling(telegram) as poller:
        covered = -math.inf
        while clock() < by:
            await asyncio.sleep(0.1)
            covered = await poller.covered(due) if clock() > due else covered
            came = [number for number, (at, _) in enumerate(arrivals, 1) if at <= covered]
            assert telegram.done.issuperset(came)
    assert (covered > due) is fires


async def test_a_start_under_steady_load_is_soon_caught_up() -> None:
    async with polling(Telegram(STEADY)) as poller:
        await asyncio.wait_for(caught_up(poller), 3)


STUCK: list[tuple[str, Telegram, bool]] = [
    ("one that never ends", Telegram([(-1, math.inf)]), True),
    ("Telegram is out of reach", Telegram([(-1, 0)], out=(0, 400)), False),
    ("and was until just now", Telegram([(-1, math.inf)], out=(0, 100)), False),
]


@pytest.mark.parametrize(("telegram", "ends"), [row[1:] for row in STUCK], ids=[row[0] for row in STUCK])
async def test_patience_ends_once_telegram_keeps_no_tap_that_waited_but_not_while_none_can_be_fetched(
    telegram: Telegram,
    ends: bool,  # noqa: FBT001 - a column of the table
) -> None:
    async with polling(telegram) as poller:
        waiting = asyncio.create_task(caught_up(poller))
        await asyncio.sleep(155)
        assert waiting.done() is ends
        assert (poller.patience < math.inf) is ends
        waiting.cancel()


async def test_a_fetch_that_fails_once_leaves_nobody_unheard_until_there_is_news() -> None:
    async with polling(Telegram([], out=(10, 10.1))) as poller:
        await asyncio.sleep(12)
        assert await poller.heard() > 11


async def test_a_wait_for_news_that_is_cut_short_and_was_in_vain_counts_as_unheard() -> None:
    async with polling(Telegram([], silent=(5, 40))) as poller:
        await asyncio.sleep(20)
        await poller.covered(20)
        await asyncio.sleep(11)
        assert await poller.heard() <= 5

"""Calls to Telegram in flight; a test can stop each one, release it, or leave it unanswered."""

import asyncio
import math
import time
from collections.abc import Mapping, Sized
from enum import Enum, auto
from typing import Any, Final
from unittest.mock import patch

from telegram.error import NetworkError, TimedOut

from bot.network.transport import HttpAnswer, Transport

AWAITED_SECONDS: Final = 20.0
"""A call whose answer does not come so soon counts as unanswered."""
UNDER_WAY_SECONDS: Final = 28.0
"""No call is under way for longer."""
MOST_ROUNDS: Final = 30
IDLE_ROUNDS: Final = 3
"""How often a loop turns until everything counts as still."""
FETCH_ROUNDS: Final = 200
"""How often it looks whether a fetch has arrived that is on its way."""
ANSWER: Final = "answerCallbackQuery"
EDIT: Final = "editMessageText"
SEND: Final = "sendMessage"


class Point(Enum):
    """Where a call can be stopped."""

    BEFORE = auto()
    """Its process is stopped before making it."""
    UNDER_WAY = auto()
    """It has left, but Telegram hasn't carried it out."""
    ANSWERED = auto()
    """Telegram has carried it out, and its answer is on the way."""


class Call:
    """One call to Telegram on its way."""

    def __init__(self, bot: object, method: str, parameters: dict[str, Any]) -> None:
        self.bot = bot
        self.method = method
        self.parameters = parameters
        self.at: Point | None = None
        """Where it is stopped."""
        self.left_at = 0.0
        """When it left, by the world's clock."""
        self.answer: asyncio.Future[HttpAnswer] = asyncio.get_running_loop().create_future()
        self._go = asyncio.Event()

    async def stop(self, point: Point) -> None:
        self.at = point
        self._go.clear()
        await self._go.wait()

    def let_go(self) -> None:
        self.at = None
        self._go.set()

    def lose_answer(self) -> None:
        """Let its bot give up waiting; the call may still be carried out if it has left."""
        if not self.answer.done():
            self.answer.set_exception(TimedOut())


class Clock:
    """This process's clock, which can be set forward and slowed down."""

    def __init__(self) -> None:
        self.ahead = 0.0
        """By how many seconds the time of day is wrong, as an administrator may set it."""
        self._skipped = 0.0
        self._factor = 1.0
        self._true = time.monotonic
        wall, monotonic = time.time(), self._true()
        self._since = monotonic
        self._patches = (
            patch.object(time, "time", lambda: wall + self.ahead + self._passed()),
            patch.object(time, "monotonic", lambda: monotonic + self._passed()),  # also the loop's
            patch.object(time, "perf_counter", lambda: monotonic + self._passed()),
        )
        for each in self._patches:
            each.start()

    def now(self) -> float:
        return time.time()

    def skip(self, seconds: float) -> None:
        self._skipped += seconds

    def slow_down(self, factor: float) -> None:
        """From now on, let this many real seconds count as one, so that a busy machine causes no delay here."""
        self._skipped, self._since = self._passed(), self._true()
        self._factor = factor

    def stand_still(self) -> None:
        """From now on, let only skipped time count; not with PostgreSQL, where a held row is waited for."""
        self.slow_down(math.inf)

    def _passed(self) -> float:
        return self._skipped + (self._true() - self._since) / self._factor

    def stop(self) -> None:
        for each in self._patches:
            each.stop()


class Flights:
    """The calls of all of a world's bots to its playground."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.fetches = False
        """Whether a bot fetches its updates by itself."""
        self._busy = 0
        self._idle = asyncio.Event()
        self.calls: list[Call] = []
        """Calls that are on their way, stopped or not."""
        self._holds: list[tuple[object, str, Point]] = []
        self._wire = Transport()
        self._flights: set[asyncio.Task[None]] = set()

    @property
    def busy(self) -> int:
        """Transactions, calls and threads that are not stopped and not over."""
        return self._busy

    @busy.setter
    def busy(self, number: int) -> None:
        self._busy = number
        if number:
            self._idle.clear()
        else:
            self._idle.set()

    async def still(self) -> None:
        """Return once everything is either stopped or waiting for time to pass.

        That is so when nothing is under way, and the loop has nothing to do three times in a row. Bots that fetch
        their updates get thirty rounds, once their fetch waits for news or nothing comes of it.
        """
        for _ in range(FETCH_ROUNDS):
            if not self.fetch_is_on_its_way():
                break
            await asyncio.sleep(0.001)
        calm = idle = 0
        ready: Sized = asyncio.get_running_loop()._ready  # type: ignore[attr-defined]  # noqa: SLF001 - it shows nowhere else
        while calm < MOST_ROUNDS and (self.fetches or idle < IDLE_ROUNDS):
            calm = calm + 1 if not self.busy else 0
            await (asyncio.sleep(0) if calm else self._idle.wait())
            idle = idle + 1 if calm and not ready else 0

    def fetch_is_on_its_way(self) -> bool:
        """Whether a fetch has not reached Telegram yet, or its answer not the bot."""
        return False

    def release(self) -> None:
        self._holds.clear()

    def hold(self, bot: object, method: str, point: Point) -> None:
        """Stop a bot's next call of a method at a point, or a call that is stopped earlier."""
        self._holds = [entry for entry in self._holds if entry[:2] != (bot, method)]
        self._holds.append((bot, method, point))

    def stopped(self, bot: object = None, method: str | None = None) -> list[Call]:
        return [
            call
            for call in self.calls
            if call.at is not None and bot in (None, call.bot) and method in (None, call.method)
        ]

    def stopped_call(self, bot: object, method: str = EDIT) -> Call:
        (call,) = self.stopped(bot, method)
        return call

    async def fly(self, call: Call, url: str, body: bytes, **rest: Any) -> HttpAnswer:  # noqa: ANN401 - of the network's
        self.calls.append(call)
        point = self._point_of(call)
        if point is Point.BEFORE:
            await self._stop(call, point)
            point = self._point_of(call)
        call.left_at = self.clock.now()
        flight = asyncio.ensure_future(self._carry(call, point, url, body, rest))
        self._flights.add(flight)
        flight.add_done_callback(self._flights.discard)
        self.busy -= 1  # the call counts as under way unless it's stopped
        try:
            return await call.answer
        finally:
            self.busy += 1

    async def _carry(
        self, call: Call, point: Point | None, url: str, body: bytes, rest: Mapping[str, Any]
    ) -> None:
        self.busy += 1
        try:
            if point is Point.UNDER_WAY:
                await self._stop(call, point)
            answer = await self._wire.exchange(url, body, **rest)
            if point is Point.ANSWERED:
                await self._stop(call, point)
        except NetworkError as error:
            if not call.answer.done():
                call.answer.set_exception(error)
        else:
            if not call.answer.done():
                call.answer.set_result(answer)
        finally:
            self.busy -= 1
            if call in self.calls:
                self.calls.remove(call)

    async def _stop(self, call: Call, point: Point) -> None:
        self.busy -= 1
        try:
            await call.stop(point)
        finally:
            self.busy += 1

    def _point_of(self, call: Call) -> Point | None:
        for entry in self._holds:
            if entry[:2] == (call.bot, call.method):
                self._holds.remove(entry)
                return entry[2]
        return None

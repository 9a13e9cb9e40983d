"""Complete bots inside the test's process, on one database and one playground.

Each is made as `python -m bot` makes its own, and its calls reach the playground over HTTP. Every call can be
stopped on its way, and each transaction can be the last that a bot sees. A bot that is served fetches its updates
and does everything by itself; of any other, the test begins each thing: what the clock would begin (the sweep, the
hold, what is written back a moment later), and which updates it takes. Time is skipped.
"""

from __future__ import annotations

import asyncio
import json
import socket
import time
from collections.abc import Callable, Coroutine, Mapping
from random import Random
from typing import Any, Concatenate, Final, ParamSpec, TypeVar

from sqlalchemy import URL, Connection, event

from bot.background.clock import Deadlines
from bot.background.jobs import hold, sweep
from bot.context.feature import Features
from bot.delivery.tasks import Tasks
from bot.dispatch import FEATURES
from bot.game.attempt import TimeLimits
from bot.intake.updates import Intake
from bot.metrics import Metrics
from bot.network.transport import JSON, HttpAnswer, Transport
from bot.run import Options, serve
from bot.settings import Settings
from bot.wiring import Ground, close_delivery, make, open_socket
from bot.workers.pool import Job, Workers
from playground import Playground
from playground.updates import Queued
from storage.clock import go_on
from storage.errors import Refused
from storage.games.boards import Sent
from storage.games.record import Changed, Decision, Record
from storage.games.versions import Stored
from storage.once import Once
from storage.people.person import Person
from storage.settings import Secret
from storage.store import Store
from tests.flights import Call, Flights, Point

P = ParamSpec("P")
R = TypeVar("R")

LIMITS: Final = TimeLimits()
FREE: Final = {"CALLS_PER_SECOND": "0", "EDITS_PER_MINUTE": "0"}
"""Settings of a bot that paces nothing."""


class Timers(Tasks):
    """Work that should begin a moment later, and begins when the test says so."""

    def __init__(self) -> None:
        super().__init__()
        self.due: list[tuple[float, Callable[[], Coroutine[None, None, None]]]] = []

    def later(self, seconds: float, work: Callable[[], Coroutine[None, None, None]]) -> None:
        self.due.append((seconds, work))


class CountedStore(Store):
    """A database; each transaction is a step of its bot."""

    def __init__(self, bot: Bot, url: URL, observe: Callable[[float, int], None]) -> None:
        super().__init__(url, observe=observe)
        self._bot = bot
        self._writes = 0
        event.listen(self._engine, "before_cursor_execute", self._note)

    def _note(self, _connection: Connection, _cursor: object, statement: str, *_: object) -> None:
        self._writes += not statement.startswith(("SELECT", "SET", "INSERT INTO done"))

    async def change(
        self,
        game_id: int,
        decide: Callable[[Record], Decision],
        by: Person | None = None,
        once: Once | None = None,
    ) -> Changed:
        return await self._bot.between("changes a game", super().change(game_id, decide, by, once))

    async def settle(self, sent: Sent) -> bool:
        return await self._bot.between("stores a message", super().settle(sent))

    async def store_again(self, board_id: int, wanted: int | None = None) -> Stored | None:
        return await self._bot.between("raises a board", super().store_again(board_id, wanted))

    async def run(self, work: Callable[Concatenate[Connection, P], R], *args: P.args, **kwargs: P.kwargs) -> R:
        def watched(connection: Connection) -> R:
            before = self._writes
            try:
                return work(connection, *args, **kwargs)
            except Refused as refused:
                if self._writes != before:
                    raise AssertionError("something was written before that was refused") from refused
                raise

        return await self._bot.between("runs some SQL", super().run(watched))

    async def close(self) -> None:
        await asyncio.to_thread(self._reader.shutdown, cancel_futures=True)
        await super().close()

    async def _look(self, work: Callable[[Connection], R]) -> R:
        """Read something; that's no step, since nobody can tell whether it was read."""
        return await self._bot.unseen(super()._look(work))


class CountedWorkers(Workers):
    """Worker processes; each job is a step of its bot."""

    def __init__(self, bot: Bot, metrics: Metrics) -> None:
        super().__init__(metrics)
        self._bot = bot

    async def run(self, job: Job[R]) -> R:
        return await self._bot.between("thinks", super().run(job))


class Air(Transport):
    """The calls of one bot, which pass through the test."""

    def __init__(self, bot: Bot, proxy: Secret | None) -> None:
        super().__init__(proxy)
        self._bot = bot

    async def initialize(self) -> None:
        """Build no client: calls use the world's."""

    async def exchange(self, url: str, body: bytes, *, kind: str = JSON, **rest: Any) -> HttpAnswer:  # noqa: ANN401 - of the network's
        bot = self._bot
        call = Call(bot, url.rpartition("/")[2], json.loads(body) if body and kind == JSON else {})
        return await bot.between(call.method, bot.world.fly(call, url, body, kind=kind, **rest))


class Ear(Transport):
    """What fetches one bot's updates; a killed bot hangs up."""

    def __init__(self, bot: Bot, proxy: Secret | None) -> None:
        super().__init__(proxy)
        self._bot = bot
        self._fetch: asyncio.Future[HttpAnswer] | None = None

    async def initialize(self) -> None:
        """Build a client for a bot that fetches its updates."""
        if self._bot.alone:
            await super().initialize()

    async def exchange(self, url: str, body: bytes, **rest: Any) -> HttpAnswer:  # noqa: ANN401 - of the network's
        self._fetch = asyncio.ensure_future(super().exchange(url, body, **rest))
        try:
            return await self._fetch
        finally:
            if self._bot.dead:
                await _never()

    @property
    def is_fetching(self) -> bool:
        return self._fetch is not None and not self._fetch.done()

    def hang_up(self) -> None:
        if self._fetch is not None:
            self._fetch.cancel()


class Everything:
    """Updates of which none is ever on its way."""

    patience = 0.0

    async def covered(self, wanted: float) -> float:
        return wanted + 1

    async def heard(self) -> float:
        return time.monotonic()


class Bot:
    """One bot."""

    def __init__(
        self,
        world: Flights,
        playground: Playground,
        settings: Mapping[str, str],
        features: Features = FEATURES,
        *,
        alone: bool = False,
    ) -> None:
        """Make a bot that begins its delayed work itself if it is `alone`, to be served."""
        self.world = world
        self.dead = False
        self.dies_at: int | None = None
        """The step that it does not live to see."""
        self.steps: list[str] = []
        """What it has done, a word for each step."""
        self.tasks: set[asyncio.Task[Any]] = set()
        self.timers = Timers()
        self.alone = alone
        self._playground = playground
        self._features = features
        self._stopping = asyncio.Event()
        self._served: asyncio.Task[None] | None = None
        self._listener: socket.socket | None = None
        read = self._settings = Settings.of({"BOT_API_URL": playground.url, **settings})
        self._make(read)

    def _make(self, settings: Settings) -> None:
        ear = Ear(self, settings.proxy)
        ground = Ground(
            lambda url, observe: CountedStore(self, url, observe),
            lambda proxy: Air(self, proxy),
            lambda _: ear,
            lambda metrics: CountedWorkers(self, metrics),
            Tasks if self.alone else lambda: self.timers,
        )
        self._ear = ear
        self.parts = make(settings, self._playground.token, ground, self._features)
        self.services = self.parts.services
        self.services.rng = Random(1)
        self.store, self.metrics = self.services.store, self.services.metrics
        self.telegram = self.parts.app.bot
        self._intake = Intake(self.parts.app)
        self.clock = Deadlines(self.services, Everything())

    async def initialize(self) -> None:
        """Start; what it does from now on counts as steps."""
        await self.parts.app.initialize()
        await self.store.run(go_on, now=int(time.time()))
        self.steps.clear()

    async def serve(self, *, introduces: bool = False) -> None:
        """Let it take updates and do everything by itself; raises what a start does.

        It has a web server only if it takes updates by webhook, and only sends Telegram its commands and
        descriptions, 60 calls, if a test is about that.
        """
        self._listener = open_socket(self._settings) if self.parts.webhook else None
        self._served = asyncio.ensure_future(
            serve(self.parts, Options(set_up=None if introduces else False), self._stopping, self._listener)
        )
        while not (self.parts.health.ready or self._served.done()):  # noqa: ASYNC110 - no event says so
            await asyncio.sleep(0.001)
        if self._served.done():
            await self._served

    # Life and death, step by step.

    async def between(self, what: str, work: Coroutine[Any, Any, R]) -> R:
        """Do some work between two steps; a dead bot gets no further."""
        try:
            await self._step(f"before it {what}")
        except BaseException:
            work.close()
            raise
        failure: Exception | None = None
        self.world.busy += 1
        try:
            result = await work
        except Exception as error:  # noqa: BLE001 - the dead hear of no error either
            failure = error
        finally:
            self.world.busy -= 1
        await self._step(f"after it {what}")
        if failure is not None:
            raise failure
        return result

    async def unseen(self, work: Coroutine[Any, Any, R]) -> R:
        """Do some work that nobody else can notice; a killed process does nothing."""
        self.world.busy += 1
        try:
            return await work
        finally:
            self.world.busy -= 1
            if self.dead:
                await _never()

    async def _step(self, what: str) -> None:
        if self.dies_at is not None and len(self.steps) == self.dies_at:
            self.kill()
        if self.dead:
            await _never()
        self.steps.append(what)

    def kill(self) -> None:
        """Stop everything, as SIGKILL does; calls that have left are on their way."""
        self.dead = True
        self.timers.due.clear()
        self._ear.hang_up()
        for call in self.world.stopped(self):
            if call.at is Point.BEFORE:
                self.world.calls.remove(call)

    @property
    def fetching(self) -> bool:
        """Whether it asks for updates."""
        return self._ear.is_fetching

    async def stop(self) -> None:
        self._stopping.set()
        closing = self._served or asyncio.ensure_future(self._stop())
        while not closing.done():
            await self.world.still()
            self.world.clock.skip(0.3)
            await asyncio.sleep(0)
        await closing
        self.kill()

    async def _stop(self) -> None:
        await self.services.computer.hand_over()
        self.services.workers.close()
        await self.services.computer.close()
        await close_delivery(self.services, 1)

    async def close(self) -> None:
        await self._ear.shutdown()
        if self._listener is not None:
            self._listener.close()
        await self.store.close()

    # Incoming updates, and what a clock would start.

    def take(self, queued: Queued) -> asyncio.Task[None]:
        """Deliver an update, as a webhook does; Telegram drops it once it is handled."""
        return self._begin(self._take(queued))

    async def poll(self, queued: Queued) -> None:
        task = self._intake.begin(queued.body)
        if task is not None:
            await task

    async def _take(self, queued: Queued) -> None:
        task = self._intake.begin(queued.body, comes_again=True)
        if task is not None:
            await asyncio.shield(task)
        if self._intake.is_done(queued.body["update_id"]) and not self.dead:
            self._playground.world.updates.remove(queued)

    async def sweep(self) -> None:
        await self.do(self._sweep())

    async def _sweep(self) -> None:
        while await sweep(self.services):
            pass

    async def hold(self) -> None:
        await self.do(hold(self.services))

    async def look(self) -> None:
        await self.do(self._look())

    async def _look(self) -> None:
        await self.clock.look()
        await self.services.computer.look()
        for routine in self.services.features.routines:
            if routine.name in ("Pairing", "Cups", "Planned cups"):
                await routine.step(self.services, self.clock.beat)

    async def fire(self, most: float = 10.0) -> None:
        """Start delayed work: what was shown is written back, and boards are shown again."""
        due, self.timers.due = self.timers.due, []
        for seconds, work in due:
            if seconds > most:
                self.timers.due.append((seconds, work))
            else:
                self._begin(work())
        await self.world.still()

    async def do(self, work: Coroutine[Any, Any, object]) -> None:
        self._begin(work)
        await self.world.still()

    def _begin(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        task = asyncio.ensure_future(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return task


async def _never() -> None:
    await asyncio.get_running_loop().create_future()

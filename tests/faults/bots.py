"""Complete bots inside the test's process, on one database and one playground; the test controls every step.

Each bot has its own connection to the database, its own intake, handlers and publisher, and its calls reach the
playground over HTTP. Every call can be stopped on its way, each transaction can be the last that a bot sees, and
what a clock would begin (the sweep, the hold, what is written back a moment later) is begun by the test. Time is
skipped.
"""

from __future__ import annotations

import asyncio
import copy
import json
from collections.abc import Callable, Coroutine
from random import Random
from typing import TYPE_CHECKING, Any, Concatenate, Final, ParamSpec, TypeVar
from unittest.mock import patch

from sqlalchemy import URL, Connection
from telegram import Update

from bot import wiring as application
from bot.background.clock import Clock
from bot.context.services import Admins, OwnName, RecentPeople, Services
from bot.delivery import publisher as publishing
from bot.delivery.messages import Calls
from bot.delivery.pace import Pace
from bot.delivery.publisher import Publisher
from bot.delivery.sweep import sweep
from bot.delivery.tasks import Tasks
from bot.features import inline
from bot.game.attempt import TimeLimits
from bot.intake.polling import PollingTransport
from bot.intake.updates import Intake, strip_payload
from bot.metrics import Metrics
from bot.network.transport import JSON, Answer, Transport
from bot.workers.pool import Job, Workers
from playground.updates import Queued
from storage.games.boards import Sent
from storage.games.record import Changed, Decision, Record
from storage.games.versions import Stored
from storage.people.person import Person
from storage.store import Store
from tests.faults.flights import Call, Point

if TYPE_CHECKING:  # these modules are one world, told in three files
    from tests.faults.house import House

P = ParamSpec("P")
R = TypeVar("R")

LIMITS: Final = TimeLimits(challenge=48 * 3600, move=72 * 3600, computer=30 * 24 * 3600)


class Timers(Tasks):
    """Work that should begin a moment later, and begins when the test says so."""

    def __init__(self) -> None:
        super().__init__()
        self.due: list[tuple[float, Callable[[], Coroutine[None, None, None]]]] = []

    def later(self, seconds: float, work: Callable[[], Coroutine[None, None, None]]) -> None:
        """Keep some work for the test to begin."""
        self.due.append((seconds, work))


class CountedStore(Store):
    """A database; each transaction is a step of its bot."""

    def __init__(self, url: URL, bot: InProcess) -> None:
        super().__init__(url)
        self._bot = bot

    async def change(
        self,
        game_id: int,
        decide: Callable[[Record], Decision[R]],
        update_id: int | None = None,
        by: Person | None = None,
    ) -> Changed[R | None]:
        """Change a game between two steps."""
        return await self._bot.between("changes a game", super().change(game_id, decide, update_id, by))

    async def settle(self, sent: Sent) -> bool:
        """Remember which message is a board between two steps."""
        return await self._bot.between("stores a message", super().settle(sent))

    async def store_next(self, board_id: int, wanted: int | None = None) -> Stored | None:
        """Store a board's next version between two steps."""
        return await self._bot.between("raises a board", super().store_next(board_id, wanted))

    async def run(self, work: Callable[Concatenate[Connection, P], R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Run some SQL between two steps."""
        return await self._bot.between("runs some SQL", super().run(work, *args, **kwargs))

    async def _look(self, work: Callable[[Connection], R]) -> R:
        """Read something; that's no step, since nobody can tell whether it was read."""
        return await self._bot.unseen(super()._look(work))


class CountedWorkers(Workers):
    """Worker processes; each job is a step of its bot."""

    def __init__(self, metrics: Metrics, bot: InProcess) -> None:
        super().__init__(metrics)
        self._bot = bot

    async def run(self, job: Job[R]) -> R:
        """Do a job between two steps."""
        return await self._bot.between("thinks", super().run(job))


class Air(Transport):
    """The calls of one bot, which pass through the test."""

    def __init__(self, bot: InProcess) -> None:
        super().__init__()
        self._bot = bot

    async def initialize(self) -> None:
        """Build no client: calls use the house's."""

    async def exchange(self, url: str, body: bytes, *, kind: str = JSON, **rest: Any) -> Answer:  # noqa: ANN401 - of the network's
        """Make a call, which stops wherever the test wants."""
        bot = self._bot
        call = Call(bot, url.rpartition("/")[2], json.loads(body) if body and kind == JSON else {})
        return await bot.between(call.method, bot.house.fly(call, url, body, kind=kind, **rest))


class NoPolling(PollingTransport):
    """Replaces the fetching of updates: the test delivers them instead."""

    async def initialize(self) -> None:
        """Build no client."""


class Everything:
    """Updates of which none is ever on its way."""

    patience = 0.0

    async def covered(self, wanted: float) -> float:
        """All that is asked for."""
        return wanted + 1


class InProcess:
    """One bot."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.dead = False
        self.dies_at: int | None = None
        """The step that it does not live to see."""
        self.steps: list[str] = []
        """What it has done, a word for each step."""
        self.tasks: set[asyncio.Task[Any]] = set()
        token = house.playground.token
        transport = Air(self)
        self._transports = (transport, polling := NoPolling())
        self.store = CountedStore(house.url, self)
        self.telegram = application.connect(token, house.playground.url, transport, polling)
        self.timers = Timers()
        self.metrics = Metrics()
        workers = CountedWorkers(self.metrics, self)
        pace = Pace(edits_per_minute=house.edits_per_minute)
        with patch.object(publishing, "Tasks", lambda: self.timers):
            calls = Calls(transport, self.telegram.base_url)
            self.publisher = Publisher(
                self.telegram, calls, self.store, pace=pace, metrics=self.metrics, workers=workers
            )
        self.services = Services(
            store=self.store,
            publisher=self.publisher,
            rng=Random(1),
            limits=LIMITS,
            key=inline.signing_key(token),
            admins=Admins(self.telegram),
            own_name=OwnName(self.telegram),
            recent=RecentPeople(),
            failures={},
            metrics=self.metrics,
            workers=workers,
        )
        self._app = application.build(self.telegram, self.services)
        self._intake = Intake(self._app)
        self.clock = Clock(self.services, Everything())

    async def initialize(self) -> None:
        """Start; what it does from now on counts as steps."""
        await self._app.initialize()
        self.steps.clear()

    # Life and death, step by step.

    async def between(self, what: str, work: Coroutine[Any, Any, R]) -> R:
        """Do some work between two steps; a dead bot gets no further."""
        try:
            await self._step(f"before it {what}")
        except BaseException:
            work.close()
            raise
        failure: Exception | None = None
        self.house.busy += 1
        try:
            result = await work
        except Exception as error:  # noqa: BLE001 - the dead hear of no error either
            failure = error
        finally:
            self.house.busy -= 1
        await self._step(f"after it {what}")
        if failure is not None:
            raise failure
        return result

    async def unseen(self, work: Coroutine[Any, Any, R]) -> R:
        """Do some work that nobody else can notice; a killed process does nothing."""
        self.house.busy += 1
        try:
            return await work
        finally:
            self.house.busy -= 1
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
        for call in self.house.stopped(self):
            if call.at is Point.BEFORE:
                self.house.calls.remove(call)

    async def stop(self) -> None:
        """Stop it as SIGTERM does."""
        closing = asyncio.ensure_future(self._stop())
        while not closing.done():
            await self.house.still()
            self.house.clock.skip(0.3)
            await asyncio.sleep(0)
        await closing
        self.kill()

    async def _stop(self) -> None:
        await self.services.computer.hand_over()
        self.services.workers.close()
        await self.services.computer.close()
        await self.publisher.close(1)

    async def close(self) -> None:
        """Close its connections; its worker processes have ended by then."""
        for transport in self._transports:
            await transport.shutdown()
        await self.store.close()

    # Incoming updates, and what a clock would start.

    def take(self, queued: Queued) -> asyncio.Task[None]:
        """Deliver an update, as a webhook does; Telegram drops it once it is handled."""
        return self._begin(self._take(queued))

    async def poll(self, queued: Queued) -> None:
        """Give it an update that it has fetched itself."""
        task = self._intake.begin(self._parsed(queued))
        if task is not None:
            await task

    def _parsed(self, queued: Queued) -> Update:
        body = copy.deepcopy(queued.body)
        strip_payload(body)
        return Update.de_json(body, self.telegram)

    async def _take(self, queued: Queued) -> None:
        update = self._parsed(queued)
        task = self._intake.begin(update, comes_again=True)
        if task is not None:
            await asyncio.shield(task)
        if self._intake.is_done(update.update_id) and not self.dead:
            self.house.playground.world.updates.remove(queued)

    async def sweep(self) -> None:
        """One round of the sweep, and its consequences."""
        await self.do(self._sweep())

    async def _sweep(self) -> None:
        while await sweep(self.store, self.publisher):
            pass

    async def hold(self) -> None:
        """One renewal of the hold on waiting boards."""
        await self.do(self.publisher.keep_in_step())

    async def look(self) -> None:
        """One look at the deadlines, and its consequences."""
        await self.do(self.clock.look())

    async def fire(self, most: float = 10.0) -> None:
        """Start delayed work: what was shown is written back, and boards are shown again."""
        due, self.timers.due = self.timers.due, []
        for seconds, work in due:
            if seconds > most:
                self.timers.due.append((seconds, work))
            else:
                self._begin(work())
        await self.house.still()

    async def do(self, work: Coroutine[Any, Any, object]) -> None:
        """Do some work, and everything that follows from it."""
        self._begin(work)
        await self.house.still()

    def _begin(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        task = asyncio.ensure_future(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return task


async def _never() -> None:
    await asyncio.get_running_loop().create_future()

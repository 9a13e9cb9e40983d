"""Complete bots inside the test's process, on one database and one playground, whose every step is in its hands.

Each bot has its own connection to the database, its own intake, handlers and publisher, and its calls reach the
playground over HTTP. Every call can be stopped on its way, each transaction can be the last that a bot sees, and
what a clock would begin (the sweep, the hold, what is written back a moment later) is begun by the test. Time is
skipped.
"""

from __future__ import annotations

import asyncio
import copy
import json
import logging
import time
from contextlib import asynccontextmanager, contextmanager, suppress
from enum import Enum, auto
from io import StringIO
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final, TypeVar
from unittest.mock import patch

from sqlalchemy import delete, select
from telegram import Update
from telegram.error import NetworkError, TimedOut

from bot import app as application
from bot.context import Services
from bot.delivery import publisher as publishing
from bot.delivery.calls import Calls
from bot.delivery.pace import Pace
from bot.delivery.publisher import Publisher
from bot.delivery.sweep import sweep
from bot.delivery.tasks import Tasks
from bot.delivery.transport import Transport
from bot.game.time_limits import TimeLimits
from bot.handlers import clock, offers
from bot.handlers.admins import Admins
from bot.handlers.recent_people import RecentPeople
from bot.intake.polling import PollingTransport
from bot.intake.tapped import lighten
from bot.intake.updates import Intake, Outcome
from bot.metrics import Metrics
from bot.thinking.workers import Workers
from bot.views.boards import board_view
from playground.texts import formatted
from storage import games
from storage.database import connect, parse_url
from storage.errors import CorruptGame
from storage.migrate import migrate
from storage.schema import BOARDS, CHATS, GAMES, MEETINGS, MESSAGES, OUTBOX, PAUSES, PEOPLE
from storage.store import Store
from tests.e2e.privacy import told_of_people

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping

    from sqlalchemy import URL, Connection

    from bot.delivery.connections import Answer
    from bot.thinking.workers import Job
    from playground import Playground
    from playground.messages import Message
    from playground.updates import Queued
    from storage.board import Board
    from storage.board_messages import Sent
    from storage.game import Game
    from storage.record import Changed, Decision, Record

R = TypeVar("R")

LIMITS: Final = TimeLimits(challenge=48 * 3600, move=72 * 3600, computer=30 * 24 * 3600)
AWAITED_SECONDS: Final = 20.0
"""A call whose answer does not come so soon counts as unanswered."""
UNDER_WAY_SECONDS: Final = 28.0
"""No call is under way for longer."""
ANSWER: Final = "answerCallbackQuery"
EDIT: Final = "editMessageText"
SEND: Final = "sendMessage"


class Point(Enum):
    """Where a call can be stopped."""

    BEFORE = auto()
    """Its process stands still before it."""
    UNDER_WAY = auto()
    """It has left, and Telegram has not carried it out."""
    ANSWERED = auto()
    """Telegram has carried it out, and its answer is on the way."""


class Call:
    """One call to Telegram on its way."""

    def __init__(self, bot: InProcess, method: str, parameters: dict[str, Any]) -> None:
        self.bot = bot
        self.method = method
        self.parameters = parameters
        self.at: Point | None = None
        """Where it is stopped."""
        self.left_at = 0.0
        """When it left, by the house's clock."""
        self.answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._go = asyncio.Event()

    async def stop(self, point: Point) -> None:
        """Stand still until let go."""
        self.at = point
        self._go.clear()
        await self._go.wait()

    def let_go(self) -> None:
        """Go on."""
        self.at = None
        self._go.set()

    def lose_answer(self) -> None:
        """Let its bot give up waiting; what has left may be carried out all the same."""
        if not self.answer.done():
            self.answer.set_exception(TimedOut())


class Timers(Tasks):
    """Work that is to begin a moment later begins when the test says so."""

    def __init__(self) -> None:
        super().__init__()
        self.due: list[tuple[float, Callable[[], Coroutine[None, None, None]]]] = []

    def later(self, seconds: float, work: Callable[[], Coroutine[None, None, None]]) -> None:
        """Keep some work for the test to begin."""
        self.due.append((seconds, work))


class CountedStore(Store):
    """A database each transaction of which is a step of its bot."""

    def __init__(self, url: URL, bot: InProcess) -> None:
        super().__init__(url)
        self._bot = bot

    async def change(
        self, game_id: int, decide: Callable[[Record], Decision[R]], update_id: int | None = None
    ) -> Changed[R | None]:
        """Change a game between two steps."""
        return await self._bot.between("changes a game", super().change(game_id, decide, update_id))

    async def settle(self, sent: Sent) -> bool:
        """Remember which message is a board between two steps."""
        return await self._bot.between("stores a message", super().settle(sent))

    async def run(self, work: Callable[[Connection], R]) -> R:
        """Run some SQL between two steps."""
        return await self._bot.between("runs some SQL", super().run(work))


class CountedWorkers(Workers):
    """Processes that think, each question to which is a step of its bot."""

    def __init__(self, metrics: Metrics, bot: InProcess) -> None:
        super().__init__(metrics)
        self._bot = bot

    async def run(self, job: Job) -> Any:  # noqa: ANN401 - a value of JSON
        """Do a job between two steps."""
        return await self._bot.between("thinks", super().run(job))


class Air(Transport):
    """The calls of one bot, which pass the test."""

    def __init__(self, bot: InProcess) -> None:
        super().__init__()
        self._bot = bot

    async def exchange(self, url: str, body: bytes, **rest: Any) -> Answer:  # noqa: ANN401 - of the network's
        """Make a call, stopped wherever the test wants it."""
        bot = self._bot
        call = Call(bot, url.rpartition("/")[2], json.loads(body) if body else {})
        return await bot.between(call.method, bot.house.fly(call, url, body, **rest))


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
        self._transports = (transport, polling := PollingTransport())
        self.store = CountedStore(house.url, self)
        self.telegram = application.connect(token, house.playground.url, transport, polling)
        self.timers = Timers()
        self.metrics = Metrics()
        pace = Pace(edits_per_minute=house.edits_per_minute)
        with patch.object(publishing, "Tasks", lambda: self.timers):
            calls = Calls(transport, self.telegram.base_url)
            self.publisher = Publisher(self.telegram, calls, self.store, pace, self.metrics)
        self.services = Services(
            store=self.store,
            publisher=self.publisher,
            rng=Random(1),
            limits=LIMITS,
            key=offers.signing_key(token),
            admins=Admins(self.telegram),
            recent=RecentPeople(),
            failures={},
            metrics=self.metrics,
            workers=CountedWorkers(self.metrics, self),
        )
        self._app = application.build(self.telegram, self.services)
        self._intake = Intake(self._app)

    async def initialize(self) -> None:
        """Begin; what it does from now on counts as steps."""
        await self._app.initialize()
        self.steps.clear()

    # Its life, step by step.

    async def between(self, what: str, work: Coroutine[Any, Any, R]) -> R:
        """Do some work between two steps; whoever is dead before one comes no further."""
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

    async def _step(self, what: str) -> None:
        if self.dies_at is not None and len(self.steps) == self.dies_at:
            self.kill()
        if self.dead:
            await _never()
        self.steps.append(what)

    def kill(self) -> None:
        """Let it do nothing any more, as SIGKILL does; what has left is on its way."""
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
        await self.services.workers.close()
        await self.services.computer.close()
        await self.publisher.close(1)

    async def close(self) -> None:
        """Close its connections, and end the processes that think for it."""
        await self.services.workers.close()
        for transport in self._transports:
            await transport.shutdown()
        await self.store.close()

    # What comes to it, and what a clock would begin.

    def take(self, queued: Queued) -> asyncio.Task[None]:
        """Bring it an update, as a webhook does; Telegram forgets that once it is dealt with."""
        return self._begin(self._take(queued))

    async def poll(self, queued: Queued) -> None:
        """Let it have an update that it has fetched itself."""
        task = self._intake.begin(self._parsed(queued))
        if task is not None:
            await task

    def _parsed(self, queued: Queued) -> Update:
        body = copy.deepcopy(queued.body)
        lighten(body)
        return Update.de_json(body, self.telegram)

    async def _take(self, queued: Queued) -> None:
        outcome = await self._intake.take(self._parsed(queued))
        if outcome is Outcome.DONE and not self.dead:
            self.house.playground.world.updates.remove(queued)

    async def sweep(self) -> None:
        """One step of the sweep, and what comes of it."""
        await self._do(sweep(self.store, self.publisher))

    async def hold(self) -> None:
        """One step of the hold on what waits."""
        await self._do(self.publisher.hold())

    async def look(self) -> None:
        """One look at the deadlines, and what comes of it."""
        await self._do(clock.look(self.services))

    async def fire(self, most: float = 10.0) -> None:
        """Begin what was to begin a moment later: what is shown is written back, and shown once more."""
        due, self.timers.due = self.timers.due, []
        for seconds, work in due:
            if seconds > most:
                self.timers.due.append((seconds, work))
            else:
                self._begin(work())
        await self.house.still()

    async def _do(self, work: Coroutine[Any, Any, object]) -> None:
        self._begin(work)
        await self.house.still()

    def _begin(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        task = asyncio.ensure_future(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return task


class Clock:
    """The time of this process, which can be set forward."""

    def __init__(self) -> None:
        self._skipped = 0.0
        wall, monotonic = time.time, time.monotonic
        self._patches = (
            patch.object(time, "time", lambda: wall() + self._skipped),
            patch.object(time, "monotonic", lambda: monotonic() + self._skipped),  # also the event loop's
        )
        for each in self._patches:
            each.start()

    def now(self) -> float:
        """The time, in seconds since 1970."""
        return time.time()

    def skip(self, seconds: float) -> None:
        """Let so much time be over."""
        self._skipped += seconds

    def stop(self) -> None:
        """Show the true time again."""
        for each in self._patches:
            each.stop()


class House:
    """The playground, the database, and the bots on them."""

    def __init__(self, playground: Playground, url: str, edits_per_minute: int | None) -> None:
        self.playground = playground
        self.url = parse_url(url)
        self.engine = connect(self.url, create=False)
        self.edits_per_minute = edits_per_minute
        self.clock = Clock()
        self._before = asyncio.all_tasks()
        self.bots: list[InProcess] = []
        self.mail: list[Queued] = []
        """Updates that were brought to nobody yet."""
        self.busy = 0
        """Transactions and calls that are not stopped and not over."""
        self.calls: list[Call] = []
        """Calls that are on their way, stopped or not."""
        self._holds: list[tuple[InProcess, str, Point]] = []
        self._wire = Transport()
        self._flights: set[asyncio.Task[None]] = set()
        playground.world.updates.on_push = self.mail.append

    async def open(self) -> None:
        """Open the connections that outlive bots."""
        await self._wire.initialize()

    async def start(self) -> InProcess:
        """Start a bot."""
        bot = InProcess(self)
        self.bots.append(bot)
        await bot.initialize()
        return bot

    @property
    def living(self) -> list[InProcess]:
        """The bots that live."""
        return [bot for bot in self.bots if not bot.dead]

    async def close(self) -> None:
        """End everything."""
        for bot in self.bots:
            bot.kill()
        # What the dead began waits for ever.
        tasks = asyncio.all_tasks() - self._before - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for bot in self.bots:
            await bot.close()
        await self._wire.shutdown()
        self.clock.stop()
        self.engine.dispose()

    # Calls.

    def release(self) -> None:
        """Stop nothing more."""
        self._holds.clear()

    def hold(self, bot: InProcess, method: str, point: Point) -> None:
        """Stop the next call of a bot and a method at a point."""
        self._holds = [entry for entry in self._holds if entry[:2] != (bot, method)]
        self._holds.append((bot, method, point))

    def stopped(self, bot: InProcess | None = None, method: str | None = None) -> list[Call]:
        """The calls that are stopped."""
        return [
            call
            for call in self.calls
            if call.at is not None and bot in (None, call.bot) and method in (None, call.method)
        ]

    def stopped_call(self, bot: InProcess, method: str = EDIT) -> Call:
        """The one call of a bot and a method that is stopped."""
        (call,) = self.stopped(bot, method)
        return call

    async def fly(self, call: Call, url: str, body: bytes, **rest: Any) -> Answer:  # noqa: ANN401 - of the network's
        """Bring a call to the playground, and its answer back."""
        self.calls.append(call)
        point = self._point_of(call)
        if point is Point.BEFORE:
            await self._stop(call, point)
        call.left_at = self.clock.now()
        flight = asyncio.ensure_future(self._carry(call, point, url, body, rest))
        self._flights.add(flight)
        flight.add_done_callback(self._flights.discard)
        self.busy -= 1  # the flight counts, as long as it is not stopped
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

    # Time.

    async def still(self) -> None:
        """Return once nothing moves any more but what is stopped, or waits for time to pass."""
        calm = 0
        while calm < 30:
            calm = calm + 1 if not self.busy else 0
            await asyncio.sleep(0 if calm else 0.0005)

    async def skip(self, seconds: float) -> None:
        """Let so much time pass: for that long nobody waits for an answer, nor is a call under way."""
        await self.still()
        then = self.clock.now() + seconds
        for call in [call for call in self.stopped() if call.at is not Point.BEFORE]:
            if then >= call.left_at + AWAITED_SECONDS:
                call.lose_answer()
            if then >= call.left_at + UNDER_WAY_SECONDS:
                call.let_go()
        await self.still()
        self.clock.skip(seconds)
        await self.still()

    async def quiet(self) -> None:
        """Let everything go, and everything that is to begin a moment later begin."""
        self.release()
        for _ in range(20):
            for call in self.stopped():
                call.let_go()
            await self.still()
            for bot in self.living:
                await bot.fire()
            self.clock.skip(3)
            await self.still()
            if not self.stopped() and not any(bot.timers.due for bot in self.living):
                return
        raise AssertionError("it never becomes quiet")

    async def heal(self, *, sweeps: int = 2) -> None:
        """Let nobody act, until each board was swept so often."""
        await self.quiet()
        for number in range(sweeps):
            await self.skip(40)
            first = number % len(self.living)
            for bot in self.living[first:] + self.living[:first]:
                await bot.sweep()
            await self.quiet()

    # The database.

    def vanish(self) -> None:
        """Take the SQLite file away."""
        self.engine.dispose()
        self._file.rename(self._file.with_name("kept.db"))

    def reappear(self) -> None:
        """Bring it back."""
        self._file.with_name("kept.db").rename(self._file)

    @property
    def _file(self) -> Path:
        return Path(self.url.database or "")

    # What people do.

    def brought(self, bot: InProcess) -> None:
        """Bring a bot all updates that wait."""
        mail, self.mail[:] = list(self.mail), []
        for queued in mail:
            bot.take(queued)

    async def given(self, bot: InProcess) -> None:
        """Bring a bot all updates that wait, and let it do what it can."""
        self.brought(bot)
        await self.still()

    async def brought_again(self, bot: InProcess) -> None:
        """Bring a bot everything that Telegram does not know to be dealt with."""
        self.mail.clear()
        for queued in self.playground.world.updates.pending():
            bot.take(queued)
            await self.still()

    # What there is to see.

    def records(self) -> dict[int, Record]:
        """All stored games with their boards; each must replay."""
        # Outside of a transaction, so that no server ends it where this process has to wait for the machine.
        with self.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            ids = connection.execute(select(GAMES.c.id)).scalars().all()
            loaded = games.load_many(connection, ids)
        corrupt = [error for error in loaded.values() if isinstance(error, CorruptGame)]
        assert not corrupt, corrupt
        return {game_id: record for game_id, record in loaded.items() if not isinstance(record, CorruptGame)}

    def newest(self) -> Record:
        """The newest game."""
        records = self.records()
        return records[max(records)]

    def message_of(self, board: Board) -> Message | None:
        """The message that is a board, if it is there."""
        if board.inline_message_id is not None:
            return self.playground.world.inline_messages.get(board.inline_message_id)
        chat = self.playground.world.chats.get(board.chat_id or 0)
        return None if chat is None else chat.messages.get(board.message_id or 0)

    def is_right(self, game: Game, board: Board) -> bool:
        """Whether people see a game on a board as it is."""
        message = self.message_of(board)
        if message is None:
            return False
        view = board_view(game, board, self.playground.bot.username)
        keyboard = [] if view.keyboard is None else json.loads(view.keyboard)["inline_keyboard"]
        text = formatted(view.text, "HTML", None, self.playground.world.user_json)
        return message.keyboard == keyboard and message.text == text.text

    def wrong(self) -> list[Board]:
        """The boards that do not show their game as it is, whatever is stored of them.

        A game that was over when its message was lost is shown no more.
        """
        return [
            board
            for game, boards in self.records().values()
            for board in boards
            if not board.leaving
            and not (game.is_over and board.message_id is None and not board.is_lagging)
            and not self.is_right(game, board)
        ]

    def lagging(self) -> list[Board]:
        """The boards that are not known to be shown as they are."""
        return [board for record in self.records().values() for board in record.boards if board.is_lagging]


@asynccontextmanager
async def house(playground: Playground, url: str, *, edits_per_minute: int | None = 0) -> AsyncIterator[House]:
    """A house without bots, on a database that is made, or emptied."""
    migrate(parse_url(url))
    built = House(playground, url, edits_per_minute)
    with built.engine.begin() as connection:
        for table in (OUTBOX, MESSAGES, BOARDS, GAMES, MEETINGS, CHATS, PEOPLE, PAUSES):
            connection.execute(delete(table))
    playground.world.updates.clear()
    await built.open()
    with _listening() as log:
        try:
            yield built
        finally:
            with suppress(asyncio.CancelledError):
                await built.close()
    assert not told_of_people(playground, log.getvalue())


@contextmanager
def _listening() -> Iterator[StringIO]:
    """All that is logged meanwhile, at every level."""
    log = StringIO()
    handler = logging.StreamHandler(log)
    loggers = [logging.getLogger(name) for name in ("bot", "storage")]
    for logger in loggers:
        logger.addHandler(handler)
        logger.setLevel(logging.DEBUG)
    try:
        yield log
    finally:
        for logger in loggers:
            logger.removeHandler(handler)
            logger.setLevel(logging.NOTSET)


async def _never() -> None:
    await asyncio.get_running_loop().create_future()

"""A house: a playground, a database and bots, whose every step the test controls."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import Executor
from contextlib import asynccontextmanager, contextmanager, suppress
from io import StringIO
from pathlib import Path
from typing import Final, TypeVar
from unittest.mock import patch

from sqlalchemy import delete

from playground import Playground
from playground.messages import Message
from playground.people import Person
from playground.updates import Queued
from storage.database import connect, parse_url
from storage.migrate import migrate
from storage.schema import (
    BOARDS,
    CHATS,
    GAMES,
    MATCHMAKING,
    MEETINGS,
    MESSAGES,
    OUTBOX,
    PAUSES,
    PEOPLE,
    PUZZLES,
    RESULTS,
    TAKEN,
    TALLIES,
)
from tests.e2e.privacy import told_of_people
from tests.faults.bots import InProcess
from tests.faults.counted import compare_results
from tests.faults.crowd import game_on, spare_boards
from tests.faults.flights import AWAITED_SECONDS, UNDER_WAY_SECONDS, Clock, Flights, Point
from tests.faults.sight import Sight
from tests.figures import Figures
from tests.patience import slowness

R = TypeVar("R")

WORDS: Final = ("", "5x5", "ultimate")
"""What is played, in turn, in the words that people type."""

EMPTIED: Final = (
    OUTBOX,
    MESSAGES,
    BOARDS,
    GAMES,
    MATCHMAKING,
    MEETINGS,
    CHATS,
    PEOPLE,
    PAUSES,
    PUZZLES,
    RESULTS,
    TAKEN,
    TALLIES,
)
"""The tables of what people have done in a house before."""


class House(Flights, Sight):
    """The playground, the database, and the bots on them."""

    def __init__(self, playground: Playground, url: str, edits_per_minute: int | None) -> None:
        Flights.__init__(self, Clock())
        self.url = parse_url(url)
        Sight.__init__(self, playground, connect(self.url, create=False))
        self.edits_per_minute = edits_per_minute
        self._before = asyncio.all_tasks()
        self.bots: list[InProcess] = []
        self.mail: list[Queued] = []
        """Updates that were brought to nobody yet."""
        playground.world.updates.on_push = self.mail.append

    async def open(self) -> None:
        """Open the connections that outlive bots, and watch work in threads."""
        await self._wire.initialize()
        loop = asyncio.get_running_loop()
        run = loop.run_in_executor

        def watched(executor: Executor | None, work: Callable[..., R], *arguments: object) -> asyncio.Future[R]:
            self.busy += 1
            future = run(executor, work, *arguments)
            future.add_done_callback(lambda _: self._calm_down())
            return future

        self._watching = patch.object(loop, "run_in_executor", watched)
        self._watching.start()

    async def start(self) -> InProcess:
        """Start a bot."""
        bot = InProcess(self)
        self.bots.append(bot)
        await bot.initialize()
        return bot

    @property
    def living(self) -> list[InProcess]:
        """The live bots."""
        return [bot for bot in self.bots if not bot.dead]

    async def close(self) -> None:
        """End everything."""
        for bot in self.bots:
            bot.kill()
            bot.services.workers.close()
        # What a killed process started never ends, and its cleanup never starts.
        while tasks := asyncio.all_tasks() - self._before - {asyncio.current_task()}:
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks, timeout=0.1)
        for bot in self.bots:
            await bot.close()
        await self._wire.shutdown()
        self._watching.stop()
        self.clock.stop()
        self.engine.dispose()

    def _calm_down(self) -> None:
        self.busy -= 1

    # Time.

    async def still(self) -> None:
        """Return once everything is either stopped or waiting for time to pass."""
        calm = 0
        while calm < 30:
            calm = calm + 1 if not self.busy else 0
            await asyncio.sleep(0 if calm else 0.0005)

    async def skip(self, seconds: float) -> None:
        """Let this much time pass: longer than anybody waits for an answer or a call takes."""
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
        """Release everything, and start all delayed work."""
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
        """While nobody acts, wait until each board was swept this often."""
        await self.quiet()
        for number in range(sweeps):
            await self.skip(40)
            first = number % len(self.living)
            for bot in self.living[first:] + self.living[:first]:
                await bot.sweep()
            await self.quiet()

    async def judge(self, figures: Figures) -> None:
        """Note what is wrong, also after players have tapped each message that shows a game and is no board."""
        spare = spare_boards(self)
        figures.twins += len(spare)
        figures.boards_wrong += len(self.wrong())
        for message in spare:
            if not message.deleted:
                await self.skip(2)  # a second tap in the same moment would not count
                self._player_at(message).press(message, str(message.keyboard[0][0]["callback_data"]))
                await self.given(self.living[0])
                await self.quiet()
        games = [record.game for record in self.records().values()]
        figures.runs += 1
        figures.moves_made += sum(game.ply for game in games)
        figures.boards += len(games)
        figures.boards_wrong += len(self.wrong()) if spare else 0
        figures.twins_unhealed += len(spare_boards(self))
        compare_results(self.engine, games, figures)

    def _player_at(self, message: Message) -> Person:
        """Somebody who plays the game that a message shows, and sees the message."""
        game = self.records()[game_on(message) or 0].game
        people = self.playground.world.people.values()
        return next(each for each in people if game.mark_of(each.id) and each.id in message.chat.members)

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

    # People's actions.

    def brought(self, bot: InProcess) -> None:
        """Deliver all waiting updates to a bot."""
        mail, self.mail[:] = list(self.mail), []
        for queued in mail:
            bot.take(queued)

    async def given(self, bot: InProcess) -> None:
        """Deliver all waiting updates to a bot, and let it do what it can."""
        self.brought(bot)
        await self.still()

    async def brought_again(self, bot: InProcess) -> None:
        """Deliver to a bot every update that Telegram doesn't know to be handled."""
        self.mail.clear()
        for queued in self.playground.world.updates.pending():
            bot.take(queued)
            await self.still()


@asynccontextmanager
async def house(playground: Playground, url: str, *, edits_per_minute: int | None = 0) -> AsyncIterator[House]:
    """A house without bots, on a new or emptied database."""
    migrate(parse_url(url))
    built = House(playground, url, edits_per_minute)
    with built.engine.begin() as connection:
        for table in EMPTIED:
            connection.execute(delete(table))
    playground.world.updates.clear()
    await built.open()
    built.clock.slow_down(slowness())  # what a busy machine delays is still in time
    with _listening() as log:
        try:
            yield built
        finally:
            with suppress(asyncio.CancelledError):
                await built.close()
    assert not told_of_people(playground, log.getvalue())


@contextmanager
def _listening() -> Iterator[StringIO]:
    """Everything that is logged meanwhile, at every level."""
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

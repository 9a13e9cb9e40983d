"""The world of a test: a playground, a database, and bots whose every step the test may control.

    async with world(playground, url) as house:
        await house.serve()                     # a bot that does everything by itself
        board = await ann.ask("/newgame")
        await house.skip(days=1)                # time passes for everybody
        house.living[0].kill()

Where a test is about a process (signals, SIGKILL, proxies, a full disk), see `tests.processes`.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from concurrent.futures import Executor
from contextlib import asynccontextmanager, contextmanager, suppress
from datetime import timedelta
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, TypeVar
from unittest.mock import patch

from sqlalchemy.exc import OperationalError

from bot import logs
from bot.boards import links
from bot.context.feature import Features
from bot.dispatch import FEATURES
from bot.features.puzzle import handlers as puzzle
from playground import Playground
from playground.chats import Chat, Message
from playground.groups import Group
from playground.people import Person
from playground.updates import Queued
from storage.clock import UP
from storage.database import connect, parse_url
from storage.schema import PROGRESS
from storage.upsert import upsert
from tests import leftovers
from tests.bots import FREE, Bot
from tests.carried import game_on
from tests.conftest import EMPTYING
from tests.faults.crowd import spare_boards
from tests.figures import Figures
from tests.flights import AWAITED_SECONDS, UNDER_WAY_SECONDS, Clock, Flights, Point
from tests.patience import quick_commits, slowness
from tests.sight import Sight, compare_results, told_of_people

R = TypeVar("R")

WORDS: Final = ("", "5x5", "ultimate")
"""What is played, in turn, in the words that people type."""


class World(Flights, Sight):
    """The playground, the database, and the bots on them."""

    def __init__(self, playground: Playground, url: str, log: StringIO, **settings: str) -> None:
        Flights.__init__(self, Clock())
        self.url = parse_url(url)
        Sight.__init__(self, playground, connect(self.url, create=False))
        self.settings = {**FREE, "DATABASE_URL": url, **settings}
        self._log = log
        self._before = asyncio.all_tasks()
        self.bots: list[Bot] = []
        self.mail: list[Queued] = []
        """Updates that were brought to nobody yet."""
        playground.world.updates.on_push = self.mail.append

    async def open(self) -> None:
        await self._wire.initialize()
        leftovers.worlds.add(self)
        loop = asyncio.get_running_loop()
        run = loop.run_in_executor

        def watched(executor: Executor | None, work: Callable[..., R], *arguments: object) -> asyncio.Future[R]:
            self.busy += 1
            future = run(executor, work, *arguments)
            future.add_done_callback(lambda _: self._calm_down())
            return future

        self._watching = patch.object(loop, "run_in_executor", watched)
        self._watching.start()

    async def start(self, features: Features = FEATURES) -> Bot:
        bot = Bot(self, self.playground, self.settings, features)
        self.bots.append(bot)
        await bot.initialize()
        return bot

    async def serve(self, *, introduces: bool = False, **settings: str) -> Bot:
        """Start a bot that does everything by itself; raises what a start does."""
        self.playground.world.updates.on_push = None  # it fetches them
        self.fetches = True
        bot = Bot(self, self.playground, {**self.settings, **settings}, alone=True)
        self.bots.append(bot)
        await bot.serve(introduces=introduces)
        return bot

    async def stop(self) -> None:
        for bot in self.living:
            await bot.stop()

    def kill(self) -> None:
        for bot in self.living:
            bot.kill()

    @property
    def living(self) -> list[Bot]:
        return [bot for bot in self.bots if not bot.dead]

    def fetch_is_on_its_way(self) -> bool:
        fetching = any(bot.fetching for bot in self.living)
        return fetching and not self.playground.world.updates.is_awaited

    def logged(self) -> str:
        """Everything that bots have logged at INFO."""
        return self._log.getvalue()

    async def close(self) -> None:
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
        leftovers.worlds.remove(self)
        await self._wire.shutdown()
        self._watching.stop()
        self.clock.stop()
        self.engine.dispose()

    def _calm_down(self) -> None:
        self.busy -= 1

    # Time.

    async def pass_by(self, seconds: float, *, step: float = 1) -> None:
        """Let this much time pass in small steps, so that what follows from one thing follows in it."""
        for _ in range(round(seconds / step)):
            await self.skip(step)

    async def skip(self, seconds: float = 0, *, heard: bool = True, **units: float) -> None:
        """Let this much time pass, such as `minutes=3`; each call in flight takes as long as it can.

        While a bot lives, people are `heard` all the time, as it would note every few seconds.
        """
        seconds += timedelta(**units).total_seconds()
        await self.still()
        then = self.clock.now() + seconds
        for call in [call for call in self.stopped() if call.at is not Point.BEFORE]:
            if then >= call.left_at + AWAITED_SECONDS:
                call.lose_answer()
            if then >= call.left_at + UNDER_WAY_SECONDS:
                call.let_go()
        await self.still()
        self._skip(seconds, heard=heard)
        await self.still()

    def _skip(self, seconds: float, *, heard: bool = True) -> None:
        self.clock.skip(seconds)
        if not (self.living and heard):
            return
        with suppress(OperationalError), self.engine.begin() as connection:
            upsert(connection, PROGRESS, [{"name": UP, "value": int(self.clock.now())}])

    async def until(self, is_so: Callable[[], object], *, seconds: float = 1, most: int = 200) -> None:
        """Let so many seconds pass again and again until something is so."""
        for _ in range(most):
            if is_so():
                return
            await self.skip(seconds)
        raise AssertionError("it never becomes so")

    async def has_settled(self, chat: Chat) -> None:
        await self.until(lambda: self.is_settled(chat), seconds=0.1)

    async def comes(
        self, chat: Chat, after: Message, is_it: Callable[[Message], object] = bool, *, seconds: float = 1
    ) -> Message:
        """The bot's next such message, for which so many seconds are let pass again and again."""

        def found() -> list[Message]:
            later = [message for message in chat.messages.values() if message.from_bot and message.id > after.id]
            return [message for message in later if is_it(message)]

        await self.until(found, seconds=seconds)
        return found()[0]

    async def forgets(self, person: Person) -> None:
        """Let somebody be forgotten and told so, in so little time that what waits meanwhile isn't given up."""
        await person.ask("/forget")
        said = await person.say("/forget yes")
        await self.comes(person.private, said, lambda message: "/newgame" in message.text, seconds=0.4)

    def link_below(self, to: str, ply: int = 0) -> str:
        """What a link below the picture of the newest game carries; nobody has to draw the picture for it."""
        return links.write(self.newest().game.id, 0, links.signing_key(self.playground.token), to, ply)

    async def quiet(self) -> None:
        self.release()
        for _ in range(20):
            for call in self.stopped():
                call.let_go()
            await self.still()
            for bot in self.living:
                await bot.fire()
            self._skip(3)
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

    async def becomes_right(self) -> None:
        """While nobody acts, each board comes to show what is stored, and that is known."""
        await self.heal()
        assert not self.wrong()
        assert not self.lagging()

    async def judge(self, figures: Figures) -> None:
        """Note what is wrong, also after players have tapped each message that shows a game and is no board."""
        spare = spare_boards(self)
        figures.boards_wrong += len(self.wrong())
        for message in spare:
            if not message.deleted:
                await self.skip(2)  # a second tap in the same moment would not count
                self._player_at(message).press(message, str(message.keyboard[0][0]["callback_data"]))
                await self.given(self.living[0])
                await self.quiet()
        games = self.games().values()
        figures.boards_wrong += len(self.wrong()) if spare else 0
        figures.twins_unhealed += len(spare_boards(self))
        compare_results(self.engine, games, figures)

    def _player_at(self, message: Message) -> Person:
        """Somebody who plays the game that a message shows, and sees the message."""
        game = self.games()[game_on(message)]
        people = self.playground.world.people.values()
        return next(each for each in people if game.mark_of(each.id) and each.id in message.chat.members)

    # People who come.

    def joins(self, name: str, group: Group) -> Person:
        """Somebody new, who has started the bot, joins a group."""
        person = self.playground.add_person(name, started=True)
        group.add(person)
        return person

    # The database.

    def vanish(self) -> None:
        self.engine.dispose()
        self._file.rename(self._file.with_name("kept.db"))

    def reappear(self) -> None:
        self._file.with_name("kept.db").rename(self._file)

    @property
    def _file(self) -> Path:
        return Path(self.url.database or "")

    # People's actions.

    def brought(self, bot: Bot) -> None:
        mail, self.mail[:] = list(self.mail), []
        for queued in mail:
            bot.take(queued)

    async def given(self, bot: Bot) -> None:
        """Deliver all waiting updates to a bot, and let it do what it can."""
        self.brought(bot)
        await self.still()

    async def brought_again(self, bot: Bot) -> None:
        """Deliver to a bot every update that Telegram doesn't know to be handled."""
        self.mail.clear()
        for queued in self.playground.world.updates.pending():
            bot.take(queued)
            await self.still()


class Room:
    """Three people who have started the bot, their group, and the bot in this process."""

    def __init__(self, rooms: World, bot: Bot) -> None:
        self.house = rooms
        self.bot = bot
        self.playground = rooms.playground
        self.ann, self.bo, self.cem = (self.playground.people[name] for name in ("ann", "bo", "cem"))
        for person in (self.ann, self.bo, self.cem):
            person.started = True
        self.group: Group = self.playground.groups["noughts"]

    async def said(self, person: Person, text: str, chat: Chat, reply_to: Message | None = None) -> Message:
        """Somebody sends a text, and the bot handles it; returns the bot's last message."""
        await person.say(text, in_=chat, reply_to=reply_to)
        await self.house.given(self.bot)
        return self.last(chat)

    async def tapped(self, person: Person, message: Message, data: str) -> str | None:
        """Somebody taps; returns what they are told."""
        tap = person.press(message, data)
        await self.house.given(self.bot)
        return tap.answer.result().text

    async def pressed(self, person: Person, message: Message, label: str) -> str | None:
        """Somebody taps the button with a label; returns what they are told."""
        return await self.tapped(person, message, str(message.button(label)["callback_data"]))

    async def game_of_two(self, words: str = "") -> Message:
        """Ann and Bo play in the group, Ann first."""
        board = await self.said(self.ann, f"/challenge {words} me", self.group)
        await self.pressed(self.bo, board, "Accept")
        await self.house.quiet()
        assert "Accept" not in str(board.labels)
        return board

    async def put(self, person: Person, board: Message, cell: int) -> str | None:
        return await self.tapped(person, board, str(board.button(row=cell // 3, column=cell % 3)["callback_data"]))

    def last(self, chat: Chat) -> Message:
        """The bot's newest message."""
        return [message for message in chat.messages.values() if message.from_bot][-1]

    def moves(self) -> list[str]:
        """The moves of all games, oldest game first."""
        return [record.game.moves for _, record in sorted(self.house.records().items())]

    def calls(self, method: str, since: int = 0) -> int:
        return sum(call.method == method for call in self.playground.calls[since:])

    async def passes(self, steps: Iterable[float], again: Callable[[], object] = lambda: None) -> None:
        """Time passes; at each step somebody does something again, and the bot does what it does by itself."""
        for seconds in steps:
            await self.house.skip(seconds)
            again()
            await self.house.given(self.bot)
            for work in (self.bot.hold(), self.bot.look(), self.bot.do(puzzle.remind(self.bot.services))):
                await work
            await self.bot.sweep()
            await self.bot.fire()

    async def pass_time(self, seconds: float, *, step: float = 2.0, bot: Bot | None = None) -> None:
        bot = bot or self.bot
        for _ in range(int(seconds / step)):
            await self.house.skip(step)
            await bot.hold()
            await bot.sweep()
            await bot.fire()


@asynccontextmanager
async def world(
    playground: Playground,
    DATABASE_URL: str,  # noqa: N803 - as settings are named
    **settings: str,
) -> AsyncIterator[World]:
    """A world without bots, on a database with the newest schema, which is emptied."""
    playground.world.updates.clear()
    with TemporaryDirectory() as folder, quick_commits(), _listening(playground.token) as (log, everything):
        built = World(playground, DATABASE_URL, log, **{"FORGOTTEN_FILE": f"{folder}/list.forgotten", **settings})
        with built.engine.begin() as connection:
            for statement in EMPTYING:
                connection.exec_driver_sql(statement)
        await built.open()
        built.clock.slow_down(slowness())  # what a busy machine delays is still in time
        try:
            yield built
        finally:
            with suppress(asyncio.CancelledError):
                await built.close()
    assert not told_of_people(playground, everything.getvalue())


@contextmanager
def _listening(token: str) -> Iterator[tuple[StringIO, StringIO]]:
    """What is logged meanwhile as a host reads it, and everything at every level."""
    log, everything = StringIO(), StringIO()
    told = logs.writing(log, "text", [token])
    told.setLevel(logging.INFO)
    handlers = (told, logging.StreamHandler(everything))
    loggers = [logging.getLogger(name) for name in ("bot", "storage")]
    for logger in loggers:
        for handler in handlers:
            logger.addHandler(handler)
        logger.setLevel(logging.DEBUG)
    try:
        yield log, everything
    finally:
        for logger in loggers:
            for handler in handlers:
                logger.removeHandler(handler)
            logger.setLevel(logging.NOTSET)

"""Two bots take steps in random order; when all is over, and two sweeps later, every board is right."""

import random
from collections.abc import Awaitable, Callable
from typing import Final

import pytest
from sqlalchemy import select

from playground import Playground
from playground.messages import Message
from storage.games.game import replay
from storage.schema import BOARDS
from tests.bots import Bot
from tests.carried import tap
from tests.faults.test_interleavings import Table, sit_down
from tests.figures import Figures
from tests.flights import EDIT, SEND, Call, Point
from tests.soak import SOAK
from tests.world import WORDS, World, world

ORDERS: Final = 1500 if SOAK else 8
PARTS: Final = 30 if SOAK else 2
STEPS: Final = (6, 24)


class Order:
    """One random order of steps at one table."""

    def __init__(self, table: Table, seed: int) -> None:
        self.table = table
        self.house: World = table.house
        self.random = random.Random(seed)
        self.done: list[str] = []
        """What was done, for whoever looks into a failure."""
        self._late: set[object] = set()
        """The processes that stood still right before a call, made it all the same, and have not written back."""
        self._steps: list[tuple[int, Callable[[], Awaitable[str]]]] = [
            (8, self._tap),
            (1, self._tap_an_old_board),
            (1, self._bring_down),
            (1, self._second_delivery),
            (6, self._hold_next),
            (2, self._go_on),
            (1, self._lose_answer),
            (6, self._fire),
            (1, self._fire_at_locked_rows),
            (2, self._wait_and_sweep),
            (1, self._hold),
            (1, self._wait),
            (1, self._end),
        ]

    async def run(self) -> None:
        """Take this many steps, and let everything finish."""
        steps = [step for weight, step in self._steps for _ in range(weight)]
        if self.random.random() < 0.5:
            steps = [self._tap, self._hold_next, self._fire, self._fire, self._lose_answer, self._wait_and_sweep]
        for _ in range(self.random.randrange(*STEPS)):
            self.done.append(await self.random.choice(steps)())
            await self.house.still()
        self.house.release()
        before = self.random.choice((self._soon, self._late_on, self._some_time))
        while self.house.stopped():
            await before()
            self.done.append(await self._go_on())
            await self.house.still()

    async def _soon(self) -> None:
        """Calls in flight arrive soon, but after everything else."""
        for bot in self.house.living * 2:
            await self.house.skip(1)
            await bot.fire()
        self.done.append("all write back")

    async def _late_on(self) -> None:
        """Stopped processes resume once everything is swept."""
        for bot in self.house.living * 2:
            await self.house.skip(40)
            await bot.sweep()
            await bot.fire()
        self.done.append("all sweep and write back")

    async def _some_time(self) -> None:
        """Anything may happen first."""
        for _ in range(self.random.randrange(3)):
            self.done.append(await self.random.choice((self._fire, self._wait_and_sweep))())

    @property
    def bot(self) -> Bot:
        """Either bot."""
        return self.random.choice(self.house.living)

    @property
    def boards(self) -> list[Message]:
        """The messages in which the game is shown, oldest first."""
        return [message for message in self.table.group.messages.values() if message.from_bot and message.keyboard]

    async def _tap(self, *, behind: int = 0) -> str:
        t = self.table
        game = self.house.records()[t.game].game
        ply = max(0, game.ply - behind)
        people = (t.ann, t.bo)
        person = people[ply % 2] if self.random.random() < 0.8 else self.random.choice(people)
        position = replay(game.rules, game.moves)
        all_cells = range(position.rules.cells)
        cells = position.legal_moves if self.random.random() < 0.8 else all_cells
        cell = self.random.choice(list(cells or all_cells))
        boards = self.boards
        if not boards:
            return "nobody finds a board"
        board = boards[-1] if self.random.random() < 0.8 else self.random.choice(boards)
        person.press(board, tap(t.game, cell, ply))
        return f"tap {cell} at {ply}, {await self._bring()}"

    async def _tap_an_old_board(self) -> str:
        return await self._tap(behind=1)

    async def _bring_down(self) -> str:
        await self.table.ann.say("/board", in_=self.table.group)
        return f"/board, {await self._bring()}"

    async def _second_delivery(self) -> str:
        pending = self.house.playground.world.updates.pending()
        if pending:
            self.bot.take(self.random.choice(pending))
        return "an update comes again"

    async def _hold_next(self) -> str:
        bot, point = self.bot, self.random.choice((*Point, Point.UNDER_WAY))
        method = SEND if self.random.random() < 0.2 else EDIT
        self.house.hold(bot, method, point)
        return f"{self._name(bot)}: the next {method} is stopped {point.name}"

    async def _go_on(self) -> str:
        if (call := self._stopped()) is None:
            return "nothing is stopped"
        if call.at is Point.BEFORE:
            self._late.add(call.bot)
        call.let_go()
        return f"{self._name(call.bot)}: {call.method} goes on"

    async def _lose_answer(self) -> str:
        call = self._stopped()
        if call is None or call.at is Point.BEFORE:
            return "no answer to lose"
        call.lose_answer()
        return f"{self._name(call.bot)}: {call.method} is not answered"

    async def _fire(self) -> str:
        bot = self.bot
        await bot.fire()
        if not self.house.stopped(bot):
            self._late.discard(bot)
        return f"{self._name(bot)}: writes back"

    async def _fire_at_locked_rows(self) -> str:
        bot = self.bot
        with self.house.engine.begin() as locking:
            locking.execute(select(BOARDS.c.id).with_for_update()).all()
            await bot.fire(most=0.5)
        return f"{self._name(bot)}: writes back where all rows are locked"

    async def _wait_and_sweep(self) -> str:
        bot = self.bot
        await self.house.skip(self.random.choice((6, 40)))
        await bot.sweep()
        return f"{self._name(bot)}: sweeps"

    async def _hold(self) -> str:
        bot = self.bot
        await bot.hold()
        return f"{self._name(bot)}: holds"

    async def _wait(self) -> str:
        seconds = self.random.choice((1, 3, 15))
        await self.house.skip(seconds)
        return f"{seconds} s pass"

    async def _end(self) -> str:
        bot = self.bot
        if bot in self._late:
            return "nobody ends"
        killed = self.random.random() < 0.7
        if killed:
            bot.kill()
        else:
            await bot.stop()
        await self.house.start()
        await self.house.brought_again(self.bot)
        return f"{self._name(bot)}: {'is killed' if killed else 'stops'}"

    async def _bring(self) -> str:
        busy = {call.bot for call in self.house.stopped()}
        free = [bot for bot in self.house.living if bot not in busy]
        bot = self.random.choice(free) if free and self.random.random() < 0.9 else self.bot
        await self.house.given(bot)
        return f"to {self._name(bot)}"

    def _stopped(self) -> Call | None:
        stopped = self.house.stopped()
        return self.random.choice(stopped) if stopped else None

    def _name(self, bot: object) -> str:
        return f"bot {next(number for number, each in enumerate(self.house.bots) if each is bot)}"


@pytest.mark.timeout(3600 if SOAK else 300)
@pytest.mark.parametrize("part", range(PARTS))
async def test_after_any_order_two_sweeps_leave_every_board_right(
    part: int, postgres_url: str, figures: Figures
) -> None:
    async with Playground() as playground:
        for seed in range(part, ORDERS, PARTS):
            async with world(playground, postgres_url) as rooms:
                words = WORDS[seed // PARTS % len(WORDS)]
                table = await sit_down(rooms, await rooms.start(), await rooms.start(), words)
                order = Order(table, seed)
                await order.run()
                await rooms.heal()
                story = "\n".join([f"order {seed}", *order.done])
                assert not rooms.wrong(), story
                assert not rooms.lagging(), story
                (record,) = rooms.records().values()
                assert len([board for board in record.boards if not board.leaving]) == 1, story
                await rooms.judge(figures)
                assert not figures.amiss, story

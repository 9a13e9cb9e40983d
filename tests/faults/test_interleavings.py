"""Two bots and one board: every order of steps that once left a board wrong forever, replayed.

The stories take turns on 3 by 3, 5 by 5 and ultimate; the long run replays each on all of them.
In each the board recovers. tools/invariants.toml names, for each rule of the protocol, a story in which it does
not once that rule is switched off.
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Final

import pytest
from sqlalchemy import select

from engine.rules.base import open_regions
from playground import Playground
from playground.chats import Message
from playground.people import Person
from storage.schema import BOARDS
from tests.bots import Bot
from tests.carried import tap
from tests.figures import Figures
from tests.flights import EDIT, SEND, Point
from tests.soak import SOAK
from tests.world import WORDS, Room, World, world


class Table(Room):
    """Ann and Bo at a board in a group, served by two bots."""

    board: Message
    game: int

    def __init__(self, rooms: World, a: Bot, b: Bot) -> None:
        super().__init__(rooms, a)
        self.a, self.b = a, b
        self.group = self.playground.add_group("Noughts", [self.ann, self.bo])

    async def swept_twice(self) -> None:
        """B claims the board twice, and confirms what it shows."""
        for _ in range(2):
            await self.house.skip(40)
            await self.b.sweep()
            await self.b.fire()

    async def tap(self, person: Person, cell: int, bot: Bot, *, ply: int | None = None) -> None:
        """Tap a cell of the current board, whatever it shows, and deliver the tap to one of the bots.

        In ultimate, the cell belongs to the little board in which the move must be.
        """
        game = self.house.records()[self.game].game
        little = open_regions(game.position)[0]
        person.press(self.board, tap(self.game, 9 * little + cell, game.ply if ply is None else ply))
        await self.house.given(bot)

    async def freeze(self) -> None:
        """A freezes right before it shows Ann's move, and B shows Bo's and confirms it."""
        self.house.hold(self.a, EDIT, Point.BEFORE)
        await self.tap(self.ann, 4, self.a)
        await self.tap(self.bo, 0, self.b)
        await self.b.fire()
        await self.swept_twice()


@asynccontextmanager
async def table_of_two(url: str, words: str = "") -> AsyncIterator[Table]:
    """A game of two on the board named by these words, loaded by both bots, shown and confirmed."""
    async with Playground() as playground, world(playground, url) as rooms:
        table = Table(rooms, await rooms.start(), await rooms.start())
        table.board = await table.game_of_two(words)
        record = rooms.newest()
        assert not record.boards[0].is_lagging
        table.game = record.game.id
        yield table


# The stories: each leaves the board wrong, with nothing pending that would correct it.


async def a_confirmation_is_skipped_because_the_row_is_locked(t: Table) -> None:
    """A's edit is overtaken by B's and lands last; A's write-back, which would report it, meets a locked row."""
    t.house.hold(t.a, EDIT, Point.UNDER_WAY)
    await t.tap(t.ann, 4, t.a)
    await t.tap(t.bo, 0, t.b)
    await t.b.fire()
    t.house.stopped_call(t.a).let_go()
    await t.house.still()
    with t.house.engine.begin() as locking:
        locking.execute(select(BOARDS.c.id).with_for_update()).all()
        await t.a.fire()


async def a_stopping_process_hears_of_the_overtaking(t: Table) -> None:
    """A's edit lands last; A learns of B's version while stopping, when it shows nothing any more."""
    t.house.hold(t.a, EDIT, Point.UNDER_WAY)
    await t.tap(t.ann, 4, t.a)
    await t.tap(t.bo, 0, t.b)
    await t.b.fire()
    t.house.stopped_call(t.a).let_go()
    await t.house.still()
    await t.a.stop()


async def an_edit_of_a_killed_process_lands_late(t: Table) -> None:
    """A is killed while its edit is under way; the edit lands after B's newer one."""
    t.house.hold(t.a, EDIT, Point.UNDER_WAY)
    await t.tap(t.ann, 4, t.a)
    call = t.house.stopped_call(t.a)
    t.a.kill()
    await t.tap(t.bo, 0, t.b)
    await t.b.fire()
    call.let_go()
    await t.house.still()


async def it_lands_after_the_first_sweep(t: Table) -> None:
    """Likewise, but B's newer version comes from the sweep that claimed the board."""
    t.house.hold(t.a, EDIT, Point.UNDER_WAY)
    await t.tap(t.ann, 4, t.a)
    call = t.house.stopped_call(t.a)
    t.a.kill()
    t.house.hold(t.b, EDIT, Point.BEFORE)
    await t.tap(t.bo, 0, t.b)
    t.b.kill()
    third = await t.house.start()
    await t.house.skip(6)
    await third.sweep()
    await third.fire()
    call.let_go()
    await t.house.still()


async def a_frozen_process_thaws_after_both_sweeps(t: Table) -> None:
    """A freezes right before its call, and makes it after B has claimed the board twice and confirmed."""
    await t.freeze()
    assert not t.house.lagging(), "B has confirmed what it shows"
    t.house.stopped_call(t.a).let_go()
    await t.house.still()


async def it_thaws_while_another_process_has_the_row_locked(t: Table) -> None:
    """The same, while another process locks the row for nearly as long as PostgreSQL lets a frozen one."""
    await a_frozen_process_thaws_after_both_sweeps(t)
    with t.house.engine.begin() as locking:
        locking.execute(select(BOARDS.c.id).with_for_update()).all()
        for _ in range(9):
            await t.a.fire()
    await t.a.fire()


async def it_thaws_and_is_stopped_while_it_calls(t: Table) -> None:
    """Likewise, but A is stopped before its call is answered, and nobody learns of the answer."""
    await t.freeze()
    call = t.house.stopped_call(t.a)
    t.house.hold(t.a, EDIT, Point.UNDER_WAY)
    call.let_go()
    await t.house.still()
    await t.a.stop()
    call.let_go()
    await t.house.still()


async def an_unanswered_edit_lands_late(t: Table) -> None:
    """A gives up waiting for an edit and shows the next version; then the first edit lands after all."""
    t.house.hold(t.a, EDIT, Point.UNDER_WAY)
    await t.tap(t.ann, 4, t.a)
    call = t.house.stopped_call(t.a)
    call.lose_answer()
    await t.house.skip(1)
    await t.tap(t.bo, 0, t.a)
    await t.house.skip(1)
    await t.a.fire()
    call.let_go()
    await t.house.still()


async def what_waited_for_long_is_sent_and_its_process_killed(t: Table) -> None:
    """A version waits in A's lane while A is frozen for two claims; then A sends it, and is killed."""
    await t.ann.say("/newgame easy", in_=t.group)
    t.house.hold(t.a, SEND, Point.BEFORE)
    await t.house.given(t.a)
    await t.tap(t.ann, 4, t.a)  # waits behind the other board
    await t.tap(t.bo, 0, t.b)
    await t.swept_twice()
    t.house.hold(t.a, EDIT, Point.ANSWERED)
    t.house.stopped_call(t.a, SEND).let_go()
    await t.house.still()
    t.a.kill()


Story = Callable[[Table], Awaitable[None]]
STORIES: Final[tuple[Story, ...]] = (
    a_confirmation_is_skipped_because_the_row_is_locked,
    a_stopping_process_hears_of_the_overtaking,
    an_edit_of_a_killed_process_lands_late,
    it_lands_after_the_first_sweep,
    a_frozen_process_thaws_after_both_sweeps,
    it_thaws_while_another_process_has_the_row_locked,
    it_thaws_and_is_stopped_while_it_calls,
    an_unanswered_edit_lands_late,
    what_waited_for_long_is_sent_and_its_process_killed,
)
TOLD: Final = [
    (story, words)
    for number, story in enumerate(STORIES)
    for words in (WORDS if SOAK else (WORDS[number % len(WORDS)],))
]
"""Each story, and what is played."""


@pytest.mark.parametrize(
    ("story", "words"), TOLD, ids=[f"{story.__name__}-{words or '3x3'}" for story, words in TOLD]
)
async def test_whatever_happened_two_sweeps_leave_the_board_right_and_confirmed(
    story: Story, words: str, postgres_url: str, figures: Figures
) -> None:
    async with table_of_two(postgres_url, words) as t:
        await story(t)
        await t.house.heal()
        await t.house.judge(figures)
        assert not figures.amiss
        assert not t.house.lagging()
        assert t.house.records()[t.game].game.ply == 2


async def test_a_second_delivery_shows_immediately_what_a_killed_process_did_not(postgres_url: str) -> None:
    async with table_of_two(postgres_url) as t:
        t.house.hold(t.a, EDIT, Point.BEFORE)
        t.ann.press(t.board, tap(t.game, 4))
        (queued,) = t.house.mail
        await t.house.given(t.a)
        t.a.kill()
        t.b.take(queued)
        await t.house.still()
        assert not t.house.wrong()
        assert t.house.records()[t.game].game.moves == "4"
        await t.house.becomes_right()


async def test_a_stale_tap_in_the_other_process_shows_the_newest(postgres_url: str) -> None:
    async with table_of_two(postgres_url) as t:
        t.house.hold(t.a, EDIT, Point.BEFORE)
        await t.tap(t.ann, 4, t.a)
        await t.tap(t.bo, 0, t.b, ply=0)
        assert not t.house.wrong(), "Bo sees why"
        t.house.stopped_call(t.a).let_go()
        await t.house.becomes_right()
        assert t.house.records()[t.game].game.moves == "4"


async def test_an_overdue_call_marks_its_board_once_the_database_is_back(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("storage.writer.OUTAGE_SECONDS", 0.1)
    async with table_of_two(sqlite_url) as t:
        await a_frozen_process_thaws_after_both_sweeps(t)
        t.house.vanish()
        for _ in range(20):
            await t.a.fire()
        t.house.reappear()
        await t.a.fire()
        await t.house.becomes_right()


async def test_what_waits_in_one_process_is_sent_by_no_other_however_long_it_waits(postgres_url: str) -> None:
    async with table_of_two(postgres_url) as t:
        t.house.hold(t.a, SEND, Point.BEFORE)
        for _ in range(8):
            await t.ann.say("/newgame easy", in_=t.group)
            await t.house.given(t.a)
        before = len(t.house.playground.calls)
        for _ in range(30):
            await t.house.skip(2)
            await t.a.hold()
            await t.b.sweep()
        sent = [call.method for call in t.house.playground.calls[before:]]
        assert sent == [], "B doesn't touch what A holds"
        t.house.stopped_call(t.a, SEND).let_go()
        await t.house.becomes_right()
        sent = [call.method for call in t.house.playground.calls[before:] if call.method != EDIT]
        assert sent == [SEND] * 8


async def test_what_a_frozen_process_holds_is_sent_by_another_and_no_board_is_left_over(postgres_url: str) -> None:
    async with table_of_two(postgres_url) as t:
        t.house.hold(t.a, SEND, Point.BEFORE)
        for _ in range(3):
            await t.ann.say("/newgame easy", in_=t.group)
            await t.house.given(t.a)
        await t.house.skip(30)
        await t.b.sweep()
        assert not t.house.wrong(), "within 30 s"
        t.house.stopped_call(t.a, SEND).let_go()
        await t.house.becomes_right()
        assert len([message for message in t.group.messages.values() if message.keyboard]) == 4

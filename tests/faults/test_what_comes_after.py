"""A refused, unanswered or late call has no effect on the calls after it."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from functools import partial
from random import Random

import pytest

from bot.context import links as review_links
from bot.game.actions import Move
from bot.game.attempt import Attempt, Player, Where
from bot.game.machine import Ruling, decide
from playground import Playground
from playground.people import Person
from storage.games import outbox
from storage.games.record import Changed
from tests.bots import LIMITS
from tests.faults.test_one_bot import Room
from tests.flights import EDIT, SEND, Point
from tests.people import is_board
from tests.world import world


@pytest.fixture
async def room(sqlite_url: str) -> AsyncIterator[Room]:
    """A setup of the test's own."""
    async with Playground() as playground, world(playground, sqlite_url) as rooms:
        yield Room(rooms, await rooms.start())


async def test_asking_again_while_telegram_refuses_does_not_silence_the_bot(room: Room) -> None:
    for _ in range(4):
        before = room.calls(SEND)
        room.house.hold(room.bot, SEND, Point.UNDER_WAY)
        await room.ann.say("/help", in_=room.group)
        await room.house.given(room.bot)
        await room.ann.say("/help", in_=room.group)
        await room.house.given(room.bot)
        room.playground.faults.add(kind="429", method=SEND, times=1, retry_after=3)
        room.house.stopped_call(room.bot, SEND).let_go()
        await room.house.skip(4)
        await room.house.quiet()
        assert room.calls(SEND) == before + 2, "one is refused, and one is sent"


async def test_a_reminder_is_not_said_again_and_again_while_its_answer_is_lost(room: Room) -> None:
    await room.game_of_two()
    await room.house.skip(55 * 3600)
    before = room.calls(SEND)
    for _ in range(20):
        room.house.hold(room.bot, SEND, Point.ANSWERED)
        await room.bot.look()
        await room.bot.sweep()
        await room.house.skip(30)
    assert room.calls(SEND) - before <= 3, "in ten minutes"
    room.house.release()
    before = room.calls(SEND)
    for _ in range(3):
        await room.house.skip(2 * 3600)
        await room.bot.sweep()
    assert room.calls(SEND) == before + 1, "a message that got through is not repeated"


async def test_a_reminder_is_said_once_though_that_it_was_said_cannot_be_stored(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("storage.writer.PATIENCE", 0.1)
    await room.game_of_two()
    await room.house.skip(55 * 3600)
    before = room.calls(SEND)
    room.house.hold(room.bot, SEND, Point.ANSWERED)
    await room.bot.look()
    room.house.vanish()
    room.house.stopped_call(room.bot, SEND).let_go()
    await room.house.still()
    room.house.reappear()
    for _ in range(5):
        await room.house.skip(10)
        await room.bot.sweep()
    assert room.calls(SEND) == before + 1
    with room.house.engine.begin() as connection:
        assert not outbox.claim(connection, now=2**40, limit=1), "it is stored by now"


async def test_a_watched_game_goes_on_after_a_lost_answer_though_nobody_asks_for_anything(room: Room) -> None:
    room.ann.started = True
    await room.ann.say("/watch", in_=room.ann.private)
    await room.house.given(room.bot)
    room.house.hold(room.bot, SEND, Point.ANSWERED)
    await room.ann.say("/help", in_=room.group)
    await room.house.given(room.bot)
    room.house.stopped_call(room.bot, SEND).lose_answer()
    await room.house.still()
    for _ in range(30):
        await room.house.skip(0.5)
        await room.bot.fire()
        await room.bot.look()
    assert room.house.newest().game.ply > 1


async def test_what_is_shown_late_does_not_cover_what_is_newer(room: Room) -> None:
    await room.game_of_two()
    earlier, later = [await _changed(room, room.ann, 0, 4), await _changed(room, room.bo, 1, 0)]
    room.bot.publisher.show(later)
    await room.house.still()
    room.house.hold(room.bot, EDIT, Point.UNDER_WAY)
    room.bot.publisher.show(earlier)
    await room.bot.fire()
    await room.house.heal()
    assert not room.house.wrong()


async def test_a_board_after_one_that_was_taken_away_is_sent_and_not_taken_for_it(room: Room) -> None:
    await room.game_of_two()
    for ply, cell in enumerate((0, 3, 1, 4, 2)):
        who = (room.ann, room.bo)[ply % 2]
        await room.tapped(who, room.last(room.group), f"2m:{room.house.newest().game.id}:{ply}:{cell}")
    room.ann.started = True
    link = review_links.write(room.house.newest().game.id, room.ann.id, room.bot.services.key)
    await room.ann.say(f"/start {link}", in_=room.ann.private)
    await room.house.given(room.bot)
    review = await room.ann.private.wait_for(lambda message: message.from_bot)
    await room.house.quiet()
    done = next(button for row in review.keyboard for button in row if "leave" in str(button.get("callback_data")))
    tap = room.ann.press(review, str(done["callback_data"]))
    await room.house.given(room.bot)
    await tap.answer
    await room.house.quiet()
    assert review.id not in room.ann.private.messages
    board = await room.said(room.ann, "/newgame easy", room.ann.private)
    assert is_board(board)


async def _changed(room: Room, person: Person, ply: int, cell: int) -> Changed[Ruling | None]:
    """A move that is stored and not shown yet."""
    who = Player(person.id, person.first_name)
    where = Where(room.group.id)
    attempt = Attempt(who, where, int(time.time()), Random(1), LIMITS)
    moving = partial(decide, action=Move(ply, cell), attempt=attempt)
    return await room.bot.store.change(room.house.newest().game.id, moving)

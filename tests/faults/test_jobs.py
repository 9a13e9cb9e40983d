"""What runs beside the updates: no job, and nothing that one does for somebody, holds up another."""

import math
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from bot.background.clock import Arrivals, Deadlines
from bot.background.jobs import start_with_updates
from bot.delivery.tasks import Tasks
from bot.features.privacy import erasing
from bot.features.privacy.pages import DATA_DELETED
from bot.game.cups import ALONE_SECONDS
from playground.groups import Group
from storage.games.game import Termination
from storage.privacy.erasure import Stage, stage_of
from tests.bots import LIMITS, Everything
from tests.faults.test_clocks import MINUTE, Post
from tests.world import Room


@asynccontextmanager
async def jobs(room: Room, arrivals: Arrivals) -> AsyncIterator[None]:
    tasks = Tasks()
    tasks.start(start_with_updates(room.bot.services, tasks, arrivals))
    yield
    await tasks.close()


class Never(Everything):
    """Updates of which some are always on their way."""

    patience = math.inf

    async def covered(self, wanted: float) -> float:
        return wanted - 1


class Failing(Everything):
    """Nobody can tell."""

    async def covered(self, wanted: float) -> float:
        raise KeyError(wanted)


@pytest.mark.parametrize("arrivals", [Never(), Failing()])
async def test_somebody_is_forgotten_whatever_waits_at_telegram(room: Room, arrivals: Arrivals) -> None:
    await room.said(room.ann, "/forget", room.ann.private)
    await room.said(room.ann, "/forget yes", room.ann.private)
    async with jobs(room, arrivals):
        await room.house.until(lambda: room.last(room.ann.private).text == DATA_DELETED, most=2000)


async def test_people_are_paired_though_nobody_can_tell_what_waits_at_telegram(room: Room) -> None:
    for person in (room.ann, room.bo):
        await room.said(person, "/play", person.private)
    async with jobs(room, Failing()):
        await room.house.until(lambda: "Ann" in room.last(room.bo.private).text)


BROKEN = "CREATE TRIGGER broken BEFORE {} BEGIN SELECT RAISE(ABORT, 'broken'); END"


def broken(room: Room, table: str, change: str, condition: str) -> None:
    """Let the database refuse a change of some rows, as a fault in our code would."""
    with room.house.engine.begin() as connection:
        connection.exec_driver_sql(BROKEN.format(f"{change} ON {table} WHEN {condition}"))


async def looked(room: Room, seconds: int, *, step: int = 1, heard: bool = True) -> None:
    """Let so many seconds pass, and the bot look at what is due after every few."""
    for _ in range(seconds // step):
        await room.bot.look()
        await room.house.skip(step, heard=heard)


def logged(room: Room) -> list[str]:
    return [line for line in room.house.logged().splitlines() if "tried again" in line]


async def test_a_game_that_cant_be_decided_holds_up_no_other_and_is_tried_ever_more_rarely(room: Room) -> None:
    for _ in range(3):
        await room.game_of_two()
    first = min(room.house.games())
    broken(room, "games", "UPDATE OF termination", f"OLD.id = {first}")
    await room.house.skip(LIMITS.move + 1)
    await looked(room, 1)  # reminders are out
    before = room.bot.steps.count("before it changes a game")
    await room.house.skip(LIMITS.move + 1)
    await looked(room, 100)
    ends = [game.termination for _, game in sorted(room.house.games().items())]
    assert ends == [None, Termination.TIMEOUT, Termination.TIMEOUT]
    assert len(logged(room)) == 1
    assert f" {first}:" in logged(room)[0]
    assert room.bot.steps.count("before it changes a game") - before <= 2 + 8
    with room.house.engine.begin() as connection:
        connection.exec_driver_sql("DROP TRIGGER broken")
    await looked(room, 130, step=10)
    assert room.house.games()[first].termination is Termination.TIMEOUT


async def two_cups(room: Room) -> list[Group]:
    """Two groups with an announced cup of four each."""
    people = [room.ann, room.bo, room.cem, room.playground.add_person("Dee", started=True)]
    groups = [room.playground.add_group(name, people) for name in ("One", "Two")]
    for group in groups:
        cup = await room.said(room.ann, "/cup", group)
        for person in people[1:]:
            await room.pressed(person, cup, "Join")
    await room.house.quiet()
    return groups


async def test_a_cup_that_cant_go_on_holds_up_no_other(room: Room) -> None:
    _, other = await two_cups(room)
    broken(room, "cup_games", "INSERT", "NEW.cup = 1")
    await room.house.skip(ALONE_SECONDS + 1)
    await looked(room, 5)
    assert {game.chat_id for game in room.house.games().values()} == {other.id}
    assert len(logged(room)) == 1


async def test_a_cup_that_cant_be_announced_again_holds_up_no_other(room: Room) -> None:
    groups = await two_cups(room)
    broken(room, "outbox", "INSERT", "NEW.cup = 1")
    before = [room.last(group) for group in groups]
    await room.house.skip(ALONE_SECONDS + 1, heard=False)
    for _ in range(3):
        await room.bot.do(room.bot.clock.beat())
        await room.pass_time(2)
    assert [room.last(group) is message for group, message in zip(groups, before, strict=True)] == [True, False]
    assert len(logged(room)) == 1


async def test_no_cup_starts_while_nobody_can_be_heard(room: Room) -> None:
    cup = await room.said(room.ann, "/cup", room.group)
    for person in (room.bo, room.cem, room.house.joins("Dee", room.group)):
        await room.pressed(person, cup, "Join")
    room.bot.clock = Deadlines(room.bot.services, post := Post())
    post.silent = True
    await room.house.skip(ALONE_SECONDS + 1, heard=False)
    await looked(room, 3, heard=False)
    assert not room.house.games()
    post.silent = False
    await looked(room, ALONE_SECONDS - 20, step=20)
    assert not room.house.games()
    await looked(room, 30, step=5)
    assert len(room.house.games()) == 2


async def test_a_game_that_cant_begin_again_holds_up_no_other_and_none_begins_again_twice(room: Room) -> None:
    for _ in range(2):
        await room.game_of_two("2m")
    first, second = sorted(room.house.games())
    broken(room, "games", "UPDATE OF version", f"OLD.id = {first}")
    await room.house.skip(MINUTE, heard=False)
    for _ in range(3):
        await room.bot.do(room.bot.clock.beat())
        await room.pass_time(6)
    assert room.house.games()[second].version == 3, "made, accepted, begun again"
    assert room.calls("sendMessage") == 3
    await looked(room, 122, step=2)
    assert room.house.games()[second].termination is Termination.TIMEOUT


async def test_somebody_who_cant_be_forgotten_holds_up_nobody_else(room: Room) -> None:
    for person in (room.ann, room.bo):
        await room.said(person, "/newgame", person.private)
        await room.said(person, "/forget", person.private)
    await room.said(room.ann, "/forget yes", room.ann.private)
    broken(room, "people", "DELETE", f"OLD.id = {room.ann.id}")
    await room.said(room.bo, "/forget yes", room.bo.private)
    for _ in range(20):
        await room.bot.do(erasing.go_on(room.bot.services))
        await room.house.skip(1)
    left = [await room.bot.store.read(stage_of, person=person.id) for person in (room.ann, room.bo)]
    assert left == [Stage.GOING, None]
    assert len(logged(room)) == 1

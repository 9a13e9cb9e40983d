"""What runs beside the updates: no job, and nothing that one does for somebody, holds up another."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager

import pytest

from bot.background.jobs import start_with_updates
from bot.delivery.tasks import Tasks
from tests.bots import Everything
from tests.world import Room


@asynccontextmanager
async def jobs(room: Room, caught_up: Coroutine[None, None, object]) -> AsyncIterator[None]:
    tasks = Tasks()
    tasks.start(start_with_updates(room.bot.services, tasks, caught_up, Everything()))
    yield
    await tasks.close()


async def never() -> None:
    await asyncio.Event().wait()


async def failing() -> None:
    raise KeyError


@pytest.mark.parametrize("caught_up", [never, failing])
async def test_somebody_is_forgotten_whatever_waits_at_telegram(
    room: Room, caught_up: Callable[[], Coroutine[None, None, object]]
) -> None:
    await room.said(room.ann, "/forget", room.ann.private)
    await room.said(room.ann, "/forget yes", room.ann.private)
    async with jobs(room, caught_up()):
        await room.house.until(lambda: "deleted" in room.last(room.ann.private).text.lower())


async def test_people_are_paired_though_nobody_can_tell_what_waits_at_telegram(room: Room) -> None:
    for person in (room.ann, room.bo):
        await room.said(person, "/play", person.private)
    async with jobs(room, failing()):
        await room.house.until(lambda: "Ann" in room.last(room.bo.private).text)

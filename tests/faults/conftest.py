"""Rooms: a world with people, their group, and a bot that is led step by step."""

from collections.abc import AsyncIterator

import pytest

from playground import Playground
from tests.world import Room, world


@pytest.fixture
async def room(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Room]:
    monkeypatch.setattr("storage.writer.OUTAGE_SECONDS", 0.1)
    async with Playground() as playground, world(playground, sqlite_url) as rooms:
        yield Room(rooms, await rooms.start())

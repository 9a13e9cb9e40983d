"""Rooms: a world with people, their group, and a bot that is led step by step."""

from collections.abc import AsyncIterator

import pytest

from playground import Playground
from tests.world import Room, world


@pytest.fixture
async def room(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Room]:
    """On SQLite, unless a test names the fixture of another database."""
    monkeypatch.setattr("storage.writer.OUTAGE_SECONDS", 0.1)
    database_url = request.getfixturevalue(getattr(request, "param", "sqlite_url"))
    async with Playground() as playground, world(playground, database_url) as rooms:
        yield Room(rooms, await rooms.start())

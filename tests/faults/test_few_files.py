"""When no more files can be opened, no update is lost."""

from __future__ import annotations

import asyncio
import errno
import resource
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import aiohttp
import pytest

from bot.intake import updates
from playground import Playground
from tests.faults.rooms import Room
from tests.processes import Processes


def files_of(pid: int) -> set[int]:
    """The numbers of the files that a process has open, connections among them."""
    return {int(file.name) for file in Path(f"/proc/{pid}/fd").iterdir()}


@pytest.mark.skipif(sys.platform != "linux", reason="the limit of another process can be set on Linux alone")
async def test_what_cannot_be_opened_for_a_while_costs_no_update(tmp_path: Path, sqlite_url: str) -> None:
    async with Playground() as playground, Processes(playground, tmp_path, sqlite_url) as rig:
        process = rig.processes[0]
        assert process is not None
        most = resource.prlimit(process.pid, resource.RLIMIT_NOFILE)
        taken = files_of(process.pid)
        nothing_more = min(set(range(max(taken) + 2)) - taken)
        resource.prlimit(process.pid, resource.RLIMIT_NOFILE, (nothing_more, most[1]))
        said = [await playground.people["ann"].say(text) for text in ("/newgame 5x5 hard", "/stats", "/help")]
        with suppress(aiohttp.ClientError, TimeoutError):
            await asyncio.wait_for(rig.get("healthz"), 5)
        resource.prlimit(process.pid, resource.RLIMIT_NOFILE, most)
        await said[0].chat.wait_for(lambda message: bool(message.labels), after=said[-1], within=60)
        await said[0].chat.wait_for(lambda message: "/newgame" in message.text, after=said[-1], within=60)
        assert await rig.get("healthz") == "alive\n"
    assert "set aside" not in rig.logged()


async def test_an_update_waits_for_as_long_as_nothing_can_be_opened(
    room: Room, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(updates, "FIRST_PAUSE_SECONDS", 0.01)
    run, tried = room.bot.store.run, 0

    async def starve(work: Callable[..., object], *args: object, **kwargs: object) -> object:
        nonlocal tried
        tried += 1
        if tried < 5:
            raise ImportError("a module cannot be loaded") from OSError(errno.EMFILE, "Too many open files")
        return await run(work, *args, **kwargs)

    monkeypatch.setattr(room.bot.store, "run", starve)
    await room.ann.say("/newgame")
    (queued,) = room.house.mail
    await asyncio.wait_for(room.bot.poll(queued), 60)
    assert tried >= 5
    assert len(room.house.records()) == 1
    assert [record.message for record in caplog.records if record.levelname == "WARNING"] == [
        "Updates are waiting: the system is out of files or memory"
    ]

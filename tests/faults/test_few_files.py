"""When no more files can be opened, nobody is kept out, and no update is lost."""

from __future__ import annotations

import asyncio
import errno
import os
import resource
import signal
import socket
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Final

import aiohttp
import pytest

from bot.intake import updates
from bot.network.proxies import is_exhausted, share_of_files
from playground import Playground
from tests.ports import HOST, free_port
from tests.world import world

FILES: Final = 400
STRANGERS: Final = 1100


@pytest.fixture
def many_files() -> None:
    """This process may open as many files as it needs; otherwise it couldn't observe anything."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < 2 * STRANGERS <= hard:
        resource.setrlimit(resource.RLIMIT_NOFILE, (2 * STRANGERS, hard))


@asynccontextmanager
async def bot(
    playground: Playground, folder: Path, database_url: str
) -> AsyncIterator[tuple[asyncio.subprocess.Process, int]]:
    """A bot in a process of its own that can open few files, and its web server's port."""
    port = free_port()
    settings = {
        "BOT_TOKEN": playground.token,
        "BOT_API_URL": playground.url,
        "DATABASE_URL": database_url,
        "EDITS_PER_MINUTE": "0",
        "HTTP_PORT": str(port),
    }
    with (folder / "bot.log").open("ab") as log:
        process = await asyncio.create_subprocess_exec(
            *("sh", "-c", f'ulimit -n {FILES}; exec "$0" -m bot', sys.executable),
            cwd=folder,
            env=os.environ | settings,
            stdout=log,
            stderr=log,
        )
    try:
        async with asyncio.timeout(60), aiohttp.ClientSession() as session:
            while True:
                with suppress(aiohttp.ClientError):
                    async with session.get(f"http://{HOST}:{port}/readyz") as answer:
                        if answer.status == 200:
                            break
                await asyncio.sleep(0.05)
        yield process, port
        process.send_signal(signal.SIGTERM)
        assert await asyncio.wait_for(process.wait(), 60) == 0
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def healthz(port: int) -> str:
    """What a new connection reads."""
    async with aiohttp.ClientSession() as session, session.get(f"http://{HOST}:{port}/healthz") as answer:
        return await answer.text()


def files_of(process: asyncio.subprocess.Process) -> set[int]:
    """The numbers of the files that a process has open, connections among them."""
    return {int(file.name) for file in Path(f"/proc/{process.pid}/fd").iterdir()}


@pytest.mark.usefixtures("many_files")
async def test_idle_connections_of_strangers_keep_no_newcomer_from_playing(
    tmp_path: Path, sqlite_url: str
) -> None:
    async with Playground() as playground, bot(playground, tmp_path, sqlite_url) as (process, port):
        with ExitStack() as opened:
            for _ in range(STRANGERS):
                opened.enter_context(socket.create_connection((HOST, port), 10))
                await asyncio.sleep(0)
            assert await healthz(port) == "alive\n"
            if sys.platform == "linux":
                assert len(files_of(process)) < FILES / 2
            board = await playground.people["ann"].ask("/newgame 5x5 hard")
            assert board.labels
    assert "Traceback" not in (tmp_path / "bot.log").read_text()


@pytest.mark.skipif(sys.platform != "linux", reason="the limit of another process can be set on Linux alone")
async def test_what_cannot_be_opened_for_a_while_costs_no_update(tmp_path: Path, sqlite_url: str) -> None:
    async with Playground() as playground, bot(playground, tmp_path, sqlite_url) as (process, port):
        nothing_more = min(set(range(FILES)) - files_of(process))
        resource.prlimit(process.pid, resource.RLIMIT_NOFILE, (nothing_more, FILES))
        said = [await playground.people["ann"].say(text) for text in ("/newgame 5x5 hard", "/stats", "/help")]
        with suppress(aiohttp.ClientError, TimeoutError):
            await asyncio.wait_for(healthz(port), 5)
        resource.prlimit(process.pid, resource.RLIMIT_NOFILE, (FILES, FILES))
        await said[0].chat.wait_for(lambda message: bool(message.labels), after=said[-1], within=60)
        await said[0].chat.wait_for(lambda message: "/newgame" in message.text, after=said[-1], within=60)
        assert await healthz(port) == "alive\n"
    assert "set aside" not in (tmp_path / "bot.log").read_text()


async def test_an_update_waits_for_as_long_as_nothing_can_be_opened(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(updates, "FIRST_PAUSE_SECONDS", 0.01)
    async with Playground() as playground, world(playground, sqlite_url) as rooms:
        room = await rooms.start()
        run, tried = room.store.run, 0

        async def starve(work: Callable[..., object], *args: object, **kwargs: object) -> object:
            nonlocal tried
            tried += 1
            if tried < 5:
                raise ImportError("a module cannot be loaded") from OSError(errno.EMFILE, "Too many open files")
            return await run(work, *args, **kwargs)

        monkeypatch.setattr(room.store, "run", starve)
        ann = playground.people["ann"]
        await ann.say("/newgame")
        (queued,) = rooms.mail
        await asyncio.wait_for(room.poll(queued), 60)
        assert tried >= 5
        assert len(rooms.records()) == 1
    assert [record.message for record in caplog.records if record.levelname == "WARNING"] == [
        "Updates are waiting: the system is out of files or memory"
    ]


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (OSError(errno.EMFILE, "Too many open files"), True),
        (OSError(errno.ENOENT, "No such file"), False),
        (MemoryError(), True),
        (ImportError(f"libx.so: cannot open shared object file: {os.strerror(errno.EMFILE)}"), True),
        (ImportError("No module named x"), False),
        (RuntimeError("can't start new thread"), True),
        (RuntimeError("something else"), False),
        (ExceptionGroup("several", [ValueError(), OSError(errno.ENOMEM, "Cannot allocate memory")]), True),
    ],
    ids=repr,
)
def test_a_lack_of_the_systems_is_told_from_other_errors(error: Exception, expected: bool) -> None:  # noqa: FBT001 - a case
    assert is_exhausted(error) is expected
    outer = ValueError("what it led to")
    outer.__context__ = error
    assert is_exhausted(outer) is expected


def test_connections_of_one_kind_take_a_quarter_of_all_files() -> None:
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (1000, limits[1]))
        assert (share_of_files(512), share_of_files(100)) == (250, 100)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)

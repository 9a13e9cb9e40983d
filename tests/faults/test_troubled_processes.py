"""A process whose database is upgraded or hangs, or that can open no more files: nothing is lost."""

import asyncio
import errno
import resource
import signal
import sys
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Final

import aiohttp
import pytest
from sqlalchemy import make_url, text

from bot.boards import buttons
from bot.intake import updates
from playground import Playground
from storage.database import connect, parse_url
from storage.migrate import HEAD
from tests.faults.crowd import free_tap, moved_on
from tests.patience import slowness
from tests.people import data_of
from tests.processes import Processes, until
from tests.relays import HOST, listening
from tests.world import Room


def become(database_url: str, schema: str, old: str, new: str) -> None:
    """Change the schema: a column of games gets another name."""
    engine = connect(parse_url(database_url))  # as an upgrade does, which waits for locks
    with engine.begin() as connection:
        connection.execute(text(f"ALTER TABLE games RENAME COLUMN {old} TO {new}"))
        connection.execute(text("UPDATE alembic_version SET version_num = :schema"), {"schema": schema})
    engine.dispose()


@pytest.mark.parametrize(
    ("database", "webhook"),
    [("sqlite_url", False), ("postgres_url", True)],
    ids=["sqlite, by polling", "postgresql, by webhook"],
)
async def test_a_process_left_over_after_an_upgrade_confirms_nothing_and_ends(
    request: pytest.FixtureRequest, database: str, *, webhook: bool, tmp_path: Path
) -> None:
    database_url: str = request.getfixturevalue(database)
    async with Playground() as playground, Processes(playground, tmp_path, database_url, webhook=webhook) as rig:
        ann, left_over = playground.people["ann"], rig.processes[0]
        assert left_over is not None
        board = await ann.ask("/newgame easy me")
        tap = free_tap(board)
        become(database_url, "9999", "moves", "plays")
        query = ann.press(board, buttons.write(tap.button))
        assert await asyncio.wait_for(left_over.wait(), 60) == 1
        rig.processes[0] = None
        assert "Another release has upgraded the database" in rig.logged()
        assert not query.answer.done(), "it will be delivered to the newer release"
        become(database_url, HEAD, "plays", "moves")
        await rig.start()
        assert (await asyncio.wait_for(query.answer, 60)).text is None
        await board.until(lambda message: moved_on(tap, message))
        (game,) = rig.games().values()
        assert len(game.moves) == 2, "the move and the answer to it"


# A database that hangs.


ENDS_SOON: Final = {"bot.run.LAST_SECONDS": 1.0}
"""A stop takes no longer than that, where it would be nine seconds."""
AT_THE_START: Final = b"pg_advisory_xact_lock"
"""What is asked first of all."""


class Between:
    """Relays everything between a bot and its database, until it is told to stop."""

    def __init__(self, url: str) -> None:
        """Relay to the server of a URL."""
        self._url = make_url(url)
        self.freezes_at = b""
        """At these words it stands still, and so does every connection."""
        self.frozen = asyncio.Event()

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[str]:
        async with listening(self._pass_on) as port:
            yield self._url.set(host=HOST, port=port).render_as_string(hide_password=False)

    async def _pass_on(self, reader: StreamReader, writer: StreamWriter) -> None:
        if self.frozen.is_set():
            await _for_ever()
        theirs, ours = await asyncio.open_connection(self._url.host, self._url.port or 5432)
        try:
            await asyncio.gather(self._copy(reader, ours), self._copy(theirs, writer))
        finally:
            ours.close()

    async def _copy(self, reader: StreamReader, writer: StreamWriter) -> None:
        while data := await reader.read(2**16):
            if self.freezes_at and self.freezes_at in data:
                self.frozen.set()
            if self.frozen.is_set():
                await _for_ever()
            writer.write(data)
            await writer.drain()


async def _for_ever() -> None:
    await asyncio.get_running_loop().create_future()


def sleeps(rig: Processes) -> bool:
    """Whether the bot waits for something (Linux, proc_pid_stat(5))."""
    (process,) = rig.processes
    assert process is not None
    return Path(f"/proc/{process.pid}/stat").read_text("utf-8").rpartition(")")[2].split()[0] == "S"


@pytest.mark.parametrize("when", [pytest.param("starts", marks=pytest.mark.soak), "runs"])
async def test_a_signal_ends_the_bot_in_time_though_its_database_hangs_as_it(
    when: str, postgres_url: str, tmp_path: Path
) -> None:
    between = Between(postgres_url)
    async with Playground() as playground, between.listening() as url:
        rig = Processes(playground, tmp_path, url)
        if when == "starts":
            between.freezes_at = AT_THE_START
            await rig.start(ready=False, patches=ENDS_SOON)
        else:
            await rig.start(patches=ENDS_SOON)
            ann = playground.people["ann"]
            board = await ann.ask("/newgame easy me", in_=playground.groups["noughts"])
            between.freezes_at = b"UPDATE"
            ann.press(board, data_of(board, 4))
        async with asyncio.timeout(60):
            await between.frozen.wait()
        await until(lambda: sleeps(rig))
        async with asyncio.timeout(2 * slowness()):
            assert await rig.end(signal.SIGTERM) == 0
        rig.engine.dispose()
        assert "Traceback" not in rig.logged()


# No more files can be opened.


def files_of(pid: int) -> set[int]:
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
    monkeypatch.setattr(updates, "FIRST_UPDATE_PAUSE_SECONDS", 0.01)
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

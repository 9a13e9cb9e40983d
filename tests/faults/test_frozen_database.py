"""A signal ends the bot within ten seconds, even if its database hangs in the middle of an answer."""

from __future__ import annotations

import asyncio
import signal
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Final

import pytest
from sqlalchemy import make_url

from playground import Playground
from tests.patience import slowness
from tests.people import data_of
from tests.processes import Processes, until

STOP_SECONDS: Final = 10
"""After so long Docker kills."""
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
        self._tasks: set[asyncio.Task[None]] = set()

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[str]:
        """The URL of the database through the relay."""
        server = await asyncio.start_server(self._begin, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        try:
            yield self._url.set(host="127.0.0.1", port=port).render_as_string(hide_password=False)
        finally:
            server.close()
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    def _begin(self, reader: StreamReader, writer: StreamWriter) -> None:
        self._tasks.add(asyncio.create_task(self._pass_on(reader, writer)))

    async def _pass_on(self, reader: StreamReader, writer: StreamWriter) -> None:
        try:
            if self.frozen.is_set():
                await _for_ever()
            theirs, ours = await asyncio.open_connection(self._url.host, self._url.port or 5432)
            try:
                with suppress(OSError):  # a killed process closes nothing
                    await asyncio.gather(self._copy(reader, ours), self._copy(theirs, writer))
            finally:
                ours.close()
        finally:
            writer.close()

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


@pytest.mark.parametrize("when", ["starts", "runs"])
async def test_a_signal_ends_the_bot_in_time_though_its_database_hangs_as_it(
    when: str, postgres_url: str, tmp_path: Path
) -> None:
    between = Between(postgres_url)
    async with Playground() as playground, between.listening() as url:
        rig = Processes(playground, tmp_path, url)
        if when == "starts":
            between.freezes_at = AT_THE_START
            await rig.start(ready=False)
        else:
            await rig.start()
            ann = playground.people["ann"]
            board = await ann.ask("/newgame easy me", in_=playground.groups["noughts"])
            between.freezes_at = b"UPDATE"
            ann.press(board, data_of(board, 4))
        async with asyncio.timeout(60):
            await between.frozen.wait()
        await until(lambda: sleeps(rig))
        async with asyncio.timeout(STOP_SECONDS * slowness()):
            assert await rig.end(signal.SIGTERM) == 0
        rig.engine.dispose()
        assert "Traceback" not in rig.logged()

"""Starts the project's programs as processes, as `python -m` does, with the patience that a slow machine needs.

Each is forked from a process that has imported the project already: that takes most of the time of a start.
"""

import asyncio
import multiprocessing
import os
import resource
import runpy
import signal
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple
from unittest.mock import patch

from tests import patience

ROOT: Final = Path(__file__).parents[1]

PRELOADED: Final = ("alembic.command", "bot.run", "psycopg", "storage.maintenance", "tests.starts", "uvloop")
_FORKED: Final = multiprocessing.get_context("forkserver")
_FORKED.set_forkserver_preload([*PRELOADED])


class Program(NamedTuple):
    """What `python -m` runs, and how."""

    module: str
    arguments: Sequence[str]
    folder: Path
    environment: Mapping[str, str]
    output: Path
    """The file to which its output is appended."""
    errors: Path
    largest_file: int | None = None
    """How many bytes each file that it writes may have."""
    patches: Mapping[str, object] | None = None
    """What stands in the place of some names of the project, such as a shorter time."""

    def be(self) -> None:
        """Be the program, in a process of its own."""
        for number, path in ((1, self.output), (2, self.errors)):
            file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            os.dup2(file, number)
            os.close(file)
        if self.largest_file is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (self.largest_file, self.largest_file))
        os.environ.clear()
        os.environ.update(self.environment)
        os.chdir(self.folder)
        patience.lengthen_timeouts()
        for name, value in (self.patches or {}).items():
            patch(name, value).start()
        sys.argv = [self.module, *self.arguments]
        with patience.quick_commits():
            runpy.run_module(self.module, run_name="__main__", alter_sys=True)


class Process:
    """A program that runs."""

    def __init__(self, program: Program) -> None:
        self._process = _FORKED.Process(target=program.be)
        self._process.start()
        self.pid: Final = self._process.pid or 0
        self._loop = asyncio.get_running_loop()
        self._ended: asyncio.Future[int] = self._loop.create_future()
        self._loop.add_reader(self._process.sentinel, self._end)

    async def wait(self) -> int:
        """Wait until it ends; returns its exit code, which is negative if a signal has ended it."""
        return await asyncio.shield(self._ended)

    def send_signal(self, number: signal.Signals) -> None:
        """Send it a signal, if it still runs."""
        if not self._ended.done():
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    async def kill(self) -> None:
        """Kill it, if it still runs."""
        self.send_signal(signal.SIGKILL)
        await self.wait()

    def _end(self) -> None:
        self._loop.remove_reader(self._process.sentinel)
        self._process.join()
        self._ended.set_result(self._process.exitcode or 0)


async def run(
    module: str, *arguments: str, folder: Path, environment: Mapping[str, str], within: float = 60
) -> tuple[int, str, str]:
    """Run a program until it exits; returns its exit code, its output and its errors.

    Raises:
        TimeoutError: if it does not end in time.
    """
    with TemporaryDirectory() as kept:
        out, err = Path(kept, "out"), Path(kept, "err")
        process = Process(Program(module, arguments, folder, dict(environment), out, err))
        try:
            code = await asyncio.wait_for(process.wait(), within)
        finally:
            await process.kill()
        printed, complained = (file.read_text("utf-8") for file in (out, err))
        return code, printed, complained

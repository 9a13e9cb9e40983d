"""The bots under test as child processes, and the resources they use."""

import asyncio
import dataclasses
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Self

import psutil

TOKEN = "1:for-benchmarks-only"  # noqa: S105 - a token of the generator's own Telegram
INHERITED = ("PATH", "HOME", "LANG", "LD_LIBRARY_PATH", "TMPDIR")
"""All that processes take over from the environment: settings there would change what is measured."""


def environment(**added: str) -> dict[str, str]:
    """The environment of a child process."""
    return {name: os.environ[name] for name in INHERITED if name in os.environ} | added


@dataclasses.dataclass(frozen=True)
class Tree:
    """A source tree, and the interpreter with what it needs installed."""

    name: str
    path: Path
    python: str

    @classmethod
    def at(cls, path: Path) -> Self:
        """Another checkout, with its own environment or this one's."""
        own = path / ".venv" / "bin" / "python"
        return cls(path.name, path.resolve(), str(own.absolute()) if own.exists() else sys.executable)

    def run(self, *arguments: str, **settings: str) -> str:
        """Run its Python until it exits; returns the output. If it fails, what it wrote is in the RuntimeError."""
        done = subprocess.run(
            [self.python, *arguments],
            cwd=self.path,
            env=environment(**settings),
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise RuntimeError(done.stderr[-4000:])
        return done.stdout


OURS = Tree("this tree", Path(__file__).parent.parent, sys.executable)


@dataclasses.dataclass(frozen=True)
class Child:
    """How to start a bot."""

    command: list[str]
    folder: str = str(OURS.path)
    settings: dict[str, str] = dataclasses.field(default_factory=dict)
    """Besides BOT_TOKEN and BOT_API_URL."""


class Children:
    """The processes of one run."""

    def __init__(self, children: list[Child], api_url: str) -> None:
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 - closed by stop
        self.began = time.perf_counter()
        self._processes = [
            subprocess.Popen(
                child.command,
                cwd=child.folder,
                env=environment(BOT_TOKEN=TOKEN, BOT_API_URL=api_url, **child.settings),
                stdout=self._log,
                stderr=self._log,
            )
            for child in children
        ]
        self._watched = [psutil.Process(process.pid) for process in self._processes]

    def check(self) -> None:
        """Raise RuntimeError, with the end of what the bots wrote, if one of them has ended."""
        if any(process.poll() is not None for process in self._processes):
            raise RuntimeError(f"a bot ended by itself:\n{self.tail()}")

    def tail(self) -> str:
        self._log.seek(0)
        return self._log.read()[-3000:].decode(errors="replace")

    def cpu(self) -> float:
        """Seconds of processor time the bots have used."""
        return sum(used.user + used.system for used in (process.cpu_times() for process in self._watched))

    def resident(self) -> float:
        """MiB of memory the bots hold."""
        return sum(process.memory_info().rss for process in self._watched) / 2**20

    async def stop(self) -> None:
        """Ask each bot to end, while its Telegram still answers; kill it after ten seconds."""
        for process in self._processes:
            process.terminate()
        _, alive = await asyncio.to_thread(psutil.wait_procs, self._watched, 10)
        for late in alive:
            late.kill()
        for process in self._processes:
            process.wait()
        self._log.close()

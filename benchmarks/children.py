"""The bot under test as one or more child processes, and the resources they use."""

import asyncio
import dataclasses
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Self

import psutil

TOKEN = "1:for-benchmarks-only"  # noqa: S105 - a token of the generator's own Telegram


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

    def run(self, module: str, *arguments: str, **environment: str) -> str:
        """Run one of its modules until it exits; returns its output.

        Raises:
            RuntimeError: with what it wrote, if it failed.
        """
        command, environment = [self.python, "-m", module, *arguments], {**os.environ, **environment}
        done = subprocess.run(command, cwd=self.path, env=environment, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(done.stderr[-4000:])
        return done.stdout


OURS = Tree("this tree", Path(__file__).parent.parent, sys.executable)


@dataclasses.dataclass(frozen=True)
class Child:
    """How to start a bot."""

    command: list[str]
    """Such as `["python", "-m", "bot"]`."""
    folder: str = str(OURS.path)
    environment: dict[str, str] = dataclasses.field(default_factory=dict)
    """Added to the environment, and to BOT_TOKEN and BOT_API_URL."""


class Children:
    """The processes of one run."""

    def __init__(self, children: list[Child], api_url: str) -> None:
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 - closed by stop
        self.began = time.perf_counter()
        self._processes: list[subprocess.Popen[bytes]] = []
        inherited = {name: value for name, value in os.environ.items() if name not in _SETTINGS}
        for child in children:
            environment = inherited | {"BOT_TOKEN": TOKEN, "BOT_API_URL": api_url} | child.environment
            self._processes.append(
                subprocess.Popen(
                    child.command, cwd=child.folder, env=environment, stdout=self._log, stderr=self._log
                )
            )
        self._watched = [psutil.Process(process.pid) for process in self._processes]

    def check(self) -> None:
        """Raise RuntimeError, with the end of what the bots wrote, if one of them has ended."""
        if any(process.poll() is not None for process in self._processes):
            raise RuntimeError(f"a bot ended by itself:\n{self.tail()}")

    def tail(self) -> str:
        """The end of what the bots wrote."""
        self._log.seek(0)
        return self._log.read()[-3000:].decode(errors="replace")

    def cpu(self) -> list[float]:
        """Seconds of processor time each bot has used."""
        return [used.user + used.system for used in (process.cpu_times() for process in self._watched)]

    def resident(self) -> list[float]:
        """MiB of memory each bot holds."""
        return [process.memory_info().rss / 2**20 for process in self._watched]

    async def stop(self) -> None:
        """Ask each bot to end, while its Telegram still answers; kill it after ten seconds."""
        for process in self._processes:
            process.terminate()
        await asyncio.gather(*(asyncio.to_thread(_end, process) for process in self._processes))
        self._log.close()


def _end(process: subprocess.Popen[bytes]) -> None:
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


_SETTINGS = frozenset(
    {
        "CALLS_PER_SECOND",
        "DATABASE_URL",
        "EDITS_PER_MINUTE",
        "HTTP_PORT",
        "LOG_FORMAT",
        "PYTHONDONTWRITEBYTECODE",  # on a host, compiled modules are cached between starts
        "LOG_LEVEL",
        "WEBHOOK_SECRET",
        "WEBHOOK_URL",
    }
)


def postgresql_cpu() -> float:
    """Seconds of processor time used by PostgreSQL's running processes on this machine."""
    total = 0.0
    for process in psutil.process_iter(["name", "cpu_times"]):
        used: Any = process.info["cpu_times"]
        if process.info["name"] == "postgres" and used is not None:
            total += used.user + used.system
    return total

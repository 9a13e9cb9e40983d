"""The checkouts that are measured, their bots as child processes, and the resources these use."""

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

    path: Path
    python: str

    @classmethod
    def at(cls, path: Path) -> Self:
        """Another checkout, with its own environment or this one's."""
        own = path / ".venv" / "bin" / "python"
        return cls(path.resolve(), str(own.absolute()) if own.exists() else sys.executable)

    def run(self, *arguments: str, **settings: str) -> None:
        """Run its Python until it exits. If it fails, what it wrote is in the RuntimeError."""
        command = [self.python, *arguments]
        done = subprocess.run(
            command, cwd=self.path, env=environment(**settings), capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise RuntimeError(done.stderr[-4000:])


OURS = Tree(Path(__file__).parent.parent, sys.executable)


@dataclasses.dataclass(frozen=True)
class Child:
    """How to start a bot."""

    arguments: list[str]
    """Of Python."""
    tree: Tree = OURS
    settings: dict[str, str] = dataclasses.field(default_factory=dict)
    """Besides BOT_TOKEN and BOT_API_URL."""


class Children:
    """The processes of one run."""

    def __init__(self, children: list[Child], api_url: str) -> None:
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 - closed by stop
        self.began = time.perf_counter()
        self._processes = [
            psutil.Popen(
                [child.tree.python, *child.arguments],
                cwd=child.tree.path,
                env=environment(BOT_TOKEN=TOKEN, BOT_API_URL=api_url, **child.settings),
                stdout=self._log,
                stderr=self._log,
            )
            for child in children
        ]

    def check(self) -> None:
        """Raise RuntimeError if one of the bots has ended."""
        if any(process.poll() is not None for process in self._processes):
            raise RuntimeError("a bot ended by itself")

    def tail(self) -> str:
        """The end of what the bots wrote."""
        self._log.seek(0)
        return self._log.read()[-3000:].decode(errors="replace")

    def cpu(self) -> float:
        """Seconds of processor time the bots have used."""
        return sum(used.user + used.system for used in (process.cpu_times() for process in self._processes))

    def resident(self) -> float:
        """MiB of memory the bots hold."""
        return sum(process.memory_info().rss for process in self._processes) / 2**20

    async def stop(self) -> None:
        """Ask each bot to end, while its Telegram still answers; kill it after ten seconds."""
        for process in self._processes:
            if process.poll() is None:
                process.terminate()
        _, alive = await asyncio.to_thread(psutil.wait_procs, self._processes, 10)
        for late in alive:
            late.kill()
            late.wait()
        self._log.close()

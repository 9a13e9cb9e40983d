"""The commands in the README and the docs, and ways to run them."""

from __future__ import annotations

import asyncio
import os
import re
import shlex
import signal
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
PAGES: Final = {
    name: (ROOT / name).read_text() for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")
} | {f"docs/{page.name}": page.read_text() for page in sorted((ROOT / "docs").glob("*.md"))}
"""What is written for people, by its path."""

BLOCK: Final = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)

OURS: Final = re.compile(
    "BOT_|DATABASE_URL|LOG_|CALLS_|EDITS_|HTTP_|WEBHOOK_|[A-Z]+_TTL$|OXO_|PYTEST_|COV_|MAKE|MFLAGS|PORT$|VIRTUAL_ENV"
)
"""Variables of this test run that a person's terminal does not have."""


def written_commands() -> set[str]:
    return {line for page in PAGES.values() for block in BLOCK.findall(page) for line in block.splitlines()}


def readme_command(line: str) -> list[str]:
    """A command of the README or another page, as words; raises an error if no page has the line."""
    assert line in written_commands(), f"no page has the line {line!r}"
    return shlex.split(line)


def environment(**settings: str) -> dict[str, str]:
    """The variables of a person's terminal, plus `settings`."""
    return {name: value for name, value in os.environ.items() if not OURS.match(name)} | settings


@dataclass(frozen=True)
class Checkout:
    """A copy of the project."""

    folder: Path

    def run(self, *words: str, **settings: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            words,
            cwd=self.folder,
            env=environment(**settings),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=100,
            check=False,
        )

    @asynccontextmanager
    async def start(self, *words: str, **settings: str) -> AsyncIterator[Terminal]:
        """Run a command as in a terminal, which is closed at the end."""
        process = await asyncio.create_subprocess_exec(
            *words,
            cwd=self.folder,
            env=environment(**settings),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            start_new_session=True,
        )
        terminal = Terminal(process)
        try:
            yield terminal
        finally:
            if process.returncode is None:
                await terminal.ctrl_c()


class Terminal:
    """A terminal with a running command."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.lines: list[str] = []
        self._process = process

    async def says(self, pattern: str) -> str:
        """Read on until a line matches; the result is the match."""
        assert self._process.stdout is not None
        async with asyncio.timeout(60):
            while line := (await self._process.stdout.readline()).decode():
                self.lines.append(line.rstrip("\n"))
                if found := re.search(pattern, line):
                    return found[0]
        raise AssertionError(f"{pattern!r} was not said, but:\n" + "\n".join(self.lines))

    async def ctrl_c(self) -> tuple[int, list[str]]:
        """Press Ctrl-C; returns the exit status and the remaining lines."""
        os.killpg(self._process.pid, signal.SIGINT)
        async with asyncio.timeout(60):
            rest, _ = await self._process.communicate()
        assert self._process.returncode is not None
        return self._process.returncode, rest.decode().splitlines()

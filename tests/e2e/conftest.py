"""The real bot, as a child process, in a playground."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

from playground import Playground

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from playground.messages import Message


class Oxo:
    """A playground and the bot in it; the bot can be stopped, killed and started again."""

    def __init__(self, playground: Playground, folder: Path, settings: dict[str, str]) -> None:
        self.playground = playground
        self.folder = folder
        self.log = folder / "bot.log"
        self.settings = {
            "BOT_TOKEN": playground.token,
            "BOT_API_URL": playground.url,
            "DATABASE_URL": f"sqlite:///{folder / 'oxo.db'}",
            **settings,
        }
        self.process: asyncio.subprocess.Process | None = None

    async def start(self, *arguments: str, **settings: str) -> None:
        """Start the bot and wait until it has introduced itself; what people send from then on is kept for it."""
        earlier = len(self.playground.calls)
        environment = {name: value for name, value in os.environ.items() if name not in self.settings}
        with self.log.open("ab") as log:
            self.process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "bot",
                *arguments,
                cwd=self.folder,
                env={**environment, **self.settings, **settings},
                stderr=log,
            )
        await self.playground.called("getMe", within=20, skip=earlier)

    async def stop(self) -> int:
        """Ask the bot to stop; the result is its exit code."""
        return await self._end(signal.SIGTERM)

    async def kill(self) -> None:
        """End the bot as a power cut would."""
        await self._end(signal.SIGKILL)

    async def _end(self, number: signal.Signals) -> int:
        process = self.process
        assert process is not None
        with suppress(ProcessLookupError):
            process.send_signal(number)
        code = await asyncio.wait_for(process.wait(), 15)
        self.process = None
        return code

    async def newgame(self, words: str = "") -> Message:
        """Let Ann start a game in her private chat; the result is its board."""
        ann = self.playground.people["ann"]
        return await ann.ask(f"/newgame {words}".strip())


@pytest.fixture
def settings() -> dict[str, str]:
    """The bot's settings beyond those that tie it to the playground; a test module may replace them."""
    return {}


@pytest.fixture
async def oxo(tmp_path: Path, settings: dict[str, str]) -> AsyncIterator[Oxo]:
    """The bot, started."""
    async with Playground() as playground:
        oxo = Oxo(playground, tmp_path, settings)
        await oxo.start()
        yield oxo
        if oxo.process is not None:
            await oxo.stop()

"""The bot as a child process: started, restarted when it dies, stopped."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

STOP_PATIENCE = 10.0
"""Seconds from SIGTERM to SIGKILL."""
_EARLY = 5.0
"""A bot that ends within so many seconds has not really started."""
_EARLY_ENDS = 3
_RESTART_PAUSE = 1.0


class BotGaveUpError(Exception):
    """The bot ends again and again right after its start; the text says how."""


class BotProcess:
    """Keeps `python -m bot` running in a session of its own, so that Ctrl-C reaches it through us alone."""

    def __init__(self, environment: Mapping[str, str], say: Callable[[str], None]) -> None:
        self._environment = {**os.environ, **environment}
        self._say = say
        self._process: asyncio.subprocess.Process | None = None
        self._last_words = ""

    async def keep_running(self) -> None:
        """Run the bot until cancelled; then stop it.

        Raises:
            BotGaveUpError: It does not stay up.
        """
        early_ends = 0
        try:
            while True:
                started = time.monotonic()
                code = await self._run()
                lasted = time.monotonic() - started
                early_ends = early_ends + 1 if lasted < _EARLY else 0
                if early_ends == _EARLY_ENDS:
                    words = self._last_words or "it said nothing"
                    raise BotGaveUpError(f"The bot does not stay up (exit code {code}): {words}")
                self._say(f"The bot ended (exit code {code}); starting it again.")
                await asyncio.sleep(max(_RESTART_PAUSE - lasted, 0))
        finally:
            await self._stop()

    async def _run(self) -> int:
        self._process = process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "bot",
            env=self._environment,
            stdin=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
            start_new_session=True,
        )
        if process.stderr is not None:
            while line := await process.stderr.readline():
                text = line.decode(errors="replace").rstrip()
                self._last_words = text.strip() or self._last_words
                sys.stderr.write(text + "\n")
        return await process.wait()

    async def _stop(self) -> None:
        process = self._process
        if process is None or process.returncode is not None:
            return
        with contextlib.suppress(ProcessLookupError):
            process.send_signal(signal.SIGTERM)
        # Its last words still come through the pipe, which must not fill up meanwhile.
        rest = asyncio.ensure_future(self._drain(process))
        try:
            await asyncio.wait_for(process.wait(), STOP_PATIENCE)
        except TimeoutError:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            await process.wait()
        await rest

    async def _drain(self, process: asyncio.subprocess.Process) -> None:
        if process.stderr is not None:
            while line := await process.stderr.readline():
                sys.stderr.write(line.decode(errors="replace"))

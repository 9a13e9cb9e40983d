"""Runs the bot as a child process: restarts it when it dies; stops it, kills it and moves its clock on order."""

import asyncio
import contextlib
import os
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from typing import Literal

from playground import moved

State = Literal["running", "stopping", "stopped", "died"]
"""Those who are stopped stay down; who has died is started again."""

STOP_PATIENCE = 10.0
"""Seconds from SIGTERM to SIGKILL."""
_EARLY = 5.0
"""A bot that ends within this many seconds hasn't really started."""
_EARLY_ENDS = 3
RESTART_PAUSE = 1.0
"""Seconds from one start to the next at least."""


class BotGaveUpError(Exception):
    """The bot keeps ending right after its start; the text says how."""


class BotProcess:
    """Keeps the bot running by a clock that can be moved, in a session of its own that Ctrl-C doesn't reach."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = {**os.environ, **environment}
        self._ahead = 0.0
        self._clock: int | None = None
        """The file that the bot reads its clock by, while it is kept running."""
        self._process: asyncio.subprocess.Process | None = None
        self._last_words = ""
        self._wanted = asyncio.Event()
        self._wanted.set()
        self._stopping: asyncio.Task[None] | None = None
        self.state: State = "stopped"
        self.on_change: Callable[[], None] = lambda: None
        """Called at every change of the state."""

    def start(self) -> None:
        """Start the bot, if it was stopped or killed."""
        self._wanted.set()

    def stop(self) -> None:
        """Ask the bot to stop, as a host does; it stays down until `start`."""
        if self._wanted.is_set() and self.state == "running":
            self._wanted.clear()
            self._become("stopping")
            self._stopping = asyncio.ensure_future(self._stop())

    def kill(self) -> None:
        """Kill the bot, as a power cut would; it stays down until `start`."""
        self._wanted.clear()
        process = self._process
        if process is not None and process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)

    def move(self, ahead: float) -> None:
        """Let the bot's wall clock be so many seconds ahead, from now on and after every start."""
        self._ahead = ahead
        if self._clock is not None:
            os.pwrite(self._clock, moved.SECONDS.pack(ahead), 0)

    async def keep_running(self) -> None:
        """Run the bot until cancelled; then stop it."""
        with tempfile.TemporaryFile() as clock:
            self._clock = clock.fileno()
            self.move(self._ahead)
            try:
                await self._run_again_and_again(self._clock)
            finally:
                self._clock = None
                # Nobody reads its output now, which must not fill the pipe.
                await asyncio.gather(self._stop(), self._pass_on())

    async def _run_again_and_again(self, clock: int) -> None:
        early_ends = 0
        while True:
            await self._wanted.wait()
            started = time.monotonic()
            code = await self._run(clock)
            if not self._wanted.is_set():
                early_ends = 0
                continue
            lasted = time.monotonic() - started
            early_ends = early_ends + 1 if lasted < _EARLY else 0
            if early_ends == _EARLY_ENDS:
                words = self._last_words or "it said nothing"
                raise BotGaveUpError(f"The bot keeps stopping (exit code {code}): {words}")
            sys.stderr.write(f"The bot ended (exit code {code}); starting it again.\n")
            await asyncio.sleep(max(RESTART_PAUSE - lasted, 0))

    def _become(self, state: State) -> None:
        self.state = state
        self.on_change()

    async def _run(self, clock: int) -> int:
        self._process = process = await asyncio.create_subprocess_exec(
            sys.executable,
            moved.__file__,
            str(clock),
            pass_fds=(clock,),
            env=self._environment,
            stdin=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
            start_new_session=True,
        )
        self._become("running")
        await self._pass_on()
        code = await process.wait()
        self._become("died" if self._wanted.is_set() else "stopped")
        return code

    async def _stop(self) -> None:
        process = self._process
        if process is None or process.returncode is not None:
            return
        with contextlib.suppress(ProcessLookupError):
            process.send_signal(signal.SIGTERM)
        try:
            await asyncio.wait_for(process.wait(), STOP_PATIENCE)
        except TimeoutError:
            self.kill()
            await process.wait()

    async def _pass_on(self) -> None:
        """Pass on what the bot writes, until it ends."""
        if self._process is not None and self._process.stderr is not None:
            while line := await self._process.stderr.readline():
                text = line.decode(errors="replace").rstrip()
                self._last_words = text.strip() or self._last_words
                sys.stderr.write(text + "\n")

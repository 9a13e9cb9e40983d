"""A worker process, seen from the bot.

It is a `ProcessPoolExecutor` of one process: an executor of several could not end a single job, and one process
that dies would fail the jobs of all.
"""

from __future__ import annotations

import asyncio
from concurrent import futures
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")


class Died(Exception):
    """A process died during a job or could not be started."""


class Process:
    """A process that starts with its first job and ends after some time without one.

    Args:
        idle: How many seconds that is.
    """

    def __init__(self, idle: float) -> None:
        self._idle = idle
        self._executor: futures.ProcessPoolExecutor | None = None
        self._timer: asyncio.TimerHandle | None = None

    async def run(self, work: Callable[[], T], seconds: float) -> T:
        """Do one job; its exceptions are raised here. If this is cancelled, the process is killed.

        Raises:
            Died: The process died or cannot be started.
            TimeoutError: The job took more than this many seconds, so the process was killed.
        """
        if self._timer is not None:
            self._timer.cancel()
        future = self._submit(work)
        try:
            async with asyncio.timeout(seconds):
                return await asyncio.wrap_future(future)
        except futures.BrokenExecutor as error:
            self.kill()
            raise Died(str(error)) from error
        finally:
            if not future.done():
                self.kill()
            self._timer = asyncio.get_running_loop().call_later(self._idle, self.kill)

    def kill(self) -> None:
        """Kill the process; the next job starts another.

        Python 3.14 has `ProcessPoolExecutor.kill_workers` for this.
        """
        if self._timer is not None:
            self._timer.cancel()
        executor, self._executor = self._executor, None
        processes = None if executor is None else executor._processes  # noqa: SLF001 - until then there is no other way
        for process in tuple((processes or {}).values()):
            process.kill()

    def _submit(self, work: Callable[[], T]) -> futures.Future[T]:
        try:
            if self._executor is None:
                self._executor = _start()
            return self._executor.submit(work)
        except (futures.BrokenExecutor, OSError) as error:
            self.kill()
            raise Died(str(error)) from error


def _start() -> futures.ProcessPoolExecutor:
    import multiprocessing  # noqa: PLC0415 - a bot that needs no process does not load it

    from bot.workers import child  # noqa: PLC0415 - likewise

    # A fork would copy the bot with its connections and locks.
    return futures.ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), child.begin)

"""Background tasks that nobody awaits."""

import asyncio
import logging
from collections.abc import Callable, Coroutine

log = logging.getLogger(__name__)


class Tasks:
    """The tasks under way: the event loop alone keeps weak references (Python, `asyncio.create_task`)."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[object]] = set()

    def __len__(self) -> int:
        return len(self._tasks)

    def start(self, work: Coroutine[None, None, object]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def later(self, seconds: float, work: Callable[[], Coroutine[None, None, None]]) -> None:
        """Start some work after this many seconds."""
        asyncio.get_running_loop().call_later(seconds, lambda: self.start(work()))

    async def close(self, seconds: float = 0) -> None:
        """Wait for what is under way, for at most this many seconds; then cancel it."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=seconds)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _ended(self, task: asyncio.Task[object]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("Background work failed", exc_info=error)

"""An event loop in virtual time, which passes only while everything waits: an hour of waiting takes a moment."""

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class _Idle(selectors.DefaultSelector):
    """A selector that reports no events, and adds up the seconds it would have waited."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """Skip the time.

        Raises:
            RuntimeError: if nothing would ever happen.
        """
        if timeout is None:
            raise RuntimeError("everything waits, but no timer is set")
        self.now += max(timeout, 0.0)
        return []


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop without input and output, in virtual time that begins at 0."""

    def __init__(self) -> None:
        self._idle = _Idle()
        super().__init__(self._idle)

    def time(self) -> float:
        """Seconds of virtual time."""
        return self._idle.now


def run(main: Coroutine[Any, Any, T]) -> T:
    """Run until complete in virtual time."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(main)

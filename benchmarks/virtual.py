"""An event loop in virtual time, which passes only while everything waits: an hour of waiting takes a moment."""

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class _Idle(selectors.DefaultSelector):
    now = 0.0
    """The seconds that it would have waited."""

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """Report no events, and skip the time; it is an error if nothing would ever happen."""
        if timeout is None:
            raise RuntimeError("everything waits, but no timer is set")
        self.now += max(timeout, 0.0)
        return []


class Loop(asyncio.SelectorEventLoop):
    """An event loop without input and output."""

    def __init__(self) -> None:
        self._idle = _Idle()
        super().__init__(self._idle)

    def time(self) -> float:
        return self._idle.now


def run(main: Coroutine[Any, Any, T]) -> T:
    """Run until complete in virtual time."""
    with asyncio.Runner(loop_factory=Loop) as runner:
        return runner.run(main)

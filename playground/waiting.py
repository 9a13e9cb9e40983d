"""The playground's time, and waiting for what happens in it."""

import asyncio
import time
from collections.abc import Callable
from typing import Any, TypeVar

PATIENCE = 30.0
"""The seconds that waiting methods wait by default."""


class Clock:
    """Wall-clock time plus whatever was skipped.

    Lifetimes, deadlines and flood windows use this clock. Waiting (long polls, webhook retries, delays of faults)
    takes real time.
    """

    def __init__(self) -> None:
        self.skipped = 0.0
        """How many seconds it is ahead of the machine's."""

    def now(self) -> float:
        """Seconds since 1970, in the playground's time."""
        return time.time() + self.skipped

    def advance(self, seconds: float) -> None:
        self.skipped += seconds


T = TypeVar("T")


class Changes:
    """Where things happen, and others wait for them."""

    def __init__(self) -> None:
        self._waiting: dict[asyncio.Future[Any], Callable[[], object | None]] = {}

    def notify(self) -> None:
        """Say that something happened: every probe looks immediately, so that no short-lived state is missed."""
        for future, probe in list(self._waiting.items()):
            if future.done():
                continue
            try:
                found = probe()
            except Exception as error:  # noqa: BLE001 - a test's failing predicate fails in the test, not here
                future.set_exception(error)
            else:
                if found is not None:
                    future.set_result(found)

    async def until(self, probe: Callable[[], T | None], within: float, what: Callable[[], str]) -> T:
        """Wait up to `within` seconds for what `probe` finds, now or after a later change.

        It returns None as long as there is nothing; `what` tells the TimeoutError what was waited for.
        """
        found = probe()
        if found is not None:
            return found
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._waiting[future] = probe
        try:
            return await asyncio.wait_for(future, within)
        except TimeoutError:
            raise TimeoutError(f"waited {within:g} s for {what()}") from None
        finally:
            del self._waiting[future]

"""Waiting for something to happen, without polling."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")


class Changes:
    """Where things happen, and others wait for them."""

    def __init__(self) -> None:
        self._waiting: dict[asyncio.Future[Any], Callable[[], object | None]] = {}

    @property
    def waited_for(self) -> bool:
        """Whether anybody is waiting."""
        return bool(self._waiting)

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
        """Wait for what `probe` finds, now or after a later change.

        Args:
            probe: Returns None as long as there is nothing.
            within: Seconds.
            what: Describes what was waited for, for the error.

        Raises:
            TimeoutError: Nothing came in time.
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

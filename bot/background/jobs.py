"""What goes on beside the updates for as long as the bot runs, and in which order it begins."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Final

from bot.background import erasure as forgetting
from bot.background import retention
from bot.background.deadlines import LOOK_SECONDS, Clock
from bot.background.supervision import supervise
from bot.context import languages
from bot.delivery.publisher import HOLD_SECONDS
from bot.delivery.sweep import SWEEP_SECONDS, sweep
from storage.results import rebuild

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine

    from bot.background.deadlines import Arrivals
    from bot.context.services import Services

COUNT_SECONDS: Final = 5.0
"""Results that have come are counted, and days that are over are rated, so often."""
SWEEP_AFTER_SECONDS: Final = 5.0
"""The sweep begins so long after the start at the latest, however much waits to be handled first."""


class BackgroundTasks:
    """Tasks that run beside the updates until the bot stops."""

    def __init__(self) -> None:
        """None yet."""
        self._tasks: list[asyncio.Task[object]] = []

    def start(self, *works: Coroutine[None, None, object]) -> None:
        """Begin some work."""
        self._tasks += [asyncio.create_task(work) for work in works]

    async def ended(self) -> None:
        """Wait until all of it has ended, which work that is supervised never does."""
        await asyncio.gather(*self._tasks)

    async def stop(self) -> None:
        """End all of it."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


async def hold(services: Services) -> None:
    """Keep the sweeps of other processes off what waits in this one."""
    await supervise("Holding what waits", _nothing_more(services.publisher.hold), HOLD_SECONDS)


async def read_languages(services: Services) -> None:
    """Learn the languages that people choose, wherever they do."""
    read = partial(services.languages.read, services.store)
    await supervise("Reading the languages that people chose", read, languages.AGAIN_SECONDS)


async def start_background_jobs(
    services: Services, caught_up: Coroutine[None, None, object], arrivals: Arrivals
) -> None:
    """Begin the sweep once the updates that waited at the start are handled, and only then the deadlines.

    Who has moved in time, while the bot was away, must not lose on time.
    """
    store, publisher = services.store, services.publisher
    background = BackgroundTasks()
    backlog = asyncio.create_task(caught_up)
    try:
        await asyncio.wait((backlog,), timeout=SWEEP_AFTER_SECONDS)
        background.start(supervise("The sweep", lambda: sweep(store, publisher), SWEEP_SECONDS))
        await backlog
        background.start(
            supervise("The look at the deadlines", Clock(services, arrivals).look, LOOK_SECONDS),
            supervise("Counting results", lambda: rebuild.count(store), COUNT_SECONDS),
            supervise("Making ratings", lambda: rebuild.rate(store), COUNT_SECONDS),
            supervise("Forgetting", lambda: forgetting.look(services), forgetting.LOOK_SECONDS),
            supervise("What is kept for a time", retention.Keeper(services).look, retention.LOOK_SECONDS),
        )
        await background.ended()
    finally:
        backlog.cancel()
        await background.stop()


def _nothing_more(step: Callable[[], Awaitable[None]]) -> Callable[[], Awaitable[bool]]:
    """A step of work that has nothing more to do at once."""

    async def once() -> bool:
        await step()
        return False

    return once

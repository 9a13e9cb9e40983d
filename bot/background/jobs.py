"""Starts the background jobs: the sweep, deadlines, results, ratings, erasure and retention, in this order."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from functools import partial
from typing import Final

from bot.background import erasure as forgetting
from bot.background import retention
from bot.background.clock import LOOK_SECONDS, Arrivals, Clock
from bot.background.supervision import supervise
from bot.context import languages
from bot.context.services import Services
from bot.delivery.publisher import HOLD_SECONDS
from bot.delivery.sweep import SWEEP_SECONDS, sweep
from bot.features.puzzle import service as puzzle
from storage.results import rebuild

COUNT_SECONDS: Final = 5.0
"""New results are counted and rated this often."""
SWEEP_AFTER_SECONDS: Final = 5.0
"""The sweep begins this long after the start at the latest, however many updates are waiting."""


class BackgroundTasks:
    """Tasks that run in the background until the bot stops."""

    def __init__(self) -> None:
        """None yet."""
        self._tasks: list[asyncio.Task[object]] = []

    def start(self, *works: Coroutine[None, None, object]) -> None:
        """Start some work."""
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
    """Keep other processes' sweeps off what is waiting in this one."""
    await supervise("Holds", _nothing_more(services.publisher.keep_in_step), HOLD_SECONDS)


async def read_languages(services: Services) -> None:
    """Read the languages that people choose, in whichever process they do."""
    read = partial(services.languages.read, services.store)
    await supervise("Languages", read, languages.AGAIN_SECONDS)


async def start_background_jobs(
    services: Services, caught_up: Coroutine[None, None, object], arrivals: Arrivals
) -> None:
    """Begin the sweep once the updates that waited at the start are handled, and only then the deadlines.

    A player who moved in time while the bot was down must not lose on time.
    """
    store, publisher = services.store, services.publisher
    background = BackgroundTasks()
    backlog = asyncio.create_task(caught_up)
    try:
        await asyncio.wait((backlog,), timeout=SWEEP_AFTER_SECONDS)
        background.start(supervise("Sweep", lambda: sweep(store, publisher), SWEEP_SECONDS))
        await backlog
        background.start(
            supervise("Deadlines", Clock(services, arrivals).look, LOOK_SECONDS),
            supervise("Results", lambda: rebuild.count(store), COUNT_SECONDS),
            supervise("Ratings", lambda: rebuild.rate(store), COUNT_SECONDS),
            supervise("Erasure", lambda: forgetting.look(services), forgetting.LOOK_SECONDS),
            supervise("Puzzle reminders", partial(puzzle.remind, services), puzzle.REMIND_SECONDS),
            supervise("Retention", retention.Keeper(services).look, retention.LOOK_SECONDS),
        )
        await background.ended()
    finally:
        backlog.cancel()
        await background.stop()


def _nothing_more(step: Callable[[], Awaitable[None]]) -> Callable[[], Awaitable[bool]]:
    """A step of work that always waits before the next one."""

    async def once() -> bool:
        await step()
        return False

    return once

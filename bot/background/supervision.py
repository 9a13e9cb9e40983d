"""Keeps background work going: an error is logged once, and doesn't end it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final

from storage.errors import StorageError

log = logging.getLogger(__name__)

LONGEST_PAUSE_SECONDS: Final = 8.0
"""The longest pause between two tries of work that fails."""


async def supervise(name: str, step: Callable[[], Awaitable[bool]], pause: float) -> None:
    """Repeat a step of some work until cancelled: immediately if it reports more work, else after `pause` seconds.

    A step that fails is tried again, a little later each time, and its error is logged once until it succeeds.
    """
    failures = 0
    while True:
        more = False
        try:
            more = await step()
        except StorageError as error:
            log.debug("%s: waiting for the database: %s", name, error)
            failures += 1
        except Exception:
            if not failures:
                log.exception("%s: failed, will retry", name)
            failures += 1
        else:
            if failures:
                log.info("%s: working again", name)
            failures = 0
        if not more:
            await asyncio.sleep(min(pause * (1 + failures), LONGEST_PAUSE_SECONDS))

"""Forgets people again who are back because an older backup was restored."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Final

from storage.errors import ConcurrentChange
from storage.privacy import erasure, forgotten, traces
from storage.privacy.forgotten import Journal
from storage.store import Store

PAUSE_SECONDS: Final = 0.02
"""How long to wait before trying a step again that another process was doing."""


async def forget_again(store: Store, journal: Journal) -> int:
    """Forget again everybody on the list who is in the database; returns how many.

    Raises:
        StorageError: if the database cannot be used.
        OSError: if the list cannot be read.
    """
    listed = await asyncio.to_thread(journal.read)
    if not listed:
        return 0
    found = await store.run(partial(forgotten.undone, listed=listed))
    for person, at in found.items():
        await store.run(partial(erasure.begin_again, person=person, at=at))
    while found:
        try:
            if await store.run(erasure.step) is None:
                break
        except ConcurrentChange:
            await asyncio.sleep(PAUSE_SECONDS)  # another process does the same
    await traces.empty(store)
    return len(found)

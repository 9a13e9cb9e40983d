"""Background work on results: statistics, and ratings of games that ended while the ratings weren't current.

It works in small transactions, so that no tap waits for long, and each notes how far it has come, so that after a
kill another process goes on from there. `rebuild` deletes everything that is made from results and makes it again.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from functools import partial
from typing import Final

from sqlalchemy import Connection

from storage.results import ratings, results, statistics
from storage.results.result import DAY
from storage.store import Store

PORTION: Final = 50
"""How many games a transaction rates while people play."""
REBUILT_PORTION: Final = 500
"""How many results a transaction counts, or games it rates, when a host rebuilds everything."""
SAID: Final = 50_000
"""After how many results or games the host is told how far it is."""
PAUSE_SECONDS: Final = 0.5
"""How long a rebuild waits for another process that is doing its part."""


async def count(store: Store) -> bool:
    """Count some results; True if there are more."""
    return await store.read(statistics.count) >= statistics.BATCH


async def rate(store: Store) -> bool:
    """Rate some games that were not rated when they ended; True if there are more."""
    if await store.read(catch_up):
        return True
    await store.read(partial(ratings.unsettle, today=int(time.time()) // DAY))
    return False


def catch_up(connection: Connection, limit: int = PORTION) -> int:
    """Rate the next games in the order of their numbers; how many, 0 while another process does so."""
    if not ratings.waiting(connection):
        return 0
    progress = ratings.try_lock(connection)
    if progress is None or progress.is_current:
        return 0
    games = results.after(connection, progress.rated, limit)
    ratings.rate_games(connection, games)
    last = games[-1].number if len(games) == limit else progress.numbered
    ratings.note_rated(connection, last or progress.numbered)
    return len(games)


async def rebuild(store: Store, say: Callable[[str], None]) -> None:
    """Make everything again that is made from results, and tell the host how far it is."""
    await store.run(statistics.forget_counts)
    await store.run(ratings.forget)
    await _work_off(
        store, partial(statistics.count, limit=REBUILT_PORTION), statistics.uncounted, "results are counted", say
    )
    await _work_off(store, partial(catch_up, limit=REBUILT_PORTION), ratings.waiting, "games are rated", say)


async def _work_off(
    store: Store,
    work: Callable[[Connection], int],
    waiting: Callable[[Connection], int],
    what: str,
    say: Callable[[str], None],
) -> None:
    done, total = 0, await store.run(waiting)
    while (more := await store.run(work)) or await store.run(waiting):
        done += more
        if done // SAID > (done - more) // SAID:
            say(f"{done:,} of {total:,} {what}.")
        await asyncio.sleep(0 if more else PAUSE_SECONDS)
    say(f"{total:,} {what}.")

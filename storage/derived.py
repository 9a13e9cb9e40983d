"""The work beside the bot: results are counted soon after they are stored, and a day is rated once it is over.

It goes on in small transactions, so that no tap waits for long. Each step may be done twice, by two processes or
after a crash, and comes to the same; `rebuild` throws everything away that is made of results, and makes it anew.
"""

from __future__ import annotations

import asyncio
import time
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Final, TypeVar

from storage import ratings, results, tallies
from storage.fairness import counted
from storage.rating_day import Key, Rated, rate_day
from storage.results import DAY, PARTS

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping

    from storage.result import Result
    from storage.store import Store

    Compute = Callable[
        [int, list[Result], Mapping[Key, Rated], Mapping[int, Mapping[int, int]]], Awaitable[dict[Key, Rated]]
    ]
    """What `rate_day` does, wherever it is done."""

T = TypeVar("T")

CHUNK: Final = 400
"""People or rows that one transaction reads or writes."""

LATE_SECONDS: Final = 600
"""A day is rated so long after its end, when even a slow transaction has stored its last game."""

PAUSE_SECONDS: Final = 0.5
"""Whoever makes all anew looks so often whether another process has done its part."""


async def count(store: Store) -> bool:
    """Count some results; True if there are more.

    Raises:
        StorageError: if the database cannot be used.
    """
    return await store.run(tallies.count) >= tallies.BATCH


async def rate(store: Store, compute: Compute | None = None, now: int | None = None) -> bool:
    """Make the ratings of the first day that is over and has none; True if there was one to make.

    Args:
        store: The database.
        compute: Does what `rate_day` does; None for a thread.
        now: Seconds since 1970.

    Raises:
        StorageError: if the database cannot be used.
    """
    now = int(time.time()) if now is None else now
    today = _today(now)
    day = await store.run(partial(ratings.next_day, today=today))
    if day is None:
        await store.run(partial(ratings.unsettle, today=today))
        return False
    if not await store.run(partial(ratings.claim, now=now)):
        return False
    try:
        await rate_one(store, day, compute or in_a_thread)
    finally:
        await store.run(ratings.release)
    return True


async def rate_one(store: Store, day: int, compute: Compute) -> None:
    """Make the ratings of one day.

    Raises:
        StorageError: if the database cannot be used.
    """
    played: list[Result] = []
    for part in range(PARTS):
        played += await store.run(partial(results.between_people, day=day, part=part))
    games = list(counted(played))
    people = {person for game in games for person in (game.person, game.opponent)}
    pairs = ratings.pairs_of(games)
    for some in chunks(pairs):
        await store.run(partial(ratings.note_pairs, day=day, pairs={pair: pairs[pair] for pair in some}))
    known: dict[int, dict[int, int]] = {}
    wanted = people
    for _ in range(2):  # themselves, and whom they play
        for chunk in chunks(wanted - known.keys(), CHUNK // 4):
            known |= await store.run(partial(ratings.opponents, people=chunk, day=day))
        wanted = {other for person in wanted for other in known[person]}
    before: dict[Key, Rated] = {}
    for chunk in chunks(people):
        before |= await store.run(partial(ratings.before, people=chunk, day=day))
    rated = await compute(day, games, before, known)
    for keys in chunks(rated):
        await store.run(partial(ratings.store, day=day, ratings={key: rated[key] for key in keys}))
    await store.run(partial(ratings.finish_day, day=day))


async def in_a_thread(
    day: int,
    games: list[Result],
    before: Mapping[Key, Rated],
    opponents: Mapping[int, Mapping[int, int]],
) -> dict[Key, Rated]:
    """Rate a day beside the event loop."""
    return await asyncio.to_thread(rate_day, day, games, before, opponents)


async def rebuild(store: Store, say: Callable[[str], None]) -> None:
    """Make all anew that is made of results, and say how far it is.

    Raises:
        StorageError: if the database cannot be used.
    """
    await store.run(tallies.forget_counts)
    if not await _forgot_ratings(store):
        say("Another process makes ratings: this waits until it is done.")
        while not await _forgot_ratings(store):  # noqa: ASYNC110 - it is another process
            await asyncio.sleep(PAUSE_SECONDS)
    total, done = await store.run(tallies.uncounted), 0
    while (more := await store.run(partial(tallies.count, limit=CHUNK))) or await store.run(tallies.uncounted):
        done += more
        if done // 50_000 > (done - more) // 50_000:
            say(f"{done:,} of {total:,} results are counted.")
        await asyncio.sleep(0 if more else PAUSE_SECONDS)
    say(f"{done:,} results are counted.")
    days = 0
    while (is_rated := await rate(store)) or await store.run(
        partial(ratings.next_day, today=_today())
    ) is not None:
        days += is_rated
        if is_rated and not days % 100:
            say(f"{days:,} days are rated.")
        await asyncio.sleep(0 if is_rated else PAUSE_SECONDS)
    say(f"{days:,} days are rated.")


async def _forgot_ratings(store: Store) -> bool:
    return await store.run(partial(ratings.forget, now=int(time.time())))


def _today(now: int | None = None) -> int:
    """The day before which all are over for good, counted from 1970."""
    return ((int(time.time()) if now is None else now) - LATE_SECONDS) // DAY


def chunks(items: Iterable[T], size: int = CHUNK) -> Iterator[list[T]]:
    """Some at a time, in the order in which they are."""
    each = iter(items)
    while chunk := list(islice(each, size)):
        yield chunk

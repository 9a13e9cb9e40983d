"""While ratings are being computed in the background, /stats and /top show none."""

from __future__ import annotations

from functools import partial

from sqlalchemy import Connection, insert, update

from bot.features.stats import summary
from storage.database import parse_url
from storage.migrate import migrate
from storage.results import ratings
from storage.results.result import EVERYWHERE
from storage.schema import PROGRESS, RATINGS
from storage.store import Store

ANN = 5


async def test_stats_show_no_rating_that_is_partial(new_sqlite_url: str) -> None:
    migrate(parse_url(new_sqlite_url))
    store = Store(parse_url(new_sqlite_url))
    row = dict.fromkeys(RATINGS.c.keys(), 1) | {"person": ANN, "family": "", "rating": 1600.0}

    def number(connection: Connection, *, count: int) -> None:
        connection.execute(update(PROGRESS).where(PROGRESS.c.name == ratings.NUMBERED).values(value=count))

    await store.run(lambda connection: connection.execute(insert(RATINGS), [row]) and None)
    assert (await store.run(partial(summary, person=ANN, chat_id=EVERYWHERE))).standings
    await store.run(partial(number, count=5))
    assert not (await store.run(partial(summary, person=ANN, chat_id=EVERYWHERE))).standings
    await store.close()

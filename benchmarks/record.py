"""What statistics cost on a database of years: its migration, counting, rating, the queries of /stats and /top.

`python -m benchmarks.record` makes a database as a release before would have left it, on SQLite or
(`--postgresql`) on a database of its own on the server at 127.0.0.1, and prints how long each takes.
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import statistics
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import alembic.command
import sqlalchemy as sa
from alembic.config import Config

from benchmarks import databases
from bot.handlers.stats import fared
from storage import derived, standings, tallies
from storage.database import connect, parse_url
from storage.migrate import PROGRESS, SCRIPTS, migrate
from storage.store import Store
from storage.tally import EVERYWHERE

if TYPE_CHECKING:
    from collections.abc import Callable

BEFORE: Final = "0006"
"""The newest schema without results."""
GROUPS: Final = 2000
DAYS: Final = 365

# Every third game is between two people of one group, the others against the computer; X takes the first row.
_GAMES: Final = """
INSERT INTO games (id, chat_id, rules, moves, x_seat, o_seat, x_name, o_name, o_level, termination, winner,
                   version, created_at, changed_at, moved_at)
WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < :games)
SELECT n, CASE WHEN n % 3 = 0 THEN -1 - n % :groups ELSE 1 + n % :people END,
       CASE WHEN n % 10 = 7 THEN 'ultimate' ELSE '3x3x3' END, CASE WHEN n % 10 = 7 THEN '00' ELSE '03142' END,
       1 + n % :people, CASE WHEN n % 3 = 0 THEN 1 + (n + :groups * (1 + n / 7 % 20)) % :people ELSE 0 END,
       'Ann', 'Bob', CASE WHEN n % 3 <> 0 THEN 'medium' END,
       CASE WHEN n % 10 = 7 THEN 'resignation' ELSE 'line' END, CASE WHEN n % 5 = 0 THEN 'O' ELSE 'X' END,
       5, 0, 0, :since + CAST(n AS BIGINT) * :seconds / :games
FROM numbers
"""
_PEOPLE: Final = """
INSERT INTO people (id, name)
WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < :people)
SELECT n, 'Somebody' FROM numbers
"""
_CHATS: Final = """
INSERT INTO chats (id)
WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < :people)
SELECT n FROM numbers UNION ALL SELECT -n FROM numbers WHERE n <= :groups
"""


def fill(url: sa.URL, games: int, people: int) -> None:
    """Make a database as a release before would have left it."""
    engine = connect(url)
    config = Config()
    config.set_main_option("script_location", str(SCRIPTS))
    numbers = {"games": games, "people": people, "groups": GROUPS}
    seconds = DAYS * 86400
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        alembic.command.upgrade(config, BEFORE)
        connection.execute(sa.text(_CHATS), {"people": people, "groups": GROUPS})
        connection.execute(sa.text(_PEOPLE), {"people": people})
        since = int(time.time()) - seconds
        connection.execute(sa.text(_GAMES), {**numbers, "since": since, "seconds": seconds})
    engine.dispose()


def queries(person: int) -> dict[str, Callable[[sa.Connection], Any]]:
    """What people ask for, each as its handler asks the database."""
    week, group = tallies.week_of(int(time.time())), -1 - person % GROUPS
    rating: dict[str, Any] = {"family": ""}
    wins: dict[str, Any] = {"family": "", "week": week}
    return {
        "/stats, everywhere": lambda c: (tallies.count(c), fared(c, person, EVERYWHERE)),
        "/stats, in a group": lambda c: (tallies.count(c), fared(c, person, group)),
        "/top by rating, everybody": lambda c: (
            standings.by_rating(c, **rating, offset=0),
            standings.place_by_rating(c, **rating, person=person),
        ),
        "/top by rating, everybody, page 1000": lambda c: (
            standings.by_rating(c, **rating, offset=10_000),
            standings.place_by_rating(c, **rating, person=person),
        ),
        "/top by rating, a group": lambda c: (
            standings.by_rating(c, **rating, offset=0, chat_id=group),
            standings.place_by_rating(c, **rating, person=person, chat_id=group),
        ),
        "/top by wins, everybody": lambda c: (
            standings.by_wins(c, **wins, offset=0),
            standings.place_by_wins(c, **wins, person=person),
        ),
        "/top by wins, a group": lambda c: (
            standings.by_wins(c, **wins, offset=0, chat_id=group),
            standings.place_by_wins(c, **wins, person=person, chat_id=group),
        ),
    }


async def measure(store: Store, people: int, rounds: int) -> dict[str, list[float]]:
    """How long each query takes for people here and there, in ms."""
    found: dict[str, list[float]] = {}
    for number in range(rounds):
        for name, work in queries(1 + number * 7919 % people).items():
            started = time.perf_counter()
            await store.run(work)
            found.setdefault(name, []).append(1000 * (time.perf_counter() - started))
    return found


def _timed(name: str, work: Callable[[], object]) -> None:
    started = time.perf_counter()
    work()
    print(f"{name}: {time.perf_counter() - started:,.1f} s", flush=True)


async def _derive(url: sa.URL, people: int, rounds: int) -> None:
    store = Store(url)
    started = time.perf_counter()
    await derived.rebuild(store, partial(print, flush=True))
    print(f"counted and rated: {time.perf_counter() - started:,.1f} s", flush=True)
    await store.run(lambda c: c.execute(sa.text("ANALYZE")))
    found = await measure(store, people, rounds)
    await store.close()
    print("\n| query | median ms | 95th percentile ms |\n|---|---|---|")
    for name, times in found.items():
        print(f"| {name} | {statistics.median(times):.2f} | {statistics.quantiles(times, n=20)[-1]:.2f} |")


def run(address: str, arguments: argparse.Namespace) -> None:
    """Fill, migrate, count, rate, and ask."""
    url = parse_url(address)
    _timed("filled", lambda: fill(url, arguments.games, arguments.people))
    _timed("migrated", lambda: migrate(url))
    asyncio.run(_derive(url, arguments.people, arguments.rounds))


def main() -> None:
    """Print what it costs."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.record", description=__doc__)
    parser.add_argument("--games", type=int, default=1_000_000)
    parser.add_argument("--people", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=50)
    parser.add_argument("--postgresql", action="store_true")
    arguments = parser.parse_args()
    logging.getLogger(PROGRESS).addHandler(logging.StreamHandler())
    logging.getLogger(PROGRESS).setLevel(logging.INFO)
    if arguments.postgresql:
        with databases.postgresql_database() as address:
            run(address, arguments)
    else:
        with tempfile.TemporaryDirectory() as folder:
            run(f"sqlite:///{Path(folder) / 'oxo.db'}", arguments)


if __name__ == "__main__":
    main()

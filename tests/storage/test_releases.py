"""A database as an earlier release left it: the newest goes on with its games, on SQLite and PostgreSQL.

`python -m tools.dumps` makes the files.
"""

import re
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import update

from playground import Playground
from playground.people import Person
from storage.clock import UP
from storage.database import connect, parse_url
from storage.indexes import INDEXES
from storage.maintenance import corrupt_games
from storage.migrate import HEAD, migrate, revision
from storage.schema import METADATA, PROGRESS
from tests.conftest import postgresql_database
from tests.people import plain
from tests.processes import Processes

DUMPS = sorted(Path(__file__).with_name("releases").glob("*.sql"))

pytestmark = pytest.mark.slow


@pytest.fixture(
    params=[
        pytest.param(dump, id=dump.stem, marks=pytest.mark.postgresql if "postgresql" in dump.stem else ())
        for dump in DUMPS
    ]
)
def left(request: pytest.FixtureRequest, new_sqlite_url: str) -> Iterator[str]:
    """The URL of a database with what a file says."""
    dump: Path = request.param
    if ".sqlite" in dump.name:
        with closing(sqlite3.connect(parse_url(new_sqlite_url).database or "")) as connection:
            connection.executescript(dump.read_text())
        yield new_sqlite_url
        return
    request.getfixturevalue("postgres_server")
    with postgresql_database() as url:
        with psycopg.connect(url) as server:
            server.execute(dump.read_text().encode())
        yield url


def test_each_release_has_left_both_databases() -> None:
    kinds = [dump.stem.rpartition(".")[::2] for dump in DUMPS]
    assert kinds
    assert {(release, kind) for release, _ in kinds for kind in ("sqlite", "postgresql")} == set(kinds)


def test_it_becomes_one_with_the_newest_schema_and_every_game_can_be_read(left: str) -> None:
    migrate(parse_url(left))
    engine = connect(parse_url(left))
    with engine.connect() as connection:
        assert revision(connection) == HEAD
        assert INDEXES
        assert compare_metadata(MigrationContext.configure(connection), METADATA) == []
    assert all(isinstance(found, int) for found in corrupt_games(engine))
    engine.dispose()


async def test_people_go_on_with_their_games(left: str, tmp_path: Path) -> None:
    migrate(parse_url(left))
    engine = connect(parse_url(left))
    with engine.begin() as connection:  # as if the upgrade had taken a moment
        connection.execute(update(PROGRESS).where(PROGRESS.c.name == UP).values(value=int(time.time())))
    engine.dispose()
    async with Playground() as playground, Processes(playground, tmp_path, left):
        ann, group = playground.people["ann"], playground.groups["noughts"]
        menu = await ann.ask("/board")
        perfect = next(row[0] for row in menu.labels if "perfect" in row[0])
        await ann.tap(menu, perfect)
        board = await ann.private.wait_for(after=menu)
        before = await counted(ann)
        while ["Review", "Share"] not in board.labels:
            row, column = next((r, c) for r in range(3) for c in range(3) if board.labels[r][c] == "·")
            await ann.tap(board, row=row, column=column)
            await board.changed()
        assert await counted(ann) == before + 1
        assert "Ann" in plain(await ann.ask("/top", in_=group))


async def counted(person: Person) -> int:
    """How many games somebody's results are made of."""
    found = re.search(r"Games: (\d+) won, (\d+) drawn, (\d+) lost", plain(await person.ask("/stats")))
    assert found is not None
    return sum(map(int, found.groups()))

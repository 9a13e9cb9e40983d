"""Every way to store a tap stores it, or its speed means nothing."""

import asyncio
from pathlib import Path

import pytest
import sqlalchemy as sa

from benchmarks import databases
from benchmarks.storage_ways import GAME, Store, fill, sync_engine, ways

NAMES = list(ways(Path(), "postgresql+psycopg://nowhere/nothing"))


async def tap_all(store: Store, taps: int) -> None:
    for _ in range(taps):
        await asyncio.gather(*(store.tap(key) for key in range(20)))
    await store.close()


def check(url: str, taps: int) -> None:
    engine = sync_engine(url)
    with engine.begin() as connection:
        rows = connection.execute(sa.select(GAME.c.id, GAME.c.version, GAME.c.moves)).all()
    engine.dispose()
    assert {row.version for row in rows if row.id < 20} == {1 + taps}
    assert {row.moves for row in rows if row.id < 20} == {"04" * taps}
    assert {row.version for row in rows if row.id >= 20} == {1}


@pytest.mark.parametrize("name", [name for name in NAMES if name.startswith("SQLite")])
async def test_a_tap_on_sqlite_is_stored_once(name: str, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'storage.sqlite'}"
    fill(url)
    await tap_all(ways(tmp_path, None)[name](), 3)
    check(url, 3)


@pytest.mark.parametrize("name", [name for name in NAMES if name.startswith("PostgreSQL")])
async def test_a_tap_on_postgresql_is_stored_once(name: str, tmp_path: Path) -> None:
    if not databases.postgresql_is_there():
        pytest.skip("no PostgreSQL server answers")
    with databases.postgresql_database() as url:
        fill(url)
        await tap_all(ways(tmp_path, url)[name](), 3)
        check(url, 3)

"""Databases with the newest schema, and stores on them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from storage.database import connect, parse_url
from storage.migrate import migrate
from storage.store import Store

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from sqlalchemy import URL, Engine


@pytest.fixture
def url(database_url: str) -> URL:
    """A database with the newest schema; the test runs once on SQLite and once on PostgreSQL."""
    url = parse_url(database_url)
    migrate(url)
    return url


@pytest.fixture
def sqlite(sqlite_url: str) -> URL:
    """A SQLite file with the newest schema."""
    url = parse_url(sqlite_url)
    migrate(url)
    return url


@pytest.fixture
def postgresql(postgres_url: str) -> URL:
    """A PostgreSQL database with the newest schema."""
    url = parse_url(postgres_url)
    migrate(url)
    return url


@pytest.fixture
def engine(url: URL) -> Iterator[Engine]:
    """Plain connections to the database."""
    engine = connect(url, connections=2)
    yield engine
    engine.dispose()


@pytest.fixture
async def store(url: URL) -> AsyncIterator[Store]:
    """A store, as one process of the bot has it."""
    store = Store(url)
    yield store
    await store.close()


@pytest.fixture
async def other_store(url: URL) -> AsyncIterator[Store]:
    """A store on the same database, as another process of the bot has it."""
    store = Store(url)
    yield store
    await store.close()

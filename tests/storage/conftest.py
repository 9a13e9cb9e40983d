"""Databases with the newest schema, and stores on them."""

import shutil
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from sqlalchemy import URL, Connection, Engine

from storage.database import connect, parse_url
from storage.store import Store
from tests.conftest import EACH_DATABASE, SpareDatabases, postgresql_database
from tests.storage.plans import Plans


@pytest.fixture(params=EACH_DATABASE)
def empty_url(request: pytest.FixtureRequest, new_sqlite_url: str) -> Iterator[str]:
    if request.param == "sqlite":
        yield new_sqlite_url
        return
    request.getfixturevalue("postgres_server")
    with postgresql_database() as url:
        yield url


@pytest.fixture(scope="session")
def plans(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Plans]:
    """The plans of all statements that storage has sent so far."""
    with Plans(tmp_path_factory.mktemp("plans")) as plans:
        yield plans


@pytest.fixture(autouse=True)
def no_statement_reads_a_whole_table(plans: Plans) -> Iterator[None]:
    """Fail a test in which storage sends such a statement."""
    yield
    assert "\n".join(plans.scans()) == ""


@pytest.fixture
def url(database_url: str) -> URL:
    """A database with the newest schema; the test runs once on SQLite and once on PostgreSQL."""
    return parse_url(database_url)


@pytest.fixture
def sqlite(sqlite_url: str) -> URL:
    return parse_url(sqlite_url)


@pytest.fixture
def postgresql(postgres_url: str) -> URL:
    return parse_url(postgres_url)


@pytest.fixture
def engine(url: URL) -> Iterator[Engine]:
    engine = connect(url, connections=2)
    yield engine
    engine.dispose()


@pytest.fixture(scope="session")
def unwritten_sqlite(tmp_path_factory: pytest.TempPathFactory, newest_on_sqlite: Path) -> Iterator[Engine]:
    """Connections to a SQLite file in which nothing is ever committed."""
    file = tmp_path_factory.mktemp("unwritten") / "oxo.db"
    shutil.copyfile(newest_on_sqlite, file)
    engine = connect(parse_url(f"sqlite:///{file}"))
    yield engine
    engine.dispose()


@pytest.fixture(scope="session")
def unwritten_postgresql(spare_databases: SpareDatabases) -> Iterator[Engine]:
    """Connections to a PostgreSQL database in which nothing is ever committed."""
    with spare_databases.lend() as url:
        engine = connect(parse_url(url))
        yield engine
        engine.dispose()


@pytest.fixture(params=EACH_DATABASE)
def connection(request: pytest.FixtureRequest) -> Iterator[Connection]:
    """A transaction that is rolled back in the end; the test runs once on SQLite and once on PostgreSQL."""
    engine = request.getfixturevalue(f"unwritten_{request.param}")
    with engine.connect() as connection:
        yield connection


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


@pytest.fixture
async def two_stores(postgresql: URL) -> AsyncIterator[tuple[Store, Store]]:
    """The stores of two processes on PostgreSQL, which lets them write at the same time."""
    stores = Store(postgresql), Store(postgresql)
    yield stores
    for store in stores:
        await store.close()

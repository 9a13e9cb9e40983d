"""Chooses which tests run, and skips those that need PostgreSQL or a browser that this machine lacks."""

import gc
import os
import secrets
import shutil
import signal
from collections.abc import AsyncIterator, Generator, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import psycopg
import pytest
from hypothesis import HealthCheck, settings
from psycopg import sql
from sqlalchemy import make_url

from storage.database import parse_url
from storage.migrate import HEAD, migrate
from storage.schema import METADATA
from tests import leftovers, patience, statements
from tests.figures import Figures
from tests.soak import SOAK

if TYPE_CHECKING:
    from playwright.async_api import Browser

Report = TypeVar("Report", pytest.TestReport, pytest.CollectReport)

SERVER = os.environ.get("OXO_TEST_POSTGRES", "postgresql://postgres@127.0.0.1:5432/postgres")
"""Where tests may create databases; `OXO_TEST_POSTGRES` names another server."""

NO_SKIPS = os.environ.get("OXO_NO_SKIPS", "") not in ("", "0")
"""Whether a skipped test fails: where everything is installed, a skip would hide a fault."""


def pytest_configure() -> None:
    """Handle Ctrl-C even if a shell started this in the background; be patient with slow machines."""
    settings.register_profile(
        "oxo",
        max_examples=200 if SOAK else 40,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow],
    )
    settings.load_profile("oxo")
    signal.signal(signal.SIGINT, signal.default_int_handler)
    patience.lengthen_timeouts()
    statements.compile_once()
    gc.disable()  # modules and collected tests stay, so the GC needn't scan them: that took a third of the time


def pytest_collection_finish() -> None:
    """Turn the GC back on for everything newer."""
    gc.freeze()
    gc.enable()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark tests that need PostgreSQL, and leave out those that only `make soak` runs."""
    for item in items:
        if "postgres_server" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.postgresql)
    if not SOAK and (long := [item for item in items if item.get_closest_marker("soak")]):
        config.hook.pytest_deselected(items=long)
        items[:] = [item for item in items if not item.get_closest_marker("soak")]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Fail skipped tests if nothing may be skipped."""
    return _not_skipped((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    return _not_skipped((yield))


def _not_skipped(report: Report) -> Report:
    if NO_SKIPS and report.outcome == "skipped" and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"Nothing may be skipped here (OXO_NO_SKIPS). {reason}"
    return report


@pytest.fixture
def figures() -> Figures:
    return Figures()


@pytest.fixture(autouse=True)
def nothing_is_left_running() -> Iterator[None]:
    """End any process that a test has left running, and fail it."""
    before = leftovers.running()
    yield
    assert leftovers.end(leftovers.running() - before) == []


@contextmanager
def postgresql_database() -> Iterator[str]:
    """A new database on the test server, as a plain `postgresql://` URL; it is dropped at the end."""
    name = f"oxo_test_{secrets.token_hex(6)}"
    with psycopg.connect(SERVER, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    try:
        yield make_url(SERVER).set(database=name).render_as_string(hide_password=False)
    finally:
        with psycopg.connect(SERVER, autocommit=True) as connection:
            connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


EMPTYING: Sequence[str] = [f"DELETE FROM {table.name}" for table in reversed(METADATA.sorted_tables)]  # noqa: S608 - of these
"""What empties a database."""


class SpareDatabases:
    """PostgreSQL databases with the newest schema and no rows: emptying one is quicker than making one."""

    def __init__(self) -> None:
        self._made = ExitStack()
        self._spare: list[str] = []

    @contextmanager
    def lend(self) -> Iterator[str]:
        if not self._spare:
            url = self._made.enter_context(postgresql_database())
            migrate(parse_url(url))
            self._tidy(url)
            self._spare.append(url)
        url = self._spare.pop()
        yield url
        self._tidy(url)
        self._spare.append(url)

    def close(self) -> None:
        self._made.close()

    @staticmethod
    def _tidy(url: str) -> None:
        """Empty a database that nobody uses any more; tests' commits needn't survive a power cut."""
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
            used = connection.execute(
                "SELECT sequencename FROM pg_sequences WHERE last_value IS NOT NULL"
            ).fetchall()
            name = sql.Identifier(connection.info.dbname)
            statements = [
                sql.SQL("SET synchronous_commit TO off"),
                sql.SQL("ALTER DATABASE {} RESET ALL").format(name),
                sql.SQL("ALTER DATABASE {} SET synchronous_commit TO off").format(name),
                *map(sql.SQL, EMPTYING),
                sql.SQL("UPDATE alembic_version SET version_num = {}").format(sql.Literal(HEAD)),
                *(sql.SQL("ALTER SEQUENCE {} RESTART").format(sql.Identifier(sequence)) for (sequence,) in used),
            ]
            connection.execute(sql.SQL("; ").join(statements))  # one round trip


@pytest.fixture(scope="session")
def postgres_server() -> str:
    """The URL of a PostgreSQL server that answers; skips where none does."""
    try:
        psycopg.connect(SERVER, connect_timeout=30).close()
    except psycopg.OperationalError:
        pytest.skip(
            "No PostgreSQL server at 127.0.0.1:5432 accepts the user postgres; OXO_TEST_POSTGRES can name another."
        )
    return SERVER


@pytest.fixture(scope="session")
def spare_databases(postgres_server: str) -> Iterator[SpareDatabases]:
    assert postgres_server
    databases = SpareDatabases()
    yield databases
    databases.close()


@pytest.fixture(scope="session")
def newest_on_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SQLite file with the newest schema, which tests copy: a migration takes longer."""
    file = tmp_path_factory.mktemp("newest") / "oxo.db"
    migrate(parse_url(f"sqlite:///{file}"))
    return file


@pytest.fixture
def postgres_url(spare_databases: SpareDatabases) -> Iterator[str]:
    """The URL of a PostgreSQL database of the test's own, with the newest schema."""
    with spare_databases.lend() as url:
        yield url


@pytest.fixture
def new_sqlite_url(tmp_path: Path) -> str:
    """The URL of a SQLite file of the test's own, which does not exist yet."""
    return f"sqlite:///{tmp_path / 'oxo.db'}"


@pytest.fixture
def sqlite_url(new_sqlite_url: str, newest_on_sqlite: Path) -> str:
    shutil.copyfile(newest_on_sqlite, make_url(new_sqlite_url).database or "")
    return new_sqlite_url


EACH_DATABASE = ("sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql))


@pytest.fixture(params=EACH_DATABASE)
def database_url(request: pytest.FixtureRequest) -> str:
    """The URL of a database of the test's own, with the newest schema; the test runs once on each kind."""
    url = request.getfixturevalue("sqlite_url" if request.param == "sqlite" else "postgres_url")
    assert isinstance(url, str)
    return url


@pytest.fixture(scope="session")
def chromium() -> str:
    for name in ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable"):
        if path := shutil.which(name):
            return path
    pytest.skip("No Chromium is on the PATH. On Debian: apt install chromium")


@pytest.fixture
async def browser(chromium: str) -> AsyncIterator["Browser"]:
    from playwright.async_api import async_playwright  # noqa: PLC0415 - most tests need none, and it takes a while

    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=chromium, args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        )
        yield browser
        await browser.close()

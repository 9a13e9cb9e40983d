"""What tests may need of the machine: a PostgreSQL server and a browser; without them they are skipped."""

from __future__ import annotations

import os
import secrets
import shutil
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

import psycopg
import pytest
from playwright.async_api import async_playwright
from psycopg import sql
from sqlalchemy import make_url

from storage.database import parse_url
from storage.migrate import migrate

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Generator, Iterator
    from pathlib import Path

    from playwright.async_api import Browser

Report = TypeVar("Report", pytest.TestReport, pytest.CollectReport)

SERVER = os.environ.get("OXO_TEST_POSTGRES", "postgresql://postgres@127.0.0.1:5432/postgres")
"""Where tests may create databases; `OXO_TEST_POSTGRES` names another server."""

NO_SKIPS = os.environ.get("OXO_NO_SKIPS", "") not in ("", "0")
"""Whether a skipped test fails: where everything is installed, a skip would hide a fault."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Refuse skipped tests where nothing may be skipped."""
    return _not_skipped((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Refuse skipped files likewise."""
    return _not_skipped((yield))


def _not_skipped(report: Report) -> Report:
    if NO_SKIPS and report.outcome == "skipped" and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"Nothing may be skipped here (OXO_NO_SKIPS). {reason}"
    return report


@contextmanager
def postgresql_database(template: str | None = None) -> Iterator[str]:
    """A new database on the test server, as a plain `postgresql://` URL; it is dropped at the end.

    It is empty, or as that of the URL `template`, to which nobody may be connected.
    """
    name = f"oxo_test_{secrets.token_hex(6)}"
    like = "template1" if template is None else make_url(template).database or ""
    with psycopg.connect(SERVER, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(*map(sql.Identifier, (name, like))))
    try:
        yield make_url(SERVER).set(database=name).render_as_string(hide_password=False)
    finally:
        with psycopg.connect(SERVER, autocommit=True) as connection:
            connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


@pytest.fixture(scope="session")
def postgres_server() -> str:
    """The URL of a PostgreSQL server that answers; skips where none does."""
    try:
        psycopg.connect(SERVER, connect_timeout=2).close()
    except psycopg.OperationalError:
        pytest.skip("No PostgreSQL server lets postgres in at 127.0.0.1:5432; OXO_TEST_POSTGRES can name another.")
    return SERVER


@pytest.fixture(scope="session")
def newest_on_postgresql(postgres_server: str) -> Iterator[str]:
    """The URL of a database with the newest schema, which tests get copies of: a migration takes longer."""
    assert postgres_server
    with postgresql_database() as url:
        migrate(parse_url(url))
        yield url


@pytest.fixture(scope="session")
def newest_on_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SQLite file with the newest schema, which tests get copies of likewise."""
    file = tmp_path_factory.mktemp("newest") / "oxo.db"
    migrate(parse_url(f"sqlite:///{file}"))
    return file


@pytest.fixture
def postgres_url(newest_on_postgresql: str) -> Iterator[str]:
    """The URL of a PostgreSQL database of the test's own, with the newest schema."""
    with postgresql_database(newest_on_postgresql) as url:
        yield url


@pytest.fixture
def new_sqlite_url(tmp_path: Path) -> str:
    """The URL of a SQLite file of the test's own, which does not exist yet."""
    return f"sqlite:///{tmp_path / 'oxo.db'}"


@pytest.fixture
def sqlite_url(new_sqlite_url: str, newest_on_sqlite: Path) -> str:
    """The URL of a SQLite file of the test's own, with the newest schema."""
    shutil.copyfile(newest_on_sqlite, make_url(new_sqlite_url).database or "")
    return new_sqlite_url


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest) -> str:
    """The URL of a database of the test's own, with the newest schema; the test runs once on each kind."""
    url = request.getfixturevalue("sqlite_url" if request.param == "sqlite" else "postgres_url")
    assert isinstance(url, str)
    return url


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of a Chromium; skips where there is none."""
    for name in ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable"):
        if path := shutil.which(name):
            return path
    pytest.skip("No Chromium is on the PATH. On Debian: apt install chromium")


@pytest.fixture
async def browser(chromium: str) -> AsyncIterator[Browser]:
    """A headless browser for the playground's page."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=chromium,
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
        )
        yield browser
        await browser.close()

"""Connections: URLs, pragmas, and transactions that never lose an update."""

import errno
import fcntl
import sqlite3
import stat
import traceback
from pathlib import Path

import pytest
from sqlalchemy import URL, Connection, Executable, insert, text
from sqlalchemy.exc import DBAPIError

from storage import database
from storage.database import BUSY_SECONDS, connect, lock_file, parse_url
from storage.schema import GAMES, PEOPLE
from tests.patience import SHIPPED_TIMEOUTS
from tests.storage.plans import scanned


@pytest.mark.parametrize(
    ("written", "driver"),
    [
        ("sqlite:///data/oxo.db", "sqlite+pysqlite"),
        ("sqlite+pysqlite:///data/oxo.db", "sqlite+pysqlite"),
        ("postgresql://host/oxo", "postgresql+psycopg"),
        ("postgres://host/oxo", "postgresql+psycopg"),
        ("postgresql+psycopg://host/oxo", "postgresql+psycopg"),
    ],
)
def test_a_plain_url_gets_the_driver_of_this_project(written: str, driver: str) -> None:
    assert parse_url(written).drivername == driver


@pytest.mark.parametrize("written", ["sqlite://", "sqlite:///:memory:", "sqlite:///oxo.db?timeout=60"])
def test_what_a_sqlite_url_cannot_say_is_refused_instead_of_left_out(written: str) -> None:
    with pytest.raises(ValueError, match="needs a file after three slashes, and no parameters"):
        parse_url(written)


FULL = 2


def test_sqlite_writes_ahead_syncs_every_commit_and_holds_the_write_lock_from_the_beginning(sqlite: URL) -> None:
    """With deferred transactions, a second writer that has read would fail when it upgrades its lock."""
    wanted = {"journal_mode": "wal", "synchronous": FULL, "foreign_keys": 1, "busy_timeout": BUSY_SECONDS * 1000}
    engine = connect(sqlite)
    other = sqlite3.connect(sqlite.database or "", timeout=0)
    with engine.begin() as connection:
        assert {name: connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in wanted} == wanted
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            other.execute("BEGIN IMMEDIATE")
    other.execute("BEGIN IMMEDIATE")
    other.close()
    engine.dispose()


NAME, TOKEN = "Ann Sesame", "secret-of-a-link"


Values = dict[str, object] | list[dict[str, object]]
GAME: dict[str, object] = {"kind": "pair", "rules": "3x3x3", "created_at": 1, "changed_at": 1, "link": TOKEN}
FAULTY: dict[str, tuple[Executable, Values]] = {
    "no such column": (text("SELECT nothing FROM people WHERE name = :name"), {"name": NAME}),
    "twice": (insert(GAMES), [GAME, GAME]),
    "nothing where something must be": (insert(PEOPLE), {"id": 1, "name": NAME, "takebacks": None}),
    "a number too large": (insert(PEOPLE), {"id": 2**80, "name": NAME}),
    "a text too long": (insert(PEOPLE), {"id": 1, "name": NAME * 40, "takebacks": None}),  # not so to SQLite
}


@pytest.mark.parametrize("create", [True, False], ids=["upgrading", "working"])
@pytest.mark.parametrize(("statement", "values"), FAULTY.values(), ids=FAULTY)
def test_an_error_holds_no_name_and_no_text(
    url: URL, statement: Executable, values: Values, *, create: bool
) -> None:
    engine = connect(url, create=create)
    with pytest.raises((DBAPIError, OverflowError)) as caught, engine.begin() as connection:
        connection.execute(statement, values)
    engine.dispose()
    told = "".join(traceback.format_exception(caught.value))
    assert NAME not in told
    assert TOKEN not in told


@pytest.mark.parametrize(("create", "statement_timeout"), [(False, "10s"), (True, "0")])
def test_the_server_cuts_off_a_process_that_was_frozen_but_lets_an_upgrade_take_as_long_as_it_needs(
    postgresql: URL, monkeypatch: pytest.MonkeyPatch, statement_timeout: str, *, create: bool
) -> None:
    monkeypatch.setattr(database, "TIMEOUTS", SHIPPED_TIMEOUTS)
    engine = connect(postgresql, create=create)
    names = ("statement_timeout", "idle_in_transaction_session_timeout", "lock_timeout")
    with engine.begin() as connection:
        timeouts = [connection.exec_driver_sql(f"SHOW {name}").scalar() for name in names]
    engine.dispose()
    assert timeouts[0] == statement_timeout
    assert create or timeouts[1:] == ["5s", "15ms"]


@pytest.mark.parametrize(
    ("query", "timeout"), [("", "15ms"), ("?pgbouncer=yes", "0"), ("?options=-clock_timeout%3D7s", "7s")]
)
def test_behind_pgbouncer_nothing_is_asked_of_the_session(postgres_url: str, query: str, timeout: str) -> None:
    engine = connect(parse_url(postgres_url + query), create=False)
    with engine.connect() as connection:
        assert connection.exec_driver_sql("SHOW lock_timeout").scalar() == timeout
        prepares = connection.connection.dbapi_connection.prepare_threshold  # type: ignore[union-attr] # psycopg's
        assert (prepares is None) is ("pgbouncer" in query)
    engine.dispose()


def test_a_new_file_is_read_by_nobody_else_and_the_rights_of_one_that_is_there_are_the_hosts(
    tmp_path: Path,
) -> None:
    url = parse_url(f"sqlite:///{tmp_path / 'new' / 'oxo.db'}")
    path = Path(url.database or "")
    for rights in (0o600, 0o640):
        engine = connect(url)
        with engine.begin() as connection:
            connection.execute(text("CREATE TABLE IF NOT EXISTS names (name)"))
            assert [stat.S_IMODE(each.stat().st_mode) for each in path.parent.iterdir()] == 3 * [rights]
        engine.dispose()
        path.chmod(0o640)


def test_a_file_that_cannot_be_locked_is_kept_from_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", refuse)
    assert lock_file(parse_url(f"sqlite:///{tmp_path}/oxo.db"))
    assert lock_file(parse_url(f"sqlite:////proc/none/{tmp_path.name}/oxo.db"))
    assert lock_file(parse_url("postgresql://127.0.0.1:1/none"))


def test_a_query_whose_index_is_gone_is_seen(connection: Connection) -> None:
    connection.execute(text("DROP INDEX uq_games_link"))
    assert scanned(connection, "SELECT id FROM games WHERE id = 5") == set()
    assert scanned(connection, "SELECT id FROM games WHERE link = 'a link'") == {"games"}

"""The schema: built from scratch, equal to the declared tables, and safe when many bots start at once."""

import asyncio
import logging
import os
import socket
import sqlite3
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import URL, Connection, Engine, text
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.schema import CreateIndex, CreateTable

from storage import database
from storage.database import parse_url
from storage.errors import StorageUnavailable
from storage.indexes import INDEXED, INDEXES
from storage.migrate import HEAD, SCRIPTS, migrate, revision
from storage.schema import METADATA, Member
from tests import starts

pytestmark = pytest.mark.slow

DIALECT = SQLiteDialect_pysqlite()
WAITING = "Waiting for the database: database is locked\n"
"""What a migration says that another holds up for seconds."""


async def command(database_url: str, folder: Path) -> tuple[int, str, str]:
    settings = {**os.environ, "DATABASE_URL": database_url}
    return await starts.run("storage", "migrate", folder=folder, environment=settings)


def test_the_newest_schema_is_that_of_the_newest_migration() -> None:
    assert ScriptDirectory(str(SCRIPTS)).get_current_head() == HEAD


def test_the_schema_is_that_of_the_declared_tables(connection: Connection) -> None:
    context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
    assert compare_metadata(context, INDEXED) == []


def test_another_schema_has_another_number() -> None:
    """So that a database of the former one is upgraded instead of failing later.

    A new word of an enum is a schema of its own: an older release couldn't read the rows that have it.
    """
    tables = [CreateTable(table).compile(dialect=DIALECT) for table in METADATA.sorted_tables]
    indexes = [CreateIndex(index).compile(dialect=DIALECT) for index in INDEXES]
    columns = [column for table in METADATA.sorted_tables for column in table.c]
    words = [(column.name, *map(str, column.type.of)) for column in columns if isinstance(column.type, Member)]
    digest = sha256("".join(map(str, (*tables, *indexes, *words))).encode()).hexdigest()[:12]
    newest = ScriptDirectory(str(SCRIPTS)).get_revision(HEAD)
    assert newest.module.schema == digest, (
        f"a change of the schema needs a revision, with {digest} as its `schema`"
    )


def test_a_disk_that_allows_no_write_ahead_log_is_warned_of(
    new_sqlite_url: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    migrate(parse_url(new_sqlite_url))
    assert "local disk" not in caplog.text
    monkeypatch.setattr(database, "PRAGMAS", ("journal_mode=DELETE",))  # as SQLite goes on where it can't have one
    migrate(parse_url(new_sqlite_url))
    assert "allows no write-ahead log (only 'delete'); please use a local disk" in caplog.text


async def test_processes_that_start_together_migrate_once(empty_url: str, tmp_path: Path) -> None:
    said = await asyncio.gather(*(command(empty_url, tmp_path) for _ in range(3)))
    assert sorted((out, err.replace(WAITING, ""), code) for code, out, err in said) == [
        (f"The database is at schema {HEAD}.\n", "", 0),
        (f"The database is at schema {HEAD}.\n", "", 0),
        (f"The database was upgraded to schema {HEAD}.\n", "", 0),
    ]


def test_a_migration_by_hand_waits_for_another_that_takes_long(
    new_sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    url, logger = parse_url(new_sqlite_url), logging.getLogger("storage.migrate")
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.1)

    def release(record: logging.LogRecord) -> bool:
        """End the other migration as soon as this one says that it's waiting."""
        other.rollback()
        assert record.getMessage() == WAITING.strip()
        return False

    with closing(sqlite3.connect(url.database or "", isolation_level=None)) as other:
        other.execute("PRAGMA journal_mode=WAL")
        other.execute("BEGIN IMMEDIATE")
        logger.addFilter(release)
        try:
            assert migrate(url, patience=0) is None
        finally:
            logger.removeFilter(release)


@pytest.mark.parametrize(
    ("found", "refusal"),
    [
        ("9999", r"another release \(9999\)"),
        ("0012", "its schema is 0012; no release has had that, .* please start with a new database"),
        ("0048", "its schema is 0048; no release has had that, .* please start with a new database"),
    ],
)
def test_a_database_of_another_release_or_of_none_is_refused_and_left_alone(
    url: URL, engine: Engine, found: str, refusal: str
) -> None:
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = :found"), {"found": found})
    with pytest.raises(StorageUnavailable, match=f"^[^\n]*{refusal}[^\n]*$"):
        migrate(url)
    with engine.begin() as connection:
        assert revision(connection) == found


def test_a_database_out_of_reach_is_named_without_its_password_and_said_once_to_be_waited_for(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("storage.migrate.time.sleep", lambda _: None)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # nothing listens there
        port = taken.getsockname()[1]
        with pytest.raises(StorageUnavailable) as refusal:
            migrate(parse_url(f"postgresql://ann:sesame@127.0.0.1:{port}/oxo"), patience=0.2)
    assert len(caplog.messages) == 1
    assert str(port) in str(refusal.value)
    assert "sesame" not in str(refusal.value)

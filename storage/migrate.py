"""Brings a database to the newest schema, also when several processes start at the same time.

A new database gets the tables as they are declared. One of an earlier release is upgraded by Alembic, revision by
revision. The whole upgrade is one transaction that locks the others out: on SQLite by BEGIN IMMEDIATE, on
PostgreSQL by an advisory lock. The next process finds the work done.
"""

import logging
import re
import time
from pathlib import Path
from typing import Final

from sqlalchemy import URL, Column, Connection, MetaData, String, Table, event, inspect, select, text
from sqlalchemy.exc import DBAPIError, OperationalError

from storage.database import connect
from storage.errors import StorageUnavailable

log = logging.getLogger(__name__)

UPGRADE_LOCK: Final = 0x4F584F
"""The key of the advisory lock that upgrades hold on PostgreSQL: OXO in ASCII."""

SCRIPTS: Final = Path(__file__).with_name("migrations")

_VERSIONS = (SCRIPTS / "versions").iterdir()
HEAD: Final = max(path.name for path in _VERSIONS if path.suffix == ".py").partition("_")[0]
"""The newest revision: the number with which the last file in `migrations/versions` begins."""

REVISION: Final = Table("alembic_version", MetaData(), Column("version_num", String(32), primary_key=True))
"""Where Alembic looks for the revision of a database."""

REFUSED: Final = re.compile(
    r"(?:FATAL:\s+|fe_sendauth: )(.*(?:does not exist|no such (?:user|database)|authentication failed"
    r"|no password supplied|no pg_hba\.conf entry|not permitted to log in|permission denied).*)"
)
"""How PostgreSQL and pgbouncer say that waiting won't help; libpq passes no code on while it connects, so a server
that speaks another language (`lc_messages`) is waited for."""

START_SECONDS: Final = 30.0
"""How many seconds a start waits for a database that isn't there yet or that another process is upgrading."""


def migrate(url: URL, *, patience: float = START_SECONDS) -> str | None:
    """Upgrade the database to `HEAD`; returns its earlier revision.

    A SQLite file that another process has locked, as an upgrade does, is waited for whatever `patience` says.

    Raises:
        StorageUnavailable: if the database can't be reached for `patience` seconds, or refuses; the message is one
            line without a password.
        OSError: if the folder of a SQLite file can't be made.
    """
    began = time.monotonic()
    told = None
    engine = connect(url)
    if url.get_backend_name() == "sqlite":
        # Allow replacing a table to which others refer (sqlite.org, "Making Other Kinds Of Table Schema Changes");
        # this has no effect once a transaction has begun.
        unchecked = "PRAGMA foreign_keys=OFF"
        event.listen(engine, "connect", lambda connection, _: connection.execute(unchecked).close())
    try:
        while True:
            try:
                with engine.begin() as connection:
                    return _upgrade(connection)
            except DBAPIError as error:
                refused = REFUSED.search(str(error.orig))
                cause = refused[1] if refused else " ".join(str(error.orig).split())
                is_file = url.get_backend_name() == "sqlite"
                if is_file:  # a lock passes, the rest doesn't
                    patience = START_SECONDS if "locked" in cause else 0
                elif refused or not isinstance(error, OperationalError):
                    patience = 0
                if time.monotonic() >= began + patience:
                    cause += f": {url.database}" if is_file else "" if error.statement else "; check DATABASE_URL"
                    raise StorageUnavailable(cause) from error
                if cause != told:
                    log.warning("Waiting for the database: %s", cause)
                told = cause
                time.sleep(1)  # nothing else runs before the database is there
    finally:
        engine.dispose()


def revision(connection: Connection) -> str | None:
    """The revision of a database's schema; None if it has none."""
    if not inspect(connection).has_table(REVISION.name):
        return None
    return connection.execute(select(REVISION.c.version_num)).scalar()


def _upgrade(connection: Connection) -> str | None:
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": UPGRADE_LOCK})
    elif (mode := connection.scalar(text("PRAGMA journal_mode"))) != "wal":
        log.warning("The database's disk allows no write-ahead log (only %r); please use a local disk", mode)
    before = revision(connection)
    if before == HEAD:
        return before
    if before is None:
        _create(connection)
    else:
        _upgrade_from(before, connection)
    log.info("The database was upgraded from %s to %s", before or "nothing", HEAD)
    return before


def _upgrade_from(before: str, connection: Connection) -> None:
    # Alembic takes longer to import than all the rest of a start, and is needed only once a release.
    from alembic import command  # noqa: PLC0415
    from alembic.config import Config  # noqa: PLC0415
    from alembic.util import CommandError  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(SCRIPTS).replace("%", "%%"))
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, "head")
    except CommandError as error:
        if before < HEAD:
            advice = "no release has had that, so nothing upgrades it; please start with a new database"
            raise StorageUnavailable(f"its schema is {before}; {advice}") from error
        raise StorageUnavailable(f"it is of another release ({before})") from error
    if connection.dialect.name == "sqlite" and (lost := connection.scalar(text("PRAGMA foreign_key_check"))):
        raise StorageUnavailable(f"rows of {lost} would refer to nothing after the upgrade, so it was undone")


def _create(connection: Connection) -> None:
    from storage.indexes import INDEXED  # noqa: PLC0415 - slow, and needed only once

    INDEXED.create_all(connection, checkfirst=False)
    REVISION.create(connection)
    connection.execute(REVISION.insert(), {"version_num": HEAD})

"""Connections: the driver, the pragmas and the transactions of each supported database.

SQLite runs in WAL mode with `synchronous=FULL`: a commit is on the disk before anybody hears of it. Transactions
begin with BEGIN IMMEDIATE, so that two writers are put in a row by SQLite's own lock, with its busy timeout,
instead of failing when the second one upgrades a read lock (sqlite.org, "BEGIN", and Python's `sqlite3` notes on
transaction control).
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sqlalchemy import URL, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.pool import QueuePool

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine
    from sqlalchemy.engine.interfaces import DBAPIConnection
    from sqlalchemy.pool import ConnectionPoolEntry

DRIVERS: Final = {
    "sqlite": "sqlite+pysqlite",
    "postgresql": "postgresql+psycopg",
    "postgres": "postgresql+psycopg",
}

BUSY_SECONDS: Final = 6
"""How long a writer waits for another process's lock on the SQLite file."""


def parse_url(text: str) -> URL:
    """Read a database URL; a plain `sqlite:` or `postgresql:` gets the driver that this project uses.

    Raises:
        ValueError: if it is no URL, or one of another database or driver; the message has no password in it.
    """
    try:
        url = make_url(text)
    except ArgumentError:
        raise ValueError("it is not a database URL such as sqlite:///data/oxo.db") from None
    url = url.set(drivername=DRIVERS.get(url.drivername, url.drivername))
    if url.drivername not in DRIVERS.values():
        raise ValueError(f"{url.drivername} is not supported; sqlite and postgresql are")
    if url.drivername == "sqlite+pysqlite" and url.database in (None, "", ":memory:"):
        raise ValueError("a SQLite database needs a file, such as sqlite:///data/oxo.db")
    return url


def connect(url: URL, *, connections: int = 1) -> Engine:
    """An engine on the database; the folder of a SQLite file is made when it is missing.

    Raises:
        OSError: if that folder cannot be made.
    """
    if url.get_backend_name() != "sqlite":
        return create_engine(url, pool_size=connections, max_overflow=0, pool_pre_ping=False)
    Path(url.database or "").parent.mkdir(parents=True, exist_ok=True)
    engine = create_engine(
        url,
        poolclass=QueuePool,
        pool_size=connections,
        max_overflow=0,
        connect_args={"timeout": BUSY_SECONDS, "check_same_thread": False},
    )
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_immediate)
    return engine


def _prepare_sqlite(connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
    if not isinstance(connection, sqlite3.Connection):
        raise TypeError("SQLite is spoken to through Python's own driver")
    connection.isolation_level = None  # the driver would begin a deferred transaction by itself
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}").close()


def _begin_immediate(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")

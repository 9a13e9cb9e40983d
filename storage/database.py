"""Connections: the driver, the pragmas and the transactions of each supported database.

SQLite runs in WAL mode with `synchronous=FULL`: a commit is on the disk before anybody hears of it. Transactions
begin with BEGIN IMMEDIATE, so that two writers are put in a row by SQLite's own lock, with its busy timeout,
instead of failing when the second one upgrades a read lock (sqlite.org, "BEGIN", and Python's `sqlite3` notes on
transaction control).
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from sqlalchemy import URL, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, OperationalError
from sqlalchemy.pool import QueuePool

from storage.errors import StorageUnavailable

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine
    from sqlalchemy.engine.interfaces import DBAPIConnection, ExceptionContext
    from sqlalchemy.pool import ConnectionPoolEntry

DRIVERS: Final = {
    "sqlite": "sqlite+pysqlite",
    "postgresql": "postgresql+psycopg",
    "postgres": "postgresql+psycopg",
}

BUSY_SECONDS: Final = 6
"""How long a writer waits for another process's lock on the SQLite file."""


PATIENCE: Final[dict[str, Any]] = {
    "connect_timeout": 5,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 2,
    "tcp_user_timeout": 10_000,
}
"""How long a PostgreSQL server that does not answer is waited for (libpq; seconds, the last in ms)."""

TIMEOUTS: Final = "-c lock_timeout=15 -c statement_timeout=10000 -c idle_in_transaction_session_timeout=5000"
"""How long a statement of the bot's may wait for others, how long it may take, and after how long the server cuts
off a process that was frozen in the middle of a transaction and holds up others; upgrades may take as long as they
need. Two processes' shared transactions may wait for each other, each for a game that the other holds: PostgreSQL
notices that after a second, and the short wait ends it earlier; each job then runs alone, where no circle is."""


def parse_url(text: str) -> URL:
    """Read a database URL; a plain `sqlite:` or `postgresql:` gets the driver that this project uses.

    Raises:
        ValueError: if it is no URL, or one of another database or driver; the message has no password in it.
    """
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):  # the latter for a port that is no number, and quotes it
        raise ValueError("it is not a database URL such as sqlite:///data/oxo.db") from None
    url = url.set(drivername=DRIVERS.get(url.drivername, url.drivername))
    if url.drivername not in DRIVERS.values():
        raise ValueError(f"{url.drivername} is not supported; sqlite and postgresql are")
    if url.drivername == "sqlite+pysqlite" and url.database in (None, "", ":memory:"):
        raise ValueError("a SQLite database needs a file, such as sqlite:///data/oxo.db")
    return url


def connect(url: URL, *, connections: int = 1, create: bool = True, writes: bool = True) -> Engine:
    """An engine on the database.

    Args:
        url: As `parse_url` gives it.
        connections: The most that are open at a time.
        create: Make a SQLite file, and its folder, that is missing. Programs that work with games do not: an empty
            file in the place of one that has vanished would only hide the loss.
        writes: Whether transactions may write. On SQLite those that may not wait for nobody who does.

    Raises:
        OSError: if that folder cannot be made.
    """
    if url.get_backend_name() != "sqlite":
        engine = _connect_postgresql(url, connections=connections, timeouts=not create)
        return engine if writes else engine.execution_options(postgresql_readonly=True)
    path = Path(url.database or "")
    if create:
        path.parent.mkdir(parents=True, exist_ok=True)
    address = f"file:{quote(str(path))}?mode={'rwc' if create else 'rw'}"

    def open_file() -> sqlite3.Connection:
        return sqlite3.connect(address, timeout=BUSY_SECONDS, check_same_thread=False, uri=True)

    engine = create_engine(
        url,
        poolclass=QueuePool,
        pool_size=connections,
        max_overflow=0,
        creator=open_file,
        hide_parameters=True,  # they hold people's names, and errors are logged
    )
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _refuse_vanished)
    if writes:
        event.listen(engine, "begin", _begin_immediate)
    else:
        event.listen(engine, "connect", _only_read)
        event.listen(engine, "begin", _begin)
    return engine


SMALL: Final = 16 * 2**20
"""A SQLite file of up to so many bytes is rewritten in less than half a second, also on a slow machine."""


def empty_log(url: URL, *, gaps: bool = False) -> bool:
    """Write a SQLite database's write-ahead log into the file and cut it to nothing; True once that is done.

    The log holds pages as they were before something was deleted (sqlite.org, "Write-Ahead Logging"). False if
    somebody still reads an older state; on PostgreSQL there is nothing to do.

    Args:
        url: The database.
        gaps: Rewrite a small file first. What is deleted is overwritten, but where SQLite moves entries from one
            page to another, as in an index, it may leave a copy in a gap.
    """
    if url.get_backend_name() != "sqlite":
        return True
    path = Path(url.database or "")
    connection = sqlite3.connect(f"file:{quote(str(path))}?mode=rw", timeout=BUSY_SECONDS, uri=True)
    try:
        connection.execute("PRAGMA secure_delete=ON").close()
        if gaps and path.stat().st_size <= SMALL:
            connection.execute("PRAGMA temp_store=MEMORY").close()
            connection.execute("VACUUM").close()
        busy, *_ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    finally:
        connection.close()
    return not busy


def vacuum(url: URL) -> None:
    """Rewrite a whole database, so that nothing is left of what was deleted; others wait until it is done.

    Raises:
        StorageUnavailable: if a SQLite file is in use for long, or the disk has no room for a second one.
    """
    if url.get_backend_name() == "sqlite":
        try:
            with closing(sqlite3.connect(f"file:{quote(str(url.database))}?mode=rw", uri=True)) as connection:
                connection.execute("VACUUM").close()
            if not empty_log(url):
                raise StorageUnavailable("somebody still reads what it was; please try again")
        except sqlite3.Error as error:
            raise StorageUnavailable(str(error)) from error
        return
    engine = connect(url)
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as server:
        server.exec_driver_sql("VACUUM FULL")
    engine.dispose()


def _leave_out_detail(context: ExceptionContext) -> None:
    """Leave out of an error of PostgreSQL all but its first line: the next shows the refused row and its names."""
    cause, told = context.original_exception, context.sqlalchemy_exception
    first = getattr(getattr(cause, "diag", None), "message_primary", None)
    if first is not None and told is not None:
        told.args = tuple(arg.replace(str(cause), first) for arg in told.args)
        cause.args = (first,)


def _connect_postgresql(url: URL, *, connections: int, timeouts: bool) -> Engine:
    """An engine on a server, or on a pgbouncer before it (docs/scale.md).

    What the URL says of a connection counts more than what is usual here. `pgbouncer=yes` in it means that the
    connection changes from one transaction to the next: nothing that outlives one is then asked of the server.
    """
    arguments: dict[str, Any] = dict(PATIENCE)
    pooled = str(url.query.get("pgbouncer", "")).lower() in {"yes", "true", "1"}
    url = url.difference_update_query(["pgbouncer"])
    if pooled:
        arguments["prepare_threshold"] = None
    elif timeouts:
        arguments["options"] = TIMEOUTS
    arguments = {name: value for name, value in arguments.items() if name not in url.query}
    engine = create_engine(
        url, pool_size=connections, max_overflow=0, connect_args=arguments, hide_parameters=True
    )
    event.listen(engine, "handle_error", _leave_out_detail)
    return engine


def _prepare_sqlite(connection: DBAPIConnection, entry: ConnectionPoolEntry) -> None:
    if not isinstance(connection, sqlite3.Connection):
        raise TypeError("SQLite is spoken to through Python's own driver")
    connection.isolation_level = None  # the driver would begin a deferred transaction by itself
    # What is deleted is overwritten: a forgotten name must not stay in the file's free space.
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "secure_delete=ON"):
        connection.execute(f"PRAGMA {pragma}").close()
    (path,) = connection.execute("SELECT file FROM pragma_database_list WHERE name = 'main'").fetchone()
    entry.info["file"] = path, os.stat(path).st_ino  # noqa: PTH116 - one system call, as below


def _refuse_vanished(connection: Connection) -> None:
    """Refuse to write into a file that nobody can find any more: SQLite would, without a word, until the end."""
    path, number = connection.info["file"]
    try:
        found = os.stat(path).st_ino  # noqa: PTH116 - a Path would cost more than the call, at every transaction
    except OSError:
        found = None
    if found != number:
        connection.invalidate()
        cause = sqlite3.OperationalError("the database file has vanished")
        raise OperationalError("BEGIN IMMEDIATE", None, cause)


def _begin_immediate(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _only_read(connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
    cursor = connection.cursor()
    cursor.execute("PRAGMA query_only=ON")
    cursor.close()


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN")

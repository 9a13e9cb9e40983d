"""Connections: the driver, the pragmas and the transactions of each supported database.

SQLite runs in WAL mode with `synchronous=FULL`: a commit is on the disk before anybody hears of it. Transactions
begin with BEGIN IMMEDIATE, so that a second writer waits for the first one's lock, as long as the busy timeout
says, instead of failing when it upgrades a read lock (sqlite.org, "BEGIN", and Python's `sqlite3` on transaction
control).
"""

import os
import sqlite3
import sys
import time
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.engine.interfaces import ExceptionContext
from sqlalchemy.exc import ArgumentError, OperationalError
from sqlalchemy.pool import ConnectionPoolEntry, QueuePool

from storage.errors import StorageUnavailable

if sys.platform != "win32":
    import fcntl

DRIVERS: Final = {
    "sqlite": "sqlite+pysqlite",
    "postgresql": "postgresql+psycopg",
    "postgres": "postgresql+psycopg",
}

BUSY_SECONDS: Final = 1
"""How long a transaction waits for another process's lock on the SQLite file. The writer tries again for a while;
once it has given up, each tap that comes must hear so in time, also behind others of its chat."""

LIBPQ_PATIENCE: Final[dict[str, Any]] = {
    "connect_timeout": 5,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 2,
    "tcp_user_timeout": 10_000,
}
"""How long to wait for a PostgreSQL server that doesn't answer (libpq's names; seconds, the last in ms)."""

TIMEOUTS: Final = "-c lock_timeout=15 -c statement_timeout=10000 -c idle_in_transaction_session_timeout=5000"
"""How long a statement of the bot may wait for a lock, how long it may take, and after how long the server cuts
off a process that is frozen in a transaction and holds up others. Upgrades have no such limits. The wait for locks
is short because shared transactions of two processes may deadlock, each waiting for a game that the other holds:
PostgreSQL would notice only after a second. Each job then runs alone, and can't deadlock."""


def parse_url(text: str) -> URL:
    """Parse a database URL; a plain `sqlite:` or `postgresql:` gets the driver that this project uses.

    Raises:
        ValueError: if it is no URL, or names another database or driver; the message quotes no password.
    """
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):  # the latter for a port that is no number, which it quotes
        raise ValueError("it is not a database URL such as sqlite:///data/oxo.db") from None
    url = url.set(drivername=DRIVERS.get(url.drivername, url.drivername))
    if url.drivername not in DRIVERS.values():
        raise ValueError(f"{url.drivername} is not supported; sqlite and postgresql are")
    if url.drivername == "sqlite+pysqlite" and (
        url != URL.create(url.drivername, database=url.database) or url.database in (None, "", ":memory:")
    ):
        raise ValueError(
            "a SQLite database needs a file after three slashes, and no parameters, such as sqlite:///data/oxo.db"
        )
    return url


def connect(url: URL, *, connections: int = 1, create: bool = True, writes: bool = True) -> Engine:
    """An engine on the database.

    At most `connections` are open at a time. With `create`, a missing SQLite file and its folder are made; nobody
    but this user may read it. Not so for programs that work with games: an empty file in the place of a lost one
    would only hide the loss. On SQLite, transactions that may not write (`writes`) wait for no writer.
    """
    if url.get_backend_name() != "sqlite":
        engine = _connect_postgresql(url, connections=connections, timeouts=not create)
        return engine if writes else engine.execution_options(postgresql_readonly=True)
    path = Path(url.database or "")
    if create:
        path.parent.mkdir(parents=True, exist_ok=True)
        with suppress(OSError):  # it's there, or SQLite says why it can't be
            path.touch(0o600, exist_ok=False)
    address = f"file:{quote(str(path))}?mode={'rwc' if create else 'rw'}"
    engine = create_engine(
        url,
        poolclass=QueuePool,
        pool_size=connections,
        max_overflow=0,
        creator=partial(sqlite3.connect, address, timeout=BUSY_SECONDS, check_same_thread=False, uri=True),
        hide_parameters=True,  # errors are logged, and parameters contain people's names
    )
    event.listen(engine, "connect", _prepare_sqlite)
    if not writes:
        event.listen(engine, "connect", lambda connection, _: connection.execute("PRAGMA query_only=ON").close())
    begin = "BEGIN IMMEDIATE" if writes else "BEGIN"
    event.listen(engine, "begin", _refuse_vanished)
    event.listen(engine, "begin", lambda connection: connection.exec_driver_sql(begin))
    return engine


LOCK_SECONDS: Final = 10
"""How long a start waits for another bot to leave its SQLite file: a stop may take nearly as long."""


def lock_file(url: URL) -> bool:
    """Take a SQLite file for this process until it ends; False if another one keeps it for LOCK_SECONDS.

    Nothing is done on PostgreSQL, nor where files can't be locked, as on some network disks.
    """
    if url.get_backend_name() != "sqlite" or sys.platform == "win32":
        return True
    path = Path(url.database or "").resolve()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT, 0o600)  # closed, and so given back, at the end
    except OSError:
        return True
    last = time.monotonic() + LOCK_SECONDS
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= last:
                return False
            time.sleep(0.1)  # nothing else runs before the database is there
        except OSError:
            return True
        else:
            return True


SMALL_FILE: Final = 16 * 2**20
"""Up to how many bytes a SQLite file is rewritten in less than half a second, also on a slow machine."""


def empty_log(url: URL, *, gaps: bool = False) -> bool:
    """Write a SQLite database's write-ahead log into the file and empty it; False if somebody still reads from it.

    The log has pages as they were before something was deleted (sqlite.org, "Write-Ahead Logging"). On PostgreSQL
    there is nothing to do. With `gaps`, a small file is rewritten first: SQLite overwrites what is deleted
    (`secure_delete`), but where it moved entries from page to page, as in an index, a gap may have a copy.
    """
    if url.get_backend_name() != "sqlite":
        return True
    path = Path(url.database or "")
    address = f"file:{quote(str(path))}?mode=rw"
    with closing(sqlite3.connect(address, timeout=BUSY_SECONDS, uri=True)) as connection:
        connection.execute("PRAGMA secure_delete=ON").close()
        if gaps and path.stat().st_size <= SMALL_FILE:
            connection.execute("PRAGMA temp_store=MEMORY").close()
            connection.execute("VACUUM").close()
        busy, *_ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    return not busy


def vacuum(url: URL) -> None:
    """Rewrite a whole database, so that nothing of what was deleted is left; others wait until it is done.

    A SQLite file must not be in use, and the disk must have room for a second one; else it raises sqlite3.Error or
    StorageUnavailable.
    """
    if url.get_backend_name() == "sqlite":
        with closing(sqlite3.connect(f"file:{quote(str(url.database))}?mode=rw", uri=True)) as connection:
            connection.execute("VACUUM").close()
        if not empty_log(url):
            raise StorageUnavailable("another program is still reading its old state; please try again")
        return
    engine = connect(url)
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as server:
        server.exec_driver_sql("VACUUM FULL")
    engine.dispose()


def _leave_out_detail(context: ExceptionContext) -> None:
    """Cut an error of PostgreSQL to its first line: the next shows the refused row, with people's names."""
    cause, told = context.original_exception, context.sqlalchemy_exception
    first = getattr(getattr(cause, "diag", None), "message_primary", None)
    if first is not None and told is not None:
        told.args = tuple(arg.replace(str(cause), first) for arg in told.args)
        cause.args = (first,)


def _connect_postgresql(url: URL, *, connections: int, timeouts: bool) -> Engine:
    """An engine on a PostgreSQL server, or on a pgbouncer in front of it (docs/hosting.md).

    The URL's parameters take precedence over the defaults here. `pgbouncer=yes` means that each transaction may
    have another connection, so that nothing is set or prepared that outlives one.
    """
    arguments: dict[str, Any] = dict(LIBPQ_PATIENCE)
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


PRAGMAS: Final = ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "secure_delete=ON")
"""How SQLite works: `secure_delete` overwrites what is deleted, as a forgotten name mustn't stay in free space."""


def has_written(connection: Connection) -> bool:
    """Whether a transaction has written anything; on SQLite, it or an earlier one of the same connection."""
    if connection.dialect.name == "sqlite":
        return bool(connection.connection.total_changes)
    return connection.exec_driver_sql("SELECT txid_current_if_assigned()").scalar() is not None


def _prepare_sqlite(connection: sqlite3.Connection, entry: ConnectionPoolEntry) -> None:
    connection.isolation_level = None  # or the driver would begin deferred transactions by itself
    for pragma in PRAGMAS:
        connection.execute(f"PRAGMA {pragma}").close()
    (path,) = connection.execute("SELECT file FROM pragma_database_list WHERE name = 'main'").fetchone()
    entry.info["file"] = path, os.stat(path).st_ino  # noqa: PTH116 - one system call, as below


def _refuse_vanished(connection: Connection) -> None:
    """Refuse to use a file that was removed or replaced: SQLite would silently go on writing to it."""
    path, number = connection.info["file"]
    try:
        found = os.stat(path).st_ino  # noqa: PTH116 - a Path would cost more than the call, at every transaction
    except OSError:
        found = None
    if found != number:
        connection.invalidate()
        cause = sqlite3.OperationalError("the database file has vanished")
        cause.sqlite_errorcode = sqlite3.SQLITE_CANTOPEN
        raise OperationalError("BEGIN IMMEDIATE", None, cause)

"""The lock under which results are counted, or a person is taken out of them: on PostgreSQL an advisory lock.

SQLite has one writer at a time anyway. Without the lock, one process could read a person's results and store sums
of them after another process has deleted them.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import Connection, text

from storage.errors import LockedRow

LOCK: Final = 0x4F584F31
"""The key of the advisory lock, on PostgreSQL."""


def try_results_lock(connection: Connection) -> bool:
    """Take the lock until the transaction ends; False while another has it."""
    if connection.dialect.name != "postgresql":
        return True
    return connection.execute(text("SELECT pg_try_advisory_xact_lock(:key)"), {"key": LOCK}).scalar() is True


def acquire_results_lock(connection: Connection) -> None:
    """Take the lock until the transaction ends, before anything is read.

    Raises:
        LockedRow: if another has it; the writer tries again a little later.
    """
    if not try_results_lock(connection):
        raise LockedRow("another process has locked the results")

"""Whoever counts results, or takes somebody out of them, does so alone: SQLite sees to it, PostgreSQL is asked.

Else one process could read what another is about to take away, and store it anew behind that one's back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlalchemy import text

from storage.errors import LockedRow

if TYPE_CHECKING:
    from sqlalchemy import Connection

LOCK: Final = 0x4F584F31
"""The key of the advisory lock, on PostgreSQL."""


def is_ours(connection: Connection) -> bool:
    """Whether it is this transaction's turn, until it ends; False while another has it."""
    if connection.dialect.name != "postgresql":
        return True
    return connection.execute(text("SELECT pg_try_advisory_xact_lock(:key)"), {"key": LOCK}).scalar() is True


def demand(connection: Connection) -> None:
    """Take the turn, which is this transaction's until it ends; to be called before anything is read.

    Raises:
        LockedRow: if another has it; the writer tries again a little later.
    """
    if not is_ours(connection):
        raise LockedRow("another process is at the results")

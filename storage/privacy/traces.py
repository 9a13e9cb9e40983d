"""Where a SQLite file still has what was deleted: noted until its write-ahead log and its gaps are emptied."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Final

from sqlalchemy import delete, select, update

from storage.schema import PROGRESS
from storage.upsert import upsert

if TYPE_CHECKING:
    from sqlalchemy import Connection

NAME: Final = "empty log"
"""The row of `progress` that says where."""


class Traces(IntEnum):
    """Where a SQLite file still has what was deleted."""

    NOWHERE = 0
    LOG = 1
    """In the write-ahead log (`storage.database.empty_log`)."""
    GAPS = 2
    """In the log, and perhaps in gaps of the file's pages."""


def note(connection: Connection, traces: Traces) -> None:
    """Note where the file still has what this transaction deletes."""
    if connection.dialect.name == "sqlite":
        upsert(connection, PROGRESS, [{"name": NAME, "value": traces}], larger="value")


def noted(connection: Connection) -> Traces:
    """Where the file still has what was deleted."""
    return Traces(connection.execute(select(PROGRESS.c.value).where(PROGRESS.c.name == NAME)).scalar() or 0)


def note_emptied(connection: Connection, left: Traces = Traces.NOWHERE) -> None:
    """Note that the file has nothing of it any more, except where `left` says."""
    own = PROGRESS.c.name == NAME
    if left:
        connection.execute(update(PROGRESS).where(own, PROGRESS.c.value > left).values(value=left))
    else:
        connection.execute(delete(PROGRESS).where(own))

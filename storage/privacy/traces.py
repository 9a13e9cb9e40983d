"""Where a SQLite file still has what was deleted: noted until its write-ahead log and its gaps are emptied."""

from enum import IntEnum
from typing import Final

from sqlalchemy import Connection, delete, select, update

from storage.games.record import NoticeKind
from storage.schema import OUTBOX, PROGRESS
from storage.store import Store
from storage.upsert import upsert

TRACES_ROW: Final = "empty log"
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
        upsert(connection, PROGRESS, [{"name": TRACES_ROW, "value": traces}], larger="value")


def noted(connection: Connection) -> Traces:
    """Where the file still has what was deleted."""
    return Traces(connection.execute(select(PROGRESS.c.value).where(PROGRESS.c.name == TRACES_ROW)).scalar() or 0)


async def empty(store: Store) -> bool:
    """Empty the parts of the file that still have it; False while a reader still holds an older state.

    Somebody who waits to be told that they are forgotten is in the outbox, and so in the log, until they are.
    """
    left, waits = await store.read(_noted_and_waits)
    if left:
        if not await store.empty_log(gaps=left == Traces.GAPS):
            return False
        await store.run(note_emptied, left=Traces.LOG if waits else Traces.NOWHERE)
    return True


def _noted_and_waits(connection: Connection) -> tuple[Traces, bool]:
    farewell = select(OUTBOX.c.id).where(OUTBOX.c.kind == NoticeKind.FORGOTTEN).limit(1)
    return noted(connection), connection.execute(farewell).first() is not None


def note_emptied(connection: Connection, left: Traces = Traces.NOWHERE) -> None:
    """Note that the file has nothing of it any more, except where `left` says."""
    own = PROGRESS.c.name == TRACES_ROW
    if left:
        connection.execute(update(PROGRESS).where(own, PROGRESS.c.value > left).values(value=left))
    else:
        connection.execute(delete(PROGRESS).where(own))

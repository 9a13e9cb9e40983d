"""The SQL of waits for an opponent: loading them, and deleting them with their boards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Final

from sqlalchemy import ColumnElement, Connection, delete, select

from storage.games.games import BOARD_COLUMNS
from storage.games.record import Board
from storage.people.person import Wait, WaitRecord
from storage.schema import BOARDS, MATCHMAKING

COLUMNS: Final = tuple(MATCHMAKING.c[name] for name in Wait._fields)


def load_many(connection: Connection, ids: Iterable[int]) -> Mapping[int, WaitRecord]:
    """Load waits by id; those that don't exist are missing."""
    ids = list(ids)
    waits = [Wait._make(row) for row in connection.execute(select(*COLUMNS).where(MATCHMAKING.c.id.in_(ids)))]
    of = select(*BOARD_COLUMNS).where(BOARDS.c.wait_id.in_(ids), BOARDS.c.wait_id.is_not(None))
    boards = sorted((Board._make(row) for row in connection.execute(of)), key=attrgetter("id"))
    return {
        wait.id: WaitRecord(
            wait,
            tuple(board for board in boards if board.wait_id == wait.id),
        )
        for wait in waits
    }


def drop_ended(connection: Connection, before: int) -> None:
    """Delete waits that ended before a time, whose messages stay as they are."""
    _delete(connection, MATCHMAKING.c.ended.is_not(None) & (MATCHMAKING.c.changed_at < before))


def forget(connection: Connection, person: int) -> Sequence[tuple[int, int]]:
    """Delete a person's waits; the messages that showed a running one, by chat and message."""
    own = MATCHMAKING.c.person == person
    going = select(MATCHMAKING.c.id).where(own, MATCHMAKING.c.ended.is_(None))
    shown = select(BOARDS.c.chat_id, BOARDS.c.message_id).where(
        BOARDS.c.wait_id.in_(going), BOARDS.c.message_id.is_not(None)
    )
    closed = [(row.chat_id, row.message_id) for row in connection.execute(shown)]
    _delete(connection, own)
    return closed


def _delete(connection: Connection, condition: ColumnElement[bool]) -> None:
    ids = connection.execute(select(MATCHMAKING.c.id).where(condition)).scalars().all()
    if ids:
        connection.execute(delete(BOARDS).where(BOARDS.c.wait_id.in_(ids)))
        connection.execute(delete(MATCHMAKING).where(MATCHMAKING.c.id.in_(ids)))

"""What must be said apart from boards: stored with the decision to say it, and deleted once it is said.

Whoever is killed in between, the next process says it. What has lost its point by then (somebody has moved) is
dropped by whoever comes to it.
"""

from __future__ import annotations

import time
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Final

from sqlalchemy import delete, insert, select, update

from storage.board_messages import remember
from storage.notice import Kind, Notice
from storage.schema import OUTBOX
from storage.versions import GRACE_SECONDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection


NAMES: Final = tuple(field.name for field in fields(Notice))
COLUMNS: Final = tuple(OUTBOX.c[name] for name in NAMES)


def add(connection: Connection, notice: Notice) -> Notice:
    """Store the wish to say something; the caller has it to itself for a while."""
    held = replace(notice, look_at=int(time.time()) + GRACE_SECONDS)
    values = {name: getattr(held, name) for name in NAMES if name != "id"}
    (notice_id,) = connection.execute(insert(OUTBOX).values(values).returning(OUTBOX.c.id)).one()
    return replace(held, id=notice_id)


def claim(connection: Connection, *, now: int, limit: int) -> Sequence[Notice]:
    """Take up what nobody has said, or waits to say, longest waiting first."""
    due = (
        select(OUTBOX.c.id)
        .where(OUTBOX.c.look_at <= now)
        .order_by(OUTBOX.c.look_at)
        .limit(limit)
        .with_for_update(skip_locked=True)
    )
    claimed = (
        update(OUTBOX)
        .where(OUTBOX.c.id.in_(due), OUTBOX.c.look_at <= now)
        .values(look_at=now + GRACE_SECONDS)
        .returning(*COLUMNS)
    )
    return [_notice(row) for row in connection.execute(claimed)]


def hold(connection: Connection, ids: Sequence[int], until: int) -> None:
    """Keep everybody off notices, by id, until a time: they wait in this process, or for another try."""
    if ids:
        connection.execute(update(OUTBOX).where(OUTBOX.c.id.in_(ids)).values(look_at=until))


def done(connection: Connection, notice: Notice, message_id: int | None = None) -> None:
    """Forget what was said, or has lost its point; the message that said it is known as the game's."""
    was_there = connection.execute(delete(OUTBOX).where(OUTBOX.c.id == notice.id)).rowcount
    if was_there and message_id is not None:
        remember(connection, notice.chat_id, message_id, notice.game_id)


def _notice(row: Sequence[object]) -> Notice:
    values = dict(zip(NAMES, row, strict=True))
    return Notice(**{**values, "kind": Kind(str(values["kind"]))})  # type: ignore[arg-type] # the columns are the fields

"""The SQL of chats that Telegram has closed for a while: what one process was told, the others need not ask."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlalchemy import delete, select

from storage.schema import PAUSES
from storage.upsert import upsert

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy import Connection


LONGEST_SECONDS: Final = 305
"""No pause is shared for longer at a time: one that is has been written by a clock that was set back since."""


def note(connection: Connection, chat: str, until: int) -> None:
    """Store until when a chat is closed, in seconds since 1970; a later end that is known stays."""
    upsert(connection, PAUSES, [{"chat": chat, "until": until}], larger="until")


def current(connection: Connection, now: int) -> Mapping[str, int]:
    """The chats that are closed now, each with until when; what is over is forgotten."""
    found = {row.chat: row.until for row in connection.execute(select(PAUSES.c.chat, PAUSES.c.until))}
    if any(not now < until <= now + LONGEST_SECONDS for until in found.values()):
        over = (PAUSES.c.until <= now) | (PAUSES.c.until > now + LONGEST_SECONDS)
        connection.execute(delete(PAUSES).where(over))
    return {chat: until for chat, until in found.items() if now < until <= now + LONGEST_SECONDS}

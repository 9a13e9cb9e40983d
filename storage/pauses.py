"""The SQL of pauses: chats to which Telegram takes nothing for a while, for all processes to know."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from sqlalchemy import Connection, delete, select

from storage.schema import PAUSES
from storage.upsert import upsert

LONGEST_SECONDS: Final = 305
"""No pause is longer: one that seems to be was written before the clock was set back."""


def note(connection: Connection, chat: str, until: int) -> None:
    """Store until when a chat is paused, in seconds since 1970, unless a later end is known."""
    upsert(connection, PAUSES, [{"chat": chat, "until": until}], larger="until")


def current(connection: Connection, now: int) -> Mapping[str, int]:
    """The chats that are paused now, each with until when; pauses that are over are deleted."""
    found = {row.chat: row.until for row in connection.execute(select(PAUSES.c.chat, PAUSES.c.until))}
    if any(not now < until <= now + LONGEST_SECONDS for until in found.values()):
        over = (PAUSES.c.until <= now) | (PAUSES.c.until > now + LONGEST_SECONDS)
        connection.execute(delete(PAUSES).where(over))
    return {chat: until for chat, until in found.items() if now < until <= now + LONGEST_SECONDS}

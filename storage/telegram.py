"""The SQL of what processes share about Telegram: texts that this bot has set there, and chats that are paused.

Digests tell the bot's own texts from those that the host has set. Telegram takes nothing to a paused chat for a
while.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping

from sqlalchemy import Connection, delete, select

from storage.schema import PAUSES, PROGRESS
from storage.upsert import insert_missing, upsert


def is_own_text(connection: Connection, text: str) -> bool:
    """Whether a text was noted, by this release or an earlier one."""
    return connection.execute(select(PROGRESS.c.name).where(PROGRESS.c.name == _name(text))).first() is not None


def note_text(connection: Connection, text: str) -> None:
    """Note a text as the bot's own, for later releases too."""
    insert_missing(connection, PROGRESS, [{"name": _name(text), "value": int(time.time())}])


def is_set(connection: Connection, place: str, content: str) -> bool:
    """Whether this is what was last noted as set in a place, such as a menu of commands."""
    noted = connection.execute(select(PROGRESS.c.value).where(PROGRESS.c.name == f"set {_digest(place)}")).scalar()
    return noted == int(_digest(content), 16)


def note_set(connection: Connection, place: str, content: str) -> None:
    """Note what is set in a place now."""
    upsert(connection, PROGRESS, [{"name": f"set {_digest(place)}", "value": int(_digest(content), 16)}])


def _name(text: str) -> str:
    return f"own {_digest(text)}"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def note_pause(connection: Connection, chat: str, until: int) -> None:
    """Store until when a chat is paused, in seconds since 1970, unless a later end is known."""
    upsert(connection, PAUSES, [{"chat": chat, "until": until}], larger="until")


def current_pauses(connection: Connection, now: int) -> Mapping[str, int]:
    """The chats that are paused now, each with until when."""
    going_on = select(PAUSES.c.chat, PAUSES.c.until).where(PAUSES.c.until > now)
    return {row.chat: row.until for row in connection.execute(going_on)}


def drop_pauses(connection: Connection, now: int) -> None:
    """Forget pauses that are over."""
    connection.execute(delete(PAUSES).where(PAUSES.c.until <= now))

"""The SQL of the texts that this bot has set at Telegram: digests tell its own from those of the host."""

from __future__ import annotations

import hashlib
import time

from sqlalchemy import Connection, select

from storage.schema import PROGRESS
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

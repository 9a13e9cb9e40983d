"""The SQL of what this bot has set at Telegram, as digests."""

import hashlib

from sqlalchemy import Connection, select

from storage.schema import PROGRESS
from storage.upsert import upsert


def is_set(connection: Connection, place: str, content: str) -> bool:
    """Whether this is what was last noted as set in a place, such as a menu of commands."""
    noted = connection.execute(select(PROGRESS.c.value).where(PROGRESS.c.name == f"set {_digest(place)}")).scalar()
    return noted == int(_digest(content), 16)


def note_set(connection: Connection, place: str, content: str) -> None:
    """Note what is set in a place now."""
    upsert(connection, PROGRESS, [{"name": f"set {_digest(place)}", "value": int(_digest(content), 16)}])


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]

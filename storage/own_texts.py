"""The SQL of texts that this bot has set at Telegram: digests tell them from texts that the host has set."""

from __future__ import annotations

import hashlib
import time

from sqlalchemy import Connection, select

from storage.schema import PROGRESS
from storage.upsert import insert_missing


def is_own(connection: Connection, text: str) -> bool:
    """Whether a text was noted, by this release or an earlier one."""
    return connection.execute(select(PROGRESS.c.name).where(PROGRESS.c.name == _name(text))).first() is not None


def note(connection: Connection, text: str) -> None:
    """Note a text as the bot's own, for later releases too."""
    insert_missing(connection, PROGRESS, [{"name": _name(text), "value": int(time.time())}])


def _name(text: str) -> str:
    return f"own {_digest(text)}"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]

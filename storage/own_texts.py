"""The SQL of texts that this bot has set at Telegram: digests tell them from texts that the host has set."""

from __future__ import annotations

import hashlib
import time
from typing import Final

from sqlalchemy import Connection, select

from storage.schema import PROGRESS
from storage.upsert import insert_missing

FORMER: Final = frozenset({"f59fc5be165e", "64d6821000f0", "d9c4b74dce4e", "cdf31fecf2ef"})
"""Digests of the texts that releases have set which noted none."""


def is_own(connection: Connection, text: str) -> bool:
    """Whether a text was noted, or set by an earlier release."""
    if _digest(text) in FORMER:
        return True
    return connection.execute(select(PROGRESS.c.name).where(PROGRESS.c.name == _name(text))).first() is not None


def note(connection: Connection, text: str) -> None:
    """Note a text as the bot's own, for later releases too."""
    insert_missing(connection, PROGRESS, [{"name": _name(text), "value": int(time.time())}])


def _name(text: str) -> str:
    return f"own {_digest(text)}"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]

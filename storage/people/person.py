"""A person as Telegram describes them: the value that handlers, games and the table of people share."""

from __future__ import annotations

from typing import NamedTuple


class Person(NamedTuple):
    """A person: their Telegram id, name, username and language."""

    id: int
    name: str
    username: str | None = None
    """As Telegram writes it, without its @."""
    language: str | None = None
    """An IETF tag as Telegram sends it."""

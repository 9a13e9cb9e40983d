"""Transposition tables: what is known of positions, within bounded memory."""

from __future__ import annotations

from typing import Generic, TypeVar

Key = TypeVar("Key")
Entry = TypeVar("Entry")

ENTRIES = 100_000
"""How many positions a table holds of each of its two generations; one takes 200 to 400 bytes."""


class Table(Generic[Key, Entry]):
    """Entries by key, of which the newest and the most used are kept.

    When it is full, its entries become the old generation, and those of the last old one are dropped. An old entry
    that is looked up becomes new again.
    """

    def __init__(self, entries: int = ENTRIES) -> None:
        self._entries = entries
        self._new: dict[Key, Entry] = {}
        self._old: dict[Key, Entry] = {}

    def get(self, key: Key) -> Entry | None:
        """The entry of this key, if it is still there."""
        entry = self._new.get(key)
        if entry is None and self._old:
            entry = self._old.get(key)
            if entry is not None:
                self.put(key, entry)
        return entry

    def put(self, key: Key, entry: Entry) -> None:
        """Keep an entry."""
        if len(self._new) >= self._entries:
            self._old = self._new
            self._new = {}
        self._new[key] = entry

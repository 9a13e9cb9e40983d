"""Transposition tables: what is known of positions, within bounded memory."""

from __future__ import annotations

from typing import Generic, TypeVar

Key = TypeVar("Key")
Entry = TypeVar("Entry")

ENTRIES = 100_000
"""How many positions a table holds of each of its two generations; one takes 200 to 400 bytes."""


class Table(Generic[Key, Entry]):
    """Entries by key. Once it is full, the entries that were not used since it last was are dropped."""

    def __init__(self, entries: int = ENTRIES) -> None:
        self._entries = entries
        self._new: dict[Key, Entry] = {}
        self._old: dict[Key, Entry] = {}

    def get(self, key: Key) -> Entry | None:
        """What was put under this key, if it is still there."""
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

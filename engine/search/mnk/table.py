"""Transposition tables: what is known of positions, under their symmetries and within bounded memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

from engine.rules.symmetry import symmetries

if TYPE_CHECKING:
    from engine.search.mnk.bits import Board

Key = TypeVar("Key")
Entry = TypeVar("Entry")

ENTRIES = 100_000
"""How many positions a table holds of each of its two generations; one takes 200 to 400 bytes."""


class Images:
    """All turned and reflected images of a position at once, and the key that they share.

    The images lie side by side in one integer, so that a ply is one operation: `image | own[cell]` after the
    side whose marks are called own, and `image | other[cell]` after the other one.
    """

    def __init__(self, board: Board) -> None:
        maps = symmetries(board.m, board.n)
        self._width = (2 * board.cells + 7) // 8
        self._size = self._width * len(maps)
        self._lanes = tuple(range(0, self._size, self._width))
        self.own = tuple(
            sum(1 << 8 * lane + image[cell] for lane, image in zip(self._lanes, maps, strict=True))
            for cell in range(board.cells)
        )
        self.other = tuple(bits << board.cells for bits in self.own)

    def key(self, image: int) -> bytes:
        """The same for all symmetric positions, and another for all others."""
        lanes = image.to_bytes(self._size, "little")
        width = self._width
        return min([lanes[start : start + width] for start in self._lanes])


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

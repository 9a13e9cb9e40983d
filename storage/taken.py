"""The Telegram updates that changed a row last, kept in it as text: each has one effect, whenever it comes."""

from __future__ import annotations

from typing import Final

MOST: Final = 8
"""How many a row remembers; more than so many rarely come between an update and its second delivery."""


def has(taken: str, update_id: int | None) -> bool:
    """Whether an update is among those remembered."""
    return update_id is not None and str(update_id) in taken.split()


def add(taken: str, update_id: int | None) -> str:
    """The updates remembered once this one is taken too."""
    return taken if update_id is None else " ".join([*taken.split()[1 - MOST :], str(update_id)])

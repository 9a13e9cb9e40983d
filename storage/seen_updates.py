"""The Telegram updates that changed a row last, kept in it as text: each has one effect, whenever it comes."""

from __future__ import annotations

from typing import Final

MOST: Final = 8
"""How many a row remembers; more than so many rarely come between an update and its second delivery."""


def has(seen: str, update_id: int | None) -> bool:
    """Whether an update is among those remembered."""
    return update_id is not None and str(update_id) in seen.split()


def add(seen: str, update_id: int | None) -> str:
    """The updates remembered once this one has taken effect too."""
    return seen if update_id is None else " ".join([*seen.split()[1 - MOST :], str(update_id)])

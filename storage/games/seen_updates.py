"""The Telegram updates that changed a row last, kept in it as text: each has one effect, whenever it comes."""

from __future__ import annotations

from typing import Final

MOST: Final = 10
"""How many a row remembers; more than so many rarely come between an update and its second delivery, and there are
no more subjects."""

NEAR: Final = 100_000
"""Of two updates that are further apart neither comes again after the other was dealt with."""


def has(seen: str, update_id: int | None) -> bool:
    """Whether an update is among those remembered."""
    return update_id is not None and str(update_id) in seen.split()


def is_late(seen: str, update_id: int, about: str) -> bool:
    """Whether an update comes again, or after a newer one that was about the same.

    After a week without any update their ids restart at a random number (Bot API, Update), so only a near id can
    be newer.
    """
    for word in seen.split():
        other, _, its_subject = word.partition(":")
        ahead = int(other) - update_id
        if ahead == 0 or (its_subject == about and 0 < ahead < NEAR):
            return True
    return False


def add(seen: str, update_id: int | None, about: str = "") -> str:
    """The updates remembered once this one has taken effect too, and perhaps what it was about.

    Of a subject the newest is all there is to know, and stays however much is added of others.
    """
    if update_id is None:
        return seen
    kept = [word for word in seen.split() if not about or word.partition(":")[2] != about]
    return " ".join([*kept[1 - MOST :], f"{update_id}:{about}" if about else str(update_id)])

"""The last Telegram updates that changed a row, kept in it as text, so that none takes effect twice."""

from typing import Final

MOST_SEEN: Final = 10
"""How many a row remembers: more rarely come between an update and its second delivery, and there are no more
subjects."""

NEAR_IDS: Final = 100_000
"""If the ids of two updates differ by more, neither is delivered again after the other was handled."""


def has(seen: str, update_id: int | None) -> bool:
    """Whether an update is among those remembered."""
    return update_id is not None and str(update_id) in seen.split()


def is_late(seen: str, update_id: int, about: str) -> bool:
    """Whether an update comes again, or after a newer one about the same subject.

    After an idle week the ids of updates restart at a random number (Bot API, Update), so a higher id is only
    newer if it is near.
    """
    for word in seen.split():
        other, _, its_subject = word.partition(":")
        ahead = int(other) - update_id
        if ahead == 0 or (its_subject == about and 0 < ahead < NEAR_IDS):
            return True
    return False


def add(seen: str, update_id: int | None, about: str = "") -> str:
    """The updates to remember once this one has taken effect, perhaps with its subject.

    Of each subject only the newest is kept, however many are added of others.
    """
    if update_id is None:
        return seen
    kept = [word for word in seen.split() if not about or word.partition(":")[2] != about]
    return " ".join([*kept[1 - MOST_SEEN :], f"{update_id}:{about}" if about else str(update_id)])

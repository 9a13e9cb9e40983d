"""For how long what people have left is kept, as the host has set it."""

from __future__ import annotations

from typing import Final, NamedTuple

DEFAULT_GROUP_DAYS: Final = 30


class Retention(NamedTuple):
    """After how many days finished games, inactive people and groups that the bot has left are deleted."""

    days: int | None
    """Of games and people; None for never."""
    group_days: int


FOR_EVER: Final = Retention(None, DEFAULT_GROUP_DAYS)
"""The default."""

"""Something to say about a game apart from its boards, as a value."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """What a notice says."""

    REMINDER = "reminder"
    """That it is somebody's move, and time is running out."""


@dataclass(frozen=True, slots=True)
class Notice:
    """Something to say about a game, in a chat."""

    id: int
    kind: Kind
    game_id: int
    ply: int
    """The ply at which it was decided."""
    chat_id: int
    thread_id: int | None
    language: str | None
    look_at: int
    """When another process may take it up; seconds since 1970."""

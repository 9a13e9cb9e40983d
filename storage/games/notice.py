"""Something to be said apart from boards, as a value."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class NoticeKind(StrEnum):
    """What a notice says or brings."""

    REMINDER = "reminder"
    """That it is somebody's move, and time is running out."""
    ANIMATION = "animation"
    """A finished game as an animation."""
    STILL = "still"
    """A finished game as a picture of its end."""
    CHART = "chart"
    """A picture of somebody's results."""
    EXPORT = "export"
    """All that is kept about somebody, as a file."""
    PUZZLE = "puzzle"
    """The puzzle of the day, for somebody who wants to be reminded of it."""
    FORGOTTEN = "forgotten"
    """That somebody is forgotten: the last that is said to them."""


@dataclass(frozen=True, slots=True)
class Notice:
    """Something to be said or brought to a chat."""

    id: int
    kind: NoticeKind
    game_id: int | None
    ply: int | None
    """The ply at which a reminder was decided."""
    chat_id: int
    thread_id: int | None
    language: str | None
    look_at: int
    """When another process may take it up; once it is said, when the same may be asked for again. Seconds since
    1970."""
    person: int | None = None
    """The person who asked for it."""
    subject: int | None = None
    """The person whose results or data it brings."""
    family: str = ""
    """Of which boards a chart shows the results; all if empty."""
    here: bool = False
    """Whether a chart shows the results of its chat alone."""
    said: bool = False
    """Whether it has been said, and is only kept so that nobody asks for the same again right away."""

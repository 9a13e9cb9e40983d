"""A message to be sent besides boards, as a value."""

from __future__ import annotations

from enum import StrEnum
from typing import Final, NamedTuple


class NoticeKind(StrEnum):
    """What a notice is about."""

    REMINDER = "reminder"
    """It is somebody's move, and time is running out."""
    ANIMATION = "animation"
    """A finished game as an animation."""
    STILL = "still"
    """A finished game as a picture of its end."""
    CHART = "chart"
    """A picture of somebody's results."""
    EXPORT = "export"
    """Everything that is stored about somebody, as a file."""
    PUZZLE = "puzzle"
    """The daily puzzle, for somebody who wants to be reminded of it."""
    FORGOTTEN = "forgotten"
    """Somebody's data are deleted: the last message to them."""


UNASKED: Final = (NoticeKind.REMINDER, NoticeKind.PUZZLE)
"""What comes without anybody having asked for it just now."""


class Notice(NamedTuple):
    """A message to be sent to a chat."""

    id: int
    kind: NoticeKind
    game_id: int | None
    ply: int | None
    """The ply at which a reminder was decided."""
    chat_id: int
    thread_id: int | None
    language: str | None
    look_at: int
    """When another process may take it up or, once it is said, when the same may be asked for again; seconds since
    1970."""
    person: int | None = None
    """The person who asked for it."""
    subject: int | None = None
    """The person whose results or data it contains."""
    family: str = ""
    """The family of rules whose results a chart shows; all if empty."""
    here: bool = False
    """Whether a chart shows the results of its chat alone."""
    said: bool = False
    """Whether it was sent, and is only kept so that the same can't be asked for again right away."""

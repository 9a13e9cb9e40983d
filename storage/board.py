"""The record of one board, as a value: the message, or the wish for one, that shows a game to somebody.

A board follows its game by versions. Whoever is to show a state first stores it as the board's next `wanted`
version and so owns it; `shown` is the newest version that Telegram is known to show (docs/architecture.md, "The
protocol of a board").
"""

from __future__ import annotations

from typing import NamedTuple


class Place(NamedTuple):
    """Where a new board goes, and for whom."""

    chat_id: int | None = None
    """None for a message of inline mode."""
    thread_id: int | None = None
    """The forum topic in that chat."""
    inline_message_id: str | None = None
    viewer: int | None = None
    """The person for whose eyes alone it is; None where several see it."""
    language: str | None = None
    """The language of its text, an IETF tag as Telegram sends it."""


class Board(NamedTuple):
    """One board of a game."""

    id: int
    game_id: int
    chat_id: int | None
    """The chat that shows it; None for a message of inline mode."""
    thread_id: int | None
    message_id: int | None
    """The message that is the board; None until Telegram has confirmed it."""
    inline_message_id: str | None
    viewer: int | None
    """The person for whose eyes alone it is; None where several see it."""
    language: str | None
    """The language of its text, an IETF tag as Telegram sends it."""
    replaces: int | None
    """The board that goes once this one has its message: the game moves down to it."""
    leaving: bool
    """Whether another board has taken its place, and its message is to be taken away."""
    wanted: int
    """The newest version, 1 for a new board; counts the game's changes and whatever else is to be shown anew."""
    shown: int
    """The newest version that Telegram is known to show; 0 before the first."""
    look_at: int
    """When the sweep may take it up if `wanted` is not shown by then; seconds since 1970."""
    claims: int
    """How often the sweep has taken it up since it was last changed."""

    @property
    def is_lagging(self) -> bool:
        """Whether Telegram is not known to show the newest version."""
        return self.shown < self.wanted

    @property
    def place(self) -> Place:
        """Where it is, as another board of the same kind would be put there."""
        return Place(self.chat_id, self.thread_id, self.inline_message_id, self.viewer, self.language)

"""The record of one board, as a value: the message, or the wish for one, that shows a game to somebody.

A board follows its game by versions. Whoever is to show a state first stores it as the board's next `wanted`
version and so owns it; `shown` is the newest version that Telegram is known to show (docs/delivery.md, "The
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


class Heed(NamedTuple):
    """What a change of a game means for who looks at one of its boards."""

    acted_at: int
    called: bool
    """Both as the board shall have them."""
    to: Place | None = None
    """Where the board comes as a new message, if it is out of sight."""
    whom: int | None = None
    """The person whom that calls, unless they want no notices; None where they have asked for it themselves."""


class Board(NamedTuple):
    """One board of a game. What is left out is as on a new board."""

    id: int
    game_id: int
    chat_id: int | None
    """The chat that shows it; None for a message of inline mode."""
    thread_id: int | None = None
    message_id: int | None = None
    """The message that is the board; None until Telegram has confirmed it."""
    inline_message_id: str | None = None
    viewer: int | None = None
    """The person for whose eyes alone it is; None where several see it."""
    language: str | None = None
    """The language of its text, an IETF tag as Telegram sends it."""
    look: str | None = None
    """How its marks look, as the chat had chosen when it was made; None for the usual look."""
    as_text: bool = False
    """Whether it is drawn in text, for who cannot use buttons well."""
    silent: bool = False
    """Whether the computer keeps to itself why it moves as it does, as the chat had chosen when it was made."""
    page: str | None = None
    """What it shows of the game, where that is not all of it: a ply of a review, a part of a big board."""
    replaces: int | None = None
    """The board that goes once this one has its message: the game moves down to it."""
    leaving: bool = False
    """Whether another board has taken its place, and its message is to be taken away."""
    wanted: int = 1
    """The newest version, 1 for a new board; counts the game's changes and whatever else is to be shown anew."""
    shown: int = 0
    """The newest version that Telegram is known to show; 0 before the first."""
    look_at: int = 0
    """When the sweep may take it up if `wanted` is not shown by then; seconds since 1970."""
    claims: int = 0
    """How often the sweep has taken it up since it was last changed."""
    acted_at: int = 0
    """When it came, or somebody whose answer was awaited last acted: its viewer, where it has one; seconds since
    1970."""
    called: bool = False
    """Whether it came to call somebody who has not acted since: until then nothing calls them again."""

    @property
    def is_lagging(self) -> bool:
        """Whether Telegram is not known to show the newest version."""
        return self.shown < self.wanted

    @property
    def is_aside(self) -> bool:
        """Whether it is there for one person's review alone, beside the boards that the game was played on."""
        return self.page is not None and self.page[:1].isupper()

    @property
    def place(self) -> Place:
        """Where it is, as another board of the same kind would be put there."""
        return Place(self.chat_id, self.thread_id, self.inline_message_id, self.viewer, self.language)

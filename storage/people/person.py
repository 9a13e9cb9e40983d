"""People, chats, and pairings, as values."""

from __future__ import annotations

from typing import NamedTuple

from storage.columns import ChatId, Moment, PersonId, RowId, Seen, Word


class Person(NamedTuple):
    """A person: their Telegram id, name, username and language."""

    id: int
    name: str
    username: str | None = None
    """As Telegram writes it, without its @."""
    language: str | None = None
    """An IETF tag as Telegram sends it."""


class Chat(NamedTuple):
    """What is chosen in a chat for new games; None is the default."""

    id: ChatId
    level: Word | None = None
    first: Word | None = None
    theme: Word | None = None
    as_text: bool = False
    language: Word | None = None
    """The language of its boards, instead of Telegram's; that of a private chat is its person's everywhere."""
    rules: Word | None = None
    """The rules of new games, as the engine writes them."""
    no_comments: bool = False
    """Whether OXO doesn't comment on its moves."""
    seen_updates: Seen = ""
    left_at: Moment | None = None
    """When the bot left it; None while it's there."""
    season_at: Moment | None = None
    """When the season of a group's leaderboard began; None if it never had one."""


class Meeting(NamedTuple):
    """Two people who were paired; in the order of the table's columns."""

    game_id: RowId
    person: PersonId
    opponent: PersonId
    rules: Word
    person_since: Moment
    """When each began to wait; seconds since 1970, as is `met_at`, when they were paired."""
    opponent_since: Moment
    met_at: Moment
    person_any: bool = False
    """Whether each was waiting for any board."""
    opponent_any: bool = False

"""People, chats, and waits for an opponent, as values."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from storage.columns import ChatId, Count, Id, Moment, PersonId, RowId, Seen, Word
from storage.games.record import Board


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
    silent: bool = False
    """Whether OXO doesn't comment on its moves."""
    seen_updates: Seen = ""
    left_at: Moment | None = None
    """When the bot left it; None while it's there."""


class WaitEnd(StrEnum):
    """Why somebody stopped waiting without being paired."""

    LEFT = "left"
    UNANSWERED = "unanswered"
    """They were asked whether they are still there, and didn't answer in time."""


class Wait(NamedTuple):
    """Somebody's wait for an opponent, in the order of the table's columns. Times are seconds since 1970."""

    id: RowId
    person: PersonId
    rules: Word
    any_rules: bool
    """Whether any board will do; two such people play `rules`."""
    told: Count | None
    """How many seconds others typically wait, as the person is told; None if unknown."""
    since: Moment
    """When they began to wait, which decides their place in the queue."""
    due_at: Moment
    """When to ask them whether they are still there or, once they were asked, when the time to answer ends."""
    changed_at: Moment
    asked: bool = False
    """Whether they were asked and haven't answered yet."""
    ended: WaitEnd | None = None
    update_id: Id | None = None
    """The Telegram update that asked for it, so that a second delivery of the update finds it."""

    @property
    def is_over(self) -> bool:
        return self.ended is not None


class WaitRecord(NamedTuple):
    """A wait with its boards, oldest board first."""

    wait: Wait
    boards: tuple[Board, ...]

    @property
    def subject(self) -> Wait:
        return self.wait


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

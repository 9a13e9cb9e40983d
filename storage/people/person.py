"""People, and their waits for an opponent, as values."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from storage.games.record import Board


class Person(NamedTuple):
    """A person: their Telegram id, name, username and language."""

    id: int
    name: str
    username: str | None = None
    """As Telegram writes it, without its @."""
    language: str | None = None
    """An IETF tag as Telegram sends it."""


class WaitEnd(StrEnum):
    """Why somebody stopped waiting without being paired."""

    LEFT = "left"
    UNANSWERED = "unanswered"
    """They were asked whether they are still there, and didn't answer in time."""


class Wait(NamedTuple):
    """Somebody's wait for an opponent, in the order of the table's columns. Times are seconds since 1970."""

    id: int
    person: int
    rules: str
    any_rules: bool
    """Whether any board will do; two such people play `rules`."""
    told: int | None
    """How many seconds others typically wait, as the person is told; None if unknown."""
    since: int
    """When they began to wait, which decides their place in the queue."""
    due_at: int
    """When to ask them whether they are still there or, once they were asked, when the time to answer ends."""
    changed_at: int
    asked: bool = False
    """Whether they were asked and haven't answered yet."""
    ended: WaitEnd | None = None
    update_id: int | None = None
    """The Telegram update that asked for it, so that a second delivery of the update finds it."""

    @property
    def is_over(self) -> bool:
        return self.ended is not None


class Waiting(NamedTuple):
    """A wait with its boards, oldest board first."""

    wait: Wait
    boards: tuple[Board, ...]

    @property
    def subject(self) -> Wait:
        return self.wait

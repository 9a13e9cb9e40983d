"""Taps and inline queries that wait for the bot's answer."""

import asyncio
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from playground.accounts import User
from playground.keyboards import Keyboard
from playground.texts import Text

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Answer:
    """What the bot answered to a tap."""

    text: str | None = None
    show_alert: bool = False
    url: str | None = None


@dataclass(frozen=True, slots=True)
class InlineResult:
    """One of the results that the bot offers for an inline query, ready to become a message."""

    query: str
    id: str
    title: str
    description: str
    content: Text
    keyboard: Keyboard


@dataclass(eq=False, slots=True)
class Pending(Generic[T]):
    """A query on its way."""

    id: str
    person: User
    asked: float
    """When it was asked, in the playground's time."""
    answer: asyncio.Future[T] = field(default_factory=lambda: asyncio.get_running_loop().create_future())

    async def answered(self, within: float, what: str) -> T:
        try:
            return await asyncio.wait_for(asyncio.shield(self.answer), within)
        except TimeoutError:
            raise TimeoutError(f"waited {within:g} s for {what}") from None


Tap = Pending[Answer]
"""A tapped button."""


@dataclass(eq=False, slots=True)
class InlineQuery(Pending[list[InlineResult]]):
    """A query typed after the bot's name."""

    text: str = ""
    offset: str = ""


class Queries(Generic[T]):
    """The queries that can still be answered, oldest first."""

    def __init__(self, lifetime: float) -> None:
        self.lifetime = lifetime
        """Seconds during which an answer is taken."""
        self._open: dict[str, Pending[T]] = {}

    def add(self, query: Pending[T]) -> None:
        """Take in a new query, and forget those past their deadline."""
        for identifier, other in list(self._open.items()):
            if query.asked - other.asked <= self.lifetime:
                break
            del self._open[identifier]
        self._open[query.id] = query

    def take(self, identifier: str, now: float) -> Pending[T] | None:
        """The query, for its one answer; None when it is unknown, answered or too old."""
        query = self._open.pop(identifier, None)
        return query if query is not None and now - query.asked <= self.lifetime else None

"""Taps and inline queries that wait for the bot's answer."""

import asyncio
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

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


Q = TypeVar("Q", bound=Pending[Any])
Tap = Pending[Answer]
"""A tapped button."""


@dataclass(eq=False, slots=True)
class InlineQuery(Pending[list[InlineResult]]):
    """A query typed after the bot's name."""

    text: str = ""
    offset: str = ""


class Queries(Generic[Q]):
    """The queries that have no answer yet."""

    def __init__(self, lifetime: float) -> None:
        self.lifetime = lifetime
        """Seconds during which an answer is taken."""
        self._open: dict[str, Q] = {}

    def add(self, query: Q) -> None:
        self._open[query.id] = query

    def take(self, identifier: str, now: float) -> Q | None:
        """The query, for its one answer; None when it is unknown, answered or too old."""
        query = self._open.pop(identifier, None)
        return query if query is not None and now - query.asked <= self.lifetime else None

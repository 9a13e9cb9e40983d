"""Taps and inline queries that wait for the bot's answer."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from playground.accounts import User
from playground.chats import Message
from playground.errors import Json
from playground.keyboards import Keyboard
from playground.messages import message_json
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


@dataclass(eq=False, slots=True)
class Tap(Pending[Answer]):
    """A tapped button."""

    message: Message | None = None


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


def callback_update(tap: Tap, message: Message, data: str) -> Json:
    """The Bot API's CallbackQuery."""
    body: Json = {
        "id": tap.id,
        "from": tap.person.as_json(),
        "chat_instance": message.chat.instance,
        "data": data,
    }
    if message.inline_id is not None:
        body["inline_message_id"] = message.inline_id
    elif message.deleted:
        body["message"] = {"chat": message.chat.as_json(), "message_id": message.id, "date": 0}
    else:
        body["message"] = message_json(message)
    return body

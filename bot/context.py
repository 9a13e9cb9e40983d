"""What every handler can reach, typed: the services of this bot, and who asks where."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from telegram.ext import Application, CallbackContext, ExtBot

from bot.metrics import Metrics
from bot.names import clean
from bot.play import Player
from bot.texts import texts

if TYPE_CHECKING:
    from gettext import NullTranslations
    from random import Random

    from telegram import Message, User

    from bot.deadlines import Patience
    from bot.publisher import Publisher
    from storage.store import Store


LONGEST_TAG: Final = 16
"""Characters of a language tag that are kept, as many as its column takes; only the first part of it is read."""


@dataclass(slots=True)
class Services:
    """What the handlers work with; made once at start."""

    store: Store
    publisher: Publisher
    rng: Random
    patience: Patience
    key: bytes
    """Signs what inline mode offers."""
    failures: dict[int, Exception]
    """The error that each update under way has ended in, for the intake to see."""
    metrics: Metrics = field(default_factory=Metrics)


class Context(CallbackContext[ExtBot[None], Any, Any, Services]):
    """The context of an update, with the services as properties."""

    @property
    def services(self) -> Services:
        """The services of this bot."""
        return self.bot_data


App: TypeAlias = Application[ExtBot[None], Context, Any, Any, Services, None]


class Place(NamedTuple):
    """Where an answer belongs: a chat, and the forum topic in it."""

    chat_id: int
    thread_id: int | None


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks for something, by which update, and the services to do it with."""

    services: Services
    user: User
    update_id: int

    @property
    def player(self) -> Player:
        """The person as a player."""
        user = self.user
        language = (user.language_code or "")[:LONGEST_TAG] or None
        return Player(user.id, name_of(user), user.username, language)

    @property
    def t(self) -> NullTranslations:
        """The texts in the person's language."""
        return texts(self.user.language_code)


def name_of(user: User) -> str:
    """A person's name as it is stored: clean, perhaps empty."""
    return clean(user.full_name or "")


def place_of(message: Message) -> Place:
    """Where a message stands.

    In ordinary supergroups `message_thread_id` only names a chain of replies, so it counts only in a forum; its
    general topic has none (Bot API, Message).
    """
    return Place(message.chat.id, message.message_thread_id if message.is_topic_message else None)

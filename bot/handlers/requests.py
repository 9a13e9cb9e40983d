"""Who asks by a command, where, and the way to answer them: what all commands begin with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot.context import Asker, Context, place_of
from bot.outbox import Message
from bot.texts import texts
from bot.views import View

if TYPE_CHECKING:
    from gettext import NullTranslations

    import telegram
    from telegram import Update

    from bot.context import Place, Services


@dataclass(frozen=True, slots=True)
class Asking:
    """A command of a person, in a chat."""

    asker: Asker
    place: Place
    message: telegram.Message

    @property
    def services(self) -> Services:
        """The services of this bot."""
        return self.asker.services

    @property
    def t(self) -> NullTranslations:
        """The texts in the person's language."""
        return self.asker.t

    @property
    def is_private(self) -> bool:
        """Whether the chat is the person's own with the bot."""
        return self.place.chat_id > 0

    def reply(self, answer: str | View) -> None:
        """Answer where the command was given; a text is HTML."""
        view = View(answer) if isinstance(answer, str) else answer
        self.services.publisher.say(Message(self.place.chat_id, view, self.place.thread_id))


def asking(update: Update, context: Context) -> Asking | None:
    """Who asks; nobody if it is not a person's own account, who then hears why.

    Messages of anonymous administrators and of channels carry a stand-in for the person (Bot API, Message).
    """
    message = update.effective_message
    if message is None or message.from_user is None:
        return None
    place = place_of(message)
    if message.sender_chat is not None or message.from_user.is_bot:
        t = texts(message.from_user.language_code)
        words = t.gettext(
            "I cannot tell who you are when you write as a group or a channel. Please write as yourself."
        )
        context.services.publisher.say(Message(place.chat_id, View(words), place.thread_id))
        return None
    return Asking(Asker(context.services, message.from_user, update.update_id), place, message)

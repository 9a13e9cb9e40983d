"""The commands around the games: greeting, help, and what is no command."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from bot.boards.buttons import Topic, read
from bot.context.requests import request_of
from bot.delivery.entries import OutgoingMessage
from bot.features.help import views as menus

if TYPE_CHECKING:
    from telegram import Update

    from bot.context.requests import CommandRequest, Requester
    from bot.context.services import Context

_ADDRESSED: Final = re.compile(r"/\w{1,32}@(\w{1,32})")


def greet(request: CommandRequest) -> None:
    """Greet and say how to begin."""
    welcome = menus.welcome(request.t)
    request.reply(welcome if request.is_private else welcome.text)


async def show_help(update: Update, context: Context) -> None:
    """Say how it works, in three lines with buttons to the rest."""
    if (request := request_of(update, context)) is not None:
        request.reply(menus.help_page(request.t, request.services.commands))


def turn_page(requester: Requester, topic: str) -> None:
    """Show a page of the help in the message that was tapped, if that is the help."""
    where = requester.where
    if where.chat_id is not None and where.message_id is not None and isinstance(read(where.first), Topic):
        page = menus.help_page(requester.t, requester.services.commands, topic)
        requester.services.publisher.say(OutgoingMessage(where.chat_id, page, message_id=where.message_id))


async def other(update: Update, context: Context) -> None:
    """Answer, in a private chat, what is no command of ours; a command for another bot is left alone."""
    message = update.effective_message
    if message is None or message.via_bot is not None:
        return  # what inline mode has sent, perhaps our own, is not said to us
    addressed = _ADDRESSED.match(message.text or "")
    if addressed and addressed[1].lower() != context.bot.username.lower():
        return
    if (request := request_of(update, context)) is not None:
        request.reply(
            request.t.gettext("I only know noughts and crosses. /newgame starts a game, /help tells more.")
        )

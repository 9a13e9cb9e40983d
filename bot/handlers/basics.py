"""The commands around the games: greeting, help, privacy, and what is no command."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from bot.delivery.entries import Words
from bot.handlers import links, queue
from bot.handlers.requests import request_of
from bot.views import menus, rights
from bot.views.buttons import Topic, read

if TYPE_CHECKING:
    from telegram import Update

    from bot.context import Context
    from bot.handlers.requests import Sender

_ADDRESSED: Final = re.compile(r"/\w{1,32}@(\w{1,32})")


async def start(update: Update, context: Context) -> None:
    """Greet and say how to begin; or follow a link to a challenge."""
    if (request := request_of(update, context)) is None:
        return
    if context.args and request.is_private and queue.is_link(context.args[0]):
        await queue.follow(request, context.args[0])
        return
    if context.args and request.is_private:
        await links.follow(request, context.args[0])
        return
    welcome = menus.welcome(request.t)
    request.reply(welcome if request.is_private else welcome.text)


async def show_help(update: Update, context: Context) -> None:
    """Say how it works, in three lines with buttons to the rest."""
    if (request := request_of(update, context)) is not None:
        request.reply(menus.help_page(request.t, request.services.commands))


def turn_page(sender: Sender, topic: str) -> None:
    """Show a page of the help in the message that was tapped, if that is the help."""
    where = sender.where
    if where.chat_id is not None and where.message_id is not None and isinstance(read(where.first), Topic):
        page = menus.help_page(sender.t, sender.services.commands, topic)
        sender.services.publisher.say(Words(where.chat_id, page, message_id=where.message_id))


async def privacy(update: Update, context: Context) -> None:
    """Say what is stored."""
    if (request := request_of(update, context)) is not None:
        request.reply(rights.privacy(request.t, request.services.kept))


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

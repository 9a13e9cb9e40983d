"""Greeting, help, and the reply to anything else."""

from __future__ import annotations

import re
from typing import Final

from telegram import Update

from bot.boards.buttons import Topic
from bot.context.requests import CommandRequest, Requester, request_of
from bot.context.services import Context
from bot.delivery.entries import OutgoingMessage
from bot.features.help import views as menus

_ADDRESSED: Final = re.compile(r"/\w{1,32}@(\w{1,32})")


def greet(request: CommandRequest) -> None:
    """Greet and say how to start."""
    request.reply(menus.welcome(request.t) if request.is_private else menus.greeting(request.t))


async def show_help(update: Update, context: Context) -> None:
    """Show the help: three lines, with buttons to its pages."""
    if (request := request_of(update, context)) is not None:
        request.reply(menus.help_page(request.t, request.services.commands))


def turn_page(requester: Requester, topic: str) -> None:
    """Show a page of the help in the tapped message, if that is the help."""
    where = requester.where
    if where.chat_id is not None and where.message_id is not None and isinstance(requester.shown, Topic):
        page = menus.help_page(requester.t_here, requester.services.commands, topic)
        requester.services.publisher.say(OutgoingMessage(where.chat_id, page, message_id=where.message_id))


async def other(update: Update, context: Context) -> None:
    """Answer anything else in a private chat, except commands for another bot."""
    message = update.effective_message
    if message is None or message.via_bot is not None:
        return  # a message sent by inline mode, perhaps our own, isn't meant for the bot
    addressed = _ADDRESSED.match(message.text or "")
    if addressed and addressed[1].lower() != context.bot.username.lower():
        return
    if (request := request_of(update, context)) is not None:
        request.reply(request.t.gettext("I only play tic-tac-toe. Send /newgame to start."))

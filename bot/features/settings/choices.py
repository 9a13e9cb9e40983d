"""What is chosen in a chat for new games: the computer's level, and who moves first."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from bot.boards import buttons
from bot.boards import choices as views
from bot.boards import typed_words as words
from bot.boards.buttons import ChooseFirst, ChooseLevel
from bot.boards.texts import N_
from bot.context.requests import request_of
from bot.delivery.entries import OutgoingMessage
from bot.game.new_game import DEFAULT_FIRST, DEFAULT_LEVEL, DEFAULT_RULES
from storage.people import chats

if TYPE_CHECKING:
    from gettext import NullTranslations

    from telegram import Update

    from bot.boards.view import View
    from bot.context.requests import Requester
    from bot.context.services import Context, Services
    from storage.people.chats import Chat


ADMINISTRATORS_ONLY: Final = N_("In a group its administrators choose.")


async def may_choose(services: Services, chat_id: int, person: int) -> bool:
    """Whether a person may choose for a chat: in a group its administrators may."""
    return chat_id > 0 or await services.admins.is_admin(chat_id, person)


async def difficulty(update: Update, context: Context) -> None:
    """Save the chat's level, or offer the levels."""
    await _choose(update, context, "level")


async def first(update: Update, context: Context) -> None:
    """Save who moves first in the chat, or offer the choices."""
    await _choose(update, context, "first")


async def tapped(requester: Requester, kind: str, value: str) -> str | None:
    """Save a chat's choice (`level` or `first`) and mark it in the menu; the result confirms it."""
    where, services = requester.where, requester.services
    if where.chat_id is None or where.message_id is None:
        return None
    if not await may_choose(services, where.chat_id, requester.user.id):
        return ADMINISTRATORS_ONLY
    save = partial(chats.choose, chat_id=where.chat_id, choices={kind: value}, update_id=requester.update_id)
    chat = await services.store.run(save)
    if isinstance(buttons.read(where.first), ChooseLevel | ChooseFirst):
        menu = OutgoingMessage(where.chat_id, _menu(kind, chat, requester.t), message_id=where.message_id)
        services.publisher.say(menu)
    return _confirmation(kind, chat, requester.t)


async def _choose(update: Update, context: Context, kind: str) -> None:
    """Save one of the chat's choices from a command's argument, or offer them all."""
    if (request := request_of(update, context)) is None:
        return
    try:
        wished = words.read(context.args or [], request.t, kind)
    except words.WordError as error:
        request.reply(words.complaint(error, request.t, kind))
        return
    chat_id, store = request.chat_id, request.services.store
    if wished and not await may_choose(request.services, chat_id, request.requester.user.id):
        request.reply(request.t.gettext(ADMINISTRATORS_ONLY))
    elif wished:
        save = partial(chats.choose, chat_id=chat_id, choices=wished, update_id=request.requester.update_id)
        request.reply(_confirmation(kind, await store.run(save), request.t))
    else:
        chat = await store.read(partial(chats.load, chat_id=chat_id))
        request.reply(_menu(kind, chat, request.t))


def _menu(kind: str, chat: Chat, t: NullTranslations) -> View:
    if kind == "level":
        return views.levels(chat.level or DEFAULT_LEVEL, t, chat.rules or DEFAULT_RULES)
    return views.firsts(chat.first or DEFAULT_FIRST, t, in_group=chat.id < 0)


def _confirmation(kind: str, chat: Chat, t: NullTranslations) -> str:
    if kind == "level":
        return views.level_chosen(chat.level or DEFAULT_LEVEL, t, chat.rules or DEFAULT_RULES)
    return views.first_chosen(chat.first or DEFAULT_FIRST, t, in_group=chat.id < 0)

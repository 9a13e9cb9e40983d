"""What happens to a group: the bot is added, or the group becomes a supergroup."""

from __future__ import annotations

import time
from functools import partial

from telegram import Update
from telegram.constants import ChatMemberStatus, ChatType

from bot.boards.translations import texts
from bot.boards.view import View
from bot.context.services import Context
from bot.delivery.entries import OutgoingMessage
from bot.features.help import views as menus
from storage.people import chats


async def migrated(update: Update, context: Context) -> None:
    """Follow a group that became a supergroup; both chats say so, in any order (Bot API, Message)."""
    message = update.effective_message
    if message is None:
        return
    old, new = message.migrate_from_chat_id or message.chat.id, message.migrate_to_chat_id or message.chat.id
    await context.services.store.run(partial(chats.migrate, old=old, new=new))


async def member(update: Update, context: Context) -> None:
    """Greet a group that the bot was added to, and note groups that it was removed from."""
    change = update.my_chat_member
    if change is None or change.chat.type not in (ChatType.GROUP, ChatType.SUPERGROUP):
        return
    outside = (ChatMemberStatus.LEFT, ChatMemberStatus.BANNED)
    inside = (ChatMemberStatus.MEMBER, ChatMemberStatus.ADMINISTRATOR)
    store = context.services.store
    if change.new_chat_member.status in outside:
        await store.run(partial(chats.leave, chat_id=change.chat.id, now=int(time.time())))
    elif change.old_chat_member.status in outside:
        await store.run(partial(chats.come_back, chat_id=change.chat.id))
    if change.old_chat_member.status in outside and change.new_chat_member.status in inside:
        language = context.services.languages.of(change.from_user, change.chat.id)
        greeting = View(menus.greeting(texts(language)))
        context.services.publisher.say(OutgoingMessage(change.chat.id, greeting))

"""What happens to a group: the bot is added, or the group becomes a supergroup."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from telegram.constants import ChatMemberStatus, ChatType

from bot.delivery.entries import Words
from bot.views import menus
from bot.views.texts import texts
from bot.views.view import View
from storage import chats

if TYPE_CHECKING:
    from telegram import Update

    from bot.context import Context


async def migrated(update: Update, context: Context) -> None:
    """Follow a group that became a supergroup; both chats say so, in any order (Bot API, Message)."""
    message = update.effective_message
    if message is None:
        return
    old, new = message.migrate_from_chat_id or message.chat.id, message.migrate_to_chat_id or message.chat.id
    await context.services.store.run(partial(chats.migrate, old=old, new=new))


async def member(update: Update, context: Context) -> None:
    """Greet a group that the bot was added to; a channel hears nothing."""
    change = update.my_chat_member
    if change is None or change.chat.type not in (ChatType.GROUP, ChatType.SUPERGROUP):
        return
    outside = (ChatMemberStatus.LEFT, ChatMemberStatus.BANNED)
    inside = (ChatMemberStatus.MEMBER, ChatMemberStatus.ADMINISTRATOR)
    if change.old_chat_member.status in outside and change.new_chat_member.status in inside:
        greeting = View(menus.greeting(texts(change.from_user.language_code)))
        context.services.publisher.say(Words(change.chat.id, greeting))

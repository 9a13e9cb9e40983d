"""The commands around the games: greeting, help, and what is chosen in a chat."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Final

from telegram.constants import ChatMemberStatus

from bot import links, play, views, words
from bot.asking import asking
from bot.outbox import Message
from bot.texts import texts
from bot.views import N_, View
from storage import chats

if TYPE_CHECKING:
    from gettext import NullTranslations

    from telegram import Update

    from bot.context import Context
    from storage.chats import Chat

MENU: Final = {
    "newgame": N_("Start a game: /newgame easy bot"),
    "challenge": N_("Challenge somebody"),
    "difficulty": N_("How strong the computer plays here"),
    "first": N_("Who moves first here"),
    "board": N_("Bring the board down here"),
    "games": N_("Your running games here"),
    "move": N_("Type a move: /move 2,3 or /move 5"),
    "undo": N_("Take a move back"),
    "hint": N_("Show the best cell"),
    "resign": N_("Give the game up"),
    "takebacks": N_("May others ask you for takebacks: on or off"),
    "help": N_("How it works"),
    "privacy": N_("What is stored about you"),
    "start": N_("Say hello"),
}
"""The commands as Telegram's menu shows them, with their descriptions."""


_ADDRESSED: Final = re.compile(r"/\w+@(\w+)")


async def start(update: Update, context: Context) -> None:
    """Greet and say how to begin; or follow a link to a challenge."""
    if (asked := asking(update, context)) is None:
        return
    if context.args and asked.is_private:
        await links.follow(asked, context.args[0])
        return
    welcome = views.welcome(asked.asker.user.language_code)
    asked.reply(welcome if asked.is_private else welcome.text)


async def help_(update: Update, context: Context) -> None:
    """Explain the commands."""
    if (asked := asking(update, context)) is None:
        return
    asked.reply(
        asked.t.gettext(
            "Three in a row wins: across, down or from corner to corner. ❌ always moves first.\n\n"
            "<b>/newgame</b> starts a game with what is chosen here. You can say more, in any order: "
            "<code>/newgame hard bot</code>. In a group it challenges everybody, or whom you name or reply to; "
            "with a level you play me at once.\n"
            "<b>/challenge</b> does the same between people; in our private chat it gives you a link.\n"
            "<b>/difficulty</b> sets how strong I play here: {levels}.\n"
            "<b>/first</b> sets who moves first: <code>me</code> (that is you), <code>bot</code> (the other side) "
            "or <code>random</code>.\n"
            "<b>/board</b> brings a board down to the newest message, <b>/games</b> lists your games here.\n"
            "<b>/move</b> plays without tapping: <code>/move 2,3</code> is row 2, column 3; "
            "<code>/move 5</code> is the centre. You can also just answer a board with the move.\n"
            "<b>/undo</b>, <b>/hint</b> and <b>/resign</b> are there too, and <b>/takebacks</b> says whether "
            "others may ask you for one.\n"
            "<b>/privacy</b> tells what I keep.\n\n"
            "You can have as many games at once as you like: each board is a game of its own."
        ).format(levels=words.coded(views.LEVELS))
    )


async def privacy(update: Update, context: Context) -> None:
    """Say what is stored; every bot must (Telegram's terms for bot developers, section 4)."""
    if (asked := asking(update, context)) is None:
        return
    asked.reply(
        asked.t.gettext(
            "I keep what a game needs: your Telegram id, your name and language as Telegram tells them, the chats "
            "you play in, what was chosen there, and the moves of your games. I read nothing else, and pass "
            "nothing on. Telegram's standard policy for bots holds: telegram.org/privacy-tpa"
        )
    )


async def difficulty(update: Update, context: Context) -> None:
    """Save the chat's level, or offer the levels."""
    await _choose(update, context, "level")


async def first(update: Update, context: Context) -> None:
    """Save who moves first in the chat, or offer the choices."""
    await _choose(update, context, "first")


async def other(update: Update, context: Context) -> None:
    """Answer, in a private chat, what is no command of ours; a command for another bot is left alone."""
    message = update.effective_message
    if message is None or message.via_bot is not None:
        return  # what inline mode has sent, perhaps our own, is not said to us
    addressed = _ADDRESSED.match(message.text or "")
    if addressed and addressed[1].lower() != context.bot.username.lower():
        return
    if (asked := asking(update, context)) is not None:
        asked.reply(asked.t.gettext("I only know noughts and crosses. /newgame starts a game, /help tells more."))


async def migrated(update: Update, context: Context) -> None:
    """Follow a group that became a supergroup; both chats say so, in any order (Bot API, Message)."""
    message = update.effective_message
    if message is None:
        return
    old, new = message.migrate_from_chat_id or message.chat.id, message.migrate_to_chat_id or message.chat.id
    await context.services.store.run(partial(chats.migrate, old=old, new=new))


async def member(update: Update, context: Context) -> None:
    """Greet a group that the bot was added to."""
    change = update.my_chat_member
    if change is None or change.chat.id > 0:
        return
    outside = (ChatMemberStatus.LEFT, ChatMemberStatus.BANNED)
    inside = (ChatMemberStatus.MEMBER, ChatMemberStatus.ADMINISTRATOR)
    if change.old_chat_member.status in outside and change.new_chat_member.status in inside:
        t = texts(change.from_user.language_code)
        greeting = t.gettext(
            "Hello! I host noughts and crosses. /newgame challenges everybody here; /help tells more."
        )
        context.services.publisher.say(Message(change.chat.id, View(greeting)))


async def _choose(update: Update, context: Context, kind: str) -> None:
    """Save one of the chat's choices from a command's argument, or offer them all."""
    if (asked := asking(update, context)) is None:
        return
    try:
        wished = words.read(context.args or [], asked.t, kind)
    except ValueError as error:
        asked.reply(words.complaint(error, asked.t, kind))
        return
    chat_id, store = asked.place.chat_id, asked.services.store
    if wished:
        chat = await store.run(
            partial(chats.choose, chat_id=chat_id, choices=wished, update_id=asked.asker.update_id)
        )
        asked.reply(confirmation(kind, chat, asked.t))
    else:
        chat = await store.run(partial(chats.load, chat_id=chat_id))
        asked.reply(views.choices(kind, chosen(kind, chat), asked.asker.user.language_code))


def chosen(kind: str, chat: Chat) -> str:
    """A chat's choice of a kind (`level` or `first`), or the default."""
    if kind == "level":
        return chat.level or play.DEFAULT_LEVEL
    return chat.first or play.DEFAULT_FIRST


def confirmation(kind: str, chat: Chat, t: NullTranslations) -> str:
    """The sentence that says what was just chosen."""
    if kind == "level":
        name = views.level_name(chosen(kind, chat), t)
        return t.gettext("Done: new games here are at level {level}.").format(level=name)
    sentences = {
        "me": t.gettext("Done: you move first in new games here."),
        "bot": t.gettext("Done: I move first in new games here."),
        "random": t.gettext("Done: a coin decides who moves first in new games here."),
    }
    return sentences[chosen(kind, chat)]

"""The application: which handler takes what, in one place."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Final, cast

from telegram import BotCommand, BotCommandScopeAllGroupChats, BotCommandScopeAllPrivateChats
from telegram.error import TelegramError
from telegram.ext import (
    Application,
    CallbackQueryHandler,
    ChatMemberHandler,
    ChosenInlineResultHandler,
    CommandHandler,
    ContextTypes,
    ExtBot,
    InlineQueryHandler,
    MessageHandler,
    filters,
)

from bot import at_hand, commands, inline, newgame
from bot.context import Context
from bot.intake import note_failure
from bot.taps import on_button
from bot.texts import LANGUAGES, texts

if TYPE_CHECKING:
    from telegram import Bot

    from bot.context import App, Services
    from bot.transport import PollingTransport, Transport

log = logging.getLogger(__name__)

IN_GROUPS: Final = tuple(name for name in commands.MENU if name not in ("privacy", "start"))
"""The commands that a group's menu shows; all work everywhere."""


def connect(token: str, api_url: str, transport: Transport, polling: PollingTransport) -> ExtBot[None]:
    """Telegram as this bot's account; the connection opens with `App.initialize`."""
    return ExtBot(
        token,
        base_url=f"{api_url}/bot",
        base_file_url=f"{api_url}/file/bot",
        request=transport,
        get_updates_request=polling,
    )


def build(bot: ExtBot[None], services: Services) -> App:
    """The application with its handlers; it starts nothing, and takes no updates by itself."""
    made = cast("type[Services]", lambda: services)  # the builder only ever calls it
    app = (
        Application.builder()
        .bot(bot)
        .context_types(ContextTypes(context=Context, bot_data=made))
        .job_queue(None)
        .updater(None)
        .build()
    )
    register(app)
    return app


def register(app: App) -> None:
    """Add the handlers; those of taps come first, because nearly all updates are taps."""
    app.add_handler(CallbackQueryHandler(on_button))
    new = filters.UpdateType.MESSAGE  # an edited message is no new wish
    for name, handler in {
        "newgame": newgame.newgame,
        "challenge": newgame.challenge,
        "difficulty": commands.difficulty,
        "first": commands.first,
        "board": at_hand.board,
        "games": at_hand.list_games,
        "move": at_hand.move,
        "undo": at_hand.undo,
        "hint": at_hand.hint_,
        "resign": at_hand.resign,
        "takebacks": at_hand.takebacks,
        "start": commands.start,
        "help": commands.help_,
        "privacy": commands.privacy,
    }.items():
        app.add_handler(CommandHandler(name, handler, filters=new))
    private = filters.ChatType.PRIVATE & ~filters.StatusUpdate.ALL
    app.add_handler(MessageHandler(new & filters.StatusUpdate.MIGRATE, commands.migrated))
    app.add_handler(MessageHandler(new & filters.Regex(at_hand.LIKE_A_MOVE), at_hand.typed))
    app.add_handler(MessageHandler(new & private, commands.other))
    app.add_handler(InlineQueryHandler(inline.on_query))
    app.add_handler(ChosenInlineResultHandler(inline.on_choice))
    app.add_handler(ChatMemberHandler(commands.member, ChatMemberHandler.MY_CHAT_MEMBER))
    app.add_error_handler(note_failure)


async def announce(bot: Bot) -> bool:
    """Tell Telegram the commands, for each kind of chat in each language; False, and a log line, if it refuses."""
    for language, tag in {"": None, **{code: code for code in LANGUAGES if code != "en"}}.items():
        t = texts(tag)
        menu = {name: BotCommand(name, t.gettext(text)) for name, text in commands.MENU.items()}
        for scope, names in (
            (None, menu),
            (BotCommandScopeAllPrivateChats(), menu),
            (BotCommandScopeAllGroupChats(), IN_GROUPS),
        ):
            try:
                await bot.set_my_commands(
                    [menu[name] for name in names], scope=scope, language_code=language or None
                )
            except TelegramError as error:
                log.warning("The commands could not be registered: %s", error)
                return False
    return True

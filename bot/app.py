"""The application: which handler takes what, in one place."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Final, cast

from telegram import BotCommand, BotCommandScopeAllGroupChats, BotCommandScopeAllPrivateChats, LinkPreviewOptions
from telegram.error import TelegramError
from telegram.ext import (
    Application,
    CallbackQueryHandler,
    CommandHandler,
    ContextTypes,
    Defaults,
    ExtBot,
    MessageHandler,
    filters,
)

from bot import commands
from bot.context import Context
from bot.intake import note_failure
from bot.taps import on_button
from bot.texts import LANGUAGES, texts
from bot.transport import Transport

if TYPE_CHECKING:
    from bot.context import App, Services
    from bot.transport import PollingTransport

log = logging.getLogger(__name__)

IN_GROUPS: Final = ("newgame", "difficulty", "first", "help")
"""The commands that a group's menu shows; all work everywhere."""


def connect(token: str, api_url: str, polling: PollingTransport) -> ExtBot[None]:
    """Telegram as this bot's account; the connection opens with `App.initialize`."""
    return ExtBot(
        token,
        base_url=f"{api_url}/bot",
        base_file_url=f"{api_url}/file/bot",
        request=Transport(),
        get_updates_request=polling,
        defaults=Defaults(link_preview_options=LinkPreviewOptions(is_disabled=True)),
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
        "newgame": commands.newgame,
        "difficulty": commands.difficulty,
        "first": commands.first,
        "start": commands.start,
        "help": commands.help_,
        "privacy": commands.privacy,
    }.items():
        app.add_handler(CommandHandler(name, handler, filters=new))
    app.add_handler(MessageHandler(new & filters.StatusUpdate.MIGRATE, commands.migrated))
    app.add_handler(MessageHandler(new & filters.ChatType.PRIVATE & ~filters.StatusUpdate.ALL, commands.other))
    app.add_error_handler(note_failure)


async def announce(app: App) -> None:
    """Tell Telegram the commands, for each kind of chat in each language; a refusal is only logged."""
    for language, tag in {"": None, **{code: code for code in LANGUAGES if code != "en"}}.items():
        t = texts(tag)
        menu = {name: BotCommand(name, t.gettext(text)) for name, text in commands.MENU.items()}
        for scope, names in (
            (None, menu),
            (BotCommandScopeAllPrivateChats(), menu),
            (BotCommandScopeAllGroupChats(), IN_GROUPS),
        ):
            try:
                await app.bot.set_my_commands(
                    [menu[name] for name in names], scope=scope, language_code=language or None
                )
            except TelegramError as error:
                log.warning("The commands could not be registered: %s", error)
                return

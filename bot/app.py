"""The application: Telegram as this bot's account, the handlers, and what Telegram is told of the commands."""

from __future__ import annotations

import asyncio
import logging
import os
from functools import partial
from typing import TYPE_CHECKING, Final, cast

from telegram import BotCommand, BotCommandScopeAllGroupChats, BotCommandScopeAllPrivateChats
from telegram.error import TelegramError
from telegram.ext import Application, ContextTypes, ExtBot

from bot import outbox_messages
from bot.boards.translations import LANGUAGES, read_texts
from bot.commands import COMMANDS, MENU, MENU_OF_GROUPS, register
from bot.context.services import Context
from bot.delivery.telegram_errors import pause
from bot.features.help.views import DESCRIPTION, NAME, SHORT_DESCRIPTION
from bot.features.matchmaking import service as matchmaking
from bot.intake.updates import note_failure
from storage import own_texts

if TYPE_CHECKING:
    from telegram import Bot

    from bot.context.services import App, Services
    from bot.intake.polling import PollingTransport
    from bot.network.transport import Transport
    from storage.store import Store

log = logging.getLogger(__name__)

CODE: Final = 2
"""The letters of a language that Telegram can be told something in (ISO 639-1); others it refuses."""


def connect(token: str, api_url: str, transport: Transport, polling: PollingTransport) -> ExtBot[None]:
    """Telegram as this bot's account; the connection opens with `App.initialize`."""
    # The library reads this at each refusal, and warns where it is not set; `pause` reads both kinds of times.
    os.environ.setdefault("PTB_TIMEDELTA", "true")
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
    app.add_error_handler(note_failure)
    services.commands = {each.name: each.description for each in COMMANDS}
    services.let_go = partial(matchmaking.let_go, services)
    services.publisher.on_gone(partial(matchmaking.drop, services))
    services.publisher.on_notice(partial(outbox_messages.words_of, services))
    return app


async def announce(bot: Bot, default: str) -> bool:
    """Tell Telegram the commands, for each kind of chat in each language; False, and a log line, if it refuses."""
    for language, tag in _languages(default).items():
        t = read_texts(tag)
        all_ = {command.name: BotCommand(command.name, t.gettext(command.description)) for command in COMMANDS}
        for scope, menu in (
            (None, MENU),
            (BotCommandScopeAllPrivateChats(), MENU),
            (BotCommandScopeAllGroupChats(), MENU_OF_GROUPS),
        ):
            try:
                await bot.set_my_commands(
                    [all_[name] for name in menu], scope=scope, language_code=language or None
                )
            except TelegramError as error:
                log.warning("Couldn't register the commands: %s", error)
                return False
    return True


async def introduce(bot: Bot, default: str, store: Store | None = None) -> bool:
    """Tell Telegram, in each language, what the bot is; False, and a log line, if it refuses.

    With a store, as at every start, only descriptions that are empty or were the bot's own; without, its name too.
    Nothing is set twice: Telegram takes few changes in a day.
    """
    texts_of = {"short_description": SHORT_DESCRIPTION, "description": DESCRIPTION}
    if store is None:
        texts_of["name"] = NAME
    for language, tag in _languages(default).items():
        t = read_texts(tag)
        for kind, text in texts_of.items():
            try:
                await _tell(bot, kind, language, t.gettext(text), store)
            except TelegramError as error:
                log.warning("Couldn't set the bot's %s: %s", kind.replace("_", " "), error)
                if store is None or not (seconds := pause(error)):
                    return False
                await asyncio.sleep(seconds)
                return await introduce(bot, default, store)
    return True


async def _tell(bot: Bot, kind: str, language: str, text: str, store: Store | None) -> None:
    """Set one text, unless it is there or the host has written another."""
    shown = str(getattr(await getattr(bot, f"get_my_{kind}")(language), kind))
    if (
        shown not in ("", text)
        and store is not None
        and not await store.read(partial(own_texts.is_own, text=shown))
    ):
        return
    if shown != text:
        await getattr(bot, f"set_my_{kind}")(text, language)
    if store is not None:
        await store.run(partial(own_texts.note, text=text))


def _languages(default: str) -> dict[str, str]:
    """The languages that Telegram is told things in, by its codes; the empty one is for all others."""
    return {"": default, **{code: code for code in LANGUAGES if code != default and len(code) == CODE}}

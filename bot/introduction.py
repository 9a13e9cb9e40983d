"""Tells Telegram what the bot is, in every language: its commands, its descriptions and its name."""

from __future__ import annotations

import asyncio
import logging
from typing import Final

from telegram import Bot, BotCommand, BotCommandScopeAllGroupChats, BotCommandScopeAllPrivateChats
from telegram.error import TelegramError

from bot.boards.translations import LANGUAGES, read_texts
from bot.commands import COMMANDS, MENU, MENU_OF_GROUPS
from bot.delivery.telegram_errors import pause
from bot.features.basics import DESCRIPTION, NAME, SHORT_DESCRIPTION
from bot.network.transport import reading
from storage import telegram
from storage.store import Store

log = logging.getLogger(__name__)

CODE: Final = 2
"""The length of the language codes that Telegram accepts (ISO 639-1)."""


async def introduce(bot: Bot, default: str, store: Store | None = None) -> bool:
    """Tell Telegram, in each language, what the bot is; False, and a log line, if it refuses.

    With a store, as at every start, only descriptions that are empty or were the bot's own; without, its name too.
    Nothing is set twice: Telegram takes few changes in a day.
    """
    return await _tell_commands(bot, default) and await _tell_texts(bot, default, store)


async def _tell_commands(bot: Bot, default: str) -> bool:
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


async def _tell_texts(bot: Bot, default: str, store: Store | None) -> bool:
    """Set the descriptions, and without a store the name too; False, and a log line, if Telegram refuses."""
    texts_of = {"short_description": SHORT_DESCRIPTION, "description": DESCRIPTION}
    if store is None:
        texts_of["name"] = NAME
    for language, tag in _languages(default).items():
        t = read_texts(tag)
        for kind, text in texts_of.items():
            try:
                await _tell_text(bot, kind, language, t.gettext(text), store)
            except TelegramError as error:
                log.warning("Couldn't set the bot's %s: %s", kind.replace("_", " "), error)
                if store is None or not (seconds := pause(error)):
                    return False
                await asyncio.sleep(seconds)
                return await _tell_texts(bot, default, store)
    return True


async def _tell_text(bot: Bot, kind: str, language: str, text: str, store: Store | None) -> None:
    """Set one text, unless it is set already or the host has written another."""
    with reading():
        shown = str(getattr(await getattr(bot, f"get_my_{kind}")(language), kind))
    if shown not in ("", text) and store is not None and not await store.read(telegram.is_own_text, text=shown):
        return
    if shown != text:
        await getattr(bot, f"set_my_{kind}")(text, language)
    if store is not None:
        await store.run(telegram.note_text, text=text)


def _languages(default: str) -> dict[str, str]:
    """The languages that Telegram is told things in, by its codes; the empty code is for all others."""
    return {"": default, **{code: code for code in LANGUAGES if code != default and len(code) == CODE}}

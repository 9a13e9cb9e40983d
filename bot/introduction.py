"""Tells Telegram what the bot is, in every language: its commands, its descriptions and its name."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator, Sequence
from functools import lru_cache, partial
from typing import Final

from telegram import (
    Bot,
    BotCommand,
    BotCommandScope,
    BotCommandScopeAllGroupChats,
    BotCommandScopeAllPrivateChats,
    BotCommandScopeDefault,
)
from telegram.error import BadRequest, Forbidden, InvalidToken, TelegramError

from bot.context.feature import Command, Menus
from bot.delivery.telegram_errors import pause
from bot.dispatch import FEATURES
from bot.language import LANGUAGES, N_, read_texts, source_of
from bot.network.transport import reading
from storage import once
from storage.errors import StorageError
from storage.store import Store

log = logging.getLogger(__name__)

BOT_NAME: Final = N_("OXO – tic-tac-toe")
"""The bot's name: at most 64 characters (Bot API, setMyName)."""

SHORT_DESCRIPTION: Final = N_("Tic-tac-toe against OXO or your friends: here, in groups and in any chat.")
"""Shown on the bot's profile: at most 120 characters (Bot API, setMyShortDescription)."""

DESCRIPTION: Final = N_(
    "❌🟡 Tic-tac-toe, right in the chat.\n\n"
    "Play OXO at five levels, from one that moves at random to one that never loses. "
    "Or play your friends: by link, in a group, or in any chat.\n\n"
    "Boards up to 8×8, misère, ultimate and vanishing; hints, undo and reviews."
)
"""What an empty chat with the bot shows: at most 512 characters (Bot API, setMyDescription)."""

CODE: Final = 2
"""The length of the language codes that Telegram accepts (ISO 639-1)."""

LONGEST_SETUP_PAUSE_SECONDS: Final = 60
"""The longest pause between two tries of a call, unless Telegram asks for a longer one."""

COMMAND_MENUS: Final = (
    (BotCommandScopeDefault(), Menus.PRIVATE),
    (BotCommandScopeAllPrivateChats(), Menus.PRIVATE),
    (BotCommandScopeAllGroupChats(), Menus.GROUPS),
)


read_last: Final = lru_cache(maxsize=1)(read_texts)
"""The texts of one language at a time, as most are never spoken: they aren't kept."""


async def introduce(bot: Bot, default: str, store: Store | None = None) -> bool:
    """Tell Telegram, in each language, what the bot is; False, and a log line, if it refuses any of it.

    With a store, as at every start, only what has changed, and descriptions only where they are empty; each call
    is tried until Telegram can be reached. Without one, all of it once, and the bot's name.
    """
    one_at_a_time, said = asyncio.Lock(), set[str]()
    steps = [
        _insist(what, step, one_at_a_time, said, again=store is not None)
        for what, step in _steps(bot, default, store)
    ]
    return all(await asyncio.gather(*steps))


async def _insist(
    what: str, step: Callable[[], Awaitable[None]], one_at_a_time: asyncio.Lock, said: set[str], *, again: bool
) -> bool:
    """Take a step, if wanted again and again after pauses in which others are taken; False if Telegram refuses."""
    wait = 1
    while True:
        try:
            async with one_at_a_time:
                await step()
        except (TelegramError, StorageError) as error:
            if (reason := f"{what}: {error}") not in said:
                log.warning("Couldn't set the bot's %s", reason)
                said.add(reason)
            if not again or isinstance(error, BadRequest | Forbidden | InvalidToken):
                return False
            asked = pause(error) if isinstance(error, TelegramError) else 0
            await asyncio.sleep(asked or wait)
            wait = min(2 * wait, LONGEST_SETUP_PAUSE_SECONDS)
        else:
            return True


def _steps(bot: Bot, default: str, store: Store | None) -> Iterator[tuple[str, Callable[[], Awaitable[None]]]]:
    """What each step sets, and the step, which may be taken again."""
    texts_of = {"short_description": SHORT_DESCRIPTION, "description": DESCRIPTION}
    if store is None:
        texts_of["name"] = BOT_NAME
    for language, tag in _languages(default).items():
        for scope, menu in COMMAND_MENUS:
            yield "commands", partial(_tell_commands, bot, scope, language, tag, FEATURES.menu(menu), store=store)
        for kind, text in texts_of.items():
            tell = partial(_tell_text, bot, kind, language, tag, text, at_start=store is not None)
            yield kind.replace("_", " "), tell


async def _tell_commands(
    bot: Bot, scope: BotCommandScope, language: str, tag: str, menu: Sequence[Command], *, store: Store | None
) -> None:
    """Set the commands of a scope in a language, unless this bot has set them there last from the same texts.

    A catalogue that is as it was isn't read entry by entry: most languages are never spoken.
    """
    place = f"{bot.id} {scope.type} {language}"
    content = "\n".join([*(f"{each.name} {each.description}" for each in menu), source_of(tag)])
    if store is not None and await store.read(once.is_set, place=place, content=content):
        return
    texts = read_last(tag)
    commands = [BotCommand(each.name, texts.gettext(each.description)) for each in menu]
    await bot.set_my_commands(commands, scope=scope, language_code=language or None)
    if store is not None:
        await store.run(once.note_set, place=place, content=content)


async def _tell_text(bot: Bot, kind: str, language: str, tag: str, text: str, *, at_start: bool) -> None:
    """Set one text, at a start only where none is: the host may have written another."""
    with reading():
        shown = str(getattr(await getattr(bot, f"get_my_{kind}")(language), kind))
    if shown and at_start:
        return
    if shown != (translated := read_last(tag).gettext(text)):
        await getattr(bot, f"set_my_{kind}")(translated, language)


def _languages(default: str) -> dict[str, str]:
    """The languages that Telegram is told things in, by its codes; the empty code is for all others.

    It comes last: what is said there may seem to be set for each language that has nothing of its own.
    """
    return {**{code: code for code in LANGUAGES if code != default and len(code) == CODE}, "": default}

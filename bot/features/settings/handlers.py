"""/settings: one message that edits itself, with commands that open a part of it or save a choice.

In a private chat it has a person's own choices, in a group those its administrators made for it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from typing import Any, Final

from sqlalchemy import Connection
from telegram import Update

from bot.boards import typed_words
from bot.boards.buttons import Setting
from bot.boards.themes import DEFAULT
from bot.boards.translations import N_, code_of, folded, understood
from bot.boards.typed_rules import WordError
from bot.context.acting import MEANINGLESS
from bot.context.requests import CommandRequest, Requester, request_of
from bot.context.services import Context, Services
from bot.delivery.entries import OutgoingMessage
from bot.features.settings import views as settings
from bot.features.settings.views import AUTO, MORE, OFF, ON, PERSONAL, QUESTIONS, VALUES, Chosen
from bot.game.new_game import DEFAULT_FIRST, DEFAULT_LEVEL, DEFAULT_RULES
from engine.rules.offered import is_offered_as
from storage.games.versions import Stored
from storage.people import chats, preferences
from storage.results import hiding

ADMINISTRATORS_ONLY: Final = N_("In a group, only admins can change this.")

_KINDS: Final = {"board": "rules", "level": "level", "first": "first"}
"""The settings whose values people type in their own language, each with its kind of words."""


async def show(update: Update, context: Context) -> None:
    """Show the settings of this chat, or save one from the words that name it."""
    if (request := request_of(update, context)) is not None:
        words = context.args or []
        said, name = next(understood(words, settings.names(request.t).get), ("", ""))
        await _answer(request, name or said.lower(), words[len(said.split()) :])


def part(name: str) -> Callable[[Update, Context], Coroutine[Any, Any, None]]:
    """The handler of a command that shows one setting, or saves it."""

    async def command(update: Update, context: Context) -> None:
        if (request := request_of(update, context)) is not None:
            await _answer(request, name, context.args or [])

    return command


async def tapped(requester: Requester, setting: Setting) -> str | None:
    """Turn to a page, or save a choice and show it; returns a confirmation."""
    where, services = requester.where, requester.services
    name, value = setting.name, setting.value
    if where.chat_id is None or where.message_id is None or name not in ("", MORE, *VALUES):
        return MEANINGLESS
    if not await _may_choose(services, where.chat_id, requester.user.id, name):
        return ADMINISTRATORS_ONLY
    if value:
        if not _is_offered(name, value):
            return MEANINGLESS
        await _save(requester, name, value)
    chosen = await _chosen(requester, where.chat_id, name)
    # A personal choice made in a group leaves the message as it is for the others.
    if isinstance(requester.shown, Setting) and (where.chat_id > 0 or name not in PERSONAL):
        page = settings.page(chosen, requester.t_here, settings.page_after(name) if value else name)
        services.publisher.say(OutgoingMessage(where.chat_id, page, message_id=where.message_id))
    return settings.said(name, chosen.value(name) or value, requester.t, chosen) if value else None


async def _answer(request: CommandRequest, name: str, words: Sequence[str]) -> None:
    """Show the settings or one of them, or save what the words say."""
    requester, t = request.requester, request.t
    if words and not await _may_choose(request.services, request.chat_id, requester.user.id, name):
        request.reply(t.gettext(ADMINISTRATORS_ONLY))
    elif name and (words or name not in QUESTIONS):
        value = " ".join(words)
        if (kind := _KINDS.get(name)) is not None:
            try:
                value = typed_words.read(words, t, kind)[kind]
            except WordError as error:
                request.reply(typed_words.complaint(error, t, kind))
                return
        elif name in VALUES:
            value = settings.values(name, t).get(folded(value), value.lower())
        if not _is_offered(name, value):
            request.reply(settings.complaint(" ".join((name, *words)), t, in_group=not request.is_private))
            return
        await _save(requester, name, value)
        chosen = await _chosen(requester, request.chat_id, name)
        request.reply(settings.said(name, chosen.value(name) or value, request.t, chosen))
    else:
        request.reply(settings.page(await _chosen(requester, request.chat_id, name), t, name))


async def _may_choose(services: Services, chat_id: int, person: int, name: str) -> bool:
    """Whether a person may make a choice: administrators for a group, everybody for themselves."""
    return chat_id > 0 or name in PERSONAL or await services.admins.is_admin(chat_id, person)


def _is_offered(name: str, value: str) -> bool:
    """Whether a setting can have a value."""
    return is_offered_as(value) if name == "board" else value in VALUES.get(name, ())


async def _save(requester: Requester, name: str, value: str) -> None:
    services = requester.services
    for stored in await services.store.run(partial(_choose, requester=requester, name=name, value=value)):
        services.publisher.show_stored(stored)
    if name == "language" and (chat_id := requester.where.chat_id) is not None:
        chat = await services.store.read(partial(chats.load, chat_id=chat_id))
        services.languages.choose(chat_id, chat.language)


def _choose(connection: Connection, *, requester: Requester, name: str, value: str) -> Sequence[Stored]:
    """Save a choice (one of the setting's values); returns the boards to show again."""
    person = requester.player
    if name in PERSONAL and not chats.takes_turn(connection, person.id, name, requester.update_id):
        return ()
    match name:
        case "reminders":
            preferences.choose(connection, person, notices=value == ON)
        case "takebacks":
            preferences.choose(connection, person, takebacks=value == ON)
        case "hidden":
            if value == ON:
                return hiding.hide(connection, person, int(time.time()))
            hiding.unhide(connection, person)
        case _:
            column = {"board": "rules", "text": "as_text", "comments": "silent"}.get(name, name)
            stored = {
                "text": value == ON,
                "comments": value == OFF,
                "language": None if value == AUTO else value,
            }.get(name, value)
            chats.choose(connection, requester.where.chat_id or 0, {column: stored}, requester.update_id)
    return ()


async def _chosen(requester: Requester, chat_id: int, name: str) -> Chosen:
    """The settings of a chat; with personal ones in a private chat, or if they were asked for by name."""
    personal = chat_id > 0 or name in PERSONAL
    read_all = partial(_read, chat_id=chat_id, person=requester.user.id if personal else None)
    chosen = await requester.services.store.read(read_all)
    return chosen._replace(telegram=code_of(requester.user.language_code) or "en")


def _read(connection: Connection, *, chat_id: int, person: int | None) -> Chosen:
    chat = chats.load(connection, chat_id)
    here = Chosen(
        board=chat.rules or DEFAULT_RULES,
        level=chat.level or DEFAULT_LEVEL,
        first=chat.first or DEFAULT_FIRST,
        theme=chat.theme or DEFAULT,
        text=ON if chat.as_text else OFF,
        comments=OFF if chat.silent else ON,
        language=chat.language or AUTO,
    )
    if person is None:
        return here
    return here._replace(
        reminders=ON if preferences.wants_notices(connection, person, in_group=chat_id < 0) else OFF,
        takebacks=ON if preferences.allows_takebacks(connection, person) else OFF,
        hidden=ON if preferences.is_hidden(connection, person) else OFF,
    )

"""/settings: one message that edits itself.

In a private chat it has a person's own choices, in a group what its administrators have chosen for it.
"""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING

from bot.boards import typed_rules as board_words
from bot.boards.buttons import Setting, read
from bot.boards.texts import sentences
from bot.boards.themes import DEFAULT
from bot.context.acting import MEANINGLESS
from bot.context.requests import request_of
from bot.delivery.entries import OutgoingMessage
from bot.features.settings import views as settings
from bot.features.settings.choices import ADMINISTRATORS_ONLY, may_choose
from bot.features.settings.views import AUTO, FORMER_NAMES, OFF, ON, PERSONAL, VALUES, Chosen
from bot.game.new_game import DEFAULT_FIRST, DEFAULT_LEVEL, DEFAULT_RULES
from engine.rules.offered import is_offered_as
from storage.people import chats
from storage.results import hiding

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection
    from telegram import Update

    from bot.context.requests import CommandRequest, Requester
    from bot.context.services import Context
    from storage.games.versions import Raised


async def show(update: Update, context: Context) -> None:
    """Show the settings of this chat, or save one that is said in two words."""
    if (request := request_of(update, context)) is None:
        return
    requester, words = request.requester, [word.lower() for word in context.args or []]
    if not await may_choose(request.services, request.chat_id, requester.user.id):
        request.reply(request.t.gettext(ADMINISTRATORS_ONLY))
        return
    if words:
        request.reply(await _said(request, [FORMER_NAMES.get(words[0], words[0]), *words[1:]]))
        return
    read_all = partial(_chosen, chat_id=request.chat_id, person=requester.user.id)
    request.reply(settings.page(await request.services.store.read(read_all), request.t))


async def _said(request: CommandRequest, words: Sequence[str]) -> str:
    """Save a setting that is said in words; the result confirms it, or says which there are."""
    requester, t = request.requester, request.t
    name, value = words[0], " ".join(words[1:])
    if name == "board":
        try:
            rest, rules = board_words.take(words[1:], t)
        except (board_words.NoSuchBoard, board_words.BoardTwice) as error:
            return sentences(t, *filter(None, (str(error), board_words.what_there_is(t))))
        value = rules if rules is not None and not rest else ""
    if not is_offered(name, value, request.chat_id):
        return settings.complaint(" ".join(words), t, in_group=not request.is_private)
    await _save(requester, name, value)
    read_all = partial(_chosen, chat_id=request.chat_id, person=requester.user.id)
    chosen = await request.services.store.read(read_all)
    return settings.said(name, chosen.value(name) or value, t, chosen)


async def tapped(requester: Requester, setting: Setting) -> str | None:
    """Turn to a page, or save a choice and show it; the result confirms it."""
    where, services = requester.where, requester.services
    name, value = FORMER_NAMES.get(setting.name, setting.name), setting.value
    if where.chat_id is None or where.message_id is None or (name and name not in VALUES):
        return MEANINGLESS
    if not await may_choose(services, where.chat_id, requester.user.id):
        return ADMINISTRATORS_ONLY
    if value:
        if not is_offered(name, value, where.chat_id):
            return MEANINGLESS
        await _save(requester, name, value)
    chosen = await services.store.read(partial(_chosen, chat_id=where.chat_id, person=requester.user.id))
    if isinstance(read(where.first), Setting):
        page = settings.page(chosen, requester.t, "" if value else name)
        services.publisher.say(OutgoingMessage(where.chat_id, page, message_id=where.message_id))
    return settings.said(name, chosen.value(name) or value, requester.t, chosen) if value else None


async def notify(update: Update, context: Context) -> None:
    """Save whether a person wants to be called when others wait for them, or say what holds."""
    if (request := request_of(update, context)) is None:
        return
    word = " ".join(context.args or []).lower()
    requester, store = request.requester, request.services.store
    if word in (ON, OFF):
        await store.run(partial(_choose, requester=requester, name="notices", value=word))
        word = ""
    wanted = await store.read(partial(chats.notices_of, person_id=requester.user.id))
    request.reply(settings.notify_answer(wanted, request.t, unknown=word))


def is_offered(name: str, value: str, chat_id: int) -> bool:
    """Whether a setting can have a value in a chat."""
    if name == "board":
        return is_offered_as(value)
    return value in VALUES.get(name, ()) and not (name in PERSONAL and chat_id < 0)


async def _save(requester: Requester, name: str, value: str) -> None:
    services = requester.services
    for raised in await services.store.run(partial(_choose, requester=requester, name=name, value=value)):
        services.publisher.show_raised(raised)
    if name == "language" and (requester.where.chat_id or 0) > 0:
        chat = await services.store.read(partial(chats.load, chat_id=requester.user.id))
        services.languages.choose(requester.user.id, chat.language)


def _choose(connection: Connection, *, requester: Requester, name: str, value: str) -> Sequence[Raised]:
    """Save a choice, which is known as one of its values; the boards that are to be shown again."""
    player = requester.player
    person = requester.player
    if name in PERSONAL and not chats.takes_turn(connection, player.id, name, requester.update_id):
        return ()
    match name:
        case "notices":
            chats.want_notices(connection, person, wanted=value == ON)
        case "takebacks":
            chats.allow_takebacks(connection, person, allowed=value == ON)
        case "hidden":
            if value == ON:
                return hiding.hide(connection, person, int(time.time()))
            hiding.unhide(connection, person)
        case _:
            column = {"board": "rules", "text": "as_text", "remarks": "silent"}.get(name, name)
            stored = {
                "text": value == ON,
                "remarks": value == OFF,
                "language": None if value == AUTO else value,
            }.get(name, value)
            chats.choose(connection, requester.where.chat_id or 0, {column: stored}, requester.update_id)
    return ()


def _chosen(connection: Connection, *, chat_id: int, person: int) -> Chosen:
    """What holds in a chat, and for a person in their own."""
    chat = chats.load(connection, chat_id)
    here = Chosen(
        board=chat.rules or DEFAULT_RULES,
        level=chat.level or DEFAULT_LEVEL,
        first=chat.first or DEFAULT_FIRST,
        theme=chat.theme or DEFAULT,
        text=ON if chat.as_text else OFF,
        remarks=OFF if chat.silent else ON,
        language=chat.language or AUTO,
    )
    if chat_id < 0:
        return here
    return here._replace(
        notices=ON if chats.wants_notices(connection, person, in_group=False) else OFF,
        takebacks=ON if chats.allows_takebacks(connection, person) else OFF,
        hidden=ON if chats.is_hidden(connection, person) else OFF,
    )

"""/privacy, and /forget: confirmed by a button or a word, then done (`storage.privacy.erasure`)."""

from __future__ import annotations

import asyncio
import logging
import time
from functools import partial

from sqlalchemy import Connection
from telegram import Update

from bot.boards.buttons import Forget
from bot.boards.translations import N_, folded, typed
from bot.boards.view import View
from bot.context.requests import Requester, request_of
from bot.context.services import Context, Services
from bot.delivery.entries import OutgoingMessage
from bot.features.privacy import views
from storage.errors import told
from storage.privacy import erasure, forgotten
from storage.privacy.erasure import UNDER_WAY

log = logging.getLogger(__name__)

YES, NO = N_("yes|ok|sure"), N_("no|no thanks")
"""What people may type for the buttons."""


async def privacy(update: Update, context: Context) -> None:
    """Say what is stored, with buttons to download and delete it in the person's own chat."""
    if (request := request_of(update, context)) is not None:
        page = views.privacy(request.t, request.services.kept)
        request.reply(page if request.is_private else page.text)


async def forget(update: Update, context: Context) -> None:
    """Ask whether to delete somebody's data; `/forget yes` and `/forget no` answer that."""
    if (request := request_of(update, context)) is None:
        return
    if not request.is_private:
        request.reply(request.t.gettext(views.ONLY_PRIVATE))
        return
    word = folded(" ".join(context.args or []))
    if word in typed(NO, request.t):
        await request.services.store.run(partial(erasure.withdraw, person=request.requester.user.id))
        request.reply(request.t.gettext(views.NOTHING_FORGOTTEN))
    elif word in typed(YES, request.t) and (said := await _confirmed(request.requester)) is not None:
        request.reply(request.t.gettext(said))
    else:
        request.reply(await _question(request.requester))


async def ask(requester: Requester) -> str | None:
    """Ask the same from a button, with a new message; returns why not, if it can't."""
    where = requester.where
    if where.chat_id != requester.user.id:
        return views.ONLY_PRIVATE
    words = OutgoingMessage(where.chat_id, await _question(requester), person=requester.user.id)
    requester.services.publisher.say(words)
    return None


async def _question(requester: Requester) -> View:
    asking = partial(erasure.ask, person=requester.user.id, now=int(time.time()))
    asked = await requester.services.store.run(asking)
    return views.question(requester.t) if asked else View(requester.t.gettext(views.AT_IT))


async def tapped(requester: Requester, *, is_sure: bool) -> str | None:
    """Take the answer to the question; returns why it is void, if it is."""
    where = requester.where
    if where.chat_id != requester.user.id or where.message_id is None or not isinstance(requester.shown, Forget):
        return views.ONLY_PRIVATE
    if not is_sure:
        await requester.services.store.run(partial(erasure.withdraw, person=requester.user.id))
        said: str | None = views.NOTHING_FORGOTTEN
    else:
        said = await _confirmed(requester)
    if said is None:
        return views.ASK_AGAIN
    words = OutgoingMessage(where.chat_id, View(requester.t.gettext(said)), message_id=where.message_id)
    requester.services.publisher.say(words)
    return None


async def _confirmed(requester: Requester) -> str | None:
    """Begin to delete somebody's data if they were asked; returns what to say, None if they weren't asked.

    The list next to the database is written first: after a kill in between, the next start goes on from there.
    """
    services, person, now = requester.services, requester.user.id, int(time.time())
    said, entry = await services.store.read(partial(_found, person=person, now=now))
    if said == views.BEGUN:
        await list_(services, [entry])
        await services.let_go(person)
        await services.store.run(partial(erasure.begin, person=requester.player, entry=entry, now=now))
    return said


def _found(connection: Connection, *, person: int, now: int) -> tuple[str | None, forgotten.Entry]:
    """What is said to a yes; somebody whose first one was noted by a process that was killed is gone by now."""
    entry = forgotten.entry_of(connection, person, now)
    if erasure.was_asked(connection, person, now):
        return views.BEGUN, entry
    if erasure.stage_of(connection, person) in UNDER_WAY:
        return views.AT_IT, entry
    return views.DONE if forgotten.is_gone(connection, person) else None, entry


async def list_(services: Services, entries: list[forgotten.Entry]) -> None:
    """Add people to the list next to the database; if that fails, the log says so, and erasing goes on."""
    if services.journal is None:
        return
    try:
        await asyncio.to_thread(services.journal.add, entries)
    except OSError as error:
        log.error("Can't write FORGOTTEN_FILE: %s", told(error))  # noqa: TRY400 - the reason is all there is

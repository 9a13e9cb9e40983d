"""/forget: asked once more, by buttons or in words; then everything about a person goes (`storage.erasure`)."""

from __future__ import annotations

import asyncio
import logging
import time
from functools import partial
from typing import TYPE_CHECKING

from bot.delivery.entries import Words
from bot.handlers import meetings
from bot.handlers.requests import request_of
from bot.views import rights as views
from bot.views.buttons import Forget, read
from bot.views.view import View
from storage import erasure, forgotten
from storage.erasure import UNDER_WAY, Stage
from storage.errors import told

if TYPE_CHECKING:
    from sqlalchemy import Connection
    from telegram import Update

    from bot.context import Context, Services
    from bot.handlers.requests import Sender

log = logging.getLogger(__name__)

YES, NO = "yes", "no"


async def forget(update: Update, context: Context) -> None:
    """Ask whether somebody wants to be forgotten; `/forget yes` and `/forget no` answer that."""
    if (request := request_of(update, context)) is None:
        return
    if not request.is_private:
        request.reply(request.t.gettext(views.ONLY_PRIVATE))
        return
    word = " ".join(context.args or []).lower()
    if word == NO:
        await request.services.store.run(partial(erasure.withdraw, person=request.sender.user.id))
        request.reply(request.t.gettext(views.NOTHING_FORGOTTEN))
    elif word == YES and (said := await _confirmed(request.sender)) is not None:
        request.reply(request.t.gettext(said))
    else:
        ask = partial(erasure.ask, person=request.sender.user.id, now=int(time.time()))
        asked = await request.services.store.run(ask)
        request.reply(views.question(request.t) if asked else request.t.gettext(views.AT_IT))


async def tapped(sender: Sender, word: str) -> str | None:
    """Take the answer to the question; the result is why it means nothing."""
    where = sender.where
    if where.chat_id != sender.user.id or where.message_id is None or not isinstance(read(where.first), Forget):
        return views.ONLY_PRIVATE
    if word == NO:
        await sender.services.store.run(partial(erasure.withdraw, person=sender.user.id))
        said: str | None = views.NOTHING_FORGOTTEN
    else:
        said = await _confirmed(sender)
    if said is None:
        return views.ASK_AGAIN
    words = Words(where.chat_id, View(sender.t.gettext(said)), message_id=where.message_id)
    sender.services.publisher.say(words)
    return None


async def _confirmed(sender: Sender) -> str | None:
    """Let the forgetting begin if it was asked about; the result is what is said, None if it was not.

    It is in the list beside the database first: whoever is killed in between, the next start goes on from there.
    """
    services, person, now = sender.services, sender.user.id, int(time.time())
    stage, asked, entry = await services.store.run(partial(_found, person=person, now=now))
    if not asked:
        return views.AT_IT if stage in UNDER_WAY else None
    await list_(services, [entry])
    await meetings.let_go(services, person)
    services.leaving[person] = services.languages.of(sender.user)
    who = sender.player
    names = {name for name in (who.name, who.username and f"@{who.username.lower()}") if name}
    await services.store.run(partial(erasure.begin, person=person, entry=entry, now=now, names=names))
    return views.BEGUN


def _found(connection: Connection, *, person: int, now: int) -> tuple[Stage | None, bool, forgotten.Entry]:
    stage = erasure.stage_of(connection, person)
    return stage, erasure.was_asked(connection, person, now), forgotten.entry_of(connection, person, now)


async def list_(services: Services, entries: list[forgotten.Entry]) -> None:
    """List beside the database who is forgotten; where that fails, the host hears of it, and it goes on."""
    if services.journal is None:
        return
    try:
        await asyncio.to_thread(services.journal.add, entries)
    except OSError as error:
        log.error("FORGOTTEN_FILE cannot be written: %s", told(error))  # noqa: TRY400 - the reason is all there is

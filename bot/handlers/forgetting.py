"""The work beside the bot that forgets people, step by step, shows it on boards, and says when it is done."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import TYPE_CHECKING, Final

from bot.delivery.entries import Words
from bot.handlers.rights import list_
from bot.views import rights as views
from bot.views.texts import texts
from bot.views.view import View
from storage import erasure, forgotten, restored

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from bot.context import Services
    from storage.erasure import Step

log = logging.getLogger(__name__)

LOOK_SECONDS: Final = 1.0
PAUSE_SECONDS: Final = 0.02
"""Between two steps, so that taps come first."""
MOST_CLOSED: Final = 20
"""Boards of games that went on which are closed in the person's own chat."""


async def look(services: Services) -> bool:
    """Do the next step, if anybody is being forgotten; True if there may be more.

    Raises:
        StorageError: if the database cannot be used now, or somebody else has changed what the step was about.
    """
    done, wants_empty_log = await services.store.run(_step)
    if done is not None:
        _show(services, done)
    if done is None or done.is_gone:
        await _end(services, wants_empty_log=wants_empty_log)
    if done is None:
        return False
    await asyncio.sleep(PAUSE_SECONDS)
    return True


def _step(connection: Connection) -> tuple[Step | None, bool]:
    done = erasure.step(connection)
    if done is None:
        erasure.forget_question(connection, int(time.time()))
    return done, erasure.wants_empty_log(connection)


async def _end(services: Services, *, wants_empty_log: bool) -> None:
    """Say to who was forgotten that it is done; while the write-ahead log still tells of them, it is not."""
    if wants_empty_log:
        if not await services.store.empty_log():
            return
        await services.store.run(erasure.note_empty_log)
    while services.farewells:
        services.publisher.say(services.farewells.pop(0))


async def after_restore(services: Services) -> None:
    """Forget again who was forgotten before a backup was restored that still knows them; before anything is shown.

    Raises:
        StorageError: if the database cannot be used.
    """
    if services.journal is None:
        return
    count = await restored.forget_again(services.store, services.journal)
    if count:
        log.warning(
            "%d people who were forgotten were there again, as after a restore: forgotten once more", count
        )
    listed = {entry.digest for entry in await asyncio.to_thread(services.journal.read)}
    own = await services.store.run(forgotten.entries)
    await list_(services, [entry for entry in own if entry.digest not in listed])


def _show(services: Services, done: Step) -> None:
    publisher = services.publisher
    for raised in done.shown:
        publisher.show_raised(raised)
    t = texts(services.leaving.get(done.person) or done.language)  # another process may have heard the wish
    for chat_id, message_id in done.closed[:MOST_CLOSED]:
        publisher.say(Words(chat_id, View(t.gettext(views.CLOSED)), message_id=message_id))
    if done.is_gone:
        services.leaving.pop(done.person, None)
        services.languages.choose(done.person, None)
        services.recent.forget(done.person)
        services.farewells.append(Words(done.person, View(views.done(t))))

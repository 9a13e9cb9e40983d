"""Erases people's data in the background, step by step, shows it on boards, and says when it's done."""

import asyncio
import logging
import time
from typing import Final

from sqlalchemy import Connection

from bot.boards.view import View
from bot.context.services import Services
from bot.delivery.entries import OutgoingMessage
from bot.delivery.messages import NotYet
from bot.features import privacy
from bot.features.privacy import list_
from bot.language import _, speaking
from storage.games.record import Notice
from storage.privacy import erasure, forgotten, traces
from storage.privacy.erasure import ErasureStep

log = logging.getLogger(__name__)

ERASURE: Final = "Erasure of somebody"
STEP_SECONDS: Final = 1.0
ERASURE_PAUSE_SECONDS: Final = 0.02
"""Between two portions of work, so that taps come first."""
MOST_CLOSED: Final = 20
"""The most boards of running games that are closed in the person's own chat."""


async def go_on(services: Services) -> bool:
    """Do the next step, if anybody is being erased; True if there may be more."""
    done = None
    if await services.store.read(erasure.is_any_due, now=int(time.time())):
        person = await services.store.read(erasure.first, but=services.trials.resting(ERASURE))
        with services.trials.of(ERASURE, person or 0):
            done = await services.store.run(_step, person=person)
    if done is not None:
        _show(services, done)
    # Where nobody waits to be told, the file is rewritten once for all who are erased.
    if (done is None or done.tells) and not await traces.empty(services.store):
        return False
    if done is None:
        return False
    if done.farewell is not None:
        services.publisher.tell(done.farewell)
    await asyncio.sleep(ERASURE_PAUSE_SECONDS)
    return True


def _step(connection: Connection, *, person: int | None) -> ErasureStep | None:
    done = None if person is None else erasure.step(connection, person=person)
    if done is None:
        erasure.forget_question(connection, int(time.time()))
    return done


async def last_word(services: Services, notice: Notice) -> OutgoingMessage | None:
    """The message that tells somebody their data are deleted; None if they have started something new.

    Raises NotYet if the file still tells of them.
    """
    if not await traces.empty(services.store):
        raise NotYet
    listed = await services.store.run(erasure.resume, person=notice.chat_id, now=int(time.time()))
    if listed is not None:
        await list_(services, [listed])
        return None
    return OutgoingMessage(notice.chat_id, View(_(privacy.DATA_DELETED)), notice=notice)


async def after_restore(services: Services) -> None:
    """Forget people again whom a restored backup has brought back, before anything is shown."""
    count = await erasure.forget_again(services.store, services.journal)
    if count:
        log.warning("Forgot %d people again whom a restored backup had brought back", count)
    listed = {entry.digest for entry in await asyncio.to_thread(services.journal.read)}
    own = await services.store.read(forgotten.entries)
    await list_(services, [entry for entry in own if entry.digest not in listed])


def _show(services: Services, done: ErasureStep) -> None:
    publisher = services.publisher
    publisher.show_all(done.shown)
    with speaking(done.language):
        closed = View(_(privacy.CLOSED))
    for chat_id, message_id in done.closed[:MOST_CLOSED] if done.tells else ():
        publisher.say(OutgoingMessage(chat_id, closed, message_id=message_id))
    if done.is_gone:
        services.languages.choose(done.person, None)
        services.inline_people.pop(done.person, None)

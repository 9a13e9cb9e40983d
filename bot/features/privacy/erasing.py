"""/forget: erases people's data in the background, step by step, shows it on boards, and says when it's done."""

import asyncio
import logging
import time
from itertools import chain
from typing import Final

from sqlalchemy import Connection

from bot.boards.translations import folded, typed
from bot.boards.view import View
from bot.context.feature import Event
from bot.context.requests import CommandRequest, Requester
from bot.context.services import Services
from bot.context.trials import Trials
from bot.delivery.entries import NotNow, OutgoingMessage
from bot.features.privacy import pages
from bot.language import _, speaking
from storage.errors import told
from storage.games.record import Notice
from storage.privacy import erasure, forgotten, traces
from storage.privacy.erasure import UNDER_WAY, ErasureStep

log = logging.getLogger(__name__)

STEP_SECONDS: Final = 1.0
ERASURE_PAUSE_SECONDS: Final = 0.02
"""Between two portions of work, so that taps come first."""
MOST_CLOSED: Final = 20
"""The most boards of running games that are closed in the person's own chat."""

ERASURE: Final = "Erasure of somebody"


async def forget(request: CommandRequest) -> None:
    """Ask whether to delete somebody's data; `/forget yes` and `/forget no` answer that."""
    if not request.is_private:
        request.reply(_(pages.ONLY_PRIVATE))
        return
    word = folded(" ".join(request.args))
    if word in typed(pages.NO_WORDS):
        await request.services.store.run(erasure.withdraw, person=request.user.id)
        request.reply(_(pages.NOTHING_FORGOTTEN))
    elif word in typed(pages.YES_WORDS) and (said := await _confirmed(request)) is not None:
        request.reply(_(said))
    else:
        request.reply(await _question(request))


async def ask(requester: Requester, _: pages.DeleteData) -> str | None:
    """Ask the same from a button, with a new message; returns why not, if it can't."""
    chat_id, thread_id = requester.chat_id, requester.where.thread_id
    if chat_id != requester.user.id:
        return pages.ONLY_PRIVATE
    asked = OutgoingMessage(chat_id, await _question(requester), thread_id, person=requester.user.id)
    requester.services.messages.say(asked)
    return None


async def _question(requester: Requester) -> View:
    listed = await requester.services.store.run(erasure.ask, person=requester.user.id, now=int(time.time()))
    if listed is None:
        return pages.question()
    await list_(requester.services, [listed])
    return View(_(pages.AT_IT))


async def tapped(requester: Requester, answer: pages.Forget) -> str | None:
    """Take the answer to the question; returns why it is void, if it is."""
    if requester.chat_id != requester.user.id or not requester.is_at(pages.Forget):
        return pages.ONLY_PRIVATE
    if not answer.is_sure:
        await requester.services.store.run(erasure.withdraw, person=requester.user.id)
        said: str | None = pages.NOTHING_FORGOTTEN
    else:
        said = await _confirmed(requester)
    if said is None:
        return pages.ASK_AGAIN
    requester.show_instead(View(_(said)))
    return None


async def _confirmed(requester: Requester) -> str | None:
    """Begin to delete somebody's data if they were asked; returns what to say, None if they weren't asked.

    The list next to the database is written first: after a kill in between, the next start goes on from there.
    """
    services, person, now = requester.services, requester.user.id, int(time.time())
    said, entry = await services.store.run(_found, person=person, now=now)
    if said == pages.ERASURE_BEGUN:
        await list_(services, [entry])
        left = await services.features.tell(Event.FORGETTING, services, person)
        await services.store.run(erasure.begin, person=requester.player, entry=entry, now=now)
        for board in chain(*left):
            if board.chat_id is not None and board.message_id is not None:
                closed = OutgoingMessage(board.chat_id, View(_(pages.CLOSED)), message_id=board.message_id)
                services.messages.say(closed)
    return said


def _found(connection: Connection, *, person: int, now: int) -> tuple[str | None, forgotten.ForgottenEntry]:
    """What is said to a yes; whoever said it before, to a process that was killed since, may be gone by now."""
    entry = forgotten.entry_of(connection, person, now)
    if erasure.was_asked(connection, person, now):
        return pages.ERASURE_BEGUN, entry
    if erasure.stage_of(connection, person) in UNDER_WAY:
        return pages.AT_IT, entry
    return pages.DATA_DELETED if forgotten.is_gone(connection, person) else None, entry


async def list_(services: Services, entries: list[forgotten.ForgottenEntry]) -> None:
    """Add people to the list next to the database; if that fails, the log says so, and erasing goes on."""
    try:
        await asyncio.to_thread(services.journal.add, entries)
    except OSError as error:
        log.error("Can't write FORGOTTEN_FILE: %s", told(error))  # noqa: TRY400 - the reason is all there is


async def go_on(services: Services, _: object = None) -> bool:
    """Do the next step, if anybody is being erased; True if there may be more."""
    done, trials = None, services.memory(Trials)
    if await services.store.read(erasure.is_any_due, now=int(time.time())):
        person = await services.store.read(erasure.first, but=trials.resting(ERASURE))
        with trials.of(ERASURE, person or 0):
            done = await services.store.run(_step, person=person)
    if done is not None:
        _show(services, done)
    # Where nobody waits to be told, the file is rewritten once for all who are erased.
    if (done is None or done.tells) and not await traces.empty(services.store):
        return False
    if done is None:
        return False
    if done.farewell is not None:
        services.messages.tell(done.farewell)
    await asyncio.sleep(ERASURE_PAUSE_SECONDS)
    return True


def _step(connection: Connection, *, person: int | None) -> ErasureStep | None:
    done = None if person is None else erasure.step(connection, person=person)
    if done is None:
        erasure.forget_question(connection, int(time.time()))
    return done


async def last_word(services: Services, notice: Notice) -> OutgoingMessage | None:
    """The message that tells somebody their data are deleted; None if they have started something new.

    Raises NotNow if the file still tells of them.
    """
    if not await traces.empty(services.store):
        raise NotNow
    listed = await services.store.run(erasure.resume, person=notice.chat_id, now=int(time.time()))
    if listed is not None:
        await list_(services, [listed])
        return None
    return OutgoingMessage(notice.chat_id, View(_(pages.DATA_DELETED)), notice=notice)


async def after_restore(services: Services) -> None:
    """Forget people again whom a restored backup has brought back, before anything is shown."""
    count = await erasure.forget_again(services.store, services.journal)
    if count:
        log.warning("Forgot %d people again whom a restored backup had brought back", count)
    listed = {entry.digest for entry in await asyncio.to_thread(services.journal.read)}
    own = await services.store.read(forgotten.entries)
    await list_(services, [entry for entry in own if entry.digest not in listed])


def _show(services: Services, done: ErasureStep) -> None:
    services.boards.show_all(done.shown)
    with speaking(done.language):
        closed = View(_(pages.CLOSED))
    for chat_id, message_id in done.closed[:MOST_CLOSED] if done.tells else ():
        services.messages.say(OutgoingMessage(chat_id, closed, message_id=message_id))
    if done.is_gone:
        services.languages.choose(done.person, None)
        for memory in services.features.remembers:
            services.memory(memory).pop(done.person, None)

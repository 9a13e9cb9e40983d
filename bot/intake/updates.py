"""Where updates come in: each is confirmed to Telegram only once what it asked for is stored.

python-telegram-bot's own runners confirm an update when it is queued, before it is handled, and a crash loses it.
Here a batch is handled side by side and confirmed as a whole, by the offset of the next poll. What Telegram then
delivers a second time finds its work done.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import OrderedDict
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from telegram import Update
from telegram.error import Conflict, TelegramError

from bot import faults
from bot.metrics import ARRIVED
from bot.outbox import Message
from bot.texts import texts
from bot.views import N_, View
from storage.errors import StorageUnavailable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from telegram import Bot

    from bot.context import App, Context, Services
    from bot.transport import PollingTransport

log = logging.getLogger(__name__)

KINDS: Final = (
    Update.MESSAGE,
    Update.CALLBACK_QUERY,
    Update.INLINE_QUERY,
    Update.CHOSEN_INLINE_RESULT,
    Update.MY_CHAT_MEMBER,
)
"""The kinds of updates that the bot has handlers for."""

POLL_SECONDS: Final = 50
"""Telegram's own limit for a long poll (tdlib/telegram-bot-api, Client.h)."""

LONGEST_PAUSE: Final = 8
"""The most seconds between two tries to fetch; Telegram keeps a tap for 150 s."""

TRIES: Final = 3
REMEMBERED: Final = 10_000

UNAVAILABLE: Final = N_("I cannot reach my notes right now. Nothing was changed; please try again in a moment.")
FAILED: Final = N_("Something went wrong on my side. Nothing was lost; please try again.")


async def note_failure(update: object, context: Context) -> None:
    """Remember an error for the intake: it decides whether to try again, and says so once."""
    if isinstance(update, Update) and isinstance(context.error, Exception):
        context.services.failures[update.update_id] = context.error
    else:
        log.error("An error outside of any update", exc_info=context.error)


class Intake:
    """Takes updates, each once."""

    def __init__(self, app: App) -> None:
        """Take updates for this application."""
        self._app = app
        self._services: Services = app.bot_data
        self._under_way: dict[int, asyncio.Task[None]] = {}
        self._done: OrderedDict[int, None] = OrderedDict()

    async def take(self, update: Update) -> None:
        """Handle an update; returns once what it asked for is stored, or was given up.

        A second delivery waits for the first, and then does nothing.
        """
        task = self._under_way.get(update.update_id)
        if task is None and update.update_id not in self._done:
            task = self._under_way[update.update_id] = asyncio.create_task(self._handle(update))
        else:
            self._services.metrics.updates[_kind(update), "again"] += 1
        if task is not None:
            await asyncio.shield(task)

    async def _handle(self, update: Update) -> None:
        kind, outcome = _kind(update), "done"
        if kind == Update.CALLBACK_QUERY:
            ARRIVED.set(time.perf_counter())
        try:
            for tries_left in reversed(range(TRIES)):
                error = await self._try(update)
                if error is None:
                    break
                if isinstance(error, StorageUnavailable) or not tries_left:
                    outcome = "unavailable" if isinstance(error, StorageUnavailable) else "failed"
                    self._report(update, error)
                    break
        finally:
            self._services.metrics.updates[kind, outcome] += 1
            del self._under_way[update.update_id]
            self._done[update.update_id] = None
            if len(self._done) > REMEMBERED:
                self._done.popitem(last=False)

    async def _try(self, update: Update) -> Exception | None:
        """Handle an update; the result is the error it ended in, which python-telegram-bot may let out or not."""
        try:
            await self._app.process_update(update)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is this update's and must not stop the others
            return error
        return self._services.failures.pop(update.update_id, None)

    def note_trouble(self, error: TelegramError) -> None:
        """Count a fetch that failed."""
        self._services.metrics.errors[faults.judge(error).value] += 1

    def _report(self, update: Update, error: Exception) -> None:
        """Say once what went wrong: to the host in the log, to the person in a sentence."""
        if isinstance(error, StorageUnavailable):
            sentence = UNAVAILABLE  # the storage has logged the outage, once for all updates
        else:
            sentence = FAILED
            log.error(
                "An update was set aside after %d tries",
                TRIES,
                exc_info=error,
                extra={"update_id": update.update_id},
            )
        try:
            self._apologize(update, sentence)
        except Exception:
            log.exception("Nobody can be told", extra={"update_id": update.update_id})

    def _apologize(self, update: Update, sentence: str) -> None:
        user, chat = update.effective_user, update.effective_chat
        t = texts(user.language_code if user else None)
        if update.callback_query is not None:
            self._services.publisher.answer(update.callback_query.id, t.gettext(sentence), alert=True)
        elif update.message is not None and chat is not None:
            self._services.publisher.say(Message(chat.id, View(t.gettext(sentence))))


def _kind(update: Update) -> str:
    """What an update is about, in the Bot API's word."""
    if update.callback_query is not None:
        return Update.CALLBACK_QUERY
    if update.message is not None:
        return Update.MESSAGE
    return next((kind for kind in KINDS if getattr(update, kind) is not None), "unknown")


async def poll(bot: Bot, transport: PollingTransport, intake: Intake, stopping: asyncio.Event) -> None:
    """Take updates by long polling until `stopping` is set; the batch under way is finished first."""
    offset: int | None = None
    confirmed: int | None = None
    failures = 0
    stop = asyncio.create_task(stopping.wait())
    while not stopping.is_set():
        fetch = asyncio.create_task(_fetch(bot, offset, POLL_SECONDS))
        confirmed = offset
        await asyncio.wait((fetch, stop), return_when=asyncio.FIRST_COMPLETED)
        if not fetch.done():
            fetch.cancel()
            await asyncio.wait((fetch,))
            break
        error = fetch.exception()
        if error is None:
            if failures:
                log.warning("Updates come in again")
            failures = 0
            updates = fetch.result()
            await asyncio.gather(*map(intake.take, updates))
            offset = updates[-1].update_id + 1 if updates else offset
        elif isinstance(error, TelegramError):
            if not failures:
                log.error("Updates cannot be fetched: %s", _reason(error))
            intake.note_trouble(error)
            await _wait(faults.pause(error) or min(0.5 * 2**failures, LONGEST_PAUSE), stopping)
            failures = min(failures + 1, 10)
        else:
            transport.vet_next()  # one update cannot be parsed, and the others must not wait behind it
    stop.cancel()
    if offset is not None and offset != confirmed:
        await _confirm(bot, offset)


async def _fetch(bot: Bot, offset: int | None, seconds: int) -> Sequence[Update]:
    return await bot.get_updates(offset=offset, timeout=seconds, read_timeout=seconds + 10, allowed_updates=KINDS)


def _reason(error: TelegramError) -> str:
    if isinstance(error, Conflict):
        return f"another program takes this bot's updates, or a webhook is set ({error})"
    return str(error)


async def _confirm(bot: Bot, offset: int) -> None:
    """Tell Telegram what was handled, so that it is not delivered again after the next start."""
    try:
        await bot.get_updates(offset=offset, timeout=0, limit=1, read_timeout=3, allowed_updates=KINDS)
    except TelegramError as error:
        log.info("The last updates are not confirmed and will come again: %s", error)


async def _wait(seconds: float, stopping: asyncio.Event) -> None:
    """Wait, but no longer than until `stopping` is set."""
    with suppress(TimeoutError):
        await asyncio.wait_for(stopping.wait(), seconds)

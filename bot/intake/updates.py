"""Handles each update once, in the order of its chat, and reports when it is done.

python-telegram-bot's own runners confirm an update when it is queued, before it is handled, so a crash loses it.
Here an update is confirmed only once what it asked for is stored. If Telegram then delivers it a second time, its
work is already done.
"""

from __future__ import annotations

import asyncio
import logging
import time
from typing import Final

from telegram import ChatMember, Update

from bot.boards.translations import N_, texts
from bot.boards.view import View
from bot.context.services import App, Context, Services
from bot.delivery.entries import OutgoingMessage
from bot.intake.order import Order, chat_of
from bot.intake.tapped import reply_of
from bot.network.resources import is_exhausted
from bot.recent import Recent
from storage.errors import OtherRelease, StorageUnavailable

log = logging.getLogger(__name__)

KINDS: Final = (
    Update.MESSAGE,
    Update.CALLBACK_QUERY,
    Update.INLINE_QUERY,
    Update.CHOSEN_INLINE_RESULT,
    Update.MY_CHAT_MEMBER,
)
"""The kinds of updates that the bot has handlers for."""

KEPT_SECONDS: Final = {
    Update.CALLBACK_QUERY: 150,
    Update.INLINE_QUERY: 30,
    Update.CHOSEN_INLINE_RESULT: 600,
}
"""How long Telegram keeps delivering an update (tdlib/telegram-bot-api, Client.cpp); others for a day."""
DAY_SECONDS: Final = 24 * 3600

TRIES: Final = 3
FIRST_PAUSE_SECONDS: Final = 0.25
LONGEST_PAUSE_SECONDS: Final = 8.0
"""The pauses between two tries while the system has no files or memory left."""
REMEMBERED: Final = 10_000

_OUTSIDE: Final = (ChatMember.LEFT, ChatMember.BANNED)

UNAVAILABLE: Final = N_("Something's wrong on my side. Nothing was changed; try again in a moment.")
FAILED: Final = N_("Something went wrong on my side. Nothing was lost; please try again.")


async def note_failure(update: object, context: Context) -> None:
    """Remember an error for the intake, which decides whether to try again and reports it once."""
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
        self._order = Order()
        self._under_way: dict[int, asyncio.Task[None]] = {}
        self._done: Recent[int, None] = Recent(REMEMBERED)
        self._first_seen: Recent[int, float] = Recent(REMEMBERED)
        """When updates that couldn't be stored came first, by the monotonic clock."""
        self._is_exhausted = False
        """Whether the system had no files or memory left at the last try."""

    def begin(self, update: Update, *, comes_again: bool = False) -> asyncio.Task[None] | None:
        """Start handling an update; None if it was handled before. A second delivery gets the task under way.

        Args:
            update: The update.
            comes_again: Whether Telegram delivers it again if it isn't taken now.
        """
        task = self._under_way.get(update.update_id)
        if task is not None or update.update_id in self._done:
            self._services.metrics.updated(_kind(update), "again")
            return task
        chat = chat_of(update)
        work = self._handle(update, chat, comes_again=comes_again)
        task = self._under_way[update.update_id] = self._order.start(chat, work)
        return task

    def is_done(self, update_id: int) -> bool:
        """Whether an update is dealt with: what it asked for is stored, or it was given up on."""
        return update_id in self._done

    async def _handle(self, update: Update, chat: int | str | None, *, comes_again: bool) -> None:
        kind, outcome = _kind(update), "done"
        if isinstance(chat, int):
            self._hear_from(chat, update)
        try:
            for tries_left in reversed(range(TRIES)):
                error = await self._try_patiently(update)
                if error is None:
                    break
                if isinstance(error, OtherRelease):
                    outcome = "put off"
                    if not comes_again:
                        await asyncio.Event().wait()  # it stays unconfirmed until this process ends, which is soon
                    return
                unavailable = isinstance(error, StorageUnavailable)
                if unavailable and comes_again and self._may_come_again(update):
                    outcome = "put off"
                    return
                if unavailable or not tries_left:
                    outcome = "unavailable" if unavailable else "failed"
                    self._report(update, error)
                    break
            self._note_done(update)
        finally:
            self._services.metrics.updated(kind, outcome)
            del self._under_way[update.update_id]

    def _hear_from(self, chat: int, update: Update) -> None:
        """Show boards again that couldn't be shown, in the chat of an update."""
        change, message = update.my_chat_member, update.message
        # Any update counts, as Telegram may not tell of every change.
        if change is not None and getattr(change.new_chat_member, "status", None) in _OUTSIDE:
            return
        reopened = message is not None and message.forum_topic_reopened is not None
        self._services.publisher.hear_from(chat, is_news=reopened or change is not None)

    async def _try_patiently(self, update: Update) -> Exception | None:
        """Handle an update, again and again while the system lacks files or memory, which is no update's fault."""
        pause = FIRST_PAUSE_SECONDS
        while (error := await self._try(update)) is not None and is_exhausted(error):
            if not self._is_exhausted:
                log.warning("Updates are waiting: the system is out of files or memory", exc_info=error)
            self._is_exhausted = True
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE_SECONDS)
        if self._is_exhausted:
            log.info("Updates are handled again")
            self._is_exhausted = False
        return error

    async def _try(self, update: Update) -> Exception | None:
        """Handle an update; returns the error it ended in, whether python-telegram-bot raises it or not."""
        try:
            await self._app.process_update(update)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is this update's and must not stop the others
            return error
        return self._services.failures.pop(update.update_id, None)

    def _may_come_again(self, update: Update) -> bool:
        """Whether Telegram still keeps an update that couldn't be stored."""
        now = time.monotonic()
        first = self._first_seen.setdefault(update.update_id, now)
        return now - first < KEPT_SECONDS.get(_kind(update), DAY_SECONDS)

    def _note_done(self, update: Update) -> None:
        self._first_seen.pop(update.update_id, None)
        self._done[update.update_id] = None

    def _report(self, update: Update, error: Exception) -> None:
        """Report once what went wrong: to the host in the log, to the person in a sentence."""
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
        user, message = update.effective_user, update.message
        t = texts(self._services.languages.of(user))
        if update.callback_query is not None:
            self._services.publisher.answer(
                update.callback_query.id, t.gettext(sentence), alert=True, reply=reply_of(update.callback_query)
            )
        elif message is not None:
            thread_id = message.message_thread_id if message.is_topic_message else None
            person = user.id if user else None
            self._services.publisher.say(
                OutgoingMessage(message.chat.id, View(t.gettext(sentence)), thread_id, person=person)
            )


def _kind(update: Update) -> str:
    """The kind of an update, in the Bot API's word."""
    if update.callback_query is not None:
        return Update.CALLBACK_QUERY
    if update.message is not None:
        return Update.MESSAGE
    return next((kind for kind in KINDS if getattr(update, kind) is not None), "unknown")

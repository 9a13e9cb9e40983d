"""What follows when a call to Telegram fails, whatever it was to send: what is tried again, what is given up."""

import asyncio
import logging
import time
from collections.abc import Hashable
from typing import Final

from telegram.error import ChatMigrated, TelegramError

from bot.delivery.entries import Entry
from bot.delivery.pace import Chat, Pace, Priority
from bot.delivery.reach import Reach
from bot.delivery.telegram_errors import Failure, is_outside, is_unauthorized, is_unknown, judge, pause
from bot.metrics import Metrics, seconds_since
from bot.recent import Recent
from storage.people import chats
from storage.store import Store

log = logging.getLogger(__name__)

FIRST_CALL_PAUSE_SECONDS: Final = 0.25
LONGEST_CALL_PAUSE_SECONDS: Final = 15.0
"""What fails for now is tried again after a pause that doubles from try to try."""
UNKNOWN_PAUSE_SECONDS: Final = 3600.0
PATIENT_TRIES: Final = 12
"""If Telegram itself refuses, in unknown words, the pause goes on doubling after so many tries, which take two
minutes, up to UNKNOWN_PAUSE_SECONDS."""
LOST_SECONDS: Final = 4.0
"""Once a pause is this long, the host is told that Telegram cannot be reached."""
REMEMBERED_FAILURES: Final = 20_000
"""The most entries for which it is remembered since when they have failed."""


class Recovery:
    """Decides what follows a failed call, for its chat and for the entry that made it."""

    def __init__(self, pace: Pace, store: Store, reach: Reach, metrics: Metrics) -> None:
        self._pace = pace
        self._store = store
        self._reach = reach
        self._metrics = metrics
        self._failing_since: Recent[tuple[Chat, Hashable], float] = Recent(REMEMBERED_FAILURES)
        """Since when entries have failed, by chat and key."""

    def succeeded(self, entry: Entry) -> None:
        """Note that an entry was sent."""
        if entry.prompt is not None and entry.prompt.priority is Priority.TAPPED:
            self._metrics.tap_to_edit.observe(seconds_since(entry.prompt.arrived))
        self._reach.succeeded()
        self._failing_since.pop(entry.id, None)
        if entry.is_send and entry.chat_id is not None:
            self._reach.find(entry.chat_id, entry.thread_id)

    async def after(self, entry: Entry, error: TelegramError) -> float | None:
        """Act on a failed call; returns the seconds until the entry is tried again, None for never."""
        failure = judge(error)
        self._metrics.failed(failure.value)
        try:
            wait = await self._after(failure, entry, error)
        finally:
            # It refers to itself (python-telegram-bot), and would keep a file until the next garbage collection.
            error.__traceback__ = None
        if wait is None:
            self._failing_since.pop(entry.id, None)
        return wait

    async def _after(self, failure: Failure, entry: Entry, error: TelegramError) -> float | None:
        chat, now = entry.chat, asyncio.get_running_loop().time()
        match failure:
            case Failure.SLOW_DOWN if entry.is_send and isinstance(chat, int) and chat < 0:
                self._pace.hold_sends(chat, pause(error), now)
                return 0.0 if entry.held_up() else None
            case Failure.SLOW_DOWN:
                self._pace.refused(chat, pause(error), now)
                return 0.0
            case Failure.PASSING if await entry.put_off(error):
                self._reach.fail(error, is_lost=True)
            case Failure.PASSING:
                return await self._after_passing(entry, error)
            case Failure.MIGRATED if isinstance(error, ChatMigrated):
                if entry.chat_id is not None:
                    await self._store.run(chats.move_group, old=entry.chat_id, new=error.new_chat_id)
                entry.moved(error.new_chat_id)
            case Failure.NO_THREAD if entry.thread_id is not None:
                await entry.leave_topic()
                return 0.0
            case Failure.GONE:
                await entry.lost()
            case Failure.OUR_FAULT:
                log.error("Telegram refused a message: %s", error, extra={"chat_id": chat})
                await entry.give_up()
            case _:
                log.info("The chat doesn't accept messages: %s", error, extra={"chat_id": chat})
                if is_outside(error) and entry.chat_id is not None and entry.chat_id < 0:
                    # Telegram has not told the bot that it left the group, or a backup was restored.
                    await self._store.run(chats.leave, chat_id=entry.chat_id, now=int(time.time()))
                return await entry.refused(error)
        return None

    async def _after_passing(self, entry: Entry, error: TelegramError) -> float | None:
        """Try again a little later, for as long as the entry is worth it."""
        wait = min(FIRST_CALL_PAUSE_SECONDS * 2.0**entry.tries, LONGEST_CALL_PAUSE_SECONDS)
        if is_unknown(error):
            wait = min(wait * 2.0 ** max(entry.tries - PATIENT_TRIES, 0), UNKNOWN_PAUSE_SECONDS)
        self._reach.fail(error, is_lost=wait >= LOST_SECONDS)
        if is_unauthorized(error):
            self._failing_since.pop(entry.id, None)  # its day begins after that
        now = time.monotonic()
        if now - self._failing_since.setdefault(entry.id, now) <= entry.patience:
            return wait
        log.warning("Treating a chat as unreachable: %s", error, extra={"chat_id": entry.chat})
        await entry.give_up()
        return None

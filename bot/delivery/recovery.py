"""What follows when a call to Telegram fails, whatever it was to send: what is tried again, what is given up.

Whether Telegram can be reached, and whether chats that took no boards take them again, is known by the calls, too.
"""

import asyncio
import logging
import math
import time
from collections.abc import Hashable
from typing import Final

from telegram import Bot
from telegram.error import ChatMigrated, TelegramError

from bot.delivery.entries import Entry
from bot.delivery.pace import Chat, Pace, Priority
from bot.delivery.tasks import Tasks
from bot.delivery.telegram_errors import Failure, is_outside, is_unauthorized, is_unknown, judge, pause
from bot.metrics import Metrics, seconds_since
from bot.network.transport import reading
from bot.recent import Recent
from storage.errors import StorageError
from storage.games import versions
from storage.people import chats
from storage.store import Store

log = logging.getLogger(__name__)

REACHABLE_SECONDS: Final = 5.0
"""How often Telegram is asked whether it is reachable again: there may be no other call that would show it."""

TOKEN_TOLD_SECONDS: Final = 60.0
"""Minimum interval between two log lines that say that Telegram does not accept the token."""

CHAT_LOOK_SECONDS: Final = 60.0
"""Minimum interval between looks for a chat's unreachable boards."""
LONGER: Final = 9
"""While they are refused, the next look comes after this many times as long as they have been."""
REMEMBERED_CHATS: Final = 10_000
"""The most chats for which the last look is remembered."""


class Reach:
    """Knows by the calls, and by an extra one if there are none, whether Telegram and each chat can be reached."""

    def __init__(self, bot: Bot, store: Store, tasks: Tasks) -> None:
        self._bot = bot
        self._store = store
        self._tasks = tasks
        self._told_at = -math.inf
        self._asks = False
        self.is_lost = False
        """Whether Telegram can't be reached."""
        self._looked_at: Recent[int, float] = Recent(REMEMBERED_CHATS)
        self._lost: Recent[int, tuple[float, int | None]] = Recent(REMEMBERED_CHATS)
        """By chat, when a board first became unreachable there, and the topic of that board."""

    # Telegram.

    def fail(self, error: TelegramError, *, is_lost: bool = False) -> None:
        """Note that a call has failed for now; `is_lost` if that has lasted so long that the host should know."""
        if is_unauthorized(error):
            self._tell_host()
            is_lost = True
        if is_lost and not self._asks:
            self._asks = True
            self._tasks.start(self._ask())

    def succeeded(self) -> None:
        if self.is_lost:
            self.is_lost = False
            log.warning("Telegram is reachable again")

    def _tell_host(self) -> None:
        now = time.monotonic()
        if now - self._told_at >= TOKEN_TOLD_SECONDS:
            self._told_at = now
            log.error(
                "Telegram doesn't accept the bot's token (401). If it was revoked, get a new one from "
                "@BotFather, set BOT_TOKEN and start the bot again; until then nothing is lost."
            )

    async def _ask(self) -> None:
        """Ask until Telegram answers: perhaps only the calls to one chat fail."""
        try:
            with reading():
                await self._bot.get_me()
        except TelegramError as error:
            if judge(error) is Failure.PASSING:
                if is_unauthorized(error):
                    self._tell_host()
                if not self.is_lost:
                    self.is_lost = True
                    log.warning("Can't reach Telegram: %s", error)
                self._tasks.later(REACHABLE_SECONDS, self._ask)
                return
        self._asks = False
        self.succeeded()

    # Chats.

    def lose(self, chat_id: int | None, thread_id: int | None = None) -> None:
        """Note that a board of a chat, in this topic, has become unreachable."""
        if chat_id is not None and chat_id not in self._lost:
            self._lost[chat_id] = time.monotonic(), thread_id
            self._looked_at.pop(chat_id, None)

    def find(self, chat_id: int, thread_id: int | None) -> None:
        """Note that a chat has taken a new message in this topic: it may take its boards again."""
        if chat_id in self._lost and self._lost[chat_id][1] == thread_id:
            del self._lost[chat_id]
            self._looked_at.pop(chat_id, None)
            self.hear_from(chat_id)

    def hear_from(self, chat_id: int, *, is_news: bool = False) -> None:
        """Show a chat's unreachable boards: somebody acts there or, with `is_news`, it may let the bot in.

        While it takes none of them, the pauses become ever longer, however often somebody acts.
        """
        now, looked = time.monotonic(), self._looked_at.get(chat_id, -math.inf)
        refused_for = looked - self._lost.get(chat_id, (math.inf, None))[0]
        if now - looked < max(CHAT_LOOK_SECONDS, LONGER * refused_for) and not is_news:
            return
        if is_news:
            self._lost.pop(chat_id, None)
        self._looked_at[chat_id] = now
        self._tasks.start(self._lag_again(chat_id, is_news=is_news))

    async def _lag_again(self, chat_id: int, *, is_news: bool) -> None:
        try:
            await self._store.run(versions.lag_again, chat_id=chat_id, under_way=is_news)
        except StorageError as error:
            log.debug("Couldn't mark a chat as reachable: %s", error)
            self.lose(chat_id)


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

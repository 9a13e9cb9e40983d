"""Whether Telegram can be reached, and whether chats that took no boards take them again."""

import logging
import math
import time
from typing import Final

from telegram import Bot
from telegram.error import TelegramError

from bot.delivery.tasks import Tasks
from bot.delivery.telegram_errors import Failure, is_unauthorized, judge
from bot.network.transport import reading
from bot.recent import Recent
from storage.errors import StorageError
from storage.games import versions
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

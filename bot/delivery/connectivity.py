"""Whether Telegram can be reached, and which chats may be reachable again."""

from __future__ import annotations

import logging
import time
from functools import partial
from typing import Final

from telegram import Bot
from telegram.error import TelegramError

from bot.delivery.tasks import Tasks
from bot.delivery.telegram_errors import Failure, is_unauthorized, judge
from bot.network.http_errors import reading
from bot.recent import Recent
from storage.errors import StorageError
from storage.games import versions
from storage.store import Store

log = logging.getLogger(__name__)

ASK_SECONDS: Final = 5.0
"""How often Telegram is asked whether it is reachable again: there may be no other call that would show it."""

TOLD_SECONDS: Final = 60.0
"""Minimum interval between two log lines that say that Telegram does not accept the token."""

LOOK_SECONDS: Final = 60.0
"""Minimum interval between looks for a chat's unreachable boards."""
REMEMBERED: Final = 10_000
"""The most chats for which the last look is remembered."""


class Connectivity:
    """Whether Telegram can be reached, as calls show, or an extra call if there are none."""

    def __init__(self, bot: Bot, tasks: Tasks) -> None:
        """Assume that Telegram can be reached; ask it as this bot."""
        self._bot = bot
        self._tasks = tasks
        self._told_at: float | None = None
        self._asks = False
        self.is_lost = False

    def fail(self, error: TelegramError, *, is_lost: bool = False) -> None:
        """Know that a call has failed for now; `is_lost` if that has lasted so long that the host should know."""
        if is_unauthorized(error):
            self._tell_host()
            is_lost = True
        if is_lost and not self._asks:
            self._asks = True
            self._tasks.start(self._ask())

    def succeeded(self) -> None:
        """Know that a call has succeeded."""
        if self.is_lost:
            self.is_lost = False
            log.warning("Telegram is reachable again")

    def _tell_host(self) -> None:
        now = time.monotonic()
        if self._told_at is None or now - self._told_at >= TOLD_SECONDS:
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
                self._lose(error)
                self._tasks.later(ASK_SECONDS, self._ask)
                return
        self._asks = False
        self.succeeded()

    def _lose(self, error: TelegramError) -> None:
        if is_unauthorized(error):
            self._tell_host()
        if not self.is_lost:
            self.is_lost = True
            log.warning("Can't reach Telegram: %s", error)


class Returns:
    """Lets unreachable boards lag again once something happens in their chat."""

    def __init__(self, store: Store, tasks: Tasks) -> None:
        """No chat has been looked at yet."""
        self._store = store
        self._tasks = tasks
        self._looked_at: Recent[int, float] = Recent(REMEMBERED)

    def lose(self, chat_id: int | None) -> None:
        """Know that a board of a chat has become unreachable."""
        if chat_id is not None:
            self._looked_at.pop(chat_id, None)

    def hear_from(self, chat_id: int, *, is_news: bool = False) -> None:
        """Show a chat's unreachable boards: somebody acts there or, with `is_news`, it may let the bot in."""
        now = time.monotonic()
        looked_at = self._looked_at.get(chat_id)
        if looked_at is not None and now - looked_at < LOOK_SECONDS and not is_news:
            return
        self._looked_at[chat_id] = now
        self._tasks.start(self._lag_again(chat_id, is_news=is_news))

    async def _lag_again(self, chat_id: int, *, is_news: bool) -> None:
        try:
            await self._store.run(partial(versions.lag_again, chat_id=chat_id, under_way=is_news))
        except StorageError as error:
            log.debug("Couldn't mark a chat as reachable: %s", error)
            self.lose(chat_id)

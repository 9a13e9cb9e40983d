"""Whether Telegram can be reached: known from calls that come through or fail, asked where there are none."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Final

from telegram.error import TelegramError

from bot.delivery.errors import Failure, judge

if TYPE_CHECKING:
    from telegram import Bot

    from bot.delivery.tasks import Tasks

log = logging.getLogger(__name__)

ASK_SECONDS: Final = 5.0
"""Telegram is asked so often whether it is there again: what waits for it to be may be all there is to do."""


class Reach:
    """Whether calls have failed in passing until they were given up, and none has come through since."""

    def __init__(self, bot: Bot, tasks: Tasks) -> None:
        """Telegram is thought to be there; ask it as this bot."""
        self._bot = bot
        self._tasks = tasks
        self.is_lost = False

    def lose(self, error: TelegramError) -> None:
        """Know that a call was given up."""
        if not self.is_lost:
            self.is_lost = True
            log.warning("Telegram cannot be reached: %s", error)
            self._tasks.later(ASK_SECONDS, self._ask)

    def find(self) -> None:
        """Know that a call has come through."""
        if self.is_lost:
            self.is_lost = False
            log.warning("Telegram can be reached again")

    async def _ask(self) -> None:
        if not self.is_lost:
            return
        try:
            await self._bot.get_me()
        except TelegramError as error:
            if judge(error) is Failure.PASSING:
                self._tasks.later(ASK_SECONDS, self._ask)
                return
        self.find()

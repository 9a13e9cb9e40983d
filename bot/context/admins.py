"""Finds out who is an administrator of a chat: asks Telegram when it matters, and remembers for a minute."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import Final

from telegram import Bot
from telegram.constants import ChatMemberStatus
from telegram.error import TelegramError

from bot.recent import Recent

log = logging.getLogger(__name__)

ASK_SECONDS: Final = 2.0
"""How long to wait for the answer; the tap that needs it waits, too."""
GOOD_SECONDS: Final = 60.0
"""How long an answer stays valid."""
MISSING_SECONDS: Final = 5.0
"""How soon Telegram is asked again after it didn't say."""
REMEMBERED: Final = 4096

ADMINISTRATORS: Final = (ChatMemberStatus.ADMINISTRATOR, ChatMemberStatus.OWNER)


class Admins:
    """What is known about the administrators of groups."""

    def __init__(self, bot: Bot) -> None:
        """Ask this bot's Telegram."""
        self._bot = bot
        self._known: Recent[tuple[int, int], tuple[float, asyncio.Task[bool]]] = Recent(REMEMBERED)

    async def is_admin(self, chat_id: int, person: int) -> bool:
        """Whether a person is an administrator of a group; False if Telegram doesn't say."""
        key = chat_id, person
        known = self._known.get(key)
        if known is None or time.monotonic() - known[0] > GOOD_SECONDS:
            known = self._known[key] = time.monotonic(), asyncio.create_task(self._ask(chat_id, person))
        return await asyncio.shield(known[1])

    async def _ask(self, chat_id: int, person: int) -> bool:
        try:
            async with asyncio.timeout(ASK_SECONDS):
                member = await self._bot.get_chat_member(chat_id, person)
        except (TelegramError, TimeoutError) as error:
            log.info("Couldn't get a chat's administrators: %s", error or "no answer", extra={"chat_id": chat_id})
            asyncio.get_running_loop().call_later(MISSING_SECONDS, self._known.pop, (chat_id, person), None)
            return False
        return member.status in ADMINISTRATORS

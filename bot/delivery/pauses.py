"""What several processes share of the pace: which chats Telegram has closed, and until when.

Each process keeps its own pace, so together they may be too fast for a chat. The first refusal closes the chat in
all of them, within the seconds of one look, and who was refused goes on at half its rate. To share every call
instead would cost each tap a statement more.
"""

from __future__ import annotations

import logging
import math
import time
from functools import partial
from typing import TYPE_CHECKING

from storage import pauses
from storage.errors import StorageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from bot.delivery.pace import Chat
    from bot.delivery.tasks import Tasks
    from storage.store import Store

log = logging.getLogger(__name__)


class Pauses:
    """The pauses of chats that are known to all processes."""

    def __init__(self, store: Store, tasks: Tasks, pause: Callable[[Chat, float], None]) -> None:
        """Share through this database; `pause` is told of chats that others were refused in, with the seconds."""
        self._store = store
        self._tasks = tasks
        self._pause = pause
        self._known: dict[str, int] = {}
        """Until when chats are closed, as far as this process knows; seconds since 1970."""

    def note(self, chat: Chat, seconds: float) -> None:
        """Let all others know that a chat is closed for so many seconds."""
        until = math.ceil(time.time() + seconds)
        self._known[str(chat)] = until
        self._tasks.start(self._store_pause(str(chat), until))

    async def learn(self) -> None:
        """Pause what others were refused in since the last look.

        Raises:
            StorageError: if the database cannot be used.
        """
        now = time.time()
        found = await self._store.run(partial(pauses.current, now=int(now)))
        for chat, until in found.items():
            if until > self._known.get(chat, 0):
                self._pause(_chat_of(chat), until - now)
        self._known = dict(found)

    async def _store_pause(self, chat: str, until: int) -> None:
        try:
            await self._store.run(partial(pauses.note, chat=chat, until=until))
        except StorageError as error:
            log.debug("A pause is not shared: %s", error)


def _chat_of(text: str) -> Chat:
    """A chat's id, or what stands for the chat of a message of inline mode, which may be a longer number."""
    try:
        number = int(text)
    except ValueError:
        return text
    return number if abs(number) < 2**52 else text

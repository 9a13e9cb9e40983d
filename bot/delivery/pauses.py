"""What several processes share of the pace: which chats Telegram has closed, and until when.

Each process keeps its own pace, so together they may be too fast for a chat. The first refusal closes the chat in
all of them, within the seconds of one look, and the process that was refused goes on at half its rate. To share
every call instead would cost each tap one more statement.
"""

from __future__ import annotations

import logging
import math
import time
from functools import partial
from typing import TYPE_CHECKING, Final

from storage import pauses
from storage.errors import StorageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from bot.delivery.pace import Chat
    from bot.delivery.tasks import Tasks
    from storage.store import Store

log = logging.getLogger(__name__)


AT_A_TIME_SECONDS: Final = 300
AGAIN_SECONDS: Final = 60
"""A long pause is shared for so long at a time, and again when so little of that is left: times in the database
are those of a clock that may be set."""


class Pauses:
    """The pauses of chats that are known to all processes."""

    def __init__(self, store: Store, tasks: Tasks, pause: Callable[[Chat, float], None]) -> None:
        """Share through this database; `pause` is told of chats that others were refused in, with the seconds."""
        self._store = store
        self._tasks = tasks
        self._pause = pause
        self._known: dict[str, int] = {}
        """Until when chats are closed, as far as this process knows; seconds since 1970."""
        self._own: dict[Chat, float] = {}
        """Until when chats are closed that this process was refused in, by `time.monotonic`."""

    def note(self, chat: Chat, seconds: float) -> None:
        """Let all others know that a chat is closed for so many seconds."""
        self._own[chat] = time.monotonic() + seconds
        self._share(chat, seconds)

    def _share(self, chat: Chat, seconds: float) -> None:
        until = math.ceil(time.time() + min(seconds, AT_A_TIME_SECONDS))
        self._known[str(chat)] = until
        self._tasks.start(self._store_pause(str(chat), until))

    async def learn(self) -> None:
        """Pause what others were refused in since the last look.

        Raises:
            StorageError: if the database cannot be used.
        """
        now = time.time()
        found = await self._store.read(partial(pauses.current, now=int(now)))
        for chat, until in found.items():
            if until > self._known.get(chat, 0):
                self._pause(_chat_of(chat), until - now)
        self._known = dict(found)
        self._own = {chat: until for chat, until in self._own.items() if until > time.monotonic()}
        for own, end in self._own.items():
            left = end - time.monotonic()
            if self._known.get(str(own), 0) < now + min(left, AGAIN_SECONDS):
                self._share(own, left)

    async def _store_pause(self, chat: str, until: int) -> None:
        try:
            await self._store.run(partial(pauses.note, chat=chat, until=until))
        except StorageError as error:
            log.debug("Couldn't share a pause: %s", error)


def _chat_of(text: str) -> Chat:
    """A chat's id, or what is known instead for a message of inline mode, which may be a longer number."""
    try:
        number = int(text)
    except ValueError:
        return text
    return number if abs(number) < 2**52 else text

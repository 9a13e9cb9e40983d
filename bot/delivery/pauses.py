"""Shares between processes which chats Telegram has closed, and until when.

Each process keeps a pace of its own, so together they may be too fast for a chat. The first refusal closes the
chat for all of them, as soon as they next look, and the process that was refused goes on at half its rate. Sharing
every call instead would cost each tap one more statement.
"""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable
from typing import Final

from bot.delivery.pace import Chat
from bot.delivery.tasks import Tasks
from storage import telegram
from storage.errors import StorageError
from storage.store import Store

log = logging.getLogger(__name__)


SHARED_SECONDS: Final = 300
EXTEND_SECONDS: Final = 60
"""A longer pause is shared for SHARED_SECONDS, and extended when EXTEND_SECONDS of that are left: times in the
database come from a clock that may be set back."""


SENDS: Final = "sends "
"""Before the name of a group that takes no new messages, and goes on taking edits."""


class Pauses:
    """The pauses of chats, as all processes know them."""

    def __init__(
        self,
        store: Store,
        tasks: Tasks,
        pause: Callable[[Chat, float], None],
        hold_sends: Callable[[Chat, float], None],
    ) -> None:
        """Share through this database; `pause` gets chats that refused other processes, and for how long.

        `hold_sends` gets groups that refused them new messages alone.
        """
        self._store = store
        self._tasks = tasks
        self._pause = pause
        self._hold_sends = hold_sends
        self._known: dict[str, int] = {}
        """Until when chats are closed, as the database had it; seconds since 1970."""
        self._own: dict[str, float] = {}
        """Until when chats are closed that refused this process, by `time.monotonic`."""

    def note(self, chat: Chat, seconds: float, *, sends: bool = False) -> None:
        """Tell other processes that a chat is closed for this long; with `sends`, to new messages alone."""
        name = f"{SENDS}{chat}" if sends else str(chat)
        self._own[name] = time.monotonic() + seconds
        self._share(name, seconds)

    def _share(self, name: str, seconds: float) -> None:
        until = math.ceil(time.time() + min(seconds, SHARED_SECONDS))
        self._known[name] = until
        self._tasks.start(self._store_pause(name, until))

    async def learn(self) -> None:
        """Pause the chats that have refused other processes since the last look."""
        now = time.time()
        found = await self._store.read(telegram.current_pauses, now=int(now))
        for chat, until in found.items():
            if until > self._known.get(chat, 0):
                tell = self._hold_sends if chat.startswith(SENDS) else self._pause
                tell(_chat_of(chat.removeprefix(SENDS)), until - now)
        self._known = dict(found)
        self._own = {chat: until for chat, until in self._own.items() if until > time.monotonic()}
        for own, end in self._own.items():
            left = end - time.monotonic()
            if self._known.get(own, 0) < now + min(left, EXTEND_SECONDS):
                self._share(own, left)

    async def _store_pause(self, chat: str, until: int) -> None:
        try:
            await self._store.run(telegram.note_pause, chat=chat, until=until)
        except StorageError as error:
            log.debug("Couldn't share a pause: %s", error)


def _chat_of(text: str) -> Chat:
    """A chat's id; for a message of inline mode the text itself, which may be a longer number."""
    try:
        number = int(text)
    except ValueError:
        return text
    return number if abs(number) < 2**52 else text

"""What is said apart from boards: replies, menus, and notices out of the outbox."""

from __future__ import annotations

import logging
from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, Final

from telegram.constants import ParseMode
from telegram.error import BadRequest

from bot.delivery.errors import Failure, judge
from bot.delivery.lane import Kind
from storage import outbox

if TYPE_CHECKING:
    from collections.abc import Sequence

    from telegram import Bot

    from bot.delivery.calls import Calls
    from bot.delivery.entries import Showing, Words
    from bot.delivery.lanes import Lanes
    from bot.metrics import Metrics
    from storage.store import Store

log = logging.getLogger(__name__)

PENDING: Final = 3
"""The most replies to one person that wait in one chat: whoever asks faster gets these."""


class WordCalls:
    """Says what waits in the lanes of all chats."""

    def __init__(
        self, bot: Bot, calls: Calls, store: Store, lanes: Lanes[Showing | Words], metrics: Metrics
    ) -> None:
        """Let words wait in these lanes, and send them by these calls, and pictures by the bot."""
        self._bot = bot
        self._calls = calls
        self._store = store
        self._lanes = lanes
        self._metrics = metrics
        self._pending: Counter[tuple[int, int | None]] = Counter()
        """Replies that wait, by chat and person."""
        self._notices: set[int] = set()
        """Notices that wait, by id."""

    @property
    def notices(self) -> Sequence[int]:
        """The notices that wait or are being said, by id."""
        return tuple(self._notices)

    def put(self, words: Words) -> None:
        """Let words wait, unless the same do, or as many as may for this person in this chat."""
        who = words.chat_id, words.person
        waits = self._lanes.waiting_for(words.chat_id, words.key) is not None
        if not waits and words.person is not None and self._pending[who] >= PENDING:
            self._metrics.dropped += 1
            return
        kind = Kind.REPLY if words.notice is None else Kind.UNPROMPTED
        if self._lanes.put(words.chat_id, words.key, words, kind) is None:
            self._metrics.dropped += 1
            log.debug("A message was dropped: too much waits", extra={"chat_id": words.chat_id})
        elif not waits:
            self.put_back(words)

    def put_back(self, words: Words) -> None:
        """Count words that wait, or wait again."""
        if words.notice is not None:
            self._notices.add(words.notice.id)
        elif words.person is not None:
            self._pending[words.chat_id, words.person] += 1

    async def send(self, words: Words) -> None:
        """Say what has come to its turn.

        Raises:
            TelegramError: if the call fails.
            StorageError: if it was said and that cannot be stored.
        """
        who = words.chat_id, words.person
        self._pending[who] -= 1
        if self._pending[who] <= 0:
            del self._pending[who]
        if words.message_id is not None:
            await self._replace(words, words.message_id)
            return
        try:
            if words.photo is None:
                message_id = await self._calls.send(words.view, words.chat_id, words.thread_id)
            else:
                message_id = await self._send_photo(words, words.photo)
        finally:
            if words.notice is not None:
                self._notices.discard(words.notice.id)
        if words.notice is not None:
            await self._store.run(partial(outbox.done, notice=words.notice, message_id=message_id))

    async def give_up(self, words: Words) -> None:
        """Forget a notice that cannot be said.

        Raises:
            StorageError: if that cannot be stored.
        """
        if words.notice is not None:
            await self._store.run(partial(outbox.done, notice=words.notice))

    async def _send_photo(self, words: Words, photo: bytes) -> int:
        sent = await self._bot.send_photo(
            words.chat_id,
            photo,
            caption=words.view.text,
            parse_mode=ParseMode.HTML,
            message_thread_id=words.thread_id,
            filename="results.png",
        )
        return sent.message_id

    async def _replace(self, words: Words, message_id: int) -> None:
        try:
            await self._calls.edit(words.view, chat_id=words.chat_id, message_id=message_id)
        except BadRequest as error:
            if judge(error) not in {Failure.UNCHANGED, Failure.GONE}:
                raise

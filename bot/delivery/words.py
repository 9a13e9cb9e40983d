"""What is said apart from boards: replies, menus, and notices out of the outbox."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections import Counter
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from telegram.constants import ParseMode
from telegram.error import BadRequest

from bot.delivery.errors import Failure, judge
from storage import outbox

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from telegram import Bot

    from bot.delivery.calls import Calls
    from bot.delivery.entries import Attachment, Picture, Showing, Words
    from bot.delivery.lanes import Lanes
    from bot.metrics import Metrics
    from storage.store import Store

log = logging.getLogger(__name__)

UPLOAD_SECONDS: Final = 120.0
"""For how long the sending of a file may take."""

UNANSWERED_SECONDS: Final = 60
UNANSWERED_FACTOR: Final = 4
MOST_FACTORS: Final = 5
"""A notice whose sending nobody has answered is sent again after so many seconds, then so many times as many, and
so on, up to most of a day: Telegram may have sent it."""
REMEMBERED: Final = 1024
"""The most notices of which that is known."""

FRESH_SECONDS: Final = 0.5
"""What has waited for longer is made once more before it is said, where that can be done."""

PENDING: Final = 3
"""The most replies to one person that wait in one chat: whoever asks faster gets these."""
MOST_FILES: Final = 50
"""The most files that wait behind another one of their chat."""


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
        self._files: dict[int, dict[Hashable, Words]] = {}
        """By chats with a file in their lane or under way: the files behind it, so that the parts of a big one
        come in their order, and one of them is in memory."""
        self._files_again: set[int] = set()
        """Chats whose file could not be sent, and waits in the lane again."""
        self._notices: set[int] = set()
        """Notices that wait, by id."""
        self._unanswered: Counter[int] = Counter()
        """How often notices were sent and not answered, by id."""
        self._said: dict[int, int | None] = {}
        """The messages of notices that were said, by id, until that is stored."""

    @property
    def notices(self) -> Sequence[int]:
        """The notices that wait or are being said, by id."""
        return tuple(self._notices)

    def put(self, words: Words) -> None:
        """Let words wait, unless the same do, or as many as may for this person in this chat."""
        who = words.chat_id, words.person
        behind = self._files.get(words.chat_id) if words.has_file else None
        waits = self._lanes.waiting_for(words.chat_id, words.key) is not None or words.key in (behind or ())
        if not waits and words.person is not None and self._pending[who] >= PENDING:
            self._metrics.dropped += 1
            return
        has_room = self._put_in_lane(words) if behind is None else waits or len(behind) < MOST_FILES
        if not has_room:
            self._metrics.dropped += 1
            log.debug("A message was dropped: too much waits", extra={"chat_id": words.chat_id})
        elif not waits:
            self._waits(words)
            if behind is not None:
                behind[words.key] = words
            elif words.has_file:
                self._files[words.chat_id] = {}

    def file_ended(self, words: Words) -> None:
        """Let the next file of a chat wait in its lane, unless this one waits there again."""
        if words.chat_id in self._files_again:
            self._files_again.discard(words.chat_id)
            return
        behind = self._files[words.chat_id]
        while behind:
            following = behind.pop(next(iter(behind)))
            if self._put_in_lane(following):
                return
            self._metrics.dropped += 1
            self._begins(following)
        del self._files[words.chat_id]

    def put_back(self, words: Words) -> None:
        """Note words that could not be said and wait again, perhaps under another key."""
        self._waits(words)
        if words.has_file:
            self._files_again.add(words.chat_id)

    async def send(self, words: Words) -> None:
        """Say what has come to its turn.

        Raises:
            TelegramError: if the call fails.
            StorageError: if it was said and that cannot be stored.
        """
        self._begins(words)
        try:
            message_id = await self._say(words)
        finally:
            if words.notice is not None:
                self._notices.discard(words.notice.id)
        if words.notice is not None:
            self._unanswered.pop(words.notice.id, None)
            if len(self._said) >= REMEMBERED:
                self._said.clear()
            self._said[words.notice.id] = message_id
            await self._store.run(partial(outbox.done, notice=words.notice, message_id=message_id))
            self._said.pop(words.notice.id, None)

    def _put_in_lane(self, words: Words) -> bool:
        return self._lanes.put(words.chat_id, words.key, words, words.kind) is not None

    def _waits(self, words: Words) -> None:
        """Count words that wait, or wait again."""
        if words.notice is not None:
            self._notices.add(words.notice.id)
        elif words.person is not None:
            self._pending[words.chat_id, words.person] += 1

    def _begins(self, words: Words) -> None:
        """Count words that wait no more."""
        who = words.chat_id, words.person
        self._pending[who] -= 1
        if self._pending[who] <= 0:
            del self._pending[who]

    async def _say(self, words: Words) -> int | None:
        """Say it as it is by now; the message that was sent, if one was."""
        if words.notice is not None and words.notice.id in self._said:
            return self._said[words.notice.id]
        if words.anew is not None and time.monotonic() - words.made_at > FRESH_SECONDS:
            view = await words.anew()
            if view is None:
                return None
            words = replace(words, view=view)
        if words.message_id is not None:
            await self._replace(words, words.message_id)
            return None
        if words.attachment is not None:
            return await self._send_file(words, words.attachment)
        if words.picture is None:
            return await self._calls.send(words.view, words.chat_id, words.thread_id)
        if words.picture.holds is None or await words.picture.holds():
            return await self._send_picture(words, words.picture)
        return None

    async def put_off(self, words: Words) -> None:
        """Leave a notice to the sweep that may have been said already: each time it is much later.

        Raises:
            StorageError: if that cannot be stored.
        """
        if words.notice is None:
            return
        if len(self._unanswered) >= REMEMBERED:
            self._unanswered.clear()
        seconds = UNANSWERED_SECONDS * UNANSWERED_FACTOR ** min(self._unanswered[words.notice.id], MOST_FACTORS)
        self._unanswered[words.notice.id] += 1
        until = int(time.time()) + seconds
        await self._store.run(partial(outbox.hold, ids=(words.notice.id,), until=until))

    async def give_up(self, words: Words) -> None:
        """Forget a notice that cannot be said.

        Raises:
            StorageError: if that cannot be stored.
        """
        if words.notice is not None:
            await self._store.run(partial(outbox.done, notice=words.notice))

    async def _send_picture(self, words: Words, picture: Picture) -> int | None:
        """Send a photo or an animation; None where its file is no longer kept, of which somebody is then told.

        Raises:
            TelegramError: if the call fails.
            StorageError: if it was sent and that cannot be stored.
        """
        view, content = words.view, picture.content
        how: dict[str, Any] = {
            "caption": view.text,
            "parse_mode": ParseMode.HTML,
            "message_thread_id": words.thread_id,
            "filename": picture.filename,
        }
        if view.keyboard is not None:
            how["api_kwargs"] = {"reply_markup": json.loads(view.keyboard)}
        send = self._bot.send_animation if picture.moving else self._bot.send_photo
        try:
            sent = await send(words.chat_id, content, **how)
        except BadRequest as error:
            if not isinstance(content, str) or picture.lost is None or judge(error) is not Failure.NO_FILE:
                raise
            picture.lost(content)
            return None
        kept = sent.animation or (sent.photo[-1] if sent.photo else None)
        if picture.sent is not None and kept is not None:
            await picture.sent(sent.message_id, kept.file_id)
        return sent.message_id

    async def _send_file(self, words: Words, attachment: Attachment) -> int:
        content = await asyncio.to_thread(attachment.read)
        sent = await self._bot.send_document(
            words.chat_id,
            content,
            caption=words.view.text,
            parse_mode=ParseMode.HTML,
            message_thread_id=words.thread_id,
            filename=attachment.name,
            disable_content_type_detection=True,
            read_timeout=UPLOAD_SECONDS,
        )
        if attachment.sent is not None:
            await attachment.sent()
        return sent.message_id

    async def _replace(self, words: Words, message_id: int) -> None:
        try:
            await self._calls.edit(words.view, chat_id=words.chat_id, message_id=message_id)
        except BadRequest as error:
            if judge(error) not in {Failure.UNCHANGED, Failure.GONE}:
                raise

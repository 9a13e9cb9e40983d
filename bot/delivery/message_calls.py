"""What is said apart from boards: replies, menus, and notices out of the outbox."""

from __future__ import annotations

import asyncio
import json
import logging
import math
import time
from collections import Counter
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from telegram.constants import ParseMode
from telegram.error import BadRequest

from bot.delivery.entries import OutgoingMessage
from bot.delivery.recent import Recent
from bot.delivery.telegram_errors import Failure, judge
from storage.games import outbox
from storage.games.notice import NoticeKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from telegram import Bot

    from bot.delivery.calls import Calls
    from bot.delivery.entries import Attachment, Picture, Showing
    from bot.delivery.lanes import Lanes
    from bot.metrics import Metrics
    from storage.games.notice import Notice
    from storage.store import Store

log = logging.getLogger(__name__)

UPLOAD_SECONDS: Final = 120.0
"""For how long the sending of a file may take."""

UNANSWERED_SECONDS: Final = (60, 240, 900)
"""A notice whose sending nobody has answered is sent again after so many seconds: Telegram may have sent it."""
IN_DOUBT_SECONDS: Final = (5, 10, 15)
"""Likewise where the answer was an error that leaves that open."""
REMEMBERED: Final = 1024
"""The most notices of which that is known."""

FRESH_SECONDS: Final = 0.5
"""What has waited for longer is made once more before it is said, where that can be done."""

PENDING: Final = 3
"""The most replies to one person that wait in one chat: whoever asks faster gets these, and hears so."""
TOLD_SECONDS: Final = 300.0
"""They hear so once in so many seconds."""
AGAIN_SECONDS: Final = {NoticeKind.ANIMATION: 30, NoticeKind.STILL: 30, NoticeKind.EXPORT: 60}
"""Within so many seconds after it was sent, the same is not sent once more."""


class MessageCalls:
    """Says what waits in the lanes of all chats."""

    def __init__(
        self, bot: Bot, calls: Calls, store: Store, lanes: Lanes[Showing | OutgoingMessage], metrics: Metrics
    ) -> None:
        """Let words wait in these lanes, and send them by these calls, and pictures by the bot."""
        self._bot = bot
        self._calls = calls
        self._store = store
        self._lanes = lanes
        self._metrics = metrics
        self._pending: Counter[tuple[int, int | None]] = Counter()
        """Replies that wait, by chat and person."""
        self._told_at: Recent[tuple[int, int | None], float] = Recent(REMEMBERED)
        """When people were told that they ask too fast, by chat and person."""
        self._notices: set[int] = set()
        """Notices that are being made, or wait, by id."""
        self._unanswered: Recent[int, int] = Recent(REMEMBERED)
        """How often notices were sent and not answered, by id."""
        self._said: Recent[int, int | None] = Recent(REMEMBERED)
        """The messages of notices that were said, by id, until that is stored."""

    @property
    def notices(self) -> Sequence[int]:
        """The notices that wait or are being said, by id."""
        return tuple(self._notices)

    def hold(self, notice: Notice) -> None:
        """Keep the sweep off a notice that is being made here."""
        self._notices.add(notice.id)

    def leave(self, notice: Notice) -> None:
        """Leave a notice to the sweep."""
        self._notices.discard(notice.id)

    def put(self, words: OutgoingMessage) -> None:
        """Let words wait, unless the same do, or as many as may for this person in this chat."""
        waits = self._lanes.waiting_for(words.chat_id, words.key) is not None
        if not waits and words.notice is None and self._pending[words.chat_id, words.person] >= PENDING:
            self._metrics.dropped += 1
            self._say_too_many(words)
        elif self._lanes.put(words.chat_id, words.key, words, words.kind, words.for_whom) is None:
            self._metrics.dropped += 1
            log.debug("Dropped a message: too many are waiting", extra={"chat_id": words.chat_id})
            if words.notice is not None:
                self.leave(words.notice)
        elif not waits:
            self.count_waiting(words)

    def _say_too_many(self, words: OutgoingMessage) -> None:
        """Tell somebody who asks faster than can be answered, once in a while."""
        who, now = (words.chat_id, words.person), time.monotonic()
        if words.too_many is None or now - self._told_at.get(who, -math.inf) < TOLD_SECONDS:
            return
        self._told_at[who] = now
        self.put(OutgoingMessage(words.chat_id, words.too_many, words.thread_id))

    async def send(self, words: OutgoingMessage) -> None:
        """Say what has come to its turn.

        Raises:
            TelegramError: if the call fails.
            StorageError: if it was said and that cannot be stored.
        """
        self._begins(words)
        try:
            message_id = await self._say(words)
            if words.notice is not None:
                await self._note_said(words, words.notice, message_id)
        except _NoFile:
            log.debug("Telegram no longer has a picture; the sweep will make it again")
        finally:
            if words.notice is not None:
                self.leave(words.notice)

    async def _note_said(self, words: OutgoingMessage, notice: Notice, message_id: int | None) -> None:
        self._unanswered.pop(notice.id, None)
        self._said[notice.id] = message_id
        keep = AGAIN_SECONDS.get(notice.kind, 0) if words.has_file else 0
        await self._store.run(partial(outbox.done, notice=notice, message_id=message_id, keep=keep))
        self._said.pop(notice.id, None)

    def count_waiting(self, words: OutgoingMessage) -> None:
        """Count a message that waits, or waits again, perhaps under another key."""
        if words.notice is not None:
            self.hold(words.notice)
        elif words.person is not None:
            self._pending[words.chat_id, words.person] += 1

    def _begins(self, words: OutgoingMessage) -> None:
        """Count words that wait no more."""
        who = words.chat_id, words.person
        if words.notice is None and words.person is not None:
            self._pending[who] -= 1
            if self._pending[who] <= 0:
                del self._pending[who]

    async def _say(self, words: OutgoingMessage) -> int | None:
        """Say it as it is by now; the message that was sent, if one was."""
        if words.notice is not None and words.notice.id in self._said:
            return self._said[words.notice.id]
        is_old = words.has_file or time.monotonic() - words.made_at > FRESH_SECONDS
        if (
            words.notice is not None
            and is_old
            and not await self._store.run(partial(outbox.is_wanted, notice=words.notice))
        ):
            return None
        if words.remake is not None and is_old:
            view = await words.remake()
            if view is None:
                return None
            words = replace(words, view=view)
        if words.message_id is not None:
            await self._replace(words, words.message_id)
            return None
        if words.attachment is not None:
            return await self._send_file(words, words.attachment)
        if words.picture is not None:
            return await self._send_picture(words, words.picture)
        return await self._calls.send(words.view, words.chat_id, words.thread_id, words.quoted)

    async def put_off(self, words: OutgoingMessage, *, answered: bool) -> None:
        """Leave a notice to the sweep that may have been said already, each time a little later.

        Raises:
            StorageError: if that cannot be stored.
        """
        if words.notice is None:
            return
        pauses = IN_DOUBT_SECONDS if answered else UNANSWERED_SECONDS
        tries = self._unanswered.get(words.notice.id, 0)
        seconds = pauses[min(tries, len(pauses) - 1)]
        self._unanswered[words.notice.id] = tries + 1
        until = int(time.time()) + seconds
        await self._store.run(partial(outbox.hold, ids=(words.notice.id,), until=until))

    async def give_up(self, words: OutgoingMessage) -> None:
        """Forget a notice that cannot be said.

        Raises:
            StorageError: if that cannot be stored.
        """
        if words.notice is not None:
            await self._store.run(partial(outbox.done, notice=words.notice))

    async def _send_picture(self, words: OutgoingMessage, picture: Picture) -> int:
        """Send a photo or an animation.

        Raises:
            TelegramError: if the call fails.
            StorageError: if it was sent and that cannot be stored.
            _NoFile: if Telegram does not keep it any more.
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
            await picture.lost(content)
            raise _NoFile from error
        kept = sent.animation or (sent.photo[-1] if sent.photo else None)
        if picture.sent is not None and kept is not None:
            await picture.sent(kept.file_id)
        return sent.message_id

    async def _send_file(self, words: OutgoingMessage, attachment: Attachment) -> int | None:
        """Send the parts of a file that Telegram does not have yet; the message of the last."""
        message_id = None
        while (part := attachment.sent) < len(attachment.names):
            sent = await self._bot.send_document(
                words.chat_id,
                await asyncio.to_thread(attachment.read, part),
                caption=attachment.captions[part],
                parse_mode=ParseMode.HTML,
                message_thread_id=words.thread_id,
                filename=attachment.names[part],
                disable_content_type_detection=True,
                read_timeout=UPLOAD_SECONDS,
            )
            attachment.sent, message_id = part + 1, sent.message_id
        return message_id

    async def _replace(self, words: OutgoingMessage, message_id: int) -> None:
        try:
            await self._calls.edit(words.view, chat_id=words.chat_id, message_id=message_id)
        except BadRequest as error:
            if judge(error) not in {Failure.UNCHANGED, Failure.GONE}:
                raise


class _NoFile(Exception):
    """A picture is no longer kept by Telegram."""

"""Sends messages that are not boards: replies, menus, and notices of the outbox."""

from __future__ import annotations

import asyncio
import json
import logging
import math
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

from telegram import Bot
from telegram.constants import ParseMode
from telegram.error import BadRequest

from bot.delivery.calls import Calls
from bot.delivery.entries import Attachment, OutgoingMessage, Picture, Showing
from bot.delivery.lanes import Lanes
from bot.delivery.telegram_errors import Failure, judge
from bot.metrics import Metrics
from bot.recent import Recent
from storage.games import outbox
from storage.games.notice import Notice, NoticeKind
from storage.store import Store

log = logging.getLogger(__name__)

UPLOAD_SECONDS: Final = 120.0
"""How long sending a file may take."""

UNANSWERED_SECONDS: Final = (60, 240, 900)
"""How long to wait before a notice is sent again whose sending had no answer: Telegram may have sent it."""
IN_DOUBT_SECONDS: Final = (5, 10, 15)
"""The same if the answer was an error that leaves open whether it was sent."""
REMEMBERED: Final = 1024
"""The most notices, and people, of whom something is remembered."""

FRESH_SECONDS: Final = 0.5
"""A message that has waited longer is made again before it is sent, if that is possible."""

PENDING: Final = 3
"""The most replies to one person that wait in one chat; somebody who asks for more is told so."""
TOLD_SECONDS: Final = 300.0
"""Minimum interval between two such warnings."""
REPEAT_SECONDS: Final = {NoticeKind.ANIMATION: 30, NoticeKind.STILL: 30, NoticeKind.EXPORT: 60}
"""How long after it was sent the same thing is not sent again."""


class MessageCalls:
    """Sends what waits in the lanes of all chats."""

    def __init__(
        self, bot: Bot, calls: Calls, store: Store, lanes: Lanes[Showing | OutgoingMessage], metrics: Metrics
    ) -> None:
        """Let messages wait in these lanes, send them by these calls, and pictures and files by the bot."""
        self._bot = bot
        self._calls = calls
        self._store = store
        self._lanes = lanes
        self._metrics = metrics
        self._pending: Counter[tuple[int, int | None]] = Counter()
        """How many replies wait, by chat and person."""
        self._told_at: Recent[tuple[int, int | None], float] = Recent(REMEMBERED)
        """When people were last told that they ask too fast, by chat and person."""
        self._notices: set[int] = set()
        """The ids of notices that are being made or wait."""
        self._unanswered: Recent[int, int] = Recent(REMEMBERED)
        """How often notices were sent without an answer, by id."""
        self._said: Recent[int, int | None] = Recent(REMEMBERED)
        """The message ids of notices that were sent, by the notice's id, until that is stored."""

    @property
    def notices(self) -> Sequence[int]:
        """The ids of notices that are being made, wait or are being sent."""
        return tuple(self._notices)

    def hold(self, notice: Notice) -> None:
        """Keep the sweep off a notice that is being made here."""
        self._notices.add(notice.id)

    def leave(self, notice: Notice) -> None:
        """Leave a notice to the sweep."""
        self._notices.discard(notice.id)

    def put(self, message: OutgoingMessage) -> None:
        """Send or replace a message in its turn, unless the same waits already, or too many do for this person."""
        waits = self._lanes.waiting_for(message.chat_id, message.key) is not None
        if not waits and message.notice is None and self._pending[message.chat_id, message.person] >= PENDING:
            self._metrics.dropped.inc()
            self._say_too_many(message)
        elif self._lanes.put(message.chat_id, message) is None:
            self._metrics.dropped.inc()
            log.debug("Dropped a message: too many are waiting", extra={"chat_id": message.chat_id})
            if message.notice is not None:
                self.leave(message.notice)
            self._say_too_many(message)
        elif not waits:
            self.count_waiting(message)

    def _say_too_many(self, message: OutgoingMessage) -> None:
        """Tell somebody who asks faster than we can answer, from time to time."""
        who, now = (message.chat_id, message.person), time.monotonic()
        if message.too_many is not None and now - self._told_at.get(who, -math.inf) >= TOLD_SECONDS:
            self._told_at[who] = now
            self.put(OutgoingMessage(message.chat_id, message.too_many, message.thread_id))

    async def send(self, message: OutgoingMessage) -> None:
        """Send a message whose turn has come.

        Raises:
            TelegramError: if the call fails.
            StorageError: if it was sent and that cannot be stored.
        """
        self._begins(message)
        try:
            message_id = await self._say(message)
            if message.notice is not None:
                await self._note_said(message, message.notice, message_id)
        except _NoFile:
            log.debug("Telegram no longer has a picture; the sweep will make it again")
        finally:
            if message.notice is not None:
                self.leave(message.notice)

    async def _note_said(self, message: OutgoingMessage, notice: Notice, message_id: int | None) -> None:
        self._unanswered.pop(notice.id, None)
        self._said[notice.id] = message_id
        keep = REPEAT_SECONDS.get(notice.kind, 0) if message.has_file else 0
        await self._store.run(partial(outbox.done, notice=notice, message_id=message_id, keep=keep))
        self._said.pop(notice.id, None)

    def count_waiting(self, message: OutgoingMessage) -> None:
        """Count a message that waits, or waits again, perhaps under another key."""
        if message.notice is not None:
            self.hold(message.notice)
        elif message.person is not None:
            self._pending[message.chat_id, message.person] += 1

    def _begins(self, message: OutgoingMessage) -> None:
        """Count a message that no longer waits."""
        who = message.chat_id, message.person
        if message.notice is None and message.person is not None:
            self._pending[who] -= 1
            if self._pending[who] <= 0:
                del self._pending[who]

    async def _say(self, message: OutgoingMessage) -> int | None:
        """Send it as it is by now; the id of the message that was sent, if any."""
        if message.notice is not None and message.notice.id in self._said:
            return self._said[message.notice.id]
        is_old = message.has_file or time.monotonic() - message.made_at > FRESH_SECONDS
        if (
            message.notice is not None
            and is_old
            and not await self._store.run(partial(outbox.is_wanted, notice=message.notice))
        ):
            return None
        if message.remake is not None and is_old:
            view = await message.remake()
            if view is None:
                return None
            message = replace(message, view=view)
        if message.message_id is not None:
            await self._replace(message, message.message_id)
            return None
        if message.attachment is not None:
            return await self._send_file(message, message.attachment)
        if message.picture is not None:
            return await self._send_picture(message, message.picture)
        return await self._calls.send(message.view, message.chat_id, message.thread_id, message.quoted)

    async def put_off(self, message: OutgoingMessage, *, answered: bool) -> None:
        """Leave a notice that may have been sent already to the sweep, each time for longer.

        Raises:
            StorageError: if that cannot be stored.
        """
        if message.notice is None:
            return
        pauses = IN_DOUBT_SECONDS if answered else UNANSWERED_SECONDS
        tries = self._unanswered.get(message.notice.id, 0)
        seconds = pauses[min(tries, len(pauses) - 1)]
        self._unanswered[message.notice.id] = tries + 1
        until = int(time.time()) + seconds
        await self._store.run(partial(outbox.hold, ids=(message.notice.id,), until=until))

    async def give_up(self, message: OutgoingMessage) -> None:
        """Delete a notice that cannot be sent.

        Raises:
            StorageError: if that cannot be stored.
        """
        if message.notice is not None:
            await self._store.run(partial(outbox.done, notice=message.notice))

    async def _send_picture(self, message: OutgoingMessage, picture: Picture) -> int:
        """Send a photo or an animation.

        Raises:
            TelegramError: if the call fails.
            StorageError: if it was sent and that cannot be stored.
            _NoFile: if Telegram no longer has it.
        """
        view, content = message.view, picture.content
        how: dict[str, Any] = {
            "caption": view.text,
            "parse_mode": ParseMode.HTML,
            "message_thread_id": message.thread_id,
            "filename": picture.filename,
        }
        if view.keyboard is not None:
            how["api_kwargs"] = {"reply_markup": json.loads(view.keyboard)}
        send = self._bot.send_animation if picture.moving else self._bot.send_photo
        try:
            sent = await send(message.chat_id, content, **how)
        except BadRequest as error:
            if not isinstance(content, str) or picture.on_lost is None or judge(error) is not Failure.NO_FILE:
                raise
            await picture.on_lost(content)
            raise _NoFile from error
        kept = sent.animation or (sent.photo[-1] if sent.photo else None)
        if picture.on_sent is not None and kept is not None:
            await picture.on_sent(kept.file_id)
        return sent.message_id

    async def _send_file(self, message: OutgoingMessage, attachment: Attachment) -> int | None:
        """Send the parts of a file that Telegram does not have yet; the message id of the last."""
        message_id = None
        while (part := attachment.sent) < len(attachment.names):
            sent = await self._bot.send_document(
                message.chat_id,
                await asyncio.to_thread(attachment.read, part),
                caption=attachment.captions[part],
                parse_mode=ParseMode.HTML,
                message_thread_id=message.thread_id,
                filename=attachment.names[part],
                disable_content_type_detection=True,
                read_timeout=UPLOAD_SECONDS,
            )
            attachment.sent, message_id = part + 1, sent.message_id
        return message_id

    async def _replace(self, message: OutgoingMessage, message_id: int) -> None:
        try:
            await self._calls.edit(message.view, chat_id=message.chat_id, message_id=message_id)
        except BadRequest as error:
            if judge(error) not in {Failure.UNCHANGED, Failure.GONE}:
                raise


class _NoFile(Exception):
    """Telegram no longer has a picture."""

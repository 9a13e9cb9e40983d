"""Messages that are no boards, and answers to taps: the calls that send them.

They use the transport directly, with bodies written here. The methods of `Bot` turn each parameter into objects
and back, rebuild the keyboard from its buttons, and parse a whole message out of every answer: a fifth of what a
tap costs (benchmarks/README.md). All other calls go through `Bot`.
"""

from __future__ import annotations

import asyncio
import json
import logging
import math
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from http import HTTPStatus
from typing import Any, Final

from telegram import Bot, InlineQueryResult
from telegram.constants import ParseMode
from telegram.error import BadRequest, TelegramError

from bot.boards.view import View
from bot.delivery.entries import Attachment, OutgoingMessage, Picture, Showing
from bot.delivery.lanes import Lanes
from bot.delivery.pace import Kind
from bot.delivery.tasks import Tasks
from bot.delivery.telegram_errors import Failure, judge, pause
from bot.language import N_, _, speaking
from bot.metrics import Metrics
from bot.network.transport import Foreign, Transport
from bot.recent import Recent
from storage.errors import StorageError
from storage.games import outbox
from storage.games.record import Notice, NoticeKind
from storage.people import people
from storage.store import Store


class Calls:
    """The calls that a tap needs; errors are those of `telegram.error`."""

    def __init__(self, transport: Transport, base_url: str) -> None:
        """Call by this transport; `base_url` is the bot's, with its token."""
        self._transport = transport
        self._base_url = base_url

    async def edit(
        self,
        view: View,
        *,
        chat_id: int | None = None,
        message_id: int | None = None,
        inline_message_id: str | None = None,
    ) -> None:
        """Replace a message's text and keyboard by a view; a view without a keyboard removes the old one."""
        if inline_message_id is not None:
            where: dict[str, Any] = {"inline_message_id": inline_message_id}
        else:
            where = {"chat_id": chat_id, "message_id": message_id}
        await self._call("editMessageText", where, view)

    async def send(
        self,
        view: View,
        chat_id: int,
        thread_id: int | None = None,
        quoted: int | None = None,
        *,
        silent: bool = False,
    ) -> int:
        """Send a view as a new message, perhaps as a reply to one (`quoted`); the result is its id."""
        where: dict[str, Any] = {"chat_id": chat_id}
        if silent:
            where["disable_notification"] = True
        if thread_id is not None:
            where["message_thread_id"] = thread_id
        if quoted is not None:
            where["reply_parameters"] = {"message_id": quoted, "allow_sending_without_reply": True}
        sent = await self._call("sendMessage", where, view)
        try:
            return int(sent["message_id"])
        except (TypeError, KeyError, ValueError):
            raise Foreign(HTTPStatus.OK) from None

    async def answer(self, parameters: dict[str, Any]) -> None:
        await self._call("answerCallbackQuery", parameters)

    async def _call(self, method: str, parameters: dict[str, Any], view: View | None = None) -> Any:  # noqa: ANN401 - JSON
        if view is not None:
            parameters |= {"text": view.text, "parse_mode": "HTML", "link_preview_options": {"is_disabled": True}}
        body = json.dumps(parameters)
        if view is not None and view.keyboard is not None:
            body = f'{body[:-1]}, "reply_markup": {view.keyboard}}}'
        return await self._transport.call(f"{self._base_url}/{method}", body.encode())


log = logging.getLogger(__name__)

LONGEST_WAIT: Final = 5
"""The most seconds that an answer waits when Telegram slows us down; after that nobody looks for it."""
PAUSES_SECONDS: Final = (0.25, 1.0)
"""How long to wait before an answer that failed for now is tried again."""
MOST_ANSWERS: Final = 5_000
"""The most answers under way: if there are more, Telegram hangs, and they are stale anyway."""


class Reply:
    """Room for one call in the response to a webhook's request.

    Telegram carries it out, which saves us a request, and does not say how it went (Bot API, "Making requests when
    getting updates"). For the answer to a tap that is good enough: it is soon too late anyway.
    """

    def __init__(self, is_awaited: Callable[[], bool]) -> None:
        """No call yet; `is_awaited` tells whether somebody still waits for the response."""
        self._is_awaited = is_awaited
        self.body: bytes | None = None
        """The call, as JSON."""
        self._open = True

    def close(self) -> None:
        """Take no more calls: the response is on its way."""
        self._open = False

    def answer(self, parameters: dict[str, object]) -> bool:
        """Answer a tap in this response; False if there is no more room."""
        if not self._open or not self._is_awaited():
            return False
        self._open = False
        self.body = json.dumps({"method": "answerCallbackQuery", **parameters}).encode()
        return True


class Answers:
    """Sends answers, each in a task of its own."""

    def __init__(self, bot: Bot, calls: Calls, metrics: Metrics) -> None:
        self._bot = bot
        self._calls = calls
        self._tasks = Tasks()
        self._metrics = metrics

    def answer(
        self,
        query_id: str,
        text: str | None = None,
        *,
        alert: bool = False,
        url: str | None = None,
        reply: Reply | None = None,
    ) -> None:
        """Answer a tap, with a text (a toast or an alert) or a link to open; in `reply`, if there is room."""
        parameters: dict[str, Any] = {"callback_query_id": query_id}
        if text is not None:
            parameters["text"] = text
        if alert:
            parameters["show_alert"] = True
        if url is not None:
            parameters["url"] = url
        if reply is None or not reply.answer(parameters):
            self._start(lambda: self._calls.answer(parameters))

    def offer(self, query_id: str, results: Sequence[InlineQueryResult]) -> None:
        """Answer an inline query with this person's own results, which Telegram must not cache for others."""
        self._start(lambda: self._bot.answer_inline_query(query_id, results, cache_time=0, is_personal=True))

    async def close(self, seconds: float) -> None:
        """Wait for what is under way, for at most this many seconds; then cancel it."""
        await self._tasks.close(seconds)

    def _start(self, call: Callable[[], Awaitable[object]]) -> None:
        if len(self._tasks) < MOST_ANSWERS:
            self._tasks.start(self._answer(call))
        else:
            self._metrics.dropped.inc()

    async def _answer(self, call: Callable[[], Awaitable[object]]) -> None:
        for again in (*PAUSES_SECONDS, None):
            try:
                await call()
            except TelegramError as error:
                failure, wait = judge(error), pause(error)
                self._metrics.failed(failure.value)
                if failure not in {Failure.PASSING, Failure.SLOW_DOWN} or again is None or wait > LONGEST_WAIT:
                    log.debug("Couldn't answer a tap or an inline query: %s", error)
                    return
                await asyncio.sleep(wait or again)
            else:
                return


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
STALE_SECONDS: Final = 150
"""A reply that has failed for this long is dropped: the person has asked again, or left."""
HELD_SECONDS: Final = 5.0
"""If a group takes no new messages for longer, the person who asked for one is told so in their own chat."""
HELD: Final = N_(
    "Telegram isn't taking new messages from me in your group at the moment, probably because of slow mode. "
    "The boards there go on, and here I can answer right away."
)
REPEAT_SECONDS: Final = {NoticeKind.ANIMATION: 30, NoticeKind.STILL: 30, NoticeKind.EXPORT: 60}
"""How long after it was sent the same thing is not sent again."""


class MessageCalls:
    """Sends what waits in the lanes of all chats."""

    def __init__(  # noqa: PLR0917
        self,
        bot: Bot,
        calls: Calls,
        store: Store,
        lanes: Lanes[Showing | OutgoingMessage],
        metrics: Metrics,
        tasks: Tasks,
    ) -> None:
        self._bot = bot
        self._calls = calls
        self._store = store
        self._lanes = lanes
        self._metrics = metrics
        self._tasks = tasks
        self._pending: Counter[tuple[int, int | None]] = Counter()
        """How many replies wait, by chat and person."""
        self._told_at: Recent[tuple[int, int | None], float] = Recent(REMEMBERED)
        """When people were last told that they ask too fast, by chat and person."""
        self._told_held: Recent[tuple[int, int], float] = Recent(REMEMBERED)
        """When people were last told that a group takes no new messages, by group and person."""
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
        if message.is_send:
            self.tell_held(message)
        if self.is_pointless(message):
            return
        if not waits and message.notice is None and self._pending[message.chat_id, message.person] >= PENDING:
            self._metrics.dropped.inc()
            self._say_too_many(message)
        elif self._lanes.put(message.chat_id, message) is None:
            self._drop(message)
        elif not waits:
            self.count_waiting(message)

    def no_room(self, message: OutgoingMessage) -> None:
        """Let go of a message that has waited, and for which there is no more room."""
        self._begins(message)
        self._drop(message)

    def _drop(self, message: OutgoingMessage) -> None:
        self._metrics.dropped.inc()
        log.debug("Dropped a message: too many are waiting", extra={"chat_id": message.chat_id})
        if message.notice is not None:
            self.leave(message.notice)
        self._say_too_many(message)

    def is_pointless(self, entry: Showing | OutgoingMessage) -> bool:
        """Whether a reply would come so late, in a group that takes no new messages, that nobody looks for it."""
        if not isinstance(entry, OutgoingMessage) or entry.notice is not None or not entry.is_send:
            return False
        return self._lanes.sends_held(entry.chat_id) > STALE_SECONDS

    def tell_held(self, entry: Showing | OutgoingMessage) -> None:
        """Tell the person who asked for a new message, in private, if their group takes none for a while."""
        chat, person, now = entry.chat_id, entry.for_whom, time.monotonic()
        if chat is None or chat > 0 or not person or entry.kind is Kind.UNPROMPTED:
            return
        who = chat, person
        is_news = now - self._told_held.get(who, -math.inf) >= TOLD_SECONDS
        if is_news and self._lanes.sends_held(chat) > HELD_SECONDS:
            self._told_held[who] = now
            self._tasks.start(self._tell_held(person))

    async def _tell_held(self, person: int) -> None:
        try:
            language = await self._store.read(people.language_of, person_id=person)
        except StorageError:
            return
        with speaking(language):
            self.put(OutgoingMessage(person, View(_(HELD))))

    def _say_too_many(self, message: OutgoingMessage) -> None:
        who, now = (message.chat_id, message.person), time.monotonic()
        if message.too_many is not None and now - self._told_at.get(who, -math.inf) >= TOLD_SECONDS:
            self._told_at[who] = now
            self.put(OutgoingMessage(message.chat_id, message.too_many, message.thread_id))

    async def send(self, message: OutgoingMessage) -> None:
        """Send a message whose turn has come; a StorageError means that it was sent and that cannot be stored."""
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
        await self._store.run(outbox.done, notice=notice, message_id=message_id, keep=keep)
        self._said.pop(notice.id, None)

    def count_waiting(self, message: OutgoingMessage) -> None:
        """Count a message that waits, or waits again, perhaps under another key."""
        if message.notice is not None:
            self.hold(message.notice)
        elif message.person is not None:
            self._pending[message.chat_id, message.person] += 1

    def _begins(self, message: OutgoingMessage) -> None:
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
            and not await self._store.run(outbox.is_wanted, notice=message.notice)
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
        """Leave a notice that may have been sent already to the sweep, each time for longer."""
        if message.notice is None:
            return
        pauses = IN_DOUBT_SECONDS if answered else UNANSWERED_SECONDS
        tries = self._unanswered.get(message.notice.id, 0)
        seconds = pauses[min(tries, len(pauses) - 1)]
        self._unanswered[message.notice.id] = tries + 1
        until = int(time.time()) + seconds
        await self._store.run(outbox.hold, ids=(message.notice.id,), until=until)

    async def give_up(self, message: OutgoingMessage) -> None:
        """Delete a notice that cannot be sent."""
        if message.notice is not None:
            await self._store.run(outbox.done, notice=message.notice)

    async def _send_picture(self, message: OutgoingMessage, picture: Picture) -> int:
        """Send a photo or an animation; raises _NoFile if Telegram no longer has it, else as `send` does."""
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

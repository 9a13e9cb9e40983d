"""Messages that are no boards: how they wait and are sent, and what a failed call means for them."""

import asyncio
import logging
import math
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final

import orjson
from telegram.constants import ParseMode
from telegram.error import BadRequest, TelegramError

from bot.boards.view import View
from bot.delivery.calls import place_of
from bot.delivery.entries import Attachment, MakeAgain, OutgoingMessage, Picture, Showing
from bot.delivery.pace import Chat, Kind
from bot.delivery.recovery import Delivery, Means
from bot.delivery.tasks import Tasks
from bot.delivery.telegram_errors import Failure, is_blocked, judge, was_answered, was_refused
from bot.language import N_, _, speaking
from bot.network.transport import Unanswered
from bot.recent import Recent
from storage.errors import StorageError
from storage.games import outbox
from storage.games.record import UNASKED, Notice, NoticeKind
from storage.people import people, puzzles

log = logging.getLogger(__name__)

UPLOAD_SECONDS: Final = 120.0
"""How long sending a file may take."""

UNANSWERED_SECONDS: Final = (60, 240, 900)
"""How long to wait before a notice is sent again whose sending had no answer: Telegram may have sent it."""
IN_DOUBT_SECONDS: Final = (5, 10, 15)
"""The same if the answer was an error that leaves open whether it was sent."""
REMEMBERED_NOTICES: Final = 1024
"""The most notices, and people, of whom something is remembered."""

FRESH_SECONDS: Final = 0.5
"""A message that has waited longer is made again before it is sent, if that is possible."""

PENDING: Final = 3
"""The most replies to one person that wait in one chat; somebody who asks for more is told so."""
PENDING_TOLD_SECONDS: Final = 300.0
"""Minimum interval between two such warnings."""
STALE_SECONDS: Final = 150
"""A reply that has failed for this long is dropped: the person has asked again, or left."""
GROUP_HELD_SECONDS: Final = 5.0
"""If a group takes no new messages for longer, the person who asked for one is told so in their own chat."""
FORBIDDEN_SECONDS: Final = 600.0
"""For so long no picture of a kind is sent to a group that has forbidden it: each try would be an upload."""
GROUP_HELD: Final = N_(
    "Telegram isn't taking new messages from me in your group at the moment, probably because of slow mode. "
    "The boards there go on, and here I can answer right away."
)
SHARED_PICTURES: Final = (NoticeKind.ANIMATION, NoticeKind.STILL, NoticeKind.RIVALS, NoticeKind.RIVALS_CARD)
REPEAT_SECONDS: Final = {
    **dict.fromkeys(SHARED_PICTURES, 30),
    NoticeKind.EXPORT: 60,
    NoticeKind.BEATEN: 24 * 3600,
}
"""How long after it was sent the same thing is not sent again."""


class NotYet(Exception):
    """It is too early for a notice."""


class Messages(Delivery[OutgoingMessage]):
    """Sends messages, in the lanes of their chats."""

    def __init__(self, means: Means) -> None:
        super().__init__(means)
        self._uploads = Tasks()
        self._pending: Counter[tuple[int, int | None]] = Counter()
        """How many replies wait, by chat and person."""
        self._told_at: Recent[tuple[int, int | None], float] = Recent(REMEMBERED_NOTICES)
        """When people were last told that they ask too fast, by chat and person."""
        self._told_held: Recent[tuple[int, int], float] = Recent(REMEMBERED_NOTICES)
        """When people were last told that a group takes no new messages, by group and person."""
        self._forbidden: Recent[tuple[int, bool], tuple[float, BadRequest]] = Recent(REMEMBERED_NOTICES)
        """When groups last refused pictures that move, or don't, and how."""
        self._notices: set[int] = set()
        """The ids of notices that are being made or wait."""
        self._unanswered: Recent[int, int] = Recent(REMEMBERED_NOTICES)
        """How often notices were sent without an answer, by id."""
        self._said: Recent[int, int | None] = Recent(REMEMBERED_NOTICES)
        """The message ids of notices that were sent, by the notice's id, until that is stored."""

    @property
    def notices(self) -> Sequence[int]:
        """The ids of notices that are being made, wait or are being sent."""
        return tuple(self._notices)

    def tell(self, notice: Notice, person: int | None = None) -> None:
        """Make and send a notice of the outbox, which this process has claimed, unless it's doing so already.

        With a `person` it is of their share of a group's pace.
        """
        if notice.id not in self._notices:
            self._notices.add(notice.id)
            self._means.tasks.start(self._tell(notice, person))

    async def _tell(self, notice: Notice, person: int | None) -> None:
        try:
            message = await self._means.ties.message_of(notice)
            if message is not None:
                self.put(replace(message, person=message.person or person))
                return
            await self._store.run(outbox.done, notice=notice)
        except StorageError as error:
            log.debug("Can't make a notice now; the sweep will: %s", error)
        except NotYet:
            log.debug("It's too early for a notice; the sweep will send it")
        except Exception:
            log.exception("Couldn't make a notice; it's dropped")
            with suppress(StorageError):
                await self._store.run(outbox.done, notice=notice)
        self._notices.discard(notice.id)

    def put(self, message: OutgoingMessage) -> None:
        """Send or replace a message in its turn, unless the same waits already, or too many do for this person."""
        older = self._lanes.waiting_for(message.chat_id, message.key)
        if isinstance(older, OutgoingMessage) and older.notice is not None and older.notice != message.notice:
            self._leave(older)  # a cup's, which has gone on
        if message.is_send:
            self.tell_held(message)
        if self._is_pointless(message):
            return
        if older is None and _is_reply(message) and self._pending[message.chat_id, message.person] >= PENDING:
            self._means.metrics.dropped.inc()
            self._say_too_many(message)
            return
        if older is None:
            self._count_waiting(message)
        self._lanes.put(message.chat_id, message, self)

    def dropped(self, entry: OutgoingMessage) -> None:
        self._begins(entry)
        self._means.metrics.dropped.inc()
        log.debug("Dropped a message: too many are waiting", extra={"chat_id": entry.chat_id})
        super().dropped(entry)
        self._say_too_many(entry)

    async def deliver(self, chat: Chat, entry: OutgoingMessage) -> None:
        if entry.has_file:
            # It may take minutes, and needs no order among other messages: its lane goes on meanwhile.
            self._uploads.start(super().deliver(chat, entry))
        else:
            await super().deliver(chat, entry)

    async def close(self, seconds: float) -> None:
        """Wait for the files under way, for at most this many seconds; then cancel them."""
        await self._uploads.close(seconds)

    def _is_pointless(self, message: OutgoingMessage) -> bool:
        """Whether a reply would come so late, in a group that takes no new messages, that nobody looks for it."""
        is_new_reply = message.notice is None and message.is_send
        return is_new_reply and self._lanes.sends_held(message.chat_id) > STALE_SECONDS

    def tell_held(self, entry: Showing | OutgoingMessage) -> None:
        """Tell the person who asked for a new message, in private, if their group takes none for a while."""
        chat, person, now = entry.chat_id, entry.for_whom, time.monotonic()
        if chat is None or chat > 0 or not person or entry.kind is Kind.UNPROMPTED:
            return
        who = chat, person
        is_news = now - self._told_held.get(who, -math.inf) >= PENDING_TOLD_SECONDS
        if is_news and self._lanes.sends_held(chat) > GROUP_HELD_SECONDS:
            self._told_held[who] = now
            self._means.tasks.start(self._tell_held(person))

    async def _tell_held(self, person: int) -> None:
        try:
            language = await self._store.read(people.language_for, person_id=person)
        except StorageError:
            return
        with speaking(language):
            self.put(OutgoingMessage(person, View(_(GROUP_HELD))))

    def _say_too_many(self, message: OutgoingMessage) -> None:
        who, now = (message.chat_id, message.person), time.monotonic()
        if message.too_many is not None and now - self._told_at.get(who, -math.inf) >= PENDING_TOLD_SECONDS:
            self._told_at[who] = now
            self.put(OutgoingMessage(message.chat_id, message.too_many, message.thread_id, message.reply_to))

    async def _send(self, entry: OutgoingMessage) -> None:
        """Send a message; a StorageError means that it was sent and that cannot be stored."""
        self._begins(entry)
        try:
            message_id = await self._say(entry)
            if entry.notice is not None:
                await self._note_said(entry, entry.notice, message_id)
        except MakeAgain:
            log.debug("A picture is gone, or of the past; the sweep will make it again")
        finally:
            self._leave(entry)
        self._succeeded(entry)

    async def _note_said(self, message: OutgoingMessage, notice: Notice, message_id: int | None) -> None:
        self._unanswered.pop(notice.id, None)
        self._said[notice.id] = message_id
        # A picture without a file says that it can't be drawn, and may be asked for again.
        is_made = message.has_file or notice.kind in UNASKED or notice.kind is NoticeKind.RIVALS
        keep = REPEAT_SECONDS.get(notice.kind, 0) if is_made else 0
        await self._store.run(outbox.done, notice=notice, message_id=message_id, keep=keep)
        self._said.pop(notice.id, None)

    def _count_waiting(self, message: OutgoingMessage) -> None:
        """Count a message that waits, or waits again, perhaps under another key."""
        if message.notice is not None:
            self._notices.add(message.notice.id)
        elif _is_reply(message):
            self._pending[message.chat_id, message.person] += 1

    def _begins(self, message: OutgoingMessage) -> None:
        who = message.chat_id, message.person
        if _is_reply(message):
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
        return await self._means.calls.send(
            message.view, message.chat_id, message.thread_id, message.reply_to, silent=message.is_silent
        )

    # When a call has failed.

    def _leave(self, entry: OutgoingMessage) -> None:
        if entry.notice is not None:
            self._notices.discard(entry.notice.id)

    async def _give_up(self, entry: OutgoingMessage) -> None:
        self._failing_since.pop(entry.key, None)
        if entry.notice is not None:
            await self._store.run(outbox.done, notice=entry.notice)

    def _move(self, entry: OutgoingMessage, chat_id: int) -> None:
        if entry.is_send and entry.notice is None:
            self.put(replace(entry, chat_id=chat_id))

    def _wait_for_sends(self, chat: Chat, entry: OutgoingMessage) -> None:
        self.tell_held(entry)
        if not self._is_pointless(entry):
            self._put_back(chat, entry)

    def _patience(self, entry: OutgoingMessage) -> float:
        return STALE_SECONDS if entry.notice is None else super()._patience(entry)

    def _put_back(self, chat: Chat, entry: OutgoingMessage, *, after: float = 0.0) -> bool:
        is_back = super()._put_back(chat, entry, after=after)
        if is_back:
            self._count_waiting(entry)
        return is_back

    async def _after_loss(self, chat: Chat, entry: OutgoingMessage, error: TelegramError) -> None:
        """Send a cup's message again; nothing else of the outbox is edited."""
        if entry.notice is None or entry.message_id is None:
            await super()._after_loss(chat, entry, error)
            return
        if await self._store.run(outbox.lose_cup, chat_id=entry.chat_id, message_id=entry.message_id):
            self.put(replace(entry, message_id=None))
        else:
            await self._give_up(entry)

    async def _after_refusal(self, chat: Chat, entry: OutgoingMessage, error: TelegramError) -> None:
        if judge(error) is Failure.NO_MEDIA and entry.picture is not None:
            self._lanes.uncount(chat, entry.kind, entry.person)
            instead = entry.picture.instead
            self.tell(instead, entry.person) if isinstance(instead, Notice) else self.put(instead)
            return
        is_closed_puzzle = entry.notice is not None and entry.notice.kind is NoticeKind.PUZZLE
        if is_closed_puzzle or is_blocked(error):
            await self._store.run(puzzles.forget_reminder, person=entry.chat_id)
        await super()._after_refusal(chat, entry, error)

    async def _after_passing(self, chat: Chat, entry: OutgoingMessage, error: TelegramError) -> None:
        if not _may_be_sent(entry, error):
            await super()._after_passing(chat, entry, error)
            return
        self._means.connectivity.fail(error, is_lost=True)
        self._failing_since.pop(entry.key, None)
        if entry.notice is not None:
            await self._put_off(entry.notice, answered=was_answered(error))

    async def _put_off(self, notice: Notice, *, answered: bool) -> None:
        """Leave a notice that may have been sent already to the sweep, each time for longer."""
        pauses = IN_DOUBT_SECONDS if answered else UNANSWERED_SECONDS
        tries = self._unanswered.get(notice.id, 0)
        seconds = pauses[min(tries, len(pauses) - 1)]
        self._unanswered[notice.id] = tries + 1
        await self._store.run(outbox.hold, ids=(notice.id,), until=int(time.time()) + seconds)

    # Files.

    async def _send_picture(self, message: OutgoingMessage, picture: Picture) -> int:
        """Send a photo or an animation; raises MakeAgain if Telegram no longer has it, else as `send` does."""
        view, content, more = message.view, picture.content, place_of(message.thread_id, message.reply_to)
        if view.keyboard is not None:
            more["reply_markup"] = orjson.loads(view.keyboard)
        send = self._means.bot.send_animation if picture.moving else self._means.bot.send_photo
        kind, now = (message.chat_id, picture.moving), time.monotonic()
        if (known := self._forbidden.get(kind)) is not None and now - known[0] < FORBIDDEN_SECONDS:
            raise known[1]
        try:
            sent = await send(
                message.chat_id,
                content,
                caption=view.text,
                parse_mode=ParseMode.HTML,
                filename=picture.filename,
                disable_notification=message.is_silent or None,
                api_kwargs=more,
            )
        except BadRequest as error:
            if judge(error) is Failure.NO_MEDIA:
                self._forbidden[kind] = now, error
            if not isinstance(content, str) or picture.on_lost is None or judge(error) is not Failure.NO_FILE:
                raise
            await picture.on_lost(content)
            raise MakeAgain from error
        kept = sent.animation or (sent.photo[-1] if sent.photo else None)
        if picture.on_sent is not None and kept is not None:
            await picture.on_sent(kept.file_id)
        return sent.message_id

    async def _send_file(self, message: OutgoingMessage, attachment: Attachment) -> int:
        sent = await self._means.bot.send_document(
            message.chat_id,
            await asyncio.to_thread(attachment.read),
            caption=message.view.text,
            parse_mode=ParseMode.HTML,
            message_thread_id=message.thread_id,
            filename=attachment.name,
            disable_content_type_detection=True,
            read_timeout=UPLOAD_SECONDS,
        )
        return sent.message_id

    async def _replace(self, message: OutgoingMessage, message_id: int) -> None:
        try:
            await self._means.calls.edit(message.view, chat_id=message.chat_id, message_id=message_id)
        except BadRequest as error:
            if judge(error) is not Failure.GONE or message.notice is not None:
                raise


def _is_reply(message: OutgoingMessage) -> bool:
    """Whether it is a new message that somebody has just asked for."""
    return message.is_send and message.notice is None and message.person is not None


def _may_be_sent(message: OutgoingMessage, error: TelegramError) -> bool:
    """Whether a message may have been sent, so that trying it again could send it twice.

    A reply that never comes would be worse: if the connection ended without an answer, mostly because it had been
    idle for too long, it is sent once more. So is what comes of the outbox, unless nobody asked for it.
    """
    if not message.is_send or was_refused(error):
        return False
    is_unasked = message.notice is not None and message.notice.kind in UNASKED
    return is_unasked or message.tries > 0 or not isinstance(error, Unanswered)

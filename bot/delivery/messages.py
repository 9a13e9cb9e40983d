"""Messages that are no boards: how they come into their lanes and are sent, and what else a failed call means."""

import asyncio
import logging
import math
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

import orjson
from telegram import Message
from telegram.constants import ParseMode
from telegram.error import BadRequest, TelegramError

from bot.boards.view import View
from bot.delivery.calls import Calls, place_of
from bot.delivery.entries import UNREACHABLE_SECONDS, Entry, File, NotNow, OutgoingMessage
from bot.delivery.lanes import Lanes
from bot.delivery.pace import Priority
from bot.delivery.tasks import Tasks
from bot.delivery.telegram_errors import Failure, is_blocked, judge, was_answered, was_refused
from bot.language import N_, _, speaking
from bot.metrics import Metrics
from bot.network.transport import Unanswered
from bot.recent import Recent
from storage.errors import StorageError
from storage.games import outbox
from storage.games.record import LOOK_NEVER, UNASKED, Notice, NoticeKind
from storage.people import people, puzzles
from storage.store import Store

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
GROUP_HELD: Final = N_(
    "Telegram isn't taking new messages from me in your group at the moment, probably because of slow mode. "
    "Games there carry on as usual, and here I can answer right away."
)
FORBIDDEN_SECONDS: Final = 600.0
"""For so long no picture of a kind is sent to a group that has forbidden it: each try would be an upload."""
SHARED_PICTURES: Final = (NoticeKind.ANIMATION, NoticeKind.STILL, NoticeKind.RIVALS)
REPEAT_SECONDS: Final = {
    **dict.fromkeys(SHARED_PICTURES, 30),
    NoticeKind.EXPORT: 60,
    NoticeKind.BEATEN: 24 * 3600,
}
"""How long after it was sent the same thing is not sent again."""


class Messages:
    """Says what is no board, and makes what the outbox has to say."""

    def __init__(
        self,
        *,
        calls: Calls,
        store: Store,
        lanes: Lanes,
        metrics: Metrics,
        tasks: Tasks,
        make: Callable[[Notice], Awaitable[OutgoingMessage | None]],
    ) -> None:
        """`make` makes the message of a notice, None if there is nothing left to say; it may raise NotNow."""
        self.calls, self.store, self.lanes = calls, store, lanes
        self._metrics, self._tasks, self._make = metrics, tasks, make
        self.notices: set[int] = set()
        """The ids of notices that are being made, wait or are being sent."""
        self.unanswered: Recent[int, int] = Recent(REMEMBERED_NOTICES)
        """How often notices were sent without an answer, by id."""
        self.said: Recent[int, int | None] = Recent(REMEMBERED_NOTICES)
        """The message ids of notices that were sent, by the notice's id, until that is stored."""
        self.forbidden: Recent[tuple[int, str], tuple[float, BadRequest]] = Recent(REMEMBERED_NOTICES)
        """By chat and form, when a file was last forbidden, and how."""
        self._told_at: Recent[tuple[int, int | None], float] = Recent(REMEMBERED_NOTICES)
        """When people were last told that they ask too fast, by chat and person."""
        self._told_held: Recent[tuple[int, int], float] = Recent(REMEMBERED_NOTICES)
        """When people were last told that a group takes no new messages, by group and person."""

    def tell(self, notice: Notice, person: int | None = None) -> None:
        """Make and send a notice of the outbox, which this process has claimed, unless it's doing so already.

        With a `person` it is of their share of a group's pace.
        """
        if notice.id not in self.notices:
            self.notices.add(notice.id)
            self._tasks.start(self._tell(notice, person))

    async def _tell(self, notice: Notice, person: int | None) -> None:
        try:
            message = await self._make(notice)
            if message is not None:
                self.say(replace(message, person=message.person or person))
                return
            await self.store.run(outbox.done, notice=notice)
        except (NotNow, StorageError) as error:
            log.debug("Can't make a notice now; the sweep will: %s", error)
        except Exception:
            log.exception("Couldn't make a notice; it's dropped")
            with suppress(StorageError):
                await self.store.run(outbox.done, notice=notice)
        self.notices.discard(notice.id)

    def say(self, message: OutgoingMessage) -> None:
        """Send or replace a message in its turn, unless the same waits already, or too many do for this person."""
        older = self.lanes.waiting_for(message.chat_id, message.key)
        if isinstance(older, Saying) and older.message.notice != message.notice:
            older.leave()  # a cup's, which has gone on
        saying = Saying(
            chat=message.chat_id,
            key=message.key,
            priority=message.priority,
            person=message.person,
            is_send=message.is_send,
            chat_id=message.chat_id,
            thread_id=message.thread_id,
            is_upload=message.file is not None,
            patience=STALE_SECONDS if message.notice is None else UNREACHABLE_SECONDS,
            by=self,
            message=message,
        )
        if message.is_send:
            self.tell_held(saying)
        if older is None and self._asks_too_much(message):
            self.drop(message)
        elif not saying.is_pointless:
            self.lanes.put(saying)

    def _asks_too_much(self, message: OutgoingMessage) -> bool:
        """Whether somebody asks for one more reply where many to them wait."""
        waiting = [each.message for each in self.lanes.entries(message.chat_id) if isinstance(each, Saying)]
        theirs = [each for each in waiting if each.is_reply and each.person == message.person]
        return message.is_reply and len(theirs) >= PENDING

    def drop(self, message: OutgoingMessage) -> None:
        """Let go of a message for which there is no room; the person who asked for it is told so, once."""
        self._metrics.dropped.inc()
        log.debug("Dropped a message: too many are waiting", extra={"chat_id": message.chat_id})
        who, now = (message.chat_id, message.person), time.monotonic()
        if message.too_many is not None and now - self._told_at.get(who, -math.inf) >= PENDING_TOLD_SECONDS:
            self._told_at[who] = now
            self.say(OutgoingMessage(message.chat_id, message.too_many, message.thread_id, message.reply_to))

    def tell_held(self, entry: Entry) -> None:
        """Tell the person who asked for a new message, in private, if their group takes none for a while."""
        chat, person, now = entry.chat_id, entry.person, time.monotonic()
        if chat is None or chat > 0 or not person or entry.priority is Priority.UNPROMPTED:
            return
        is_news = now - self._told_held.get((chat, person), -math.inf) >= PENDING_TOLD_SECONDS
        if is_news and self.lanes.sends_held(chat) > GROUP_HELD_SECONDS:
            self._told_held[chat, person] = now
            self._tasks.start(self._tell_held(person))

    async def _tell_held(self, person: int) -> None:
        try:
            language = await self.store.read(people.language_for, person_id=person)
        except StorageError:
            return
        with speaking(language):
            self.say(OutgoingMessage(person, View(_(GROUP_HELD))))


@dataclass(kw_only=True, eq=False)
class Saying(Entry):
    """A message on its way."""

    by: Messages
    message: OutgoingMessage
    is_left: bool = False

    async def send(self) -> None:
        """Send it as it is by now; a StorageError means that it was sent and that cannot be stored."""
        notice, said = self.message.notice, self.by.said
        if notice is None:
            await self._say(self.message)
            return
        message_id = said[notice.id] if notice.id in said else await self._say(self.message)
        self.by.unanswered.pop(notice.id, None)
        said[notice.id] = message_id
        # A picture without a file says that it can't be drawn, and may be asked for again.
        is_made = self.message.file is not None or notice.kind in UNASKED or notice.kind is NoticeKind.RIVALS
        keep = REPEAT_SECONDS.get(notice.kind, 0) if is_made else 0
        await self.by.store.run(outbox.done, notice=notice, message_id=message_id, keep=keep)
        said.pop(notice.id, None)

    async def _say(self, message: OutgoingMessage) -> int | None:
        """The id of the message that was sent, if any."""
        is_old = message.file is not None or time.monotonic() - message.made_at > FRESH_SECONDS
        notice = message.notice if is_old else None
        if notice is not None and not await self.by.store.run(outbox.is_wanted, notice=notice):
            return None
        if message.remake is not None and is_old:
            view = await message.remake()
            if view is None:
                return None
            message = replace(message, view=view)
        if message.message_id is not None:
            change = self.by.calls.take_away if message.goes else self.by.calls.edit
            await change(message.view, chat_id=message.chat_id, message_id=message.message_id)
            return None
        if message.file is not None:
            return await self._send_file(message, message.file)
        return await self.by.calls.send(
            message.view, message.chat_id, self.thread_id, message.reply_to, silent=message.is_silent
        )

    async def _send_file(self, message: OutgoingMessage, file: File) -> int:
        """Send a file; raises NotNow if Telegram no longer has it, else as `send` does."""
        bot, more = self.by.calls.bot, place_of(self.thread_id, message.reply_to)
        if message.view.keyboard is not None:
            more["reply_markup"] = orjson.loads(message.view.keyboard)
        where, now = (message.chat_id, file.form), time.monotonic()
        if (known := self.by.forbidden.get(where)) is not None and now - known[0] < FORBIDDEN_SECONDS:
            raise known[1]
        if file.form == "document":
            more["disable_content_type_detection"] = True
        send: Callable[..., Awaitable[Message]] = getattr(bot, f"send_{file.form}")
        try:
            sent = await send(
                message.chat_id,
                await asyncio.to_thread(file.content) if callable(file.content) else file.content,
                caption=message.view.text,
                parse_mode=ParseMode.HTML,
                filename=file.name,
                disable_notification=message.is_silent or None,
                read_timeout=UPLOAD_SECONDS,
                api_kwargs=more,
            )
        except BadRequest as error:
            if judge(error) is Failure.NO_MEDIA:
                self.by.forbidden[where] = now, error
            if not isinstance(file.content, str) or file.on_lost is None or judge(error) is not Failure.NO_FILE:
                raise
            await file.on_lost(file.content)
            raise NotNow("Telegram has lost a picture") from error
        kept = sent.animation or (sent.photo[-1] if sent.photo else None)
        if file.on_sent is not None and kept is not None:
            await file.on_sent(kept.file_id)
        return sent.message_id

    # When it isn't sent.

    @property
    def is_pointless(self) -> bool:
        """Whether a reply would come so late, in a group that takes no new messages, that nobody looks for it."""
        is_new_reply = self.message.notice is None and self.is_send
        return is_new_reply and self.by.lanes.sends_held(self.chat) > STALE_SECONDS

    def leave(self) -> None:
        if self.message.notice is not None and not self.is_left:
            self.is_left = True
            self.by.notices.discard(self.message.notice.id)

    def dropped(self) -> None:
        self.leave()
        self.by.drop(self.message)

    async def give_up(self) -> None:
        if self.message.notice is not None:
            await self.by.store.run(outbox.done, notice=self.message.notice)

    async def lost(self) -> None:
        """Send a group's cup or puzzle again; no other message that can be edited is worth it."""
        by, message = self.by, self.message
        notice, message_id = message.notice, message.message_id or 0
        if notice is not None and notice.is_of_group_puzzle:
            is_lost = await by.store.run(outbox.lose_puzzle, chat_id=message.chat_id, message_id=message_id)
        else:
            cup = None if notice is None or message.goes else notice.cup
            is_lost = cup is not None and await by.store.run(outbox.lose_cup, cup=cup, message_id=message_id)
        if is_lost:
            by.say(replace(message, message_id=None))
        else:
            await self.give_up()

    async def refused(self, error: TelegramError) -> float | None:
        by, notice, file = self.by, self.message.notice, self.message.file
        if judge(error) is Failure.NO_MEDIA and file is not None and file.instead is not None:
            by.lanes.uncount(self.chat, self.priority, self.person)
            self.leave()
            instead = file.instead
            by.tell(instead, self.person) if isinstance(instead, Notice) else by.say(instead)
            return None
        if is_blocked(error) or (notice is not None and notice.kind is NoticeKind.PUZZLE):
            await by.store.run(puzzles.forget_reminder, person=self.message.chat_id)
        if notice is not None and notice.cup is not None:
            # A cup may be over by the time the group takes messages again, and nothing else would say who has won.
            await by.store.run(outbox.hold, ids=(notice.id,), until=LOOK_NEVER)
            self.leave()
        else:
            await self.give_up()
        return None

    async def put_off(self, error: TelegramError) -> bool:
        """Leave what may have been sent to the sweep, each time for longer."""
        if not _may_be_sent(self.message, error, self.tries):
            return False
        if (notice := self.message.notice) is not None:
            pauses = IN_DOUBT_SECONDS if was_answered(error) else UNANSWERED_SECONDS
            tries = self.by.unanswered.get(notice.id, 0)
            self.by.unanswered[notice.id] = tries + 1
            until = int(time.time()) + pauses[min(tries, len(pauses) - 1)]
            await self.by.store.run(outbox.hold, ids=(notice.id,), until=until)
        return True

    def moved(self, chat_id: int) -> None:
        if self.is_send and self.message.notice is None:
            self.by.say(replace(self.message, chat_id=chat_id))

    def held_up(self) -> bool:
        self.by.tell_held(self)
        return not self.is_pointless


def _may_be_sent(message: OutgoingMessage, error: TelegramError, tries: int) -> bool:
    """Whether a message may have been sent, so that trying it again could send it twice.

    A reply that never comes would be worse: if the connection ended without an answer, mostly because it had been
    idle for too long, it is sent once more. So is what comes of the outbox, unless nobody asked for it.
    """
    if not message.is_send or was_refused(error):
        return False
    is_unasked = message.notice is not None and message.notice.kind in UNASKED
    return is_unasked or tries > 0 or not isinstance(error, Unanswered)

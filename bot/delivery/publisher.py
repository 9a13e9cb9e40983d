"""Publishes boards, messages and answers: everything that the bot shows people goes through here.

The newest state of a game goes to its message; states in between are skipped when Telegram slows the bot down.
What waits in memory may be lost at any moment: the database knows which boards lag and which notices are still to
be sent, and the sweep takes them up (docs/delivery.md).
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Final, TypeAlias

from sqlalchemy import Connection
from telegram import Bot
from telegram.error import TelegramError

from bot.delivery.boards import AnalysisSearches, BoardCalls
from bot.delivery.entries import OutgoingMessage, Showing, Tap, first_of, newer
from bot.delivery.lanes import Lanes
from bot.delivery.messages import Answers, Calls, MessageCalls
from bot.delivery.ownership import Ownership
from bot.delivery.pace import Chat, Kind, Pace
from bot.delivery.pauses import Pauses
from bot.delivery.recovery import LONGEST_PAUSE_SECONDS, Connectivity, Recovery, Returns
from bot.delivery.tasks import Tasks
from bot.metrics import Metrics, since
from bot.recent import Recent
from bot.workers.pool import Workers
from storage.errors import StorageError
from storage.games import outbox, versions
from storage.games.boards import close as close_board
from storage.games.record import Board, Changed, Made, Notice, Record
from storage.games.versions import GRACE_SECONDS, Stored
from storage.people.person import WaitRecord
from storage.store import Store

log = logging.getLogger(__name__)

HOLD_SECONDS: Final = GRACE_SECONDS / 2
"""How often send windows are renewed."""
BATCH_SECONDS: Final = 0.5
"""How long after an edit it is written back, with all others of that time."""
RESHOW_SECONDS: Final = 1.0
"""How long after a contested version was shown its board is shown again."""
FULL_SECONDS: Final = 60.0
"""About how long it takes to show a board that finds no room in its lane."""
CHATS_KNOWN: Final = 10_000
"""The most inline messages whose chat is remembered."""

Kept: TypeAlias = "Sequence[tuple[Record, Board]]"
"""Boards of this process that are not shown yet, each with its game."""


class NotYet(Exception):
    """It is too early for a notice."""


class Publisher:
    """Sends boards, messages and answers, and learns what became of them."""

    def __init__(
        self, bot: Bot, calls: Calls, store: Store, *, pace: Pace, metrics: Metrics, workers: Workers
    ) -> None:
        self._bot = bot
        self._store = store
        self._metrics = metrics
        self._tasks = tasks = Tasks()
        self._uploads = Tasks()
        self._ownership = ownership = Ownership()
        self._writes = False
        """Whether a write-back is due in a moment."""
        self._chats: Recent[str, str] = Recent(CHATS_KNOWN)
        """By inline message the chat that its edits count against: a tap's `chat_instance`, or the message."""
        self._lanes: Lanes[Showing | OutgoingMessage] = Lanes(self._deliver, pace)
        self._pauses = Pauses(store, tasks, self._lanes.pause, self._lanes.hold_sends)
        self._boards = BoardCalls(bot, calls, store, ownership, tasks, self.show_again)
        self._analyses = AnalysisSearches(workers, tasks, self.show_again)
        self._messages = MessageCalls(bot, calls, store, self._lanes, metrics, tasks)
        self._answers = Answers(bot, calls, metrics)
        self._connectivity = Connectivity(bot, tasks)
        self._returns = Returns(store, tasks)
        self._recovery = Recovery(
            store,
            lanes=self._lanes,
            ownership=ownership,
            pauses=self._pauses,
            boards=self._boards,
            messages=self._messages,
            connectivity=self._connectivity,
            returns=self._returns,
            metrics=metrics,
            show_stored=self.show_stored,
            write_back_soon=self._write_back_soon,
        )
        metrics.publisher_queue.set_function(lambda: self._lanes.waiting)
        metrics.publisher_chats.set_function(lambda: len(self._lanes))
        metrics.publisher_lag.set_function(self._lag)
        self._make: Callable[[Notice], Awaitable[OutgoingMessage | None]] = _not_yet
        # What the parts do for handlers, too.
        self.say = self._messages.put
        self.sends_held = self._lanes.sends_held
        self.answer = self._answers.answer
        self.offer = self._answers.offer
        self.hear_from = self._returns.hear_from
        self.cannot_fetch = self._connectivity.fail

    # For handlers: none of these waits.

    def show(self, changed: Changed[object], tap: Tap | None = None, chat_id: int | None = None) -> float:
        """Show a game that was changed here, and the one that follows it.

        Returns about how many seconds that takes; if a chat is given, in that chat.
        """
        wait = self._show(changed.record, changed.before, tap, chat_id)
        if changed.following is not None:
            wait = max(wait, self._show(changed.following, changed.before, tap, chat_id))
        return wait

    def keep(self, records: Iterable[Record], before: Mapping[int, Board]) -> Kept:
        """Own what was stored here without showing it yet, because something newer may come soon.

        The caller shows it later with `show_kept`, unless it shows something newer.
        """
        kept = [(record, board) for record in records for board in newer(record, before)]
        for _, board in kept:
            self._ownership.stored(board, before.get(board.id))
        return kept

    def show_kept(self, kept: Kept, tap: Tap | None = None) -> None:
        """Show what was kept, unless something newer was stored here meanwhile."""
        for record, board in kept:
            if self._ownership.newest(board.id) == board.wanted:
                self._put(record, board, tap)
            else:
                self._ownership.let_go(board)

    def expect(self, kept: Kept, tap: Tap | None = None, chat_id: int | None = None) -> float:
        """About how many seconds it would take to show what was kept now; if a chat is given, in that chat."""
        boards = [board for _, board in kept if chat_id is None or board.chat_id == chat_id]
        person = None if tap is None else tap.person
        return max((self._lanes.expect(self._chat_of(board), person) for board in boards), default=0.0)

    def show_made(self, made: Made) -> float:
        """Show a game that was made here, or found; about how many seconds that takes."""
        if made.is_new:
            return self._show(made.record, {})
        self.refresh(made.record)
        return 0.0

    def show_stored(
        self, stored: Stored, tap: Tap | None = None, *, is_reshow: bool = False, hint: int | None = None
    ) -> float:
        """Show one board that was stored here as its next version; about how many seconds that takes.

        A `hint` is a cell to mark, this once.
        """
        self._ownership.stored(stored.board, stored.before)
        return self._put(stored.record, stored.board, tap, is_reshow=is_reshow, hint=hint)

    def show_all(self, stored: Iterable[Stored]) -> None:
        """Show boards that were stored here as their next versions."""
        for each in stored:
            self.show_stored(each)

    def refresh(self, record: Record, behind: int | None = None) -> None:
        """Show the boards of a loaded game that lag, unless they are about to be shown here anyway.

        `behind` is the message of a board that somebody has seen showing something else: it counts as lagging.
        """
        for board in record.boards:
            lags = board.is_lagging or (behind is not None and board.message_id == behind)
            self._lanes.hurry(self._chat_of(board), board.id, LONGEST_PAUSE_SECONDS)
            if lags and not self._is_under_way(board):
                self._tasks.start(self._show_next(board.id, board.wanted))

    def show_again(self, board_id: int, tap: Tap | None = None) -> None:
        """Show a board as its next version, with the content as it is."""
        self._tasks.start(self._show_next(board_id, tap=tap))

    def show_hint(self, board_id: int, cell: int, tap: Tap) -> None:
        """Show a board with a cell marked, until it is shown the next time."""
        self._tasks.start(self._show_next(board_id, tap=tap, hint=cell))

    def wait_to_spare(self, record: Record) -> float:
        """Seconds until a game that plays itself may go on without making anybody wait in its chats.

        It is infinite while something is still to be shown there; the caller then asks again.
        """
        if self._connectivity.is_lost:
            return math.inf
        return max((self._lanes.wait_to_spare(self._chat_of(board)) for board in record.boards), default=0.0)

    def analyse(self, record: Record) -> None:
        """Search for the analysis that a review waits for: another process may have shown its boards."""
        for board in record.boards:
            self._analyses.request(record.game, board)

    def on_unseen(self, tell: Callable[[int], None]) -> None:
        """Set the function that gets the id of each exhibition that nobody can see any more."""
        self._recovery.on_unseen = tell

    def on_gone(self, tell: Callable[[int], Awaitable[None]]) -> None:
        """Set the function that gets the id of each unreachable person who is waiting or keeps others waiting."""
        self._recovery.on_gone = tell

    def run_in_background(self, work: Coroutine[None, None, None]) -> None:
        self._tasks.start(work)

    def know_chat(self, inline_message_id: str, chat_instance: str | None) -> None:
        """Learn which chat an inline message is in: its edits count against that chat."""
        if chat_instance is not None:
            self._chats[inline_message_id] = self._chats.get(inline_message_id, chat_instance)

    def tell(self, notice: Notice) -> None:
        """Make and send a notice of the outbox, which this process has claimed, unless it's doing so already."""
        if notice.id not in self._messages.notices:
            self._messages.hold(notice)
            self._tasks.start(self._tell(notice))

    def on_notice(self, make: Callable[[Notice], Awaitable[OutgoingMessage | None]]) -> None:
        """Set the function that makes the messages of notices: it returns None if there is nothing left to say."""
        self._make = make

    def link_to(self, parameter: str) -> str:
        """A link to the private chat with the bot, from which a person sends `/start` with this parameter."""
        return f"https://t.me/{self._bot.username}?start={parameter}"

    # For background jobs.

    def take_up(self, board: Board, record: Record | WaitRecord) -> None:
        """Show a board that the sweep has claimed."""
        self._ownership.claimed(board)
        self._put(record, board)

    async def close_board(self, board: Board) -> None:
        """Make no more calls for a board whose game cannot be read."""
        await self._store.run(close_board, board=board)

    async def keep_in_step(self) -> None:
        """Renew the hold on what waits or is under way here, and learn which chats closed to other processes.

        If that cannot be stored, what was not held is left to the sweep.
        """
        held, notices = self._ownership.held(), self._messages.notices
        if held or notices:
            now = int(time.time())
            renewed = await self._store.run(_hold, held=held, notices=notices, now=now)
            self._ownership.renewed(renewed, held, now + GRACE_SECONDS)
        await self._pauses.learn()

    async def close(self, seconds: float) -> None:
        """Send what waits, for at most this many seconds, and write back what is shown."""
        until = time.monotonic() + seconds
        await self._lanes.close(seconds)
        await self._uploads.close(max(until - time.monotonic(), 0))
        await asyncio.gather(self._tasks.close(0.5), self._answers.close(0.5))
        with suppress(TimeoutError):
            await asyncio.wait_for(self._write_back(), 1)

    async def _tell(self, notice: Notice) -> None:
        try:
            message = await self._make(notice)
            if message is not None:
                self.say(message)
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
        self._messages.leave(notice)

    # Boards on their way into the lanes.

    def _show(
        self, record: Record, before: Mapping[int, Board], tap: Tap | None = None, chat_id: int | None = None
    ) -> float:
        wait = 0.0
        for board in newer(record, before, self._lanes.sends_held):
            self._ownership.stored(board, before.get(board.id))
            its_wait = self._put(record, board, tap)
            stays = board.replaces is not None and self._lanes.sends_held(board.chat_id or 0)
            if not stays and (chat_id is None or board.chat_id == chat_id):
                wait = max(wait, its_wait)
        return wait

    async def _show_next(
        self,
        board_id: int,
        wanted: int | None = None,
        tap: Tap | None = None,
        *,
        is_reshow: bool = False,
        hint: int | None = None,
    ) -> None:
        """Store a board's next version, if `wanted` still is its newest (or None), and show it."""
        try:
            stored = await self._store.store_again(board_id, wanted)
        except StorageError as error:
            log.debug("Leaving a board to the sweep: %s", error)
            return
        if stored is not None:
            self.show_stored(stored, tap, is_reshow=is_reshow, hint=hint)

    async def _reshow(self, board_id: int, version: int) -> None:
        """Show a contested version again, if nothing newer was stored here.

        It only heals a board sooner than the sweep would, so it may be lost at any moment.
        """
        if self._ownership.newest(board_id) == version:
            await self._show_next(board_id, version, is_reshow=True)

    def _put(
        self,
        record: Record | WaitRecord,
        board: Board,
        tap: Tap | None = None,
        *,
        is_reshow: bool = False,
        hint: int | None = None,
    ) -> float:
        """Put a board in its lane, unless a newer version is or was there; returns about how long it waits."""
        if board.wanted < self._ownership.newest(board.id):
            return 0.0
        chat = self._chat_of(board)
        waiting = self._lanes.waiting_for(chat, board.id)
        if isinstance(waiting, Showing):
            tap = first_of(waiting.tap, tap, board)
        entry = Showing(chat, board, record.subject, tap=tap, is_reshow=is_reshow, hint=hint)
        wait = self._lanes.put(chat, entry)
        if wait is None:
            self._ownership.let_go(board)  # there is no room: it is left to the sweep
            return FULL_SECONDS
        if entry.is_send and (tap is None or tap.kind is not Kind.TAPPED):
            self._messages.tell_held(entry)
        return wait

    def _chat_of(self, board: Board) -> Chat:
        """The chat whose pace a board keeps. An inline message keeps the first that it was counted under."""
        if board.chat_id is not None:
            return board.chat_id
        inline = board.inline_message_id or ""
        self.know_chat(inline, inline)
        return self._chats[inline]

    def _is_under_way(self, board: Board) -> bool:
        """Whether a board's newest version will be shown here, or is shown and not written back yet."""
        if self._ownership.is_shown(board):
            return True
        waits = self._lanes.waits(self._chat_of(board), board.id)
        return waits and self._ownership.newest(board.id) >= board.wanted

    # Delivery.

    async def _deliver(self, chat: Chat, entry: Showing | OutgoingMessage) -> None:
        if isinstance(entry, OutgoingMessage) and entry.has_file:
            # It may take minutes, and needs no order among other messages: its lane goes on meanwhile.
            self._uploads.start(self._send(chat, entry))
        else:
            await self._send(chat, entry)

    async def _send(self, chat: Chat, entry: Showing | OutgoingMessage) -> None:
        try:
            if isinstance(entry, OutgoingMessage):
                await self._messages.send(entry)
                self._recovery.succeeded(entry)
            else:
                await self._deliver_board(entry)
        except TelegramError as error:
            await self._recovery.after(chat, entry, error)
        except StorageError as error:
            log.debug("Couldn't store what became of a message; the sweep will: %s", error)
            self._recovery.leave_to_the_sweep(entry)
        except Exception:
            log.exception("Delivery failed", extra={"chat_id": chat})
            self._recovery.leave_to_the_sweep(entry)

    async def _deliver_board(self, showing: Showing) -> None:
        board = showing.board
        if not self._ownership.may_send(board):  # it is left to the sweep, perhaps of another process
            self._ownership.let_go(board)
            return
        try:
            brought = await self._boards.bring(showing)
        except asyncio.CancelledError:  # the bot stops, and the edit may still land
            self._ownership.unanswered(board)
            raise
        # A review that waits for its analysis goes on lagging, so that it is completed if this process is killed.
        if brought and (board.review is None or not self._analyses.request(showing.subject, board)):
            self._note_shown(showing)
        self._ownership.let_go(board)
        self._recovery.succeeded(showing)

    def _note_shown(self, showing: Showing) -> None:
        board = showing.board
        if showing.tap is not None and showing.tap.kind is Kind.TAPPED:
            self._metrics.tap_to_edit.observe(since(showing.tap.arrived))
        self._ownership.shown(board)
        self._write_back_soon()
        if self._ownership.should_show_again(board.id) and not showing.is_reshow:
            together = -time.monotonic() % BATCH_SECONDS  # with others, in one transaction
            self._tasks.later(RESHOW_SECONDS + together, partial(self._reshow, board.id, board.wanted))

    def _write_back_soon(self) -> None:
        if not self._writes:
            self._writes = True
            self._tasks.later(BATCH_SECONDS, self._write_back)

    async def _write_back(self) -> None:
        """Confirm what is shown and mark overdue calls: one transaction for all calls of half a second."""
        self._writes = False
        shown, overdue, contested = self._ownership.to_write()
        if not shown and not overdue and not contested:
            return
        try:
            undone = await self._store.run(versions.confirm, shown=shown, overdue=overdue, contested=contested)
        except StorageError as error:
            log.debug("Couldn't store what is shown; the sweep will show it again: %s", error)
            undone = None
        if self._ownership.wrote(overdue, undone):
            self._write_back_soon()

    def _lag(self) -> float:
        """For how long the oldest tapped board has waited, in seconds."""
        showings = [entry for entry in self._lanes.entries() if isinstance(entry, Showing)]
        oldest = min(
            (each.tap.arrived for each in showings if each.tap and each.tap.kind is Kind.TAPPED), default=None
        )
        return since(oldest)


def _hold(connection: Connection, *, held: Mapping[int, int], notices: Sequence[int], now: int) -> Sequence[int]:
    outbox.hold(connection, notices, now + GRACE_SECONDS)
    return versions.hold(connection, held, now)


async def _not_yet(_notice: Notice) -> OutgoingMessage | None:
    """The default: every notice waits."""
    raise NotYet

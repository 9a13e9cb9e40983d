"""Delivery: everything that the bot shows people goes through here, and what is shown follows what is stored.

A board is not edited, it is published: the newest state of a game goes to its message, and states in between may
be skipped when Telegram slows us down. What waits in memory may be lost at any moment: boards that lag and notices
that were not said stand in the database, and a sweep takes them up (docs/delivery.md).
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from telegram.error import TelegramError

from bot.delivery.answers import Answers
from bot.delivery.boards import BoardCalls
from bot.delivery.chains import Chains
from bot.delivery.confirmations import Confirmations
from bot.delivery.entries import Showing, Words
from bot.delivery.held import Held
from bot.delivery.lanes import Lanes
from bot.delivery.lessons import Lessons
from bot.delivery.once_more import OnceMore
from bot.delivery.pauses import Pauses
from bot.delivery.reach import Reach
from bot.delivery.recovery import Recovery
from bot.delivery.tasks import Tasks
from bot.delivery.waiting import WaitingBoards
from bot.delivery.words import WordCalls
from bot.metrics import Queue, since
from storage import board_messages
from storage.errors import StorageError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine, Hashable, Iterable, Mapping, Sequence

    from telegram import Bot, InlineQueryResult

    from bot.delivery.calls import Calls
    from bot.delivery.pace import Chat, Pace
    from bot.delivery.replies import Reply
    from bot.delivery.waiting import Kept
    from bot.metrics import Metrics
    from bot.thinking.workers import Workers
    from storage.board import Board
    from storage.record import Changed, Made, Record
    from storage.store import Store
    from storage.versions import Raised

log = logging.getLogger(__name__)


class Publisher:
    """Sends boards, words and answers, and knows what became of them."""

    def __init__(
        self, bot: Bot, calls: Calls, store: Store, pace: Pace, metrics: Metrics, *, workers: Workers | None = None
    ) -> None:
        """Prepare to send by these calls, at this pace; what takes a search on a board is asked of the workers."""
        self._bot = bot
        self._store = store
        self._metrics = metrics
        self._tasks = tasks = Tasks()
        self._uploads = Tasks()
        self._held = held = Held(store)
        self._chains = chains = Chains()
        self._confirmations = confirmations = Confirmations(store, tasks, chains)
        self._lanes: Lanes[Showing | Words] = Lanes(self._deliver, pace)
        self._pauses = Pauses(store, tasks, self._lanes.pause)
        self._waiting = WaitingBoards(
            store, tasks=tasks, lanes=self._lanes, held=held, chains=chains, confirmations=confirmations
        )
        once_more = partial(self._waiting.show_raised, once_more=True)
        self._once_more = OnceMore(store, tasks, chains, once_more)
        self._boards = BoardCalls(bot, calls, store, chains, self._waiting.show_anew_soon)
        self._lessons = Lessons(workers, tasks, self._waiting.show_anew_soon)
        self._words = WordCalls(bot, calls, store, self._lanes, metrics)
        self._answers = Answers(bot, calls, tasks, metrics)
        self._reach = Reach(bot, tasks)
        self._recovery = Recovery(
            store,
            lanes=self._lanes,
            held=held,
            confirmations=confirmations,
            pauses=self._pauses,
            waiting=self._waiting,
            boards=self._boards,
            words=self._words,
            reach=self._reach,
            metrics=metrics,
        )
        metrics.queue = self._queue

    # What handlers ask for: none of these waits.

    def show(self, changed: Changed[object], arrived: float | None = None, chat_id: int | None = None) -> float:
        """Show a game that was changed here, and the one that follows it.

        Returns:
            About how many seconds that takes, in this chat if one is named.
        """
        wait = self._waiting.show(changed.record, changed.before, arrived, chat_id)
        if changed.following is not None:
            wait = max(wait, self._waiting.show(changed.following, changed.before, arrived, chat_id))
        return wait

    def keep(self, records: Iterable[Record], before: Mapping[int, Board]) -> Kept:
        """Own what was stored here without showing it yet, because something newer may come soon.

        Whoever keeps it shows it with `show_kept`, or what came of it, which is newer.
        """
        return self._waiting.keep(records, before)

    def show_kept(self, kept: Kept, arrived: float | None = None) -> None:
        """Show what was kept, where nothing newer is stored here by now."""
        self._waiting.show_kept(kept, arrived)

    def expect(self, kept: Kept, chat_id: int | None = None) -> float:
        """About how many seconds it would take to show now what was kept, in this chat if one is named."""
        return self._waiting.expect(kept, chat_id)

    def show_made(self, made: Made) -> float:
        """Show a game that was made here just now, or found; about how many seconds that takes."""
        if made.is_new:
            return self._waiting.show(made.record, {})
        self._waiting.refresh(made.record)
        return 0.0

    def show_raised(self, raised: Raised) -> float:
        """Show one board that was stored here as its next version; about how many seconds that takes."""
        return self._waiting.show_raised(raised)

    def refresh(self, record: Record, behind: int | None = None) -> None:
        """Show a game that was merely loaded, where a board of it lags and nobody here is about to show it.

        `behind` is the message of a board that was seen to show something else, whatever is known of it.
        """
        self._waiting.refresh(record, behind)

    def show_again(self, board_id: int) -> None:
        """Show a board as its next version, with the content as it is."""
        self._waiting.show_anew_soon(board_id)

    def wait_to_spare(self, record: Record) -> float:
        """Seconds until a game may go on by itself, shown where it is, so that nobody waits for that.

        It is infinite where something is still to be shown there; whoever waits asks again.
        """
        return math.inf if self._reach.is_lost else self._waiting.wait_to_spare(record)

    def look_at(self, record: Record) -> None:
        """Look for the lesson of a game that is looked back on: another process may have shown its boards."""
        for board in record.boards:
            self._lessons.are_needed(record.game, board)

    def show_hint(self, board_id: int, cell: int) -> None:
        """Show a board once with a cell marked; whatever shows it next, shows it as it is."""
        self._waiting.show_anew_soon(board_id, hint=cell)

    def on_unseen(self, tell: Callable[[int], None]) -> None:
        """Tell of each game, by id, that the computer plays against itself where nobody can see it any more."""
        self._recovery.on_unseen = tell

    def on_gone(self, tell: Callable[[int], Awaitable[None]]) -> None:
        """Let somebody be told of people, by id, who wait in the queue or are waited for and cannot be reached."""
        self._recovery.on_gone = tell

    def beside(self, work: Coroutine[None, None, None]) -> None:
        """Let some work be done that nobody awaits."""
        self._tasks.start(work)

    def know_chat(self, inline_message_id: str, chat_instance: str | None) -> None:
        """Learn in which chat a message of inline mode stands: its edits count against that chat."""
        self._waiting.know_chat(inline_message_id, chat_instance)

    def say(self, words: Words) -> None:
        """Send or replace a message; equal ones, and too many at a time to one person, are said once."""
        self._words.put(words)

    def say_later(self, making: Coroutine[None, None, Words | None]) -> None:
        """Say what is still being made, once it is; nothing if it comes to nothing."""
        self._tasks.start(self._say_made(making))

    def answer(
        self,
        query_id: str,
        text: str | None = None,
        *,
        alert: bool = False,
        url: str | None = None,
        reply: Reply | None = None,
    ) -> None:
        """Answer a tap, with words or an address to open; in the response that has room for it, if any."""
        self._answers.answer(query_id, text, alert=alert, url=url, reply=reply)

    def link_to(self, parameter: str) -> str:
        """The address that opens a person's private chat with the bot and has them send `/start` with this."""
        return f"https://t.me/{self._bot.username}?start={parameter}"

    def offer(self, query_id: str, results: Sequence[InlineQueryResult]) -> None:
        """Answer an inline query with this person's own results, which Telegram must not keep for others."""
        self._answers.offer(query_id, results)

    # What runs beside the handlers.

    def take_up(self, board: Board, record: Record) -> None:
        """Show a board that the sweep has claimed as its next version."""
        self._chains.claimed(board)
        self._waiting.put(record, board, None)

    async def give_up(self, board: Board) -> None:
        """Show a board no more, because its game cannot be read.

        Raises:
            StorageError: if that cannot be stored.
        """
        await self._store.run(partial(board_messages.give_up, board=board))

    async def hold(self) -> None:
        """Keep the sweeps of other processes off what waits or is under way here, and learn what they learnt.

        Raises:
            StorageError: if that cannot be stored; what was not held is stored anew before it is sent.
        """
        await self._held.renew(self._words.notices)
        await self._pauses.learn()

    async def close(self, seconds: float) -> None:
        """Send what waits, for so many seconds at the most, and write back what is shown."""
        until = time.monotonic() + seconds
        await self._lanes.close(seconds)
        await self._uploads.close(max(until - time.monotonic(), 0))
        await self._tasks.close(0.5)
        with suppress(TimeoutError):
            await asyncio.wait_for(self._confirmations.write(), 1)

    async def _say_made(self, making: Coroutine[None, None, Words | None]) -> None:
        if (words := await making) is not None:
            self.say(words)

    # Delivery.

    async def _deliver(self, chat: Chat, _key: Hashable, entry: Showing | Words) -> bool:
        if isinstance(entry, Words) and entry.has_file:
            # It may take minutes, and its message has no order to others: its lane goes on meanwhile.
            self._uploads.start(self._upload(chat, entry))
            return True
        await self._send(chat, entry)
        return False

    async def _upload(self, chat: Chat, words: Words) -> None:
        try:
            await self._send(chat, words)
        finally:
            self._words.file_ended(words)

    async def _send(self, chat: Chat, entry: Showing | Words) -> None:
        try:
            if isinstance(entry, Words):
                await self._words.send(entry)
            else:
                await self._deliver_board(entry)
        except TelegramError as error:
            await self._recovery.after(chat, entry, error)
        except StorageError as error:
            log.debug("What became of a message is not stored; the sweep comes to it: %s", error)
            self._recovery.leave_to_the_sweep(entry)
        except Exception:
            log.exception("Delivery failed", extra={"chat_id": chat})
            self._recovery.leave_to_the_sweep(entry)
        else:
            self._reach.find()

    async def _deliver_board(self, showing: Showing) -> None:
        board = showing.board
        # What others may have taken up by now is theirs, or the sweep's.
        brought = self._held.is_ours(board) and await self._boards.bring(showing)
        # A page that waits for more to say goes on lagging, so that whoever is killed, it is said.
        if brought and (board.page is None or not self._lessons.are_needed(showing.game, board)):
            self._note_shown(showing)
        self._held.let_go(board)

    def _note_shown(self, showing: Showing) -> None:
        board = showing.board
        if showing.arrived is not None:
            self._metrics.tap_to_edit.observe(since(showing.arrived))
        self._confirmations.note(board.id, board.wanted, late=not self._held.is_ours(board))
        if self._chains.is_contested(board.id) and not showing.once_more:
            self._once_more.add(board)

    def _queue(self) -> Queue:
        """What waits now."""
        showings = [entry for entry in self._lanes.entries() if isinstance(entry, Showing)]
        oldest = min((showing.arrived for showing in showings if showing.arrived), default=None)
        return Queue(self._lanes.waiting, len(self._lanes), since(oldest))

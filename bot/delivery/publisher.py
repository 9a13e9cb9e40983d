"""Delivery: everything that the bot shows people goes through here, and what is shown follows what is stored.

A board is not edited, it is published: the newest state of a game goes to its message, and states in between may
be skipped when Telegram slows us down. What waits in memory may be lost at any moment: boards that lag and notices
that were not said stand in the database, and a sweep takes them up (docs/architecture.md).
"""

from __future__ import annotations

import asyncio
import logging
import math
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Final, TypeAlias

from telegram.error import ChatMigrated, TelegramError

from bot.delivery.answers import Answers
from bot.delivery.boards import BoardCalls
from bot.delivery.chains import Chains
from bot.delivery.confirmations import Confirmations
from bot.delivery.entries import Showing, Words
from bot.delivery.errors import Failure, NotSent, judge, pause
from bot.delivery.held import Held
from bot.delivery.lane import Kind
from bot.delivery.lanes import Lanes
from bot.delivery.lessons import Lessons
from bot.delivery.once_more import OnceMore
from bot.delivery.pauses import Pauses
from bot.delivery.tasks import Tasks
from bot.delivery.words import WordCalls
from bot.game.watched import is_watched
from bot.metrics import Metrics, Queue, since
from storage import boards, chats, versions
from storage.errors import StorageError

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Hashable, Iterable, Mapping, Sequence

    from telegram import Bot, InlineQueryResult

    from bot.delivery.calls import Calls
    from bot.delivery.pace import Chat, Pace
    from bot.delivery.replies import Reply
    from bot.thinking.workers import Workers
    from storage.board import Board
    from storage.game import Game
    from storage.record import Changed, Made, Record
    from storage.store import Store
    from storage.versions import Raised

log = logging.getLogger(__name__)

TRIES: Final = 5
"""How often a call that fails in passing is tried before the sweep takes over, or words are given up."""
CHATS_KNOWN: Final = 10_000
"""The most messages of inline mode whose chat is remembered."""


Kept: TypeAlias = "Sequence[tuple[Record, Board]]"
"""Boards of this process that are not shown yet, each with its game."""


class Publisher:
    """Sends boards, words and answers, and knows what became of them."""

    def __init__(
        self,
        bot: Bot,
        calls: Calls,
        store: Store,
        pace: Pace,
        metrics: Metrics | None = None,
        *,
        workers: Workers | None = None,
    ) -> None:
        """Prepare to send by these calls, at this pace; what takes a search on a board is asked of the workers."""
        self._bot = bot
        self._store = store
        self._metrics = metrics or Metrics()
        self._lanes: Lanes[Showing | Words] = Lanes(self._deliver, pace)
        self._tasks = Tasks()
        self._held = Held(store)
        self._pauses = Pauses(store, self._tasks, self._lanes.pause)
        self._chains = Chains()
        self._confirmations = Confirmations(store, self._tasks, self._chains)
        once_more = partial(self.show_raised, once_more=True)
        self._once_more = OnceMore(store, self._tasks, self._chains, once_more)
        self._boards = BoardCalls(bot, calls, store, self._chains, self._show_anew_soon)
        self._lessons = Lessons(workers, self._tasks, self.show_again)
        self._words = WordCalls(bot, calls, store, self._lanes, self._metrics)
        self._answers = Answers(bot, calls, self._tasks, self._metrics)
        self._chats: dict[str, str] = {}
        """The chat instance of messages of inline mode, as far as a tap has told it."""
        self._unreachable = False
        self.unseen: Callable[[int], None] = _nobody_cares
        """Told of a game that the computer plays against itself where nobody can see it any more."""
        self._metrics.queue = self._queue

    # What handlers ask for: none of these waits.

    def show(self, changed: Changed[object], arrived: float | None = None, chat_id: int | None = None) -> float:
        """Show a game that was changed here, and the one that follows it.

        Returns:
            About how many seconds that takes, in this chat if one is named.
        """
        wait = self._show_record(changed.record, changed.before, arrived, chat_id)
        if changed.following is not None:
            wait = max(wait, self._show_record(changed.following, changed.before, arrived, chat_id))
        return wait

    def keep(self, records: Iterable[Record], before: Mapping[int, Board]) -> Kept:
        """Own what was stored here without showing it yet, because something newer may come soon.

        Whoever keeps it shows it with `show_kept`, or what came of it, which is newer.
        """
        kept = [(record, board) for record in records for board in _newer(record, before)]
        for _, board in kept:
            self._chains.stored(board, before.get(board.id))
            self._held.add(board)
        return kept

    def show_kept(self, kept: Kept, arrived: float | None = None) -> None:
        """Show what was kept, where nothing newer is stored here by now."""
        for record, board in kept:
            if self._chains.newest(board.id) == board.wanted:
                self._put(record, board, arrived, held=True)
            else:
                self._held.let_go(board)

    def expect(self, chat: Chat) -> float:
        """About how many seconds it would take to show something in a chat now."""
        return self._lanes.expect(chat)

    def show_made(self, made: Made) -> None:
        """Show a game that was made here just now, or found."""
        if made.is_new:
            self._show_record(made.record, {}, None)
        else:
            self.refresh(made.record)

    def show_raised(self, raised: Raised, *, once_more: bool = False, hint: int | None = None) -> float:
        """Show one board that was stored here as its next version; about how many seconds that takes.

        Args:
            raised: The board, and its game.
            once_more: Whether it only repeats what was shown.
            hint: A cell to mark.
        """
        self._chains.stored(raised.board, raised.before)
        return self._put(raised.record, raised.board, None, once_more=once_more, hint=hint)

    def refresh(self, record: Record, behind: int | None = None) -> None:
        """Show a game that was merely loaded, where a board of it lags and nobody here is about to show it.

        `behind` is the message of a board that was seen to show something else, whatever is known of it.
        """
        for board in record.boards:
            lags = board.is_lagging or (behind is not None and board.message_id == behind)
            if lags and not self._is_under_way(board):
                self._show_anew_soon(board.id, board.wanted)

    def show_again(self, board_id: int) -> None:
        """Show a board as its next version, with the content as it is."""
        self._show_anew_soon(board_id)

    def wait_to_spare(self, record: Record) -> float:
        """Seconds until a game may go on by itself, shown where it is, so that nobody waits for that.

        It is infinite where something is still to be shown there; whoever waits asks again.
        """
        if self._unreachable:
            return math.inf
        waits = [self._lanes.wait_to_spare(self._chat_of(board)) for board in record.boards]
        return max(waits, default=0.0)

    def show_hint(self, board_id: int, cell: int) -> None:
        """Show a board once with a cell marked; whatever shows it next, shows it as it is."""
        self._tasks.start(self._show_anew(board_id, hint=cell))

    def beside(self, work: Coroutine[None, None, None]) -> None:
        """Let some work be done that nobody awaits."""
        self._tasks.start(work)

    def know_chat(self, inline_message_id: str, chat_instance: str | None) -> None:
        """Learn in which chat a message of inline mode stands: its edits count against that chat."""
        if chat_instance is not None and len(self._chats) < CHATS_KNOWN:
            self._chats.setdefault(inline_message_id, chat_instance)

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
        self._put(record, board, None)

    async def give_up(self, board: Board) -> None:
        """Show a board no more, because its game cannot be read.

        Raises:
            StorageError: if that cannot be stored.
        """
        await self._store.run(partial(boards.give_up, board=board))

    async def hold(self) -> None:
        """Keep the sweeps of other processes off what waits or is under way here, and learn what they learnt.

        Raises:
            StorageError: if that cannot be stored; what was not held is stored anew before it is sent.
        """
        await self._held.renew(self._words.notices)
        await self._pauses.learn()

    async def close(self, seconds: float) -> None:
        """Send what waits, for so many seconds at the most, and write back what is shown."""
        await self._lanes.close(seconds)
        await self._tasks.close(0.5)
        with suppress(TimeoutError):
            await asyncio.wait_for(self._confirmations.write(), 1)

    async def _say_made(self, making: Coroutine[None, None, Words | None]) -> None:
        if (words := await making) is not None:
            self.say(words)

    # Putting boards into lanes.

    def _show_record(
        self,
        record: Record,
        before: Mapping[int, Board],
        arrived: float | None,
        chat_id: int | None = None,
    ) -> float:
        wait = 0.0
        for board in _newer(record, before):
            self._chains.stored(board, before.get(board.id))
            its_wait = self._put(record, board, arrived)
            if chat_id is None or board.chat_id == chat_id:
                wait = max(wait, its_wait)
        return wait

    def _put(
        self,
        record: Record,
        board: Board,
        arrived: float | None,
        *,
        once_more: bool = False,
        hint: int | None = None,
        held: bool = False,
    ) -> float:
        """Let a board wait, unless a newer version of it does; about how many seconds it will.

        `held` is one that sweeps are kept off already.
        """
        chat = self._chat_of(board)
        waiting = self._lanes.waiting_for(chat, board.id)
        if isinstance(waiting, Showing):
            if waiting.board.wanted > board.wanted:
                return 0.0
            arrived = waiting.arrived or arrived
        entry = Showing(chat, board, record.game, arrived=arrived, once_more=once_more, hint=hint)
        kind = Kind.UNPROMPTED if _is_unasked(board, record.game, arrived) else Kind.BOARD
        wait = self._lanes.put(chat, board.id, entry, kind)
        if wait is None:
            self._held.let_go(board)  # there is no room: the sweep comes to it
            return 0.0
        if not held:
            self._held.add(board)
        return wait

    def _chat_of(self, board: Board) -> Chat:
        """The chat whose pace a board keeps; one that it has kept for an inline message, it goes on to keep."""
        if board.chat_id is not None:
            return board.chat_id
        inline = board.inline_message_id or ""
        known = self._chats.get(inline)
        if known is None:
            self.know_chat(inline, inline)
        return known or inline

    def _is_under_way(self, board: Board) -> bool:
        """Whether a board's newest version will be shown here, or was and is only not written back yet."""
        if self._confirmations.knows(board.id, board.wanted):
            return True
        waits = self._lanes.waits(self._chat_of(board), board.id)
        return waits and self._chains.newest(board.id) >= board.wanted

    def _show_anew_soon(self, board_id: int, wanted: int | None = None) -> None:
        self._tasks.start(self._show_anew(board_id, wanted))

    async def _show_anew(self, board_id: int, wanted: int | None = None, *, hint: int | None = None) -> None:
        """Store a board's next version, with the content as it is, and show it."""
        try:
            raised = await self._store.run(partial(versions.show_anew, board_id=board_id, wanted=wanted))
        except StorageError as error:
            log.debug("A board is left to the sweep: %s", error)
            return
        if raised is not None:
            self.show_raised(raised, hint=hint)

    # Delivery.

    async def _deliver(self, chat: Chat, _key: Hashable, entry: Showing | Words) -> None:
        try:
            if isinstance(entry, Words):
                await self._words.send(entry)
            else:
                await self._deliver_board(entry)
        except TelegramError as error:
            await self._after(chat, entry, error)
        except StorageError as error:
            log.debug("What became of a message is not stored; the sweep comes to it: %s", error)
        except Exception:
            log.exception("Delivery failed", extra={"chat_id": chat})
        else:
            self._note_reached()

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

    async def _after(self, chat: Chat, entry: Showing | Words, error: TelegramError) -> None:
        """Do what a failed call calls for."""
        failure = judge(error)
        self._metrics.errors[failure.value] += 1
        if failure is Failure.PASSING and isinstance(entry, Showing) and not isinstance(error, NotSent):
            late = not self._held.is_ours(entry.board)
            self._confirmations.note_unanswered(entry.board.id, entry.board.wanted, late=late)
        try:
            match failure:
                case Failure.SLOW_DOWN:
                    self._lanes.refused(chat, pause(error))
                    self._pauses.note(chat, pause(error))
                    self._put_back(chat, entry)
                case Failure.PASSING:
                    self._after_passing(chat, entry, error)
                case Failure.MIGRATED if isinstance(error, ChatMigrated):
                    await self._migrate(entry, error.new_chat_id)
                case Failure.NO_THREAD if entry.has_thread:
                    if isinstance(entry, Showing):
                        await self._store.run(partial(boards.leave_topic, board=entry.board))
                    self._put_back(chat, entry.without_thread())
                case Failure.GONE if isinstance(entry, Showing):
                    await self._replace_lost(entry)
                case Failure.OUR_FAULT:
                    log.error("Telegram refused a message: %s", error, extra={"chat_id": chat})
                    await self._give_up(entry)
                case _:
                    log.info("The chat takes no messages: %s", error, extra={"chat_id": chat})
                    await self._give_up(entry)
        except StorageError as broken:
            log.debug("What became of a message is not stored; the sweep comes to it: %s", broken)

    def _after_passing(self, chat: Chat, entry: Showing | Words, error: TelegramError) -> None:
        """Try again a little later, where that cannot say anything twice; in the end leave it to the sweep."""
        if entry.tries + 1 < TRIES and (isinstance(entry, Showing) or isinstance(error, NotSent)):
            self._lanes.pause(chat, 0.25 * 2**entry.tries)
            self._put_back(chat, entry.tried())
            return
        if isinstance(entry, Showing):
            self._held.let_go(entry.board)
        if not self._unreachable:
            self._unreachable = True
            log.warning("Telegram cannot be reached: %s", error, extra={"chat_id": chat})

    def _put_back(self, chat: Chat, entry: Showing | Words) -> None:
        self._lanes.put_back(chat, entry.key, entry)
        if isinstance(entry, Words):
            self._words.put_back(entry)

    async def _replace_lost(self, showing: Showing) -> None:
        if is_watched(showing.game):
            await self._give_up(showing)
            return
        self._held.let_go(showing.board)
        raised = await self._boards.replace_lost(showing)
        if raised is not None:
            self.show_raised(raised)

    async def _give_up(self, entry: Showing | Words) -> None:
        """Stop trying, so that nothing is repeated for ever."""
        if isinstance(entry, Words):
            await self._words.give_up(entry)
        else:
            self._held.let_go(entry.board)
            await self._boards.give_up(entry)
            if is_watched(entry.game):
                self.unseen(entry.game.id)

    async def _migrate(self, entry: Showing | Words, chat_id: int) -> None:
        """Follow a group to its new id; its old messages stay behind, so the boards are sent anew."""
        old = entry.board.chat_id if isinstance(entry, Showing) else entry.chat_id
        if old is not None:
            await self._store.run(partial(chats.migrate, old=old, new=chat_id))
        if isinstance(entry, Showing):
            self._held.let_go(entry.board)
            await self._show_anew(entry.board.id)
        elif entry.message_id is None and entry.notice is None:
            self.say(entry.moved_to(chat_id))

    def _note_reached(self) -> None:
        if self._unreachable:
            self._unreachable = False
            log.warning("Telegram can be reached again")

    def _queue(self) -> Queue:
        """What waits now."""
        showings = [entry for entry in self._lanes.entries() if isinstance(entry, Showing)]
        oldest = min((showing.arrived for showing in showings if showing.arrived), default=None)
        return Queue(self._lanes.waiting, len(self._lanes), since(oldest))


def _newer(record: Record, before: Mapping[int, Board]) -> Sequence[Board]:
    """The boards of a record that were stored as a newer version of what they were before.

    A board whose place another one takes goes once that is there; if that does not come, the sweep shows this one.
    """
    going = [board.replaces for board in record.boards if board.replaces and board.message_id is None]
    return [board for board in record.boards if board is not before.get(board.id) and board.id not in going]


def _is_unasked(board: Board, game: Game, arrived: float | None) -> bool:
    """Whether nobody waits for a board: it calls somebody, or shows the computer's move against itself."""
    if board.message_id is None:
        return board.called
    return game.host is not None and arrived is None and is_watched(game)


def _nobody_cares(_game_id: int) -> None:
    """Before anybody wants to be told."""

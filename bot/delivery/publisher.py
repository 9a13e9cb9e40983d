"""Delivery: everything that the bot shows people goes through here, and what is shown follows what is stored.

A board is not edited, it is published: the newest state of a game goes to its message, and states in between may
be skipped when Telegram slows us down. What Telegram shows is written back (`shown`) in batches; a sweep publishes
whatever lags behind, so that a crash or an outage between a commit and its edit heals by itself.
"""

from __future__ import annotations

import asyncio
import logging
import time
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Final

from telegram.error import BadRequest, ChatMigrated, TelegramError, TimedOut

from bot.answers import Answers
from bot.faults import Fault, judge, pause
from bot.lanes import Lane, Lanes
from bot.metrics import ARRIVED, Metrics, Queue, since
from bot.outbox import Board, Message, boards_of
from bot.tasks import Tasks
from bot.write_back import WriteBack
from storage import chats, games
from storage.errors import CorruptGame, StorageError

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from telegram import Bot, InlineQueryResult

    from bot.calls import Calls
    from bot.views import View
    from storage.game import Game
    from storage.store import Store

log = logging.getLogger(__name__)

SWEEP_SECONDS: Final = 5
SWEEP_AGAIN_SECONDS: Final = 30
"""After so many seconds a board that was swept and still lags may be swept again."""
SWEEP_LIMIT: Final = 100
TRIES: Final = 5
"""How often a call that fails in passing is tried before the sweep takes over, or a message is given up."""
LOOK_AGAIN_SECONDS: Final = 15
"""An edit that was not answered in time may yet land after the next; so much later the board is shown again."""


class Publisher:
    """Sends boards, messages and answers, and knows what became of them."""

    def __init__(
        self,
        bot: Bot,
        calls: Calls,
        store: Store,
        *,
        calls_per_second: int,
        edits_per_minute: int,
        metrics: Metrics | None = None,
    ) -> None:
        """Prepare; the limits are calls a second in all, and messages or edits a minute in a group."""
        self._bot = bot
        self._calls = calls
        self._store = store
        self._lanes: Lanes[Board | Message] = Lanes(
            self._deliver, per_second=calls_per_second, group_per_minute=edits_per_minute
        )
        self._numbers = count()
        self._moved: dict[tuple[int, bool], tuple[tuple[int | None, int | None], int | None]] = {}
        """By board: the chat and the message that are stored, and which message it is in truth."""
        self._tasks = Tasks()
        self._write_back = WriteBack(store, self._tasks, self._show_overtaken)
        self._stopping = asyncio.Event()
        self._unreachable = False
        self._in_doubt: set[tuple[int, bool]] = set()
        """Boards with an edit that was not answered in time."""
        self._metrics = metrics or Metrics()
        self._answers = Answers(bot, calls, self._tasks, self._metrics)
        self._metrics.queue = self._queue

    # What handlers ask for: none of these waits.

    def show(self, game: Game) -> None:
        """Show a game's board as it is now; the sweep does it if there is no room."""
        for board in boards_of(game):
            if board.lane is None:
                self._write_back.note(board)  # its message shows the game that followed
            else:
                self._put(board.lane, board)

    def _put(self, lane: int | str, board: Board) -> None:
        """Let a board wait, unless a newer state of it does."""
        tapped = ARRIVED.get()
        waiting = self._lanes.waiting_for(lane, board.key)
        if isinstance(waiting, Board):
            if waiting.game.version > board.game.version:
                return
            tapped = waiting.tapped or tapped
        self._lanes.put(lane, board.key, replace(board, tapped=tapped))

    def show_below(self, game: Game, *, guest: bool) -> None:
        """Show a game as it is now, one of its boards as a new message: its old one stays behind.

        That message counts as the stored board until the new one is confirmed, so a tap meanwhile is not lost.
        """
        board = Board(game, guest=guest)
        self._moved[board.key] = board.place, None
        self.show(game)

    def say(self, message: Message) -> None:
        """Send or replace a message."""
        if not self._lanes.put(message.chat_id, f"m{next(self._numbers)}", message):
            self._metrics.dropped += 1
            log.debug("A message was dropped: too much waits", extra={"chat_id": message.chat_id})

    def answer(self, query_id: str, text: str | None = None, *, alert: bool = False) -> None:
        """Answer a tap, with words if there are any."""
        self._answers.answer(query_id, text, alert=alert)

    def offer(self, query_id: str, results: Sequence[InlineQueryResult]) -> None:
        """Answer an inline query with this person's own results, which Telegram must not keep for others."""
        self._answers.offer(query_id, results)

    # What runs beside the handlers.

    async def run(self) -> None:
        """Sweep until `close`: publish the boards that Telegram does not show yet, first of all after a start."""
        while not self._stopping.is_set():
            more = False
            try:
                more = await self._sweep()
            except StorageError:
                log.debug("The sweep waits for the database")
            if not more:
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._stopping.wait(), SWEEP_SECONDS)

    async def close(self, seconds: float) -> None:
        """Send what waits, for so many seconds at the most, and write back what is shown."""
        self._stopping.set()
        await self._lanes.close(seconds)
        await self._tasks.close(1)
        await self._write_back.write()

    async def _sweep(self) -> bool:
        """Publish a batch of lagging boards; True if there may be more."""
        now = int(time.time())
        claimed = await self._store.run(
            partial(games.claim_lagging, now=now, again_at=now + SWEEP_AGAIN_SECONDS, limit=SWEEP_LIMIT)
        )
        for game in claimed:
            if not self._is_under_way(game):
                self._show_sound(game)
        return len(claimed) == SWEEP_LIMIT

    def _show_sound(self, game: Game) -> None:
        """Show a game that nobody has checked yet; one that contradicts itself is reported and left alone."""
        try:
            game.check()
        except CorruptGame as error:
            log.error("%s", error, extra={"game_id": game.id})  # noqa: TRY400 - the reason is all there is
            for board in boards_of(game):
                self._write_back.note(board)
        else:
            self.show(game)

    def _is_under_way(self, game: Game) -> bool:
        """Whether this state of a game will be shown, or was and is only not written back yet."""
        waits = any(self._lanes.waits(board.lane, board.key) for board in boards_of(game))
        return waits or self._write_back.knows(game)

    def _show_overtaken(self, game: Game) -> None:
        """Show a game that another process has changed since it was last shown here."""
        if not self._stopping.is_set() and not self._is_under_way(game):
            self.show(game)

    # Delivery.

    async def _deliver(self, lane: Lane[Board | Message], key: Hashable, entry: Board | Message) -> None:
        try:
            try:
                if isinstance(entry, Board):
                    await self._deliver_board(entry)
                else:
                    await self._deliver_message(entry)
            except TelegramError as error:
                await self._after(lane, key, entry, error)
            else:
                self._note_reached()
        except StorageError:
            log.debug("Where a board went is not stored; the sweep will come to it")
        except Exception:
            log.exception("Delivery failed", extra={"chat_id": entry.chat_id})
            self._give_up(entry)

    async def _deliver_board(self, board: Board) -> None:
        game = board.game
        view = board.view(self._bot.username)
        if board.chat_id is None:
            await self._edit(view, inline_message_id=game.inline_message_id)
            self._note_edited(board)
            return
        place, message_id = self._moved.get(board.key, (board.place, board.message_id))
        if place != board.place:  # somebody has stored another message since
            message_id = board.message_id
        if message_id is None:
            message_id = await self._calls.send(view, board.chat_id, game.thread_id)
        else:
            await self._edit(view, chat_id=board.chat_id, message_id=message_id)
        if message_id == board.message_id or await self._move(board, message_id):
            self._note_edited(board)

    async def _move(self, board: Board, message_id: int) -> bool:
        """Store which message is the board now; until that is done, remember it.

        False if there is another board by then: an earlier one, whose sending nobody had heard of, was tapped, or
        another process was faster. Ours is one too many.
        """
        self._moved[board.key] = board.place, message_id
        settled = await self._store.run(
            partial(
                games.settle,
                game_id=board.game.id,
                message_id=message_id,
                instead_of=board.message_id,
                guest=board.guest,
            )
        )
        self._moved.pop(board.key, None)
        if not settled:
            with suppress(TelegramError):
                await self._bot.delete_message(board.chat_id or 0, message_id)
            await self._look_again(board.game.id)
            return False
        waiting = self._lanes.waiting_for(board.lane, board.key)
        if isinstance(waiting, Board) and waiting.place == board.place:
            self._lanes.put(board.lane, board.key, waiting.at(message_id))
        return True

    async def _deliver_message(self, message: Message) -> None:
        if message.message_id is None:
            await self._calls.send(message.view, message.chat_id, message.thread_id)
        else:
            await self._edit(message.view, chat_id=message.chat_id, message_id=message.message_id)

    async def _edit(
        self,
        view: View,
        *,
        chat_id: int | None = None,
        message_id: int | None = None,
        inline_message_id: str | None = None,
    ) -> None:
        try:
            await self._calls.edit(
                view, chat_id=chat_id, message_id=message_id, inline_message_id=inline_message_id
            )
        except BadRequest as error:
            if judge(error) is not Fault.UNCHANGED:
                raise

    async def _after(
        self, lane: Lane[Board | Message], key: Hashable, entry: Board | Message, error: TelegramError
    ) -> None:
        """Do what a failed call calls for."""
        fault = judge(error)
        self._metrics.errors[fault.value] += 1
        if isinstance(entry, Board) and isinstance(error, TimedOut):
            self._in_doubt.add(entry.key)
        context = {"chat_id": entry.chat_id}
        match fault:
            case Fault.SLOW_DOWN:
                lane.be_quiet(pause(error))
                lane.put_back(key, entry)
            case Fault.PASSING if entry.tries + 1 < TRIES:
                lane.be_quiet(0.25 * 2**entry.tries)
                lane.put_back(key, replace(entry, tries=entry.tries + 1))
            case Fault.PASSING:
                if not self._unreachable:
                    self._unreachable = True
                    log.warning("Telegram cannot be reached: %s", error, extra=context)
            case Fault.GONE if isinstance(entry, Board) and entry.chat_id and not entry.sent_anew:
                self._moved[entry.key] = entry.place, None
                lane.put_back(key, replace(entry, sent_anew=True))
            case Fault.NO_THREAD if isinstance(entry, Message) and entry.thread_id is not None:
                lane.put_back(key, replace(entry, thread_id=None))
            case Fault.NO_THREAD if isinstance(entry, Board) and entry.game.thread_id is not None:
                lane.put_back(key, replace(entry, game=replace(entry.game, thread_id=None)))
            case Fault.MIGRATED if isinstance(error, ChatMigrated):
                await self._migrate(entry, error.new_chat_id)
            case Fault.OUR_FAULT:
                log.error("Telegram refused a message: %s", error, extra=context)
                self._give_up(entry)
            case _:
                log.info("The chat takes no messages: %s", error, extra=context)
                self._give_up(entry)

    def _give_up(self, entry: Board | Message) -> None:
        """Stop trying: the board counts as shown, so that nothing is repeated for ever."""
        if isinstance(entry, Board):
            self._moved.pop(entry.key, None)
            self._write_back.note(entry)

    async def _migrate(self, entry: Board | Message, chat_id: int) -> None:
        """Follow a group to its new id; its old messages stay behind, so the board is sent anew."""
        if entry.chat_id is not None:
            await self._store.run(partial(chats.migrate, old=entry.chat_id, new=chat_id))
        if isinstance(entry, Board):
            self.show(replace(entry.game, chat_id=chat_id, message_id=None))
        elif entry.message_id is None:
            self.say(replace(entry, chat_id=chat_id))

    def _note_reached(self) -> None:
        if self._unreachable:
            self._unreachable = False
            log.warning("Telegram can be reached again")

    async def _look_again(self, game_id: int) -> None:
        """Show a game once more as it is then."""
        ARRIVED.set(None)
        with suppress(StorageError):
            for game in (await self._store.run(partial(games.load_many, ids=[game_id]))).values():
                if not isinstance(game, CorruptGame):
                    self.show(game)

    def _queue(self) -> Queue:
        """What waits now."""
        boards = [entry for entry in self._lanes.entries() if isinstance(entry, Board)]
        oldest = min((board.tapped for board in boards if board.tapped), default=None)
        return Queue(self._lanes.waiting, len(self._lanes), since(oldest))

    def _note_edited(self, board: Board) -> None:
        if board.tapped is not None:
            self._metrics.tap_to_edit.observe(since(board.tapped))
        if board.key in self._in_doubt:
            self._in_doubt.discard(board.key)
            self._tasks.later(LOOK_AGAIN_SECONDS, partial(self._look_again, board.game.id))
        self._write_back.note(board)

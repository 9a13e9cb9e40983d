"""Boards: the calls that bring them to their messages, what a failed one means, and the analyses they need."""

import asyncio
import logging
import time
from collections.abc import Callable
from functools import partial
from typing import Final

from telegram.error import BadRequest, TelegramError

from bot.boards.board import farewell
from bot.boards.renderers import render
from bot.delivery.entries import Showing, first_of
from bot.delivery.lanes import Tap
from bot.delivery.messages import Messages
from bot.delivery.ownership import Ownership
from bot.delivery.pace import Chat, Kind
from bot.delivery.recovery import Delivery, Means
from bot.delivery.tasks import Tasks
from bot.delivery.telegram_errors import Failure, is_blocked, judge
from bot.game.analysis import is_pending, learn
from bot.game.pages import review_of
from bot.metrics import seconds_since
from bot.network.transport import NotSent
from bot.recent import Recent
from bot.workers import jobs
from bot.workers.pool import Busy, Job, NoAnswer, Superseded, Workers
from storage.errors import GameNotFound, StorageError
from storage.games import boards, versions
from storage.games.boards import Sent
from storage.games.game import Game, Termination
from storage.games.record import Board, Record
from storage.games.versions import Stored

log = logging.getLogger(__name__)

WRITE_BACK_SECONDS: Final = 0.5
"""How long after an edit it is written back, with all others of that time."""
RESHOW_SECONDS: Final = 1.0
"""How long after a contested version was shown its board is shown again."""
BLOCKED_SECONDS: Final = 5.0
"""How long after Telegram has said that somebody blocks the bot it is asked again, before they lose a game."""
DELETE_PAUSES_SECONDS: Final = (0, 2, 10, 30, 60, 300, 900)
CHATS_KNOWN: Final = 10_000
"""The most inline messages whose chat is remembered."""
REMEMBERED_MESSAGES: Final = 4096
"""The most new messages that are remembered until every loaded record has them."""


class Boards(Delivery[Showing]):
    """Brings boards to their messages, and writes back what is shown."""

    def __init__(self, means: Means, messages: Messages, ownership: Ownership, workers: Workers) -> None:
        super().__init__(means)
        self._notes = messages
        self._ownership = ownership
        self._chats: Recent[str, str] = Recent(CHATS_KNOWN)
        """By inline message the chat that its edits count against: a tap's `chat_instance`, or the message."""
        self._tasks = means.tasks
        self.analyses = AnalysisSearches(workers, means.tasks, self.show_again)
        self._writes = False
        """Whether a write-back is due in a moment."""
        self._messages: Recent[tuple[int, int | None], int] = Recent(REMEMBERED_MESSAGES)
        """The message that was sent, by board and chat: records that were loaded before do not have it."""

    # On their way into the lanes; the seconds are those that `Lanes.put` returns.

    def show_stored(
        self, stored: Stored, tap: Tap | None = None, *, is_reshow: bool = False, hint: int | None = None
    ) -> float:
        """Show one board that was stored here as its next version, once with a cell marked as a `hint`."""
        self._ownership.stored(stored.board, stored.before)
        return self.put(stored.record, stored.board, tap, is_reshow=is_reshow, hint=hint)

    def show_again(
        self, board_id: int, tap: Tap | None = None, *, wanted: int | None = None, hint: int | None = None
    ) -> None:
        """Show a board as its next version, with the content as it is, once with a cell marked as a `hint`.

        With `wanted`, only if that still is its newest version.
        """
        self._tasks.start(self._show_next(board_id, wanted, tap, hint=hint))

    async def _show_next(
        self,
        board_id: int,
        wanted: int | None,
        tap: Tap | None = None,
        *,
        is_reshow: bool = False,
        hint: int | None = None,
    ) -> None:
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

    def put(
        self,
        record: Record,
        board: Board,
        tap: Tap | None = None,
        *,
        is_reshow: bool = False,
        hint: int | None = None,
    ) -> float:
        """Put a board in its lane, unless a newer version is or was there."""
        if board.wanted < self._ownership.newest(board.id):
            return 0.0
        chat = self.chat_of(board)
        if isinstance(waiting := self._lanes.waiting_for(chat, board.id), Showing):
            tap = first_of(waiting.tap, tap, board)
        showing = Showing(chat, board, record.game, tap=tap, is_reshow=is_reshow, hint=hint)
        wait = self._lanes.put(chat, showing, self)
        if showing.is_send and (tap is None or tap.kind is not Kind.TAPPED):
            self._notes.tell_held(showing)
        return wait

    def know_chat(self, inline_message_id: str, chat_instance: str) -> None:
        """Learn which chat an inline message is in, if Telegram says so: its edits count against that chat."""
        if chat_instance:
            self._chats[inline_message_id] = self._chats.get(inline_message_id, chat_instance)

    def chat_of(self, board: Board) -> Chat:
        """The chat whose pace a board keeps. An inline message keeps the first that it was counted under."""
        if board.chat_id is not None:
            return board.chat_id
        inline = board.inline_message_id or ""
        self.know_chat(inline, inline)
        return self._chats[inline]

    # What is shown.

    async def write_back(self) -> None:
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

    def _write_back_soon(self) -> None:
        if not self._writes:
            self._writes = True
            self._tasks.later(WRITE_BACK_SECONDS, self.write_back)

    async def _send(self, entry: Showing) -> None:
        """Make the call for a version; one that is too old is left to the sweep, perhaps of another process."""
        board = entry.board
        if not self._ownership.may_send(board):
            self._leave(entry)
            return
        try:
            brought = await self._bring(entry)
        except asyncio.CancelledError:  # the bot stops, and the edit may still land
            self._ownership.unanswered(board)
            raise
        except TelegramError as error:
            if judge(error) is Failure.PASSING and not isinstance(error, NotSent):
                self._ownership.unanswered(board)
                self._write_back_soon()
            raise
        # A review that waits for its analysis goes on lagging, so that it is completed if this process is killed.
        if brought and not self.analyses.request(entry.game, board):
            self._note_shown(entry)
        self._leave(entry)
        self._succeeded(entry)

    def _note_shown(self, showing: Showing) -> None:
        board = showing.board
        if showing.tap is not None and showing.tap.kind is Kind.TAPPED:
            self._means.metrics.tap_to_edit.observe(seconds_since(showing.tap.arrived))
        self._ownership.shown(board)
        self._write_back_soon()
        if self._ownership.should_show_again(board.id) and not showing.is_reshow:
            together = -time.monotonic() % WRITE_BACK_SECONDS  # with others, in one transaction
            again = partial(self._reshow, board.id, board.wanted)
            self._tasks.later(RESHOW_SECONDS + together, again)

    # The calls.

    async def _bring(self, showing: Showing) -> bool:
        """Let the board's message show the game; False if the board has no message that shows it.

        If the result cannot be stored, the sweep will take the board up.
        """
        board = showing.board
        challenge = _sent_to_rival(showing)
        if board.leaving or (challenge is not None and challenge.termination is Termination.CANCELLED):
            await self._take_away(showing)
            return False
        view = render(showing.game, board, self._means.bot.username, showing.hint)
        if board.inline_message_id is not None:
            await self._means.calls.edit(view, inline_message_id=board.inline_message_id)
            return True
        message_id = self._message_of(board)
        if message_id is None:
            message_id = await self._means.calls.send(
                view, board.chat_id or 0, board.thread_id, board.reply_to, silent=_is_silent(showing)
            )
            self._messages[board.id, board.chat_id] = message_id
            return await self._settle(showing, message_id, is_new=True)
        await self._means.calls.edit(view, chat_id=board.chat_id, message_id=message_id)
        return board.message_id is not None or await self._settle(showing, message_id, is_new=False)

    async def _settle(self, showing: Showing, message_id: int, *, is_new: bool) -> bool:
        """Store which message is the board's now.

        False if it has another one by then: an earlier one, whose sending had no answer, was tapped, or another
        process was faster. Ours is then deleted.
        """
        board = showing.board
        if await self._store.settle(Sent(board, message_id, is_new)):
            if is_new:
                self._ownership.sent(board)
            if board.replaces is not None:
                self.show_again(board.replaces)
            return True
        self._messages.pop((board.id, board.chat_id), None)
        try:
            twin = await self._store.run(
                boards.retire_twin,
                game_id=board.game_id,
                chat_id=board.chat_id,
                message_id=message_id,
            )
        except GameNotFound:  # somebody in it was forgotten while Telegram took its time
            self._tasks.start(self._delete(board.chat_id or 0, message_id))
            return False
        if twin is not None:
            self.show_again(twin.id)
        self.show_again(board.id)
        return False

    async def _delete(self, chat_id: int, message_id: int) -> None:
        """Delete a message for which the database has no board; if Telegram can't be reached, not at once."""
        for pause in DELETE_PAUSES_SECONDS:
            await asyncio.sleep(pause)
            try:
                await self._means.bot.delete_message(chat_id, message_id)
            except TelegramError as error:
                log.info("Couldn't delete the board of a deleted game: %s", error, extra={"chat_id": chat_id})
                if judge(error) not in {Failure.PASSING, Failure.SLOW_DOWN}:
                    return
            else:
                return

    async def _take_away(self, showing: Showing) -> None:
        """Delete the message of a board that has moved; if Telegram refuses, let it say where the board went."""
        board = showing.board
        if board.inline_message_id is not None:
            await self._means.calls.edit(farewell(board), inline_message_id=board.inline_message_id)
        elif board.chat_id is not None and (message_id := self._message_of(board)) is not None:
            try:
                await self._means.bot.delete_message(board.chat_id, message_id)
            except BadRequest as error:
                # Messages over 48 hours old can't be deleted (Bot API); any other reason shows in the edit.
                if judge(error) is not Failure.GONE:
                    last = (
                        farewell(board) if board.leaving else render(showing.game, board, self._means.bot.username)
                    )
                    await self._means.calls.edit(last, chat_id=board.chat_id, message_id=message_id)
        await self._store.run(boards.drop, board=board)

    def _message_of(self, board: Board) -> int | None:
        return board.message_id or self._messages.get((board.id, board.chat_id))

    # When a call has failed.

    def _leave(self, entry: Showing) -> None:
        """Release a board that this process won't show: no sweep claims it while it is held."""
        self._ownership.let_go(entry.board)

    async def _give_up(self, entry: Showing) -> None:
        """Make no more calls until the board changes, or its chat can be reached again."""
        self._failing_since.pop(entry.key, None)
        await self._let_go(entry, boards.unreachable)
        self._means.returns.lose(entry.chat_id, entry.thread_id)

    async def _after_loss(self, chat: Chat, entry: Showing, error: TelegramError) -> None:  # noqa: ARG002 - a loss says it all
        """Ask for another message for a board whose message is gone, if there is still something to show.

        A game that is over is not sent again: somebody has deleted its message on purpose. Nor is anything else of
        inline mode: the bot isn't in that chat.
        """
        board, message_id = entry.board, self._message_of(entry.board)
        self._messages.pop((board.id, board.chat_id), None)
        if entry.watched is not None or entry.game.is_over:
            await self._let_go(entry, boards.close)
        elif board.inline_message_id is not None:
            await self._let_go(entry, boards.unreachable)
        elif message_id is None:
            await self._let_go(entry, boards.close)
        else:
            await self._let_go(entry._replace(board=board._replace(message_id=message_id)), boards.lost)

    async def _let_go(self, entry: Showing, store: Callable[..., Stored | None]) -> None:
        """Store what becomes of a board that can't be shown where it is, and show what follows from it."""
        self._leave(entry)
        if entry.watched is not None:
            self._means.ties.unseen(entry.watched)
        if entry.board.leaving:
            await self._store.run(boards.drop, board=entry.board)
        elif entry.is_homeless:
            for stored in await self._store.run(boards.go_home, board=entry.board):
                self.show_stored(stored)
        elif (again := await self._store.run(store, board=entry.board)) is not None:
            self.show_stored(again)

    async def _after_refusal(self, chat: Chat, entry: Showing, error: TelegramError) -> None:
        """Give up; a person who blocks the bot, as Telegram says twice, keeps no stranger waiting."""
        if entry.is_of_strangers and is_blocked(error):
            if not entry.blocked:
                self._put_back(chat, entry._replace(blocked=True), after=BLOCKED_SECONDS)
                return
            # Before the board is given up: if the process is killed in between, the sweep leads here again.
            await self._means.ties.gone(entry.board.viewer or 0)
        await super()._after_refusal(chat, entry, error)

    async def _leave_topic(self, entry: Showing) -> None:
        await self._store.run(boards.lose_topic, board=entry.board)

    def _move(self, entry: Showing, chat_id: int) -> None:  # noqa: ARG002 - the database has it by now
        """Send a board again: the old messages of a group that has migrated can't be edited."""
        self._leave(entry)
        self.show_again(entry.board.id)

    def _wait_for_sends(self, chat: Chat, entry: Showing) -> None:
        self._notes.tell_held(entry)
        if entry.board.replaces is not None:
            self.show_again(entry.board.replaces)  # it stays in use for so long
        self._put_back(chat, entry)


def _sent_to_rival(showing: Showing) -> Game | None:
    """The challenge that a message brings into the private chat of the person challenged, if it does."""
    game, viewer = showing.game, showing.board.viewer
    if not game.is_challenge or viewer is None or game.mark_of(viewer) is not None:
        return None
    return game


def _is_silent(showing: Showing) -> bool:
    """Whether a new message makes no sound: where it wasn't asked for, and in a group unless it calls somebody."""
    game, board = showing.game, showing.board
    if (board.chat_id or 0) > 0:
        return _sent_to_rival(showing) is not None
    return not board.called and not (game.is_challenge and game.names_rival and not game.hushed)


PLY_SECONDS: Final = 0.4
"""How long an analysis may take for each ply: several times the usual, for a busy machine to come to the same."""
LEAST_SECONDS, MOST_SECONDS = 6.0, 12.0
"""How long it may take in all; the person who asked can step through the game meanwhile."""


class AnalysisSearches:
    """The analyses under way, and the boards that wait for them."""

    def __init__(self, workers: Workers, tasks: Tasks, show_again: Callable[[int], None]) -> None:
        """`show_again` gets the id of each board that has waited."""
        self._workers = workers
        self._tasks = tasks
        self._show_again = show_again
        self._waiting: dict[tuple[str, str], set[int]] = {}

    def request(self, game: Game, board: Board) -> bool:
        """Search for the analysis that a board waits for, if it does; True if so."""
        if review_of(board) is None or not is_pending(game):
            return False
        key = game.rules, game.moves
        known = key in self._waiting
        self._waiting.setdefault(key, set()).add(board.id)
        if not known:
            self._tasks.start(self._search(game))
        return True

    async def _search(self, game: Game) -> None:
        key = game.rules, game.moves
        seconds = min(max(PLY_SECONDS * game.ply, LEAST_SECONDS), MOST_SECONDS)
        work = partial(jobs.analysis_of, game.rules, game.moves)
        try:
            learn(game, await self._workers.run(Job(("analysis", *key), work, seconds, urgent=False)))
        except (Busy, Superseded):
            return  # the sweep comes to the boards
        except NoAnswer as error:
            log.warning("Couldn't analyse a game: %s", error, extra={"game_id": game.id})
            learn(game, None)
        finally:
            waiting = self._waiting.pop(key)
        for board_id in waiting:
            self._show_again(board_id)

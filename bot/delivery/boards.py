"""Boards: how they come into their lanes and to their messages, and what is written back once they are shown."""

import asyncio
import logging
import math
import time
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Final

from telegram.error import TelegramError

from bot.boards.board import board_view, farewell
from bot.boards.finished import shared_view
from bot.boards.links import Me
from bot.boards.players import scene_of
from bot.boards.reviews import review_view
from bot.boards.view import View
from bot.delivery.analyses import Analyses
from bot.delivery.calls import Calls
from bot.delivery.entries import (
    Entry,
    NotNow,
    Prompt,
    first_of,
    is_homeless,
    is_sent_to_rival,
    is_silent,
    newer,
    person_of,
    priority_of,
)
from bot.delivery.lanes import Lanes
from bot.delivery.messages import Messages
from bot.delivery.ownership import Ownership
from bot.delivery.pace import Chat, Priority
from bot.delivery.recovery import LONGEST_CALL_PAUSE_SECONDS, Reach
from bot.delivery.tasks import Tasks
from bot.delivery.telegram_errors import Failure, is_blocked, judge
from bot.game.attempt import thought_of
from bot.game.exhibitions import is_watched
from bot.game.pages import review_of, shared_ply
from bot.language import speaking
from bot.network.transport import NotSent
from bot.recent import Recent
from bot.workers.pool import Workers
from storage.errors import GameNotFound, StorageError
from storage.games import boards, gauntlets, versions
from storage.games.boards import Sent
from storage.games.game import Game, Limits, Termination
from storage.games.record import Board, Changed, Gauntlet, Record
from storage.games.versions import Stored
from storage.store import Store

log = logging.getLogger(__name__)

WRITE_BACK_SECONDS: Final = 0.5
"""How long after an edit it is written back, with all others of that time."""
RESHOW_SECONDS: Final = 1.0
"""How long after a contested version was shown its board is shown again."""
TOGETHER_SECONDS: Final = 0.3
"""An answer of the computer that comes this soon is shown together with the move that it answers."""
TOGETHER_IN_TEXT_SECONDS: Final = 3.0
"""The same for a board in text, where the answer would need another message."""
BLOCKED_SECONDS: Final = 5.0
"""How long after Telegram has said that somebody blocks the bot it is asked again, before they lose a game."""
DELETE_PAUSES_SECONDS: Final = (0, 2, 10, 30, 60, 300, 900)
CHATS_KNOWN: Final = 10_000
"""The most inline messages whose chat is remembered."""
REMEMBERED_MESSAGES: Final = 4096
"""The most new messages that are remembered until every loaded record has them."""


class Boards:
    """Shows boards: none of what puts one in its lane waits for that."""

    def __init__(
        self,
        *,
        calls: Calls,
        store: Store,
        lanes: Lanes,
        reach: Reach,
        messages: Messages,
        workers: Workers,
        tasks: Tasks,
        gone: Callable[[int], Awaitable[object]],
    ) -> None:
        """`gone` is told the id of each person who blocks the bot while they wait for a stranger, or play one."""
        self.calls, self.store, self.lanes, self.reach, self.tasks = calls, store, lanes, reach, tasks
        self.messages, self.gone = messages, gone
        self.ownership = Ownership()
        self.analyses = Analyses(workers, tasks, self.show_again)
        self.message_ids: Recent[tuple[int, int | None], int] = Recent(REMEMBERED_MESSAGES)
        """The message that was sent, by board and chat: records that were loaded before do not have it."""
        self._chats: Recent[str, str] = Recent(CHATS_KNOWN)
        """By inline message the chat that its edits count against: a tap's `chat_instance`, or the message."""
        self._writes = False
        """Whether a write-back is due in a moment."""

    # On their way into the lanes. What is returned is what `Lanes.put` returns: whether to tell people.

    def show(self, changed: Changed, prompt: Prompt | None = None) -> bool:
        """Show a game that was changed here, and the one that follows it.

        If the computer is to move, its answer may come first. Of the boards those count where somebody has acted.
        """
        is_slow = False
        for record in filter(None, (changed.record, changed.following)):
            after = 0.0
            if thought_of(record.game) is not None:
                in_text = any(board.as_text for board in record.boards)
                after = TOGETHER_IN_TEXT_SECONDS if in_text else TOGETHER_SECONDS
            for board in newer(record, changed.before, self.lanes.sends_held):
                stored = Stored(record, board, changed.before.get(board.id))
                waits = self.show_stored(stored, prompt, after=after)
                stays = board.replaces is not None and self.lanes.sends_held(board.chat_id or 0)
                is_here = prompt is None or prompt.chat_id in (None, board.chat_id)
                is_slow = is_slow or (waits and is_here and not stays)
        return is_slow

    def show_all(self, stored: Iterable[Stored], prompt: Prompt | None = None) -> None:
        for each in stored:
            self.show_stored(each, prompt)

    def show_stored(
        self,
        stored: Stored,
        prompt: Prompt | None = None,
        *,
        after: float = 0.0,
        is_reshow: bool = False,
        hint: int | None = None,
    ) -> bool:
        """Show one board that was stored here as its next version, once with a cell marked as a `hint`."""
        if not self.ownership.stored(stored.board, stored.before):
            return False
        return self._put(stored.record, stored.board, prompt, after=after, is_reshow=is_reshow, hint=hint)

    def show_claimed(self, record: Record, board: Board) -> None:
        """Show a board that this process's sweep has claimed."""
        if self.ownership.claimed(board):
            self._put(record, board)

    def show_again(
        self, board_id: int, prompt: Prompt | None = None, *, wanted: int | None = None, hint: int | None = None
    ) -> None:
        """Show a board as its next version, with the content as it is, once with a cell marked as a `hint`.

        With `wanted`, only if that still is its newest version.
        """
        show = partial(self.show_stored, prompt=prompt, hint=hint)
        self.tasks.start(self._show_next(board_id, wanted, show))

    def refresh(self, record: Record, behind: int | None = None) -> None:
        """Show the boards of a loaded game that lag, unless they are about to be shown here anyway.

        `behind` is the message of a board that somebody has seen showing something else: it counts as lagging.
        """
        for board in record.boards:
            stays = board.is_unreachable and board.chat_id is not None  # until its chat is heard from
            lags = not stays and (board.is_lagging or (behind is not None and board.message_id == behind))
            chat = self._chat_of(board)
            self.lanes.hurry(chat, board.id, LONGEST_CALL_PAUSE_SECONDS)
            comes = self.lanes.waits(chat, board.id) and self.ownership.newest(board.id) >= board.wanted
            if lags and not comes and not self.ownership.is_shown(board):
                self.show_again(board.id, wanted=board.wanted)

    async def _show_next(self, board_id: int, wanted: int | None, show: Callable[[Stored], object]) -> None:
        try:
            stored = await self.store.store_again(board_id, wanted)
        except StorageError as error:
            log.debug("Leaving a board to the sweep: %s", error)
            return
        if stored is not None:
            show(stored)

    def _put(
        self,
        record: Record,
        board: Board,
        prompt: Prompt | None = None,
        *,
        after: float = 0.0,
        is_reshow: bool = False,
        hint: int | None = None,
    ) -> bool:
        game = record.game
        showing = Showing(
            chat=self._chat_of(board),
            key=board.id,
            priority=priority_of(board, game, prompt),
            person=person_of(board, game, prompt),
            is_send=board.message_id is None and board.inline_message_id is None,
            chat_id=board.chat_id,
            thread_id=board.thread_id,
            prompt=prompt,
            by=self,
            board=board,
            game=game,
            is_reshow=is_reshow,
            hint=hint,
        )
        is_slow = self.lanes.put(showing, after=after)
        if showing.is_send and (showing.prompt is None or showing.prompt.priority is not Priority.TAPPED):
            self.messages.tell_held(showing)
        return is_slow

    def wait_to_spare(self, record: Record) -> float:
        """Seconds until a game that plays itself may go on without making anybody wait in its chats.

        It is infinite while something is still to be shown there; the caller then asks again.
        """
        if self.reach.is_lost:
            return math.inf
        return max((self.lanes.wait_to_spare(self._chat_of(board)) for board in record.boards), default=0.0)

    def know_chat(self, inline_message_id: str, chat_instance: str) -> None:
        """Learn which chat an inline message is in, if Telegram says so: its edits count against that chat."""
        if chat_instance:
            self._chats[inline_message_id] = self._chats.get(inline_message_id, chat_instance)

    def _chat_of(self, board: Board) -> Chat:
        """The chat whose pace a board keeps. An inline message keeps the first that it was counted under."""
        if board.chat_id is not None:
            return board.chat_id
        inline = board.inline_message_id or ""
        self.know_chat(inline, inline)
        return self._chats[inline]

    def analyse(self, record: Record) -> None:
        """Search for the analysis that a review waits for: another process may have shown its boards."""
        for board in record.boards:
            self.analyses.request(record.game, board)

    # Once they are shown.

    def note_shown(self, showing: "Showing") -> None:
        """Note that Telegram shows a version, which is then written back."""
        board = showing.board
        may_heal = self.ownership.shown(board)
        self.write_back_soon()
        if may_heal and not showing.is_reshow:
            together = -time.monotonic() % WRITE_BACK_SECONDS  # with others, in one transaction
            self.tasks.later(RESHOW_SECONDS + together, partial(self._reshow, board.id, board.wanted))

    async def _reshow(self, board_id: int, version: int) -> None:
        """Show a contested version again, if nothing newer was stored here.

        It only heals a board sooner than the sweep would, so it may be lost at any moment.
        """
        if self.ownership.newest(board_id) == version:
            await self._show_next(board_id, version, partial(self.show_stored, is_reshow=True))

    async def write_back(self) -> None:
        """Confirm what is shown and mark overdue calls: one transaction for all calls of half a second."""
        self._writes = False
        shown, overdue, contested = self.ownership.to_write()
        if not shown and not overdue and not contested:
            return
        try:
            undone = await self.store.run(versions.confirm, shown=shown, overdue=overdue, contested=contested)
        except StorageError as error:
            log.debug("Couldn't store what is shown; the sweep will show it again: %s", error)
            undone = None
        if self.ownership.wrote(overdue, undone):
            self.write_back_soon()

    def write_back_soon(self) -> None:
        if not self._writes:
            self._writes = True
            self.tasks.later(WRITE_BACK_SECONDS, self.write_back)


@dataclass(kw_only=True, eq=False)
class Showing(Entry):
    """A version of a board, on its way to its message."""

    by: Boards
    board: Board
    game: Game
    is_reshow: bool = False
    """Whether it only repeats what was shown, because another process may have shown something older since."""
    hint: int | None = None
    """A cell to mark, this once."""
    is_blocked: bool = False
    """Whether Telegram has already said once that its viewer has blocked the bot."""

    def follow(self, older: Entry) -> None:
        """Be shown for the prompt that comes first, also if the older state has it."""
        self.prompt = first_of(older.prompt, self.prompt, self.board)
        self.person = person_of(self.board, self.game, self.prompt)
        self.priority = min(priority_of(self.board, self.game, self.prompt), older.priority)

    async def send(self) -> None:
        """Make the call for a version; one that is too old is left to the sweep, perhaps of another process."""
        by, board = self.by, self.board
        if not by.ownership.may_send(board):
            raise NotNow("its send window is over")
        try:
            is_shown = await self._bring()
        except asyncio.CancelledError:  # the bot stops, and the edit may still land
            by.ownership.unanswered(board)
            raise
        except TelegramError as error:
            if judge(error) is Failure.PASSING and not isinstance(error, NotSent):
                by.ownership.unanswered(board)
                by.write_back_soon()
            raise
        # A review that waits for its analysis goes on lagging, so that it is completed if this process is killed.
        if is_shown and not (self.game.is_over and by.analyses.request(self.game, board)):
            by.note_shown(self)

    # The calls.

    async def _bring(self) -> bool:
        """Let the board's message show the game; False if the board has no message that shows it.

        If the result cannot be stored, the sweep will take the board up.
        """
        board, game, calls = self.board, self.game, self.by.calls
        is_withdrawn = game.termination is Termination.CANCELLED and is_sent_to_rival(board, game)
        if board.leaving or is_withdrawn:
            await self._take_away()
            return False
        view = await self._view()
        if board.inline_message_id is not None:
            await calls.edit(view, inline_message_id=board.inline_message_id)
            return True
        message_id = self._message_id
        if message_id is None:
            silent = is_silent(board, game, self.prompt)
            message_id = await calls.send(view, board.chat_id or 0, self.thread_id, board.reply_to, silent=silent)
            self.by.message_ids[board.id, board.chat_id] = message_id
            return await self._settle(message_id, is_new=True)
        await calls.edit(view, chat_id=board.chat_id, message_id=message_id)
        return board.message_id is not None or await self._settle(message_id, is_new=False)

    async def _view(self) -> View:
        """The view, in which what others make of a shared game isn't its own to know."""
        game, board = self.game, self.board
        shared, gauntlet = game.beats if shared_ply(board) is None else game.id, None
        if shared is not None:
            gauntlet = await self.by.store.read(gauntlets.find, game_id=shared, tried=game)
        return render(game, board, self.by.calls.me, self.hint, gauntlet)

    @property
    def _message_id(self) -> int | None:
        return self.board.message_id or self.by.message_ids.get((self.board.id, self.board.chat_id))

    async def _settle(self, message_id: int, *, is_new: bool) -> bool:
        """Store which message is the board's now.

        False if it has another one by then: an earlier one, whose sending had no answer, was tapped, or another
        process was faster. Ours is then deleted.
        """
        by, board = self.by, self.board
        if await by.store.settle(Sent(board, message_id, is_new)):
            if is_new:
                by.ownership.sent(board)
            if board.replaces is not None:
                by.show_again(board.replaces)
            return True
        by.message_ids.pop((board.id, board.chat_id), None)
        try:
            twin = await by.store.run(
                boards.retire_twin, game_id=board.game_id, chat_id=board.chat_id, message_id=message_id
            )
        except GameNotFound:  # somebody in it was forgotten while Telegram took its time
            by.tasks.start(self._delete(message_id))
            return False
        if twin is not None:
            by.show_again(twin.id)
        by.show_again(board.id)
        return False

    async def _delete(self, message_id: int) -> None:
        """Delete a message for which the database has no board; if Telegram can't be reached, not at once."""
        chat_id = self.board.chat_id or 0
        for pause in DELETE_PAUSES_SECONDS:
            await asyncio.sleep(pause)
            try:
                await self.by.calls.bot.delete_message(chat_id, message_id)
            except TelegramError as error:
                log.info("Couldn't delete the board of a deleted game: %s", error, extra={"chat_id": chat_id})
                if judge(error) not in {Failure.PASSING, Failure.SLOW_DOWN}:
                    return
            else:
                return

    async def _take_away(self) -> None:
        """Delete the message of a board that has moved; if Telegram refuses, let it say where the board went."""
        board, calls = self.board, self.by.calls
        if board.inline_message_id is not None:
            await calls.edit(farewell(board), inline_message_id=board.inline_message_id)
        elif board.chat_id is not None and (message_id := self._message_id) is not None:
            last = farewell(board) if board.leaving else await self._view()
            await calls.take_away(last, chat_id=board.chat_id, message_id=message_id)
        await self.by.store.run(boards.drop, board=board)

    # When a call has failed.

    def leave(self) -> None:
        """Release the board: no sweep claims it while it is held."""
        self.by.ownership.let_go(self.board)

    async def give_up(self) -> None:
        """Make no more calls until the board changes, or its chat can be reached again."""
        if self.board.leaving:
            await self.by.store.run(boards.drop, board=self.board)
        elif is_homeless(self.board, self.game):
            await self._go_home()
        else:
            await self.by.store.run(boards.unreachable, board=self.board)
        self.by.reach.lose(self.chat_id, self.thread_id)

    async def lost(self) -> None:
        """Ask for another message for the board, if there is still something to show.

        A game that is over, or watched, is not sent again: somebody has deleted its message on purpose. Nor is
        anything else of inline mode: the bot isn't in that chat.
        """
        by, board, game, message_id = self.by, self.board, self.game, self._message_id
        by.message_ids.pop((board.id, board.chat_id), None)
        if board.leaving or is_watched(game):
            await by.store.run(boards.drop, board=board)
        elif is_homeless(board, game):
            await self._go_home()
        elif board.inline_message_id is not None and not game.is_over:
            await by.store.run(boards.unreachable, board=board)
        elif message_id is None or game.is_over:
            await by.store.run(boards.close, board=board)
        else:
            stored = await by.store.run(boards.lost, board=board._replace(message_id=message_id))
            if stored is not None:
                by.show_stored(stored)

    async def _go_home(self) -> None:
        self.by.show_all(await self.by.store.run(boards.go_home, board=self.board))

    async def refused(self, error: TelegramError) -> float | None:
        """Give up; a person who blocks the bot, as Telegram says twice, keeps no stranger waiting."""
        if self.game.time_limits is Limits.STRANGERS and is_blocked(error):
            if not self.is_blocked:
                self.is_blocked = True
                return BLOCKED_SECONDS
            # Before the board is given up: if the process is killed in between, the sweep leads here again.
            await self.by.gone(self.board.viewer or 0)
        await self.give_up()
        return None

    async def leave_topic(self) -> None:
        await self.by.store.run(boards.lose_topic, board=self.board)
        self.thread_id = None

    def moved(self, chat_id: int) -> None:  # noqa: ARG002 - the database has it by now
        """Send the board again: the old messages of a group that has migrated can't be edited."""
        self.by.show_again(self.board.id)

    def held_up(self) -> bool:
        self.by.messages.tell_held(self)
        if self.board.replaces is not None:
            self.by.show_again(self.board.replaces)  # it stays in use for so long
        return True


def render(game: Game, board: Board, me: Me, hint: int | None = None, gauntlet: Gauntlet | None = None) -> View:
    """The message of a game on one of its boards, in the form of that board.

    A hint is a cell to mark; on a text board only the answer names it.
    """
    with speaking(board.language):
        scene = scene_of(game, board, me, gauntlet)
        if (ply := shared_ply(board)) is not None:
            return shared_view(scene, ply)
        if game.is_over and (review := review_of(board)) is not None:
            return review_view(scene, board, review)
        return board_view(scene, hint)

"""How a board is shown: which message it is, the call that edits it, and analyses it needs."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from functools import partial
from typing import Final

from telegram import Bot
from telegram.error import BadRequest, TelegramError

from bot.boards.board import farewell
from bot.boards.renderers import render
from bot.boards.view import View
from bot.delivery.entries import Showing
from bot.delivery.messages import Calls
from bot.delivery.ownership import Ownership
from bot.delivery.tasks import Tasks
from bot.delivery.telegram_errors import Failure, judge
from bot.game.analysis import give_up, is_pending, learn
from bot.game.pages import review_of
from bot.recent import Recent
from bot.workers import jobs
from bot.workers.pool import Busy, Job, NoAnswer, Superseded, Workers
from storage.errors import GameNotFound
from storage.games import boards
from storage.games.boards import Sent
from storage.games.game import Game, Termination
from storage.games.record import Board
from storage.games.versions import Stored
from storage.people.person import Wait
from storage.store import Store

DELETE_PAUSES_SECONDS: Final = (0, 2, 10, 30, 60, 300, 900)
REMEMBERED: Final = 4096
"""The most new messages that are remembered until every loaded record has them."""


class BoardCalls:
    """Makes the calls that bring boards to their messages."""

    def __init__(  # noqa: PLR0917
        self,
        bot: Bot,
        calls: Calls,
        store: Store,
        ownership: Ownership,
        tasks: Tasks,
        show_again: Callable[[int], None],
    ) -> None:
        """Call by `calls`; `show_again` is asked to show a board, by id, as its next version."""
        self._bot = bot
        self._calls = calls
        self._store = store
        self._ownership = ownership
        self._tasks = tasks
        self.show_again = show_again
        self._messages: Recent[tuple[int, int | None], int] = Recent(REMEMBERED)
        """The message that was sent, by board and chat: records that were loaded before do not have it."""

    async def bring(self, showing: Showing) -> bool:
        """Let the board's message show the game; False if the board has no message that shows it.

        If the result cannot be stored, the sweep will take the board up.
        """
        board = showing.board
        challenge = _sent_to_rival(showing)
        if board.leaving or (challenge is not None and challenge.termination is Termination.CANCELLED):
            await self._take_away(showing)
            return False
        view = render(showing.subject, board, self._bot.username, showing.hint)
        if board.inline_message_id is not None:
            await self._edit(view, board)
            return True
        message_id = self._message_of(board)
        if message_id is None:
            return await self._send(showing, view)
        await self._edit(view, board, message_id)
        return board.message_id is not None or await self._settle(showing, message_id, is_new=False)

    async def replace_lost(self, showing: Showing) -> Stored | None:
        """Ask for another message for a board whose message is gone; None if nothing is to be sent.

        A game that is over is not sent again: somebody has deleted its message on purpose.
        """
        board = showing.board
        sent = self._messages.pop((board.id, board.chat_id), None)
        if board.leaving:
            await self._remove(board)
            return None
        message_id = board.message_id or sent
        if board.chat_id is None or message_id is None or showing.subject.is_over:
            await self.close(showing)
            return None
        lost = board._replace(message_id=message_id)
        return await self._store.run(boards.lost, board=lost)

    async def give_up(self, showing: Showing) -> None:
        """Make no more calls until the board changes, or its chat can be reached again."""
        if showing.board.leaving:
            await self._remove(showing.board)
        else:
            await self._store.run(boards.unreachable, board=showing.board)

    async def close(self, showing: Showing) -> None:
        """Make no more calls until the board changes: its message is gone."""
        if showing.board.leaving:
            await self._remove(showing.board)
        else:
            await self._store.run(boards.close, board=showing.board)

    async def _send(self, showing: Showing, view: View) -> bool:
        board = showing.board
        silent = _sent_to_rival(showing) is not None
        message_id = await self._calls.send(view, board.chat_id or 0, board.thread_id, silent=silent)
        self._messages[board.id, board.chat_id] = message_id
        return await self._settle(showing, message_id, is_new=True)

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
                wait_id=board.wait_id,
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
                await self._bot.delete_message(chat_id, message_id)
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
            await self._edit(farewell(board), board)
        elif board.chat_id is not None and (message_id := self._message_of(board)) is not None:
            try:
                await self._bot.delete_message(board.chat_id, message_id)
            except BadRequest as error:
                # Messages over 48 hours old can't be deleted (Bot API); any other reason shows in the edit.
                if judge(error) is not Failure.GONE:
                    last = farewell(board) if board.leaving else render(showing.subject, board, self._bot.username)
                    await self._edit(last, board, message_id)
        await self._remove(board)

    def _message_of(self, board: Board) -> int | None:
        return board.message_id or self._messages.get((board.id, board.chat_id))

    async def _remove(self, board: Board) -> None:
        await self._store.run(boards.drop, board=board)

    async def _edit(self, view: View, board: Board, message_id: int | None = None) -> None:
        inline = board.inline_message_id
        try:
            await self._calls.edit(view, chat_id=board.chat_id, message_id=message_id, inline_message_id=inline)
        except BadRequest as error:
            if judge(error) is not Failure.UNCHANGED:
                raise


def _sent_to_rival(showing: Showing) -> Game | None:
    """The challenge that a message brings into the private chat of the person challenged, if it does."""
    game, viewer = showing.subject, showing.board.viewer
    if isinstance(game, Wait) or not game.is_challenge or viewer is None or game.mark_of(viewer) is not None:
        return None
    return game


log = logging.getLogger(__name__)

SECONDS: Final = 0.4
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

    def request(self, game: Game | Wait, board: Board) -> bool:
        """Search for the analysis that a board waits for, if it does; True if so."""
        if isinstance(game, Wait) or review_of(board) is None or not is_pending(game):
            return False
        key = game.rules, game.moves
        known = key in self._waiting
        self._waiting.setdefault(key, set()).add(board.id)
        if not known:
            self._tasks.start(self._look(game))
        return True

    async def _look(self, game: Game) -> None:
        key = game.rules, game.moves
        seconds = min(max(SECONDS * game.ply, LEAST_SECONDS), MOST_SECONDS)
        work = partial(jobs.analysis_of, game.rules, game.moves)
        try:
            learn(game, await self._workers.run(Job(("analysis", *key), work, seconds, urgent=False)))
        except (Busy, Superseded):
            return  # the sweep comes to the boards
        except NoAnswer as error:
            log.warning("Couldn't analyse a game: %s", error, extra={"game_id": game.id})
            give_up(game)
        finally:
            waiting = self._waiting.pop(key)
        for board_id in waiting:
            self._show_again(board_id)

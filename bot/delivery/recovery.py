"""What is done about a call that failed: it is made again, elsewhere, for a new message, or never more."""

from __future__ import annotations

import logging
import time
from functools import partial
from typing import TYPE_CHECKING, Final

from telegram.error import ChatMigrated

from bot.delivery.entries import Showing, Words
from bot.delivery.errors import Failure, NotSent, is_outside, judge, pause
from bot.game.watched import is_watched
from storage import board_messages, chats
from storage.errors import StorageError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from telegram.error import TelegramError

    from bot.delivery.boards import BoardCalls
    from bot.delivery.confirmations import Confirmations
    from bot.delivery.held import Held
    from bot.delivery.lanes import Lanes
    from bot.delivery.pace import Chat
    from bot.delivery.pauses import Pauses
    from bot.delivery.reach import Reach
    from bot.delivery.waiting import WaitingBoards
    from bot.delivery.words import WordCalls
    from bot.metrics import Metrics
    from storage.store import Store

log = logging.getLogger(__name__)

TRIES: Final = 5
"""How often a call that fails in passing is tried before the sweep takes over, or words are given up."""


class Recovery:
    """Does what a failed call calls for."""

    def __init__(
        self,
        store: Store,
        *,
        lanes: Lanes[Showing | Words],
        held: Held,
        confirmations: Confirmations,
        pauses: Pauses,
        waiting: WaitingBoards,
        boards: BoardCalls,
        words: WordCalls,
        reach: Reach,
        metrics: Metrics,
    ) -> None:
        """Put back into these lanes what is worth another try, and by these calls take back what is not."""
        self._store = store
        self._lanes = lanes
        self._held = held
        self._confirmations = confirmations
        self._pauses = pauses
        self._waiting = waiting
        self._boards = boards
        self._words = words
        self._reach = reach
        self._metrics = metrics
        self.on_unseen: Callable[[int], None] = _nobody_cares
        """Told of watched games, by id, that nobody can see any more."""
        self.on_gone: Callable[[int], Awaitable[None]] = _nobody_waits
        """Told of people, by id, who cannot be reached and wait in the queue, or are waited for there."""

    async def after(self, chat: Chat, entry: Showing | Words, error: TelegramError) -> None:
        """Do what a failed call calls for; what cannot be stored of it is left to the sweep."""
        failure = judge(error)
        self._metrics.errors[failure.value] += 1
        if failure is Failure.PASSING and isinstance(entry, Showing) and not isinstance(error, NotSent):
            late = not self._held.is_ours(entry.board)
            self._confirmations.note_unanswered(entry.board.id, entry.board.wanted, late=late)
        try:
            await self._act_on(failure, chat, entry, error)
        except StorageError as broken:
            log.debug("What became of a message is not stored; the sweep comes to it: %s", broken)
            self.leave_to_the_sweep(entry)
        # It refers to itself (python-telegram-bot), and would keep a file until garbage is looked for.
        error.__traceback__ = None

    def leave_to_the_sweep(self, entry: Showing | Words) -> None:
        """Hold a board no more that this process will not show: held, no sweep would ever come to it."""
        if isinstance(entry, Showing):
            self._held.let_go(entry.board)

    async def _act_on(self, failure: Failure, chat: Chat, entry: Showing | Words, error: TelegramError) -> None:
        match failure:
            case Failure.SLOW_DOWN:
                self._lanes.refused(chat, pause(error))
                self._pauses.note(chat, pause(error))
                self._put_back(chat, entry)
            case Failure.PASSING:
                await self._after_passing(chat, entry, error)
            case Failure.MIGRATED if isinstance(error, ChatMigrated):
                await self._migrate(entry, error.new_chat_id)
            case Failure.NO_THREAD if entry.has_thread:
                if isinstance(entry, Showing):
                    await self._store.run(partial(board_messages.leave_topic, board=entry.board))
                self._put_back(chat, entry.without_thread())
            case Failure.GONE if isinstance(entry, Showing):
                await self._replace_lost(entry)
            case Failure.OUR_FAULT:
                log.error("Telegram refused a message: %s", error, extra={"chat_id": chat})
                await self._give_up(entry)
            case _:
                log.info("The chat takes no messages: %s", error, extra={"chat_id": chat})
                # Before it is given up: whoever is killed in between, the sweep comes here again.
                if failure is Failure.CLOSED and isinstance(entry, Showing) and entry.game.is_of_queue:
                    await self.on_gone(entry.board.viewer or 0)
                if is_outside(error):
                    await self._leave(entry)
                await self._give_up(entry)

    async def _leave(self, entry: Showing | Words) -> None:
        """Note that the bot is in a group no more, where Telegram has not told it, or a backup was restored."""
        chat_id = entry.board.chat_id if isinstance(entry, Showing) else entry.chat_id
        if chat_id is not None and chat_id < 0:
            await self._store.run(partial(chats.leave, chat_id=chat_id, now=int(time.time())))

    async def _after_passing(self, chat: Chat, entry: Showing | Words, error: TelegramError) -> None:
        """Try again a little later, where that cannot say anything twice; in the end leave it to the sweep."""
        if entry.tries + 1 < TRIES and (isinstance(entry, Showing) or isinstance(error, NotSent)):
            self._lanes.pause(chat, 0.25 * 2**entry.tries)
            self._put_back(chat, entry.tried())
            return
        self._reach.lose(error)
        self.leave_to_the_sweep(entry)
        if isinstance(entry, Words) and not isinstance(error, NotSent):
            await self._words.put_off(entry)

    def _put_back(self, chat: Chat, entry: Showing | Words) -> None:
        # Where the same was asked for again meanwhile, that waits already.
        if not isinstance(entry, Words):
            self._lanes.put_back(chat, entry.key, entry)
        elif self._lanes.put_back(chat, entry.key, entry, entry.kind):
            self._words.put_back(entry)

    async def _replace_lost(self, showing: Showing) -> None:
        if is_watched(showing.game):
            await self._give_up(showing)
            return
        self._held.let_go(showing.board)
        raised = await self._boards.replace_lost(showing)
        if raised is not None:
            self._waiting.show_raised(raised)

    async def _give_up(self, entry: Showing | Words) -> None:
        """Stop trying, so that nothing is repeated for ever."""
        if isinstance(entry, Words):
            await self._words.give_up(entry)
        else:
            self._held.let_go(entry.board)
            await self._boards.give_up(entry)
            if is_watched(entry.game):
                self.on_unseen(entry.game.id)

    async def _migrate(self, entry: Showing | Words, chat_id: int) -> None:
        """Follow a group to its new id; its old messages stay behind, so the boards are sent anew."""
        old = entry.board.chat_id if isinstance(entry, Showing) else entry.chat_id
        if old is not None:
            await self._store.run(partial(chats.migrate, old=old, new=chat_id))
        if isinstance(entry, Showing):
            self._held.let_go(entry.board)
            await self._waiting.show_anew(entry.board.id)
        elif entry.message_id is None and entry.notice is None:
            self._words.put(entry.moved_to(chat_id))


def _nobody_cares(_game_id: int) -> None:
    """Before anybody wants to be told."""


async def _nobody_waits(_person: int) -> None:
    """Likewise."""

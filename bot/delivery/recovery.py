"""What follows when a call to Telegram fails: whether it is tried again, and what is given up."""

from __future__ import annotations

import logging
import time
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import replace
from typing import Final

from telegram import Bot
from telegram.error import ChatMigrated, TelegramError

from bot.delivery.boards import BoardCalls
from bot.delivery.entries import OutgoingMessage, Showing
from bot.delivery.lanes import Lanes
from bot.delivery.messages import STALE_SECONDS, MessageCalls
from bot.delivery.ownership import Ownership
from bot.delivery.pace import MARGIN_SECONDS, Chat
from bot.delivery.pauses import Pauses
from bot.delivery.tasks import Tasks
from bot.delivery.telegram_errors import (
    Failure,
    is_blocked,
    is_outside,
    is_unauthorized,
    is_unknown,
    judge,
    pause,
    was_answered,
    was_refused,
)
from bot.metrics import Metrics
from bot.network.transport import NotSent, Unanswered, reading
from bot.recent import Recent
from storage.errors import StorageError
from storage.games import versions
from storage.games.boards import lose_topic
from storage.games.game import Game
from storage.games.record import UNASKED
from storage.games.versions import Stored
from storage.people import chats, puzzles
from storage.people.person import Wait
from storage.store import Store

log = logging.getLogger(__name__)

ASK_SECONDS: Final = 5.0
"""How often Telegram is asked whether it is reachable again: there may be no other call that would show it."""

TOLD_SECONDS: Final = 60.0
"""Minimum interval between two log lines that say that Telegram does not accept the token."""

LOOK_SECONDS: Final = 60.0
"""Minimum interval between looks for a chat's unreachable boards."""
REMEMBERED_CHATS: Final = 10_000
"""The most chats for which the last look is remembered."""


class Connectivity:
    """Whether Telegram can be reached, as calls show, or an extra call if there are none."""

    def __init__(self, bot: Bot, tasks: Tasks) -> None:
        self._bot = bot
        self._tasks = tasks
        self._told_at: float | None = None
        self._asks = False
        self.is_lost = False

    def fail(self, error: TelegramError, *, is_lost: bool = False) -> None:
        """Note that a call has failed for now; `is_lost` if that has lasted so long that the host should know."""
        if is_unauthorized(error):
            self._tell_host()
            is_lost = True
        if is_lost and not self._asks:
            self._asks = True
            self._tasks.start(self._ask())

    def succeeded(self) -> None:
        """Note that a call has succeeded."""
        if self.is_lost:
            self.is_lost = False
            log.warning("Telegram is reachable again")

    def _tell_host(self) -> None:
        now = time.monotonic()
        if self._told_at is None or now - self._told_at >= TOLD_SECONDS:
            self._told_at = now
            log.error(
                "Telegram doesn't accept the bot's token (401). If it was revoked, get a new one from "
                "@BotFather, set BOT_TOKEN and start the bot again; until then nothing is lost."
            )

    async def _ask(self) -> None:
        """Ask until Telegram answers: perhaps only the calls to one chat fail."""
        try:
            with reading():
                await self._bot.get_me()
        except TelegramError as error:
            if judge(error) is Failure.PASSING:
                self._lose(error)
                self._tasks.later(ASK_SECONDS, self._ask)
                return
        self._asks = False
        self.succeeded()

    def _lose(self, error: TelegramError) -> None:
        if is_unauthorized(error):
            self._tell_host()
        if not self.is_lost:
            self.is_lost = True
            log.warning("Can't reach Telegram: %s", error)


class Returns:
    """Lets unreachable boards lag again once something happens in their chat."""

    def __init__(self, store: Store, tasks: Tasks) -> None:
        self._store = store
        self._tasks = tasks
        self._looked_at: Recent[int, float] = Recent(REMEMBERED_CHATS)

    def lose(self, chat_id: int | None) -> None:
        """Note that a board of a chat has become unreachable."""
        if chat_id is not None:
            self._looked_at.pop(chat_id, None)

    def hear_from(self, chat_id: int, *, is_news: bool = False) -> None:
        """Show a chat's unreachable boards: somebody acts there or, with `is_news`, it may let the bot in."""
        now = time.monotonic()
        looked_at = self._looked_at.get(chat_id)
        if looked_at is not None and now - looked_at < LOOK_SECONDS and not is_news:
            return
        self._looked_at[chat_id] = now
        self._tasks.start(self._lag_again(chat_id, is_news=is_news))

    async def _lag_again(self, chat_id: int, *, is_news: bool) -> None:
        try:
            await self._store.run(versions.lag_again, chat_id=chat_id, under_way=is_news)
        except StorageError as error:
            log.debug("Couldn't mark a chat as reachable: %s", error)
            self.lose(chat_id)


FIRST_PAUSE_SECONDS: Final = 0.25
LONGEST_PAUSE_SECONDS: Final = 15.0
"""What fails for now is tried again after a pause that doubles from try to try."""
UNKNOWN_PAUSE_SECONDS: Final = 3600.0
PATIENT_TRIES: Final = 12
"""If Telegram itself refuses, in unknown words, the pause goes on doubling after so many tries, which take two
minutes, up to UNKNOWN_PAUSE_SECONDS."""
LOST_SECONDS: Final = 4.0
"""Once a pause is this long, the host is told that Telegram cannot be reached."""
DAY_SECONDS: Final = 24 * 3600
"""A board or a notice that has failed for this long counts as unreachable."""
REMEMBERED_FAILURES: Final = 20_000
"""The most entries for which it is remembered since when they have failed."""
BLOCKED_SECONDS: Final = 5.0
"""How long after Telegram has said that somebody blocks the bot it is asked again, before they lose a game."""


class Recovery:
    """Decides what follows a failed call."""

    def __init__(
        self,
        store: Store,
        *,
        lanes: Lanes[Showing | OutgoingMessage],
        ownership: Ownership,
        pauses: Pauses,
        boards: BoardCalls,
        messages: MessageCalls,
        connectivity: Connectivity,
        returns: Returns,
        metrics: Metrics,
        show_stored: Callable[[Stored], object],
        write_back_soon: Callable[[], None],
    ) -> None:
        self._store = store
        self._lanes = lanes
        lanes.on_dropped = self._no_room
        self._ownership = ownership
        self._pauses = pauses
        self._boards = boards
        self._messages = messages
        self._connectivity = connectivity
        self._returns = returns
        self._metrics = metrics
        self._show_stored = show_stored
        self._write_back_soon = write_back_soon
        self._failing_since: Recent[Hashable, float] = Recent(REMEMBERED_FAILURES)
        """Since when entries have failed, by their keys."""
        self.on_unseen: Callable[[int], None] = _nobody_cares
        """Told the id of each watched game that nobody can see any more."""
        self.on_gone: Callable[[int], Awaitable[None]] = _nobody_waits
        """Told the id of each person who can't be reached while they wait for an opponent, or play a stranger."""

    async def after(self, chat: Chat, entry: Showing | OutgoingMessage, error: TelegramError) -> None:
        """Act on a failed call; what can't be stored of that is left to the sweep."""
        failure = judge(error)
        self._metrics.failed(failure.value)
        if failure is Failure.PASSING and isinstance(entry, Showing) and not isinstance(error, NotSent):
            self._ownership.unanswered(entry.board)
            self._write_back_soon()
        try:
            await self._act_on(failure, chat, entry, error)
        except StorageError as broken:
            log.debug("Couldn't store what became of a message; the sweep will: %s", broken)
            self.leave_to_the_sweep(entry)
        except Exception:
            log.exception("Couldn't act on a failed call", extra={"chat_id": chat})
            self.leave_to_the_sweep(entry)
        # It refers to itself (python-telegram-bot), and would keep a file until the next garbage collection.
        error.__traceback__ = None

    def leave_to_the_sweep(self, entry: Showing | OutgoingMessage) -> None:
        """Release a board that this process won't show: no sweep claims it while it is held."""
        if isinstance(entry, Showing):
            self._ownership.let_go(entry.board)

    def _no_room(self, entry: Showing | OutgoingMessage) -> None:
        """Let go of an entry that has waited, and for which its lane has no more room."""
        if isinstance(entry, OutgoingMessage):
            self._messages.no_room(entry)
        else:
            self._ownership.let_go(entry.board)

    async def _act_on(
        self, failure: Failure, chat: Chat, entry: Showing | OutgoingMessage, error: TelegramError
    ) -> None:
        match failure:
            case Failure.SLOW_DOWN:
                self._slow_down(chat, entry, pause(error))
            case Failure.PASSING:
                await self._after_passing(chat, entry, error)
            case Failure.MIGRATED if isinstance(error, ChatMigrated):
                await self._migrate(entry, error.new_chat_id)
            case Failure.NO_THREAD if entry.has_thread:
                if isinstance(entry, Showing):
                    await self._store.run(lose_topic, board=entry.board)
                self._put_back(chat, entry.without_thread())
            case Failure.GONE if isinstance(entry, Showing):
                await self._replace_lost(entry)
            case Failure.OUR_FAULT:
                log.error("Telegram refused a message: %s", error, extra={"chat_id": chat})
                await self._give_up(entry)
            case _:
                await self._after_refusal(chat, entry, error)

    def _slow_down(self, chat: Chat, entry: Showing | OutgoingMessage, seconds: float) -> None:
        """Wait as long as Telegram asks; in a group that refuses a new message, only with those."""
        is_slow_mode = entry.is_send and isinstance(chat, int) and chat < 0
        self._pauses.note(chat, seconds, sends=is_slow_mode)
        if not is_slow_mode:
            self._lanes.refused(chat, seconds)
            self._put_back(chat, entry)
            return
        self._lanes.hold_sends(chat, seconds + MARGIN_SECONDS)
        self._messages.tell_held(entry)
        if isinstance(entry, Showing) and entry.board.replaces is not None:
            self._boards.show_again(entry.board.replaces)  # it stays in use for so long
        if not self._messages.is_pointless(entry):
            self._put_back(chat, entry)

    async def _after_refusal(self, chat: Chat, entry: Showing | OutgoingMessage, error: TelegramError) -> None:
        """Give up on a chat that takes nothing; a person who blocks the bot no longer waits or is reminded."""
        if isinstance(entry, Showing) and _is_of_strangers(entry.subject) and is_blocked(error):
            if not entry.blocked:
                self._put_back(chat, replace(entry, blocked=True), after=BLOCKED_SECONDS)
                return
            # Before the board is given up: if the process is killed in between, the sweep leads here again.
            await self.on_gone(entry.board.viewer or 0)
        if isinstance(entry, OutgoingMessage) and is_blocked(error):
            await self._store.run(puzzles.forget_reminder, person=entry.chat_id)
        log.info("The chat doesn't accept messages: %s", error, extra={"chat_id": chat})
        if is_outside(error) and entry.chat_id is not None and entry.chat_id < 0:
            # Telegram has not told the bot that it left the group, or a backup was restored.
            await self._store.run(chats.leave, chat_id=entry.chat_id, now=int(time.time()))
        await self._give_up(entry)

    async def _after_passing(self, chat: Chat, entry: Showing | OutgoingMessage, error: TelegramError) -> None:
        """Try again a little later, for a day."""
        wait = min(FIRST_PAUSE_SECONDS * 2**entry.tries, LONGEST_PAUSE_SECONDS)
        if is_unknown(error):
            wait = min(wait * 2 ** max(entry.tries - PATIENT_TRIES, 0), UNKNOWN_PAUSE_SECONDS)
        if isinstance(entry, OutgoingMessage) and _is_put_off(entry, error):
            self._connectivity.fail(error, is_lost=True)
            self._failing_since.pop(entry.key, None)
            await self._messages.put_off(entry, answered=was_answered(error))
            return
        self._connectivity.fail(error, is_lost=wait >= LOST_SECONDS)
        if is_unauthorized(error):
            self._failing_since.pop(entry.key, None)  # its day begins after that
        if self._is_given_up(entry):
            log.warning("Treating a chat as unreachable: %s", error, extra={"chat_id": chat})
            await self._give_up(entry)
        else:
            self._put_back(chat, entry.tried(), after=wait)

    def _is_given_up(self, entry: Showing | OutgoingMessage) -> bool:
        """Whether an entry, or older states of the same board, have failed for as long as it is tried."""
        now = time.monotonic()
        return now - self._failing_since.setdefault(entry.key, now) > _patience(entry)

    def succeeded(self, entry: Showing | OutgoingMessage) -> None:
        """Note that an entry was sent."""
        self._connectivity.succeeded()
        self._failing_since.pop(entry.key, None)

    def _put_back(self, chat: Chat, entry: Showing | OutgoingMessage, *, after: float = 0.0) -> None:
        if self._lanes.put_back(chat, entry, after=after) and isinstance(entry, OutgoingMessage):
            self._messages.count_waiting(entry)

    async def _replace_lost(self, showing: Showing) -> None:
        self._ownership.let_go(showing.board)
        if showing.watched is not None:
            self.on_unseen(showing.watched)
            await self._boards.close(showing)
            return
        stored = await self._boards.replace_lost(showing)
        if stored is not None:
            self._show_stored(stored)

    async def _give_up(self, entry: Showing | OutgoingMessage) -> None:
        self._failing_since.pop(entry.key, None)
        if isinstance(entry, OutgoingMessage):
            await self._messages.give_up(entry)
        else:
            self._ownership.let_go(entry.board)
            await self._boards.give_up(entry)
            self._returns.lose(entry.board.chat_id)
            if entry.watched is not None:
                self.on_unseen(entry.watched)

    async def _migrate(self, entry: Showing | OutgoingMessage, chat_id: int) -> None:
        """Follow a group to its new id; its old messages can't be edited, so its boards are sent again."""
        if entry.chat_id is not None:
            await self._store.run(chats.migrate, old=entry.chat_id, new=chat_id)
        if isinstance(entry, Showing):
            self._ownership.let_go(entry.board)
            self._boards.show_again(entry.board.id)
        elif entry.message_id is None and entry.notice is None:
            self._messages.put(entry.moved_to(chat_id))


def _is_of_strangers(subject: Game | Wait) -> bool:
    """Whether somebody waits for an opponent, or plays one that they were paired with."""
    return isinstance(subject, Wait) or subject.is_between_strangers


def _is_put_off(message: OutgoingMessage, error: TelegramError) -> bool:
    """Whether a message may have been sent, so that trying it again could send it twice.

    A reply that never comes would be worse: if the connection ended without an answer, mostly because it had been
    idle for too long, it is sent once more. So is what comes of the outbox, unless nobody asked for it.
    """
    if message.message_id is not None or was_refused(error):
        return False
    is_unasked = message.notice is not None and message.notice.kind in UNASKED
    return is_unasked or message.tries > 0 or not isinstance(error, Unanswered)


def _patience(entry: Showing | OutgoingMessage) -> float:
    """How many seconds an entry is tried for."""
    return STALE_SECONDS if isinstance(entry, OutgoingMessage) and entry.notice is None else DAY_SECONDS


def _nobody_cares(_game_id: int) -> None:
    """The default: nothing happens."""


async def _nobody_waits(_person: int) -> None:
    """The default: nothing happens."""

"""What follows when a call to Telegram fails, whatever it was to send: what is tried again, and what is given up.

Boards and messages say themselves what else that means for them (`bot.delivery.boards`, `bot.delivery.messages`).
"""

import logging
import math
import time
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass, field
from typing import Final, Generic, NamedTuple, TypeVar

from telegram import Bot
from telegram.error import ChatMigrated, TelegramError

from bot.delivery.calls import Calls
from bot.delivery.entries import OutgoingMessage, Showing
from bot.delivery.lanes import Lanes
from bot.delivery.pace import MARGIN_SECONDS, Chat
from bot.delivery.tasks import Tasks
from bot.delivery.telegram_errors import Failure, is_outside, is_unauthorized, is_unknown, judge, pause
from bot.metrics import Metrics
from bot.network.transport import reading
from bot.recent import Recent
from storage.errors import StorageError
from storage.games import versions
from storage.games.record import Notice
from storage.people import chats
from storage.store import Store

log = logging.getLogger(__name__)

REACHABLE_SECONDS: Final = 5.0
"""How often Telegram is asked whether it is reachable again: there may be no other call that would show it."""

TOKEN_TOLD_SECONDS: Final = 60.0
"""Minimum interval between two log lines that say that Telegram does not accept the token."""

CHAT_LOOK_SECONDS: Final = 60.0
"""Minimum interval between looks for a chat's unreachable boards."""
LONGER: Final = 9
"""While they are refused, the next look comes after this many times as long as they have been."""
REMEMBERED_CHATS: Final = 10_000
"""The most chats for which the last look is remembered."""


class Connectivity:
    """Whether Telegram can be reached, as calls show, or an extra call if there are none."""

    def __init__(self, bot: Bot, tasks: Tasks) -> None:
        self._bot = bot
        self._tasks = tasks
        self._told_at = -math.inf
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
        if self.is_lost:
            self.is_lost = False
            log.warning("Telegram is reachable again")

    def _tell_host(self) -> None:
        now = time.monotonic()
        if now - self._told_at >= TOKEN_TOLD_SECONDS:
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
                if is_unauthorized(error):
                    self._tell_host()
                if not self.is_lost:
                    self.is_lost = True
                    log.warning("Can't reach Telegram: %s", error)
                self._tasks.later(REACHABLE_SECONDS, self._ask)
                return
        self._asks = False
        self.succeeded()


class Returns:
    """Lets unreachable boards lag again once something happens in their chat."""

    def __init__(self, store: Store, tasks: Tasks) -> None:
        self._store = store
        self._tasks = tasks
        self._looked_at: Recent[int, float] = Recent(REMEMBERED_CHATS)
        self._lost: Recent[int, tuple[float, int | None]] = Recent(REMEMBERED_CHATS)
        """By chat, when a board first became unreachable there, and the topic of that board."""

    def lose(self, chat_id: int | None, thread_id: int | None = None) -> None:
        """Note that a board of a chat, in this topic, has become unreachable."""
        if chat_id is not None and chat_id not in self._lost:
            self._lost[chat_id] = time.monotonic(), thread_id
            self._looked_at.pop(chat_id, None)

    def find(self, chat_id: int, thread_id: int | None) -> None:
        """Note that a chat has taken a new message in this topic: it may take its boards again."""
        if chat_id in self._lost and self._lost[chat_id][1] == thread_id:
            del self._lost[chat_id]
            self._looked_at.pop(chat_id, None)
            self.hear_from(chat_id)

    def hear_from(self, chat_id: int, *, is_news: bool = False) -> None:
        """Show a chat's unreachable boards: somebody acts there or, with `is_news`, it may let the bot in.

        While it takes none of them, the pauses become ever longer, however often somebody acts.
        """
        now, looked = time.monotonic(), self._looked_at.get(chat_id, -math.inf)
        refused_for = looked - self._lost.get(chat_id, (math.inf, None))[0]
        if now - looked < max(CHAT_LOOK_SECONDS, LONGER * refused_for) and not is_news:
            return
        if is_news:
            self._lost.pop(chat_id, None)
        self._looked_at[chat_id] = now
        self._tasks.start(self._lag_again(chat_id, is_news=is_news))

    async def _lag_again(self, chat_id: int, *, is_news: bool) -> None:
        try:
            await self._store.run(versions.lag_again, chat_id=chat_id, under_way=is_news)
        except StorageError as error:
            log.debug("Couldn't mark a chat as reachable: %s", error)
            self.lose(chat_id)


FIRST_CALL_PAUSE_SECONDS: Final = 0.25
LONGEST_CALL_PAUSE_SECONDS: Final = 15.0
"""What fails for now is tried again after a pause that doubles from try to try."""
UNKNOWN_PAUSE_SECONDS: Final = 3600.0
PATIENT_TRIES: Final = 12
"""If Telegram itself refuses, in unknown words, the pause goes on doubling after so many tries, which take two
minutes, up to UNKNOWN_PAUSE_SECONDS."""
LOST_SECONDS: Final = 4.0
"""Once a pause is this long, the host is told that Telegram cannot be reached."""
UNREACHABLE_SECONDS: Final = 24 * 3600
"""A board or a notice that has failed for this long counts as unreachable."""
REMEMBERED_FAILURES: Final = 20_000
"""The most entries for which it is remembered since when they have failed."""


class Ties(NamedTuple):
    """What the features do for the delivery, which knows none of them."""

    message_of: Callable[[Notice], Awaitable[OutgoingMessage | None]]
    """Makes the message of a notice; None if there is nothing left to say."""
    gone: Callable[[int], Awaitable[None]]
    """Told the id of each person who can't be reached while they wait for an opponent, or play a stranger."""
    unseen: Callable[[int], None]
    """Told the id of each watched game that nobody can see any more."""


@dataclass(slots=True)
class Means:
    """What boards and messages are sent with."""

    bot: Bot
    calls: Calls
    store: Store
    lanes: Lanes
    metrics: Metrics
    tasks: Tasks
    connectivity: Connectivity
    returns: Returns
    ties: Ties = field(init=False)
    """Set once the features are there, before anything is sent."""


S = TypeVar("S", Showing, OutgoingMessage)


class Delivery(ABC, Generic[S]):
    """Sends one kind of entries, and acts on calls that fail."""

    def __init__(self, means: Means) -> None:
        self._means = means
        self._store = means.store
        self._lanes = means.lanes
        self._failing_since: Recent[Hashable, float] = Recent(REMEMBERED_FAILURES)
        """Since when entries have failed, by their keys."""

    async def deliver(self, chat: Chat, entry: S) -> None:
        """Send an entry whose turn has come; what can't be stored of that is left to the sweep."""
        try:
            try:
                await self._send(entry)
            except TelegramError as error:
                await self._after(chat, entry, error)
        except StorageError as error:
            log.debug("Couldn't store what became of a message; the sweep will: %s", error)
            self._leave(entry)
        except Exception:
            log.exception("Delivery failed", extra={"chat_id": chat})
            self._leave(entry)

    def dropped(self, entry: S) -> None:
        """Let go of an entry for which there is no room, or no longer."""
        self._leave(entry)

    @abstractmethod
    async def _send(self, entry: S) -> None:
        """Make the calls, and call `_succeeded`."""

    @abstractmethod
    def _leave(self, entry: S) -> None:
        """Leave an entry to the sweep."""

    @abstractmethod
    async def _give_up(self, entry: S) -> None:
        """Make no more calls for an entry."""

    @abstractmethod
    def _move(self, entry: S, chat_id: int) -> None:
        """Follow a group to its new id."""

    @abstractmethod
    def _wait_for_sends(self, chat: Chat, entry: S) -> None:
        """Let a new message wait until its group takes new messages again."""

    def _patience(self, entry: S) -> float:  # noqa: ARG002 - of a message, it depends on which
        """How many seconds an entry is tried for."""
        return UNREACHABLE_SECONDS

    async def _leave_topic(self, entry: S) -> None:
        """Note that an entry's topic does not exist; what is stored nowhere needs no note."""

    async def _after_loss(self, chat: Chat, entry: S, error: TelegramError) -> None:
        """Act on the loss of the message that an entry was to edit."""
        await self._after_refusal(chat, entry, error)

    def _succeeded(self, entry: S) -> None:
        self._means.connectivity.succeeded()
        self._failing_since.pop(entry.key, None)
        if entry.is_send and entry.chat_id is not None:
            self._means.returns.find(entry.chat_id, entry.thread_id)

    def _put_back(self, chat: Chat, entry: S, *, after: float = 0.0) -> bool:
        return self._lanes.put_back(chat, entry, self, after=after)

    async def _after(self, chat: Chat, entry: S, error: TelegramError) -> None:
        """Act on a failed call."""
        failure = judge(error)
        self._means.metrics.failed(failure.value)
        try:
            await self._act_on(failure, chat, entry, error)
        finally:
            # It refers to itself (python-telegram-bot), and would keep a file until the next garbage collection.
            error.__traceback__ = None

    async def _act_on(self, failure: Failure, chat: Chat, entry: S, error: TelegramError) -> None:
        match failure:
            case Failure.SLOW_DOWN:
                self._slow_down(chat, entry, pause(error))
            case Failure.PASSING:
                await self._after_passing(chat, entry, error)
            case Failure.MIGRATED if isinstance(error, ChatMigrated):
                if entry.chat_id is not None:
                    await self._store.run(chats.move_group, old=entry.chat_id, new=error.new_chat_id)
                self._move(entry, error.new_chat_id)
            case Failure.NO_THREAD if entry.thread_id is not None:
                await self._leave_topic(entry)
                self._put_back(chat, entry.without_thread())
            case Failure.GONE:
                await self._after_loss(chat, entry, error)
            case Failure.OUR_FAULT:
                log.error("Telegram refused a message: %s", error, extra={"chat_id": chat})
                await self._give_up(entry)
            case _:
                await self._after_refusal(chat, entry, error)

    def _slow_down(self, chat: Chat, entry: S, seconds: float) -> None:
        """Wait as long as Telegram asks; in a group that refuses a new message, only with those."""
        if entry.is_send and isinstance(chat, int) and chat < 0:
            self._lanes.hold_sends(chat, seconds + MARGIN_SECONDS)
            self._wait_for_sends(chat, entry)
        else:
            self._lanes.refused(chat, seconds)
            self._put_back(chat, entry)

    async def _after_refusal(self, chat: Chat, entry: S, error: TelegramError) -> None:
        """Give up on a chat that takes nothing."""
        log.info("The chat doesn't accept messages: %s", error, extra={"chat_id": chat})
        if is_outside(error) and entry.chat_id is not None and entry.chat_id < 0:
            # Telegram has not told the bot that it left the group, or a backup was restored.
            await self._store.run(chats.leave, chat_id=entry.chat_id, now=int(time.time()))
        await self._give_up(entry)

    async def _after_passing(self, chat: Chat, entry: S, error: TelegramError) -> None:
        """Try again a little later, for as long as the entry is worth it."""
        wait = min(FIRST_CALL_PAUSE_SECONDS * 2**entry.tries, LONGEST_CALL_PAUSE_SECONDS)
        if is_unknown(error):
            wait = min(wait * 2 ** max(entry.tries - PATIENT_TRIES, 0), UNKNOWN_PAUSE_SECONDS)
        self._means.connectivity.fail(error, is_lost=wait >= LOST_SECONDS)
        if is_unauthorized(error):
            self._failing_since.pop(entry.key, None)  # its day begins after that
        now = time.monotonic()
        if now - self._failing_since.setdefault(entry.key, now) > self._patience(entry):
            log.warning("Treating a chat as unreachable: %s", error, extra={"chat_id": chat})
            await self._give_up(entry)
        else:
            self._put_back(chat, entry.tried(), after=wait)

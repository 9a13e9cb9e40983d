"""Publishes boards, messages and answers: everything that the bot shows people goes through here.

The newest state of a game goes to its message; states in between are skipped when Telegram slows the bot down.
What waits in memory may be lost at any moment: the database knows which boards lag and which notices are still to
be sent, and the sweep takes them up (docs/delivery.md).
"""

import asyncio
import logging
import math
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Final

from sqlalchemy import Connection
from telegram import Bot

from bot.delivery.boards import Boards
from bot.delivery.calls import Answers, Calls
from bot.delivery.entries import Showing, newer
from bot.delivery.lanes import Lanes, Tap
from bot.delivery.messages import Messages
from bot.delivery.ownership import Ownership
from bot.delivery.pace import Kind, Pace
from bot.delivery.recovery import LONGEST_CALL_PAUSE_SECONDS, Connectivity, Means, Returns, Ties
from bot.delivery.tasks import Tasks
from bot.metrics import Metrics, seconds_since
from bot.workers.pool import Workers
from storage.games import outbox, versions
from storage.games.boards import close as close_board
from storage.games.record import Board, Changed, Record
from storage.games.versions import GRACE_SECONDS, Stored
from storage.store import Store

log = logging.getLogger(__name__)

HOLD_SECONDS: Final = GRACE_SECONDS / 2
"""How often send windows are renewed."""
SWEEP_SECONDS: Final = 2.0
MOST_SWEPT: Final = 100
"""The most boards, and the most notices, that one step of the sweep takes up."""


class Publisher:
    """Sends boards, messages and answers, and learns what became of them."""

    def __init__(
        self, bot: Bot, calls: Calls, store: Store, *, pace: Pace, metrics: Metrics, workers: Workers
    ) -> None:
        self._bot = bot
        self._store = store
        self._tasks = tasks = Tasks()
        self._ownership = Ownership()
        self._lanes = Lanes(pace)
        self.connectivity = Connectivity(bot, tasks)
        self.returns = Returns(store, tasks)
        self._means = Means(bot, calls, store, self._lanes, metrics, tasks, self.connectivity, self.returns)
        self._messages = Messages(self._means)
        self._boards = Boards(self._means, self._messages, self._ownership, workers)
        # These are done by one part alone, and described there.
        self.show_stored, self.show_again = self._boards.show_stored, self._boards.show_again
        self.know_chat = self._boards.know_chat
        self.say, self.tell = self._messages.put, self._messages.tell
        self.sends_held, self.run_in_background = self._lanes.sends_held, tasks.start
        self.answers = Answers(bot, calls, metrics)
        metrics.publisher_queue.set_function(lambda: self._lanes.waiting)
        metrics.publisher_chats.set_function(lambda: len(self._lanes))
        metrics.publisher_lag.set_function(self._lag)

    def tie(self, ties: Ties) -> None:
        """Let the features do their part, from before the start on."""
        self._means.ties = ties

    # Boards. None of these waits; those that return seconds say about how long the board waits because Telegram
    # slows the bot down: infinity if there is no room for it.

    def show(self, changed: Changed[object], tap: Tap | None = None) -> float:
        """Show a game that was changed here, and the one that follows it; the seconds are for the tapped board."""
        wait = 0.0
        for record in filter(None, (changed.record, changed.following)):
            for board in newer(record, changed.before, self._lanes.sends_held):
                its_wait = self.show_stored(Stored(record, board, changed.before.get(board.id)), tap)
                stays = board.replaces is not None and self._lanes.sends_held(board.chat_id or 0)
                if not stays and (tap is None or _is_at(board, tap)):
                    wait = max(wait, its_wait)
        return wait

    def show_all(self, stored: Iterable[Stored]) -> None:
        for each in stored:
            self.show_stored(each)

    def refresh(self, record: Record, behind: int | None = None) -> None:
        """Show the boards of a loaded game that lag, unless they are about to be shown here anyway.

        `behind` is the message of a board that somebody has seen showing something else: it counts as lagging.
        """
        for board in record.boards:
            stays = board.is_unreachable and board.chat_id is not None  # until its chat is heard from
            lags = not stays and (board.is_lagging or (behind is not None and board.message_id == behind))
            chat = self._boards.chat_of(board)
            self._lanes.hurry(chat, board.id, LONGEST_CALL_PAUSE_SECONDS)
            comes = self._lanes.waits(chat, board.id) and self._ownership.newest(board.id) >= board.wanted
            if lags and not comes and not self._ownership.is_shown(board):
                self.show_again(board.id, wanted=board.wanted)

    def wait(self, record: Record, tap: Tap | None) -> float:
        """For how many seconds Telegram slows down a game's boards where somebody has tapped, or all of them."""
        here = [self._boards.chat_of(board) for board in record.boards if tap is None or _is_at(board, tap)]
        person = None if tap is None else tap.person
        return max((self._lanes.wait(chat, Kind.TAPPED, person) for chat in here), default=0.0)

    def wait_to_spare(self, record: Record) -> float:
        """Seconds until a game that plays itself may go on without making anybody wait in its chats.

        It is infinite while something is still to be shown there; the caller then asks again.
        """
        if self.connectivity.is_lost:
            return math.inf
        return max(
            (self._lanes.wait_to_spare(self._boards.chat_of(board)) for board in record.boards), default=0.0
        )

    def analyse(self, record: Record) -> None:
        """Search for the analysis that a review waits for: another process may have shown its boards."""
        for board in record.boards:
            self._boards.analyses.request(record.game, board)

    # Messages and answers.

    def seconds_since(self, date: datetime) -> float:
        """How long ago something was sent, by Telegram's clock, as this machine's may be wrong."""
        return time.time() - self._means.calls.clock_ahead - date.timestamp()

    @property
    def signature(self) -> str:
        """The bot's username, as pictures are signed with it."""
        return f"@{self._bot.username}"

    def link_to(self, parameter: str) -> str:
        """A link to the private chat with the bot, from which a person sends `/start` with this parameter."""
        return f"https://t.me/{self._bot.username}?start={parameter}"

    # For background jobs.

    async def sweep(self) -> bool:
        """Take up a batch of boards that lag, and of notices that were not sent; True if there may be more.

        It repairs what a crash between a commit and its calls has left, above all after a start.
        """
        now = int(time.time())
        if not await self._store.read(lambda each: versions.is_any_due(each, now) or outbox.is_any_due(each, now)):
            return False
        (sound, broken), notices = await self._store.run(
            lambda each: (
                versions.claim_lagging(each, now=now, limit=MOST_SWEPT),
                outbox.claim(each, now=now, limit=MOST_SWEPT),
            )
        )
        for board, record in sound:
            self._ownership.claimed(board)
            self._boards.put(record, board)
        for board, error in broken:
            log.error("%s", error, extra={"game_id": board.game_id})
            await self._store.run(close_board, board=board)
        for notice in notices:
            self.tell(notice)
        return MOST_SWEPT in (len(sound) + len(broken), len(notices))

    async def keep_in_step(self) -> None:
        """Renew the hold on what waits or is under way here.

        If that cannot be stored, what was not held is left to the sweep.
        """
        held, notices = self._ownership.held(), self._messages.notices
        if held or notices:
            now = int(time.time())
            renewed = await self._store.run(_hold, held=held, notices=notices, now=now)
            self._ownership.renewed(renewed, held, now + GRACE_SECONDS)

    async def close(self, seconds: float) -> None:
        """Send what waits, for at most this many seconds, and write back what is shown."""
        until = time.monotonic() + seconds
        await self._lanes.close(seconds)
        await self._messages.close(max(until - time.monotonic(), 0))
        await asyncio.gather(self._tasks.close(0.5), self.answers.close(0.5))
        with suppress(TimeoutError):
            await asyncio.wait_for(self._boards.write_back(), 1)

    def _lag(self) -> float:
        """For how long the oldest tapped board has waited, in seconds."""
        taps = [entry.tap for entry in self._lanes.entries() if isinstance(entry, Showing)]
        return seconds_since(min((tap.arrived for tap in taps if tap and tap.kind is Kind.TAPPED), default=None))


def _is_at(board: Board, tap: Tap) -> bool:
    """Whether somebody looks at a board who has tapped; a board in inline mode is nowhere else."""
    return tap.chat_id is None or board.chat_id == tap.chat_id


def _hold(connection: Connection, *, held: Mapping[int, int], notices: Sequence[int], now: int) -> Sequence[int]:
    outbox.hold(connection, notices, now + GRACE_SECONDS)
    return versions.hold(connection, held, now)

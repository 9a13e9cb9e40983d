"""The bot's queue of updates: their ids and lifetimes, and long polling."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from playground.errors import Json, bad_request, conflict
from playground.waiting import Changes, Clock

UPDATE_KINDS = frozenset(
    {
        *("message", "edited_message", "callback_query", "inline_query", "chosen_inline_result", "my_chat_member"),
        *("channel_post", "edited_channel_post", "chat_member", "message_reaction"),
    }
)
"""The kinds that the playground knows."""
_DEFAULT = UPDATE_KINDS - {"chat_member", "message_reaction"}

DAY = 86_400.0
LIFETIMES = {"callback_query": 150.0, "inline_query": 30.0, "chosen_inline_result": 600.0}
"""Seconds that an update is kept, by kind; all others a day."""

_IDLE = 7 * DAY
"""After so many seconds without an update, ids restart at a random number."""
_FUTURE = 10
_ANOTHER_POLL = "terminated by other getUpdates request; make sure that only one bot instance is running"
_MAXIMUM_LIMIT = 100
_MAXIMUM_TIMEOUT = 50


@dataclass(eq=False, slots=True)
class Queued:
    """An update on its way to the bot."""

    body: Json
    kind: str
    key: tuple[str, int]
    """Updates of one key reach a webhook one after another."""
    expires: float
    out_of_order: bool = False
    """A repeated or overtaken update: an offset above its id forgets it only once an answer has brought it."""
    delivered: bool = False

    @property
    def id(self) -> int:
        return int(self.body["update_id"])


class Updates:
    """What has happened and the bot has not confirmed yet."""

    def __init__(self, clock: Clock, random: Random) -> None:
        self._clock = clock
        self._random = random
        self._next_id = 0
        self._last_made = -_IDLE
        self._queue: dict[Queued, None] = {}
        # A dictionary as an ordered set: the webhook takes updates out of the middle.
        self.changes = Changes()
        """Told when updates are confirmed or taken."""
        self._poll: asyncio.Future[bool] | None = None
        self._last_poll: tuple[int | None, float] = (None, 0.0)
        self._last_batch: list[Queued] = []
        """What the answer to the last poll brings."""
        self.repeat_pause = 3.0
        """Seconds within which a repeated offset has to wait as long for an update, though it asks for less.

        So says the Bot API's server (process_get_updates_query); 0 lets a test poll as often as it likes.
        """
        self.allowed: frozenset[str] | None = None
        """The update kinds the bot asked for; None is the default selection."""
        self.on_push: Callable[[Queued], None] | None = None
        """Takes updates to the webhook while one is set."""

    def __len__(self) -> int:
        return len(self._queue)

    @property
    def is_awaited(self) -> bool:
        """Whether a poll waits for an update."""
        return self._poll is not None and not self._poll.done()

    def pending(self) -> list[Queued]:
        """The live updates, oldest first."""
        self._expire()
        return list(self._queue)

    def make(self, kind: str, payload: Json, key: tuple[str, int]) -> Queued | None:
        """A new update with its id; None when the bot did not ask for its kind."""
        if kind not in (_DEFAULT if self.allowed is None else self.allowed):
            return None
        now = self._clock.now()
        if now - self._last_made >= _IDLE:
            self._next_id = self._random.randrange(10**8, 9 * 10**8)
        self._last_made = now
        body = {"update_id": self._next_id, kind: payload}
        self._next_id += 1
        return Queued(body, kind, key, now + LIFETIMES.get(kind, DAY))

    def push(self, update: Queued) -> None:
        """Queue an update and wake whoever waits for one."""
        self._queue[update] = None
        if self.on_push is not None:
            self.on_push(update)
        elif self._poll is not None and not self._poll.done():
            self._poll.set_result(True)

    def remove(self, update: Queued) -> None:
        """Forget an update that the webhook has taken."""
        self._queue.pop(update, None)
        self.changes.notify()

    def clear(self) -> None:
        """Forget all updates (`drop_pending_updates`)."""
        self._queue.clear()

    def allow(self, kinds: list[str] | None) -> None:
        """Remember which kinds the bot asks for; None keeps what was asked before, [] is the default selection."""
        if kinds is None:
            return
        if not all(isinstance(kind, str) for kind in kinds):
            raise bad_request("allowed_updates must contain only strings")
        # Telegram ignores kinds that it does not know.
        known = UPDATE_KINDS & frozenset(kinds)
        self.allowed = known or None

    def _expire(self) -> None:
        now = self._clock.now()
        self._queue = {update: None for update in self._queue if update.expires > now}

    def _confirm(self, offset: int) -> None:
        if offset < 0:
            self._queue = dict.fromkeys(list(self._queue)[offset:])
        elif 0 < offset <= self._next_id + _FUTURE and self._queue:
            # An offset far beyond the newest id is from before the ids restarted, and confirms nothing.
            self._queue = {
                update: None
                for update in self._queue
                if update.id >= offset or (update.out_of_order and not update.delivered)
            }

    def interrupt(self, error: Exception) -> None:
        """End a waiting poll: with a conflict, or by a server that goes away (ConnectionAbortedError)."""
        if self._poll is not None and not self._poll.done():
            self._poll.set_exception(error)

    def lose_answer(self) -> None:
        """The answer to the last poll has not reached the bot, so it has brought nothing."""
        self._last_batch = []

    async def poll(self, offset: int, limit: int, timeout: int) -> list[Json]:  # noqa: ASYNC109 - the Bot API's word
        """The next updates, after up to `timeout` seconds, unless somebody interrupts it."""
        self.interrupt(conflict(_ANOTHER_POLL))
        limit = limit if 1 <= limit <= _MAXIMUM_LIMIT else _MAXIMUM_LIMIT
        patience = float(min(max(timeout, 0), _MAXIMUM_TIMEOUT))
        loop = asyncio.get_running_loop()
        last_offset, last_time = self._last_poll
        if offset == last_offset and loop.time() < last_time + self.repeat_pause:
            patience = max(patience, self.repeat_pause)
        self._last_poll = (offset, loop.time())
        for update in self._last_batch:
            update.delivered = True
        self._last_batch = []
        self._expire()
        self._confirm(offset)
        self.changes.notify()
        if not self._queue and patience:
            waiting: asyncio.Future[bool] = loop.create_future()
            self._poll = waiting
            try:
                await asyncio.wait_for(waiting, patience)
            except TimeoutError:
                return []
            finally:
                if self._poll is waiting:
                    self._poll = None
        return self._batch(limit)

    def _batch(self, limit: int) -> list[Json]:
        batch: dict[int, Queued] = {}
        for update in self._queue:
            if len(batch) == limit or update.id in batch:
                break
            batch[update.id] = update
        self._last_batch = list(batch.values())
        return [update.body for update in self._last_batch]

"""Long polling: updates are fetched in batches, and confirmed by a later fetch once all before them are done."""

import asyncio
import logging
import math
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Final, NamedTuple

from telegram import Bot, Update
from telegram.error import Conflict, NetworkError, TelegramError, TimedOut

from bot.delivery.telegram_errors import judge, pause
from bot.intake.updates import UPDATE_KEPT_SECONDS, UPDATES, Intake
from bot.metrics import Metrics
from bot.network.transport import Transport, write_json

log = logging.getLogger(__name__)

POLL_SECONDS: Final = 50
"""Telegram's own limit for a long poll (tdlib/telegram-bot-api, Client.h)."""
LONGEST_FETCH_PAUSE_SECONDS: Final = 8.0
"""The pause between two tries to fetch; Telegram keeps a tap for 150 s."""
BATCH_SECONDS: Final = 0.25
"""How long a batch may delay the next fetch; what takes longer is confirmed later."""
SHORT_SECONDS: Final = 0.5
"""The pause after a fetch that should have waited for news but returned immediately without any: the server
doesn't wait, or keeps delivering what was confirmed."""
FETCH_AGAIN_SECONDS: Final = 0.1
"""The pause after a fetch that brought only what is under way; other people's taps may be queued behind it."""
FULL_BATCH: Final = 100
"""The most updates in a batch (Bot API, getUpdates)."""
UNCONTESTED_SECONDS: Final = 30.0
"""After so long without a conflict nobody else takes the updates: two pollers end each other's fetches."""
SECOND_SECONDS: Final = 120.0
"""After so long a process that was never alone may give up; one that it replaces has ended by then."""
STOP_SECONDS: Final = 3.0
"""How long a stop waits for what is under way; what isn't confirmed comes again after the next start."""


def _has_number(update: object) -> bool:
    """Whether something may be an update: all updates have a number, by which they are confirmed."""
    return isinstance(update, dict) and type(update.get("update_id")) is int


class _UnderWay(NamedTuple):
    """An update that was fetched but isn't done yet."""

    task: asyncio.Task[None]
    after: float
    """Telegram got it after this moment, by the monotonic clock."""


class Poller:
    """Takes updates by long polling.

    A fetch that isn't answered by a full batch brings all that Telegram had when it began. So what a later one is
    the first to bring came after that, and an update that takes long holds up only what was due after it came.
    """

    def __init__(
        self,
        bot: Bot,
        transport: Transport,
        intake: Intake,
        metrics: Metrics,
        *,
        failed: Callable[[TelegramError], object],
        may_give_up: bool = False,
    ) -> None:
        """Fetch by this transport for a bot, and hand over to this intake.

        `failed` gets the error of each failed fetch. With `may_give_up`, it ends if another program came first.
        """
        self._failed = failed
        self._url = f"{bot.base_url}/getUpdates"
        self._transport = transport
        self._intake = intake
        self._metrics = metrics
        self._under_way: dict[int, _UnderWay] = {}
        """By id."""
        self._next = 0
        """The id after the last update that was fetched; 0 before."""
        self._failures = 0
        self._whole_at = -math.inf
        """When the last fetch began that wasn't answered by a full batch, by the monotonic clock."""
        self._since = math.inf
        """Since when no fetch has failed or, while they fail, since when, by the same clock."""
        self._waiting: asyncio.Task[list[dict[str, Any]]] | None = None
        """The fetch under way, if it is waiting for news."""
        self._answered_at = time.monotonic()
        """When the last fetch was answered."""
        self._gives_up_at = time.monotonic() + SECOND_SECONDS if may_give_up else math.inf
        self._conflict_at = -math.inf
        self._in_haste = False
        """Whether the next fetch should return without waiting for news."""

    async def run(self, stopping: asyncio.Event) -> None:
        """Take updates until `stopping` is set; what is under way is finished first."""
        confirmed = 0
        stop = asyncio.create_task(stopping.wait())
        clock = asyncio.get_running_loop().time
        while not stopping.is_set() and self._conflict_at < self._gives_up_at:
            asked, began = clock(), time.monotonic()
            waits = self._is_whole and not (self._in_haste or self._failures)
            self._in_haste = False
            fetch = asyncio.create_task(self._fetch(POLL_SECONDS if waits else 0))
            self._waiting = fetch if waits else None
            confirmed = self._offset
            await asyncio.wait((fetch, stop), return_when=asyncio.FIRST_COMPLETED)
            if not fetch.done():
                fetch.cancel()
                await asyncio.gather(fetch, return_exceptions=True)
                break
            self._waiting = None
            if fetch.cancelled():  # it was waiting for news, and somebody has to know now
                continue
            if not isinstance(error := fetch.exception(), TelegramError):
                is_news = await self._handle(fetch.result(), began)
                left = asked + SHORT_SECONDS - clock()
                # The first fetch that finds nothing more doesn't wait, and one that does follows immediately.
                if not is_news and left > 0 and waits is self._is_whole:
                    await _wait(left, stop)
            else:
                await self._after(error, stop)
        stop.cancel()
        if self._under_way:
            await asyncio.wait(self._tasks(), timeout=STOP_SECONDS)
            self._forget_done()
        if self._offset != confirmed:
            await self._confirm()

    @property
    def patience(self) -> float:
        """How long Telegram keeps a tap, and so the longest wait for one; endless while none can be fetched."""
        kept = UPDATE_KEPT_SECONDS[Update.CALLBACK_QUERY]
        return kept if not self._failures and time.monotonic() - self._since >= kept else math.inf

    async def covered(self, wanted: float) -> float:
        if (covered := self._covered()) <= wanted and self._waiting is not None:
            self._in_haste = True
            self._waiting.cancel()
        return covered

    def _covered(self) -> float:
        self._forget_done()
        return min((update.after for update in self._under_way.values()), default=self._whole_at)

    async def heard(self) -> float:
        return self._since if self._failures else time.monotonic()

    def is_contested(self) -> bool:
        """Whether another program takes updates, too."""
        return time.monotonic() - self._conflict_at < UNCONTESTED_SECONDS

    @property
    def _is_whole(self) -> bool:
        """Whether all that waited at the start was fetched."""
        return self._whole_at > -math.inf

    @property
    def _offset(self) -> int:
        """The offset of the next fetch, which confirms everything before the first update that isn't done."""
        return min(self._under_way, default=self._next)

    async def _handle(self, updates: Sequence[dict[str, Any]], began: float) -> bool:
        """Start handling what a fetch has brought that began at this moment; True if any of it is new."""
        if self._failures and not self.is_contested():
            log.warning("Updates come in again")
        self._answered_at = time.monotonic()
        self._since = self._answered_at if self._failures else min(self._since, self._answered_at)
        self._failures = 0
        is_news = False
        for update in updates:
            number = update["update_id"]
            if number not in self._under_way and (task := self._intake.begin(update)) is not None:
                self._under_way[number] = _UnderWay(task, self._whole_at)
                is_news = True
        if updates:
            self._next = updates[-1]["update_id"] + 1
        if len(updates) < FULL_BATCH:
            self._whole_at = began
        if self._under_way:
            # A slow one delays the next fetch for a moment only.
            patience = BATCH_SECONDS if is_news else FETCH_AGAIN_SECONDS
            wanted = asyncio.ALL_COMPLETED if is_news else asyncio.FIRST_COMPLETED
            await asyncio.wait(self._tasks(), timeout=patience, return_when=wanted)
            self._forget_done()
        return is_news or bool(self._under_way)

    def _tasks(self) -> Sequence[asyncio.Task[None]]:
        return [update.task for update in self._under_way.values()]

    def _forget_done(self) -> None:
        self._under_way = {number: each for number, each in self._under_way.items() if not each.task.done()}

    async def _after(self, error: TelegramError, stop: asyncio.Task[bool]) -> None:
        """Log once that no updates come in, and wait a little."""
        if not self._failures and not (isinstance(error, Conflict) and self.is_contested()):
            log.error("Updates cannot be fetched: %s", _reason(error))
        if isinstance(error, Conflict):
            last, self._conflict_at = self._conflict_at, time.monotonic()
            if self._conflict_at - max(last, self._gives_up_at - SECOND_SECONDS) >= UNCONTESTED_SECONDS:
                self._gives_up_at = math.inf  # it was alone
        self._metrics.failed(judge(error).value)
        self._failed(error)
        if not self._failures:  # where none was answered, Telegram may have had news in vain
            self._since = self._answered_at if isinstance(error, TimedOut) else time.monotonic()
        seconds = min(0.5 * 2**self._failures, LONGEST_FETCH_PAUSE_SECONDS)
        self._failures = min(self._failures + 1, 10)
        await _wait(pause(error) or seconds, stop)

    async def _fetch(self, wait: int, limit: int = FULL_BATCH, patience: float = 10) -> list[dict[str, Any]]:
        """Updates as Telegram sends them, each with its number; raises TelegramError.

        It may wait so many seconds for news, and then take some to answer. python-telegram-bot would parse the
        batch as a whole, so that a single update that it cannot parse would be fetched forever.
        """
        asked = {"offset": self._offset, "limit": limit, "timeout": wait, "allowed_updates": UPDATES}
        updates = await self._transport.call(self._url, write_json(asked), wait + patience)
        if not isinstance(updates, list) or not all(map(_has_number, updates)):
            raise NetworkError("no answer of Telegram's")
        return updates

    async def _confirm(self) -> None:
        """Confirm what was handled, so that it isn't delivered again after the next start."""
        try:
            await self._fetch(0, limit=1, patience=3)
        except TelegramError as error:
            log.info("The last updates are not confirmed and will come again: %s", error)


def _reason(error: TelegramError) -> str:
    if isinstance(error, Conflict):
        copy = "a forgotten copy with the same BOT_TOKEN and another database"
        return f"another program takes this bot's updates, such as {copy}, or a webhook is set ({error})"
    return str(error)


async def _wait(seconds: float, stop: asyncio.Task[bool]) -> None:
    with suppress(TimeoutError):
        await asyncio.wait_for(asyncio.shield(stop), seconds)

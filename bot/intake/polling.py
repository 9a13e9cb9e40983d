"""Long polling: updates are fetched in batches, and confirmed by a later fetch once all before them are done."""

import asyncio
import logging
import math
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Final

from telegram import Bot, Update
from telegram.error import Conflict, NetworkError, TelegramError

from bot.delivery.telegram_errors import judge, pause
from bot.intake.updates import UPDATES, Intake, parsed, strip_payload
from bot.metrics import Metrics
from bot.network.transport import Transport
from storage.settings import Secret

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
STOP_SECONDS: Final = 3.0
"""How long a stop waits for what is under way; what isn't confirmed comes again after the next start."""


class PollingTransport(Transport):
    """The transport of getUpdates, which strips incoming taps."""

    def __init__(self, proxy: Secret | None = None) -> None:
        super().__init__(proxy)
        self._vetting = False

    def vet_next(self) -> None:
        """Parse each update of the next answer on its own, and empty those that cannot be parsed.

        python-telegram-bot parses a batch as a whole, so a single such update would be fetched forever.
        """
        self._vetting = True

    def parse_json_payload(self, payload: bytes) -> dict[str, Any]:  # type: ignore[override] # is static there
        """Parse an answer and strip the updates in it.

        Raises TelegramError if it is no JSON object, or one of something in between.
        """
        answer = super().parse_json_payload(payload)
        if answer.get("ok") is False:
            return answer
        updates = answer.get("result")
        if not isinstance(updates, list) or not all(map(_has_number, updates)):
            raise NetworkError("no answer of Telegram's")
        for update in updates:
            strip_payload(update)
        if self._vetting:
            self._vetting = False
            answer["result"] = [vetted(update) for update in updates]
        return answer


def _has_number(update: object) -> bool:
    """Whether something may be an update: all updates have a number, by which they are confirmed."""
    return isinstance(update, dict) and type(update.get("update_id")) is int


def vetted(update: dict[str, Any]) -> dict[str, Any]:
    """The update itself if it can be parsed, else one without content, which no handler takes."""
    return {"update_id": update["update_id"]} if parsed(dict(update), None) is None else update


class Poller:
    """Takes updates by long polling."""

    patience = math.inf
    """No deadline fires before a fetch that began after it was due has been handled."""

    def __init__(
        self,
        bot: Bot,
        transport: PollingTransport,
        intake: Intake,
        metrics: Metrics,
        *,
        failed: Callable[[TelegramError], object],
    ) -> None:
        """Fetch through this bot, and hand over to this intake; `failed` gets the error of each failed fetch."""
        self._failed = failed
        self._bot = bot
        self._transport = transport
        self._intake = intake
        self._metrics = metrics
        self._under_way: dict[int, asyncio.Task[None]] = {}
        """The updates fetched but not done yet, by id."""
        self._next: int | None = None
        """The id after the last update that was fetched."""
        self._failures = 0
        self.caught_up = asyncio.Event()
        """Set once all updates that waited at the start are handled."""
        self._covered = -math.inf
        self._waiting: asyncio.Task[Sequence[Update]] | None = None
        """The fetch under way, if it is waiting for news."""
        self._in_haste = False
        """Whether the next fetch should return without waiting for news."""

    async def run(self, stopping: asyncio.Event) -> None:
        """Take updates until `stopping` is set; what is under way is finished first."""
        confirmed: int | None = None
        stop = asyncio.create_task(stopping.wait())
        clock = asyncio.get_running_loop().time
        while not stopping.is_set():
            offset = self._offset
            asked, began = clock(), time.monotonic()
            waits = self.caught_up.is_set() and not self._in_haste
            self._in_haste = False
            fetch = asyncio.create_task(self._fetch(offset, POLL_SECONDS if waits else 0))
            self._waiting = fetch if waits else None
            confirmed = offset
            await asyncio.wait((fetch, stop), return_when=asyncio.FIRST_COMPLETED)
            if not fetch.done():
                fetch.cancel()
                await asyncio.gather(fetch, return_exceptions=True)
                break
            self._waiting = None
            if fetch.cancelled():  # it was waiting for news, and somebody has to know now
                continue
            if (error := fetch.exception()) is None:
                is_news = await self._handle(fetch.result())
                if not self._under_way and len(fetch.result()) < FULL_BATCH:
                    self._covered = began
                left = asked + SHORT_SECONDS - clock()
                # The first fetch that finds nothing more doesn't wait, and one that does follows immediately.
                if not is_news and left > 0 and waits is self.caught_up.is_set():
                    await _wait(left, stop)
            else:
                await self._after(error, stop)
        stop.cancel()
        if self._under_way:
            await asyncio.wait(self._under_way.values(), timeout=STOP_SECONDS)
            self._forget_done()
        if self._offset is not None and self._offset != confirmed:
            await self._confirm(self._offset)

    async def covered(self, wanted: float) -> float:
        if self._covered <= wanted and self._waiting is not None:
            self._in_haste = True
            self._waiting.cancel()
        return self._covered

    @property
    def _offset(self) -> int | None:
        """The offset of the next fetch, which confirms everything before the first update that isn't done."""
        return min(self._under_way, default=self._next)

    async def _handle(self, updates: Sequence[Update]) -> bool:
        """Start handling what has come; True if any of it is new."""
        if self._failures:
            log.warning("Updates come in again")
        self._failures = 0
        is_news = False
        for update in updates:
            if self._next is None or update.update_id >= self._next or update.update_id not in self._under_way:
                task = self._intake.begin(update)
                if task is not None and update.update_id not in self._under_way:
                    self._under_way[update.update_id] = task
                    is_news = True
        if updates:
            self._next = updates[-1].update_id + 1
        if self._under_way:
            # A slow one delays the next fetch for a moment only.
            patience = BATCH_SECONDS if is_news else FETCH_AGAIN_SECONDS
            wanted = asyncio.ALL_COMPLETED if is_news else asyncio.FIRST_COMPLETED
            await asyncio.wait((*self._under_way.values(),), timeout=patience, return_when=wanted)
            self._forget_done()
        if not self.caught_up.is_set() and len(updates) < FULL_BATCH and not self._under_way:
            self.caught_up.set()
        return is_news or bool(self._under_way)

    def _forget_done(self) -> None:
        self._under_way = {number: task for number, task in self._under_way.items() if not task.done()}

    async def _after(self, error: BaseException, stop: asyncio.Task[bool]) -> None:
        """Log once that no updates come in, and wait a little."""
        seconds = min(0.5 * 2**self._failures, LONGEST_FETCH_PAUSE_SECONDS)
        if isinstance(error, TelegramError):
            if not self._failures:
                log.error("Updates cannot be fetched: %s", _reason(error))
            self._metrics.failed(judge(error).value)
            self._failed(error)
            await _wait(pause(error) or seconds, stop)
        else:
            if self._failures == 1:
                kind = type(error).__name__  # it may quote somebody's words
                log.error("Updates cannot be fetched: the answer cannot be read (%s)", kind)
            if self._failures:
                await _wait(seconds, stop)
            self._transport.vet_next()  # one update can't be parsed, and the others must not wait behind it
        self._failures = min(self._failures + 1, 10)

    async def _fetch(self, offset: int | None, seconds: int) -> Sequence[Update]:
        return await self._bot.get_updates(
            offset=offset, timeout=seconds, read_timeout=seconds + 10, allowed_updates=UPDATES
        )

    async def _confirm(self, offset: int) -> None:
        """Confirm what was handled, so that it isn't delivered again after the next start."""
        try:
            await self._bot.get_updates(offset=offset, timeout=0, limit=1, read_timeout=3, allowed_updates=UPDATES)
        except TelegramError as error:
            log.info("The last updates are not confirmed and will come again: %s", error)


def _reason(error: TelegramError) -> str:
    if isinstance(error, Conflict):
        return f"another program takes this bot's updates, or a webhook is set ({error})"
    return str(error)


async def _wait(seconds: float, stop: asyncio.Task[bool]) -> None:
    with suppress(TimeoutError):
        await asyncio.wait_for(asyncio.shield(stop), seconds)

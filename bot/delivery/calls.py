"""The calls that a tap needs, and answers to taps and inline queries.

Calls use the transport directly, with bodies written here. The methods of `Bot` turn each parameter into objects
and back, rebuild the keyboard from its buttons, and parse a whole message out of every answer: a fifth of what a
tap costs (benchmarks/README.md). All other calls go through `Bot`.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from functools import partial
from http import HTTPStatus
from typing import Any, Final

from telegram import Bot, InlineQueryResult
from telegram.error import BadRequest, TelegramError

from bot.boards.links import Me, signing_key
from bot.boards.view import View
from bot.delivery.tasks import Tasks
from bot.delivery.telegram_errors import Failure, judge, pause
from bot.metrics import Metrics
from bot.network.transport import Foreign, Transport, write_json

log = logging.getLogger(__name__)

LONGEST_WAIT: Final = 5
"""The most seconds that an answer waits when Telegram slows us down; after that nobody looks for it."""
PAUSES_SECONDS: Final = (0.25, 1.0)
"""How long to wait before an answer that failed for now is tried again."""
MOST_ANSWERS: Final = 5_000
"""The most answers under way: if there are more, Telegram hangs, and they are stale anyway."""


def place_of(thread_id: int | None, reply_to: int | None) -> dict[str, Any]:
    """The parameters that say where in a chat a message goes."""
    found: dict[str, Any] = {} if thread_id is None else {"message_thread_id": thread_id}
    if reply_to is not None:
        found["reply_parameters"] = {"message_id": reply_to, "allow_sending_without_reply": True}
    return found


class Calls:
    """The calls that a tap needs; errors are those of `telegram.error`."""

    def __init__(self, transport: Transport, bot: Bot) -> None:
        """Call by this transport as a bot, which makes all other calls."""
        self._transport = transport
        self.bot = bot
        self._key = signing_key(bot.token)
        self.clock_ahead = 0.0
        """How far this machine's clock is ahead of Telegram's, in seconds, as the last message sent has shown."""

    @property
    def me(self) -> Me:
        """The bot, as Telegram has described it."""
        return Me(self.bot.username, self._key, bool(self.bot.supports_inline_queries))

    def seconds_since(self, date: datetime) -> float:
        """How long ago something was sent, by Telegram's clock, as this machine's may be wrong."""
        return time.time() - self.clock_ahead - date.timestamp()

    async def edit(
        self,
        view: View,
        *,
        chat_id: int | None = None,
        message_id: int | None = None,
        inline_message_id: str | None = None,
    ) -> None:
        """Replace a message's text and keyboard by a view; a view without a keyboard removes the old one.

        A message that looks so already is as good as replaced.
        """
        if inline_message_id is not None:
            where: dict[str, Any] = {"inline_message_id": inline_message_id}
        else:
            where = {"chat_id": chat_id, "message_id": message_id}
        try:
            await self.call("editMessageText", where, view)
        except BadRequest as error:
            if judge(error) is not Failure.UNCHANGED:
                raise

    async def take_away(self, last: View, *, chat_id: int, message_id: int) -> None:
        """Delete a message; if Telegram refuses that, it shows something for the last time."""
        try:
            await self.bot.delete_message(chat_id, message_id)
        except BadRequest as error:
            # Messages over 48 hours old can't be deleted (Bot API); any other reason shows in the edit.
            if judge(error) is not Failure.GONE:
                await self.edit(last, chat_id=chat_id, message_id=message_id)

    async def send(
        self,
        view: View,
        chat_id: int,
        thread_id: int | None = None,
        reply_to: int | None = None,
        *,
        silent: bool = False,
    ) -> int:
        """Send a view as a new message, perhaps as a reply to one; the result is its id."""
        where = {"chat_id": chat_id, **place_of(thread_id, reply_to)}
        if silent:
            where["disable_notification"] = True
        sent = await self.call("sendMessage", where, view)
        try:
            message_id = int(sent["message_id"])
        except (TypeError, KeyError, ValueError):
            raise Foreign(HTTPStatus.OK) from None
        if isinstance(date := sent.get("date"), int):
            self.clock_ahead = time.time() - date
        return message_id

    async def call(self, method: str, parameters: dict[str, Any], view: View | None = None) -> Any:  # noqa: ANN401 - JSON
        """Make any call, perhaps with a message; the result is that of its method."""
        if view is not None:
            parameters |= {"text": view.text, "parse_mode": "HTML", "link_preview_options": {"is_disabled": True}}
        body = write_json(parameters)
        if view is not None and view.keyboard is not None:
            body = b'%b,"reply_markup":%b}' % (body[:-1], view.keyboard.encode())
        return await self._transport.call(f"{self.bot.base_url}/{method}", body)


class Reply:
    """Room for one call in the response to a webhook's request.

    Telegram carries it out, which saves us a request, and does not say how it went (Bot API, "Making requests when
    getting updates"). For the answer to a tap that is good enough: it is soon too late anyway.
    """

    def __init__(self, is_awaited: Callable[[], bool]) -> None:
        """No call yet; `is_awaited` tells whether somebody still waits for the response."""
        self._is_awaited = is_awaited
        self.body: bytes | None = None
        """The call, as JSON."""
        self._open = True

    def close(self) -> None:
        """Take no more calls: the response is on its way."""
        self._open = False

    def answer(self, parameters: dict[str, object]) -> bool:
        """Answer a tap in this response; False if there is no more room."""
        if not self._open or not self._is_awaited():
            return False
        self._open = False
        self.body = write_json({"method": "answerCallbackQuery", **parameters})
        return True


class Answers:
    """Sends answers, each in a task of its own."""

    def __init__(self, calls: Calls, metrics: Metrics) -> None:
        self._calls = calls
        self._tasks = Tasks()
        self._metrics = metrics

    def answer(
        self,
        query_id: str,
        text: str | None = None,
        *,
        alert: bool = False,
        url: str | None = None,
        reply: Reply | None = None,
    ) -> None:
        """Answer a tap, with a text (a toast or an alert) or a link to open; in `reply`, if there is room."""
        parameters: dict[str, Any] = {"callback_query_id": query_id}
        if text is not None:
            parameters["text"] = text
        if alert:
            parameters["show_alert"] = True
        if url is not None:
            parameters["url"] = url
        if reply is None or not reply.answer(parameters):
            self._start(partial(self._calls.call, "answerCallbackQuery", parameters))

    def offer(self, query_id: str, results: Sequence[InlineQueryResult]) -> None:
        """Answer an inline query with this person's own results, which Telegram must not cache for others."""
        self._start(lambda: self._calls.bot.answer_inline_query(query_id, results, cache_time=0, is_personal=True))

    async def close(self, seconds: float) -> None:
        """Wait for what is under way, for at most this many seconds; then cancel it."""
        await self._tasks.close(seconds)

    def _start(self, call: Callable[[], Awaitable[object]]) -> None:
        if len(self._tasks) < MOST_ANSWERS:
            self._tasks.start(self._answer(call))
        else:
            self._metrics.dropped.inc()

    async def _answer(self, call: Callable[[], Awaitable[object]]) -> None:
        for again in (*PAUSES_SECONDS, None):
            try:
                await call()
            except TelegramError as error:
                failure, wait = judge(error), pause(error)
                self._metrics.failed(failure.value)
                if failure not in {Failure.PASSING, Failure.SLOW_DOWN} or again is None or wait > LONGEST_WAIT:
                    log.debug("Couldn't answer a tap or an inline query: %s", error)
                    return
                await asyncio.sleep(wait or again)
            else:
                return

"""The webhook: updates as Telegram brings them.

Telegram hears 200 only after what an update asked for is stored; what could not be stored it brings again.
Whatever is not from Telegram is refused before anything is done for it.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import logging
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote, urlsplit

from telegram import Update
from telegram.error import TelegramError

from bot.delivery.replies import Reply
from bot.intake.http import Page, Response
from bot.intake.tapped import REPLY, lighten
from bot.intake.updates import KEPT_SECONDS, KINDS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from telegram import Bot

    from bot.intake.http import Request
    from bot.intake.updates import Intake
    from bot.metrics import Metrics

log = logging.getLogger(__name__)

SECRET_HEADER: Final = b"x-telegram-bot-api-secret-token"

CONNECTIONS: Final = 100
"""How many updates Telegram may bring side by side; its own limit (Bot API, setWebhook)."""

LATER: Final = Response(status=503, headers=((b"retry-after", b"1"),))
"""Telegram shall bring an update again in a second; left alone it would wait longer each time."""


class Webhook:
    """The page that Telegram brings updates to."""

    def __init__(self, bot: Bot, metrics: Metrics, url: str, secret: str) -> None:
        """The webhook at a URL, whose path it takes; `secret` is what Telegram shows of itself."""
        self._bot = bot
        self._metrics = metrics
        self._url = url
        self._path = unquote(urlsplit(url).path) or "/"
        self._secret = secret.encode()
        self._intake: Intake | None = None

    def by_path(self) -> Mapping[str, Page]:
        """Where the page is."""
        return {self._path: Page(b"POST", self._take, self._refuse)}

    async def set(self) -> None:
        """Ask Telegram to bring updates here.

        Raises:
            TelegramError: if it refuses or cannot be reached.
        """
        secret = self._secret.decode()
        await self._bot.set_webhook(
            self._url, secret_token=secret, allowed_updates=KINDS, max_connections=CONNECTIONS
        )

    def open(self, intake: Intake) -> None:
        """Take updates from now on; before, Telegram is asked to come again."""
        self._intake = intake

    def close(self) -> None:
        """Take no more updates."""
        self._intake = None

    async def caught_up(self) -> None:
        """Return once no update waits at Telegram that did at the start, or all such taps are too old."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + KEPT_SECONDS[Update.CALLBACK_QUERY]
        while loop.time() < deadline:
            try:
                if not (await self._bot.get_webhook_info()).pending_update_count:
                    return
            except TelegramError as error:
                log.debug("How many updates wait is not known: %s", error)
            await asyncio.sleep(1)

    def _refuse(self, request: Request) -> Response | None:
        """Refuse whoever does not show the secret."""
        if hmac.compare_digest(request.header(SECRET_HEADER), self._secret):
            return None
        return Response(status=401)

    def _take(self, request: Request) -> Response | asyncio.Future[Response]:
        intake = self._intake
        if intake is None:
            return LATER
        try:
            data = json.loads(request.body)
        except (ValueError, RecursionError):
            return Response(status=400)
        if not isinstance(data, dict) or type(data.get("update_id")) is not int:
            return Response(status=400)
        reply = Reply()
        update = self._parsed(data, reply)
        taking = None if update is None else intake.begin(update, comes_again=True)
        if taking is None:
            return Response()
        response: asyncio.Future[Response] = asyncio.get_running_loop().create_future()
        request.left = reply.close
        taking.add_done_callback(lambda _: _respond(response, reply, is_done=intake.is_done(data["update_id"])))
        return response

    def _parsed(self, data: dict[str, Any], reply: Reply) -> Update | None:
        """The update; None, with a line in the log, for one that cannot be parsed and never will be."""
        update_id = data["update_id"]
        try:
            lighten(data)
            if "callback_query" in data:
                data["callback_query"][REPLY] = reply
            return Update.de_json(data, self._bot)
        except Exception as error:  # noqa: BLE001 - whatever is wrong with it, it is nobody else's fault
            # Its content, which the error may quote, is somebody's words.
            name = type(error).__name__
            log.error("An update cannot be parsed (%s)", name, extra={"update_id": update_id})  # noqa: TRY400
            self._metrics.updates["unknown", "unreadable"] += 1
            return None


def _respond(response: asyncio.Future[Response], reply: Reply, *, is_done: bool) -> None:
    """Tell Telegram what became of an update, and let it answer the tap."""
    reply.close()
    if response.done():
        return
    if not is_done:
        response.set_result(LATER)
    elif reply.body is None:
        response.set_result(Response())
    else:
        response.set_result(Response(reply.body, kind="application/json"))

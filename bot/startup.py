"""The first calls to Telegram, before updates are taken: retried until they succeed or are refused for good."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from urllib.parse import urlsplit

from telegram import Bot
from telegram.error import BadRequest, InvalidToken, TelegramError

from bot.delivery.telegram_errors import pause
from bot.intake.webhook import Webhook
from bot.introduction import introduce
from bot.network.http_errors import reading

log = logging.getLogger(__name__)


class CannotStart(Exception):
    """The bot cannot start; the message is one sentence for the host."""


async def retry_until_up(call: Callable[[], Awaitable[object]], stopping: asyncio.Event) -> bool:
    """Make a call to Telegram until it succeeds; False if the bot was told to stop meanwhile.

    Raises:
        CannotStart: if Telegram does not know the token, or refuses for good.
    """
    wait = 0.5
    while not stopping.is_set():
        try:
            with reading():
                await call()
        except InvalidToken:
            raise CannotStart("Telegram doesn't know this BOT_TOKEN; @BotFather shows the right one.") from None
        except BadRequest as error:
            raise CannotStart(f"Telegram refuses: {error}.") from None
        except TelegramError as error:
            log.warning("Can't reach Telegram: %s", error)
            with suppress(TimeoutError):
                await asyncio.wait_for(stopping.wait(), pause(error) or wait)
            wait = min(2 * wait, 30)
        else:
            return True
    return False


async def set_up(telegram: Bot, default: str, webhook: Webhook | None, stopping: asyncio.Event) -> None:
    """Tell Telegram who the bot is, the commands and the webhook, once for all processes of this bot.

    The `default` language is for people whose own the bot does not speak.

    Raises:
        CannotStart: if Telegram refuses.
    """
    try:
        if not await retry_until_up(telegram.initialize, stopping):
            return
        if not await introduce(telegram, default):
            raise CannotStart("Telegram didn't accept the commands and descriptions; the log says why.")
        if webhook is not None:
            await retry_until_up(webhook.set, stopping)
    finally:
        await telegram.shutdown()
    log.info("@%s is set up", telegram.username)


async def claim_polling(bot: Bot, *, take_over: bool) -> None:
    """Make sure that no webhook is set: polling would take the updates of whoever set it.

    Raises:
        CannotStart: if one is set, unless it may be taken over.
    """
    try:
        with reading():
            url = (await bot.get_webhook_info()).url
        if url and take_over:
            await bot.delete_webhook(drop_pending_updates=False)
            log.warning("The webhook at %s was deleted", urlsplit(url).netloc)
            return
    except TelegramError as error:
        log.warning("Couldn't check for a webhook; polling will show it: %s", error)
        return
    if url:
        raise CannotStart(
            f"A webhook is set for this bot, at {urlsplit(url).netloc}, so another program takes its updates. "
            "Stop that one and start with --take-over to delete the webhook, or set WEBHOOK_URL."
        )

"""Puts the bot together: Telegram as its account, the handlers, and what Telegram is told first."""

import asyncio
import logging
import socket
from collections.abc import Awaitable, Callable
from contextlib import suppress
from errno import EACCES, EADDRINUSE
from random import Random
from typing import Final, NamedTuple, cast
from urllib.parse import urlsplit

from aiohttp import web
from telegram import Bot
from telegram.error import BadRequest, InvalidToken, TelegramError
from telegram.ext import Application, ContextTypes, ExtBot

from bot.boards import buttons
from bot.context.feature import Features
from bot.context.services import Admins, App, Context, Languages, Retention, Services
from bot.delivery.calls import Calls
from bot.delivery.pace import Pace
from bot.delivery.tasks import Tasks
from bot.delivery.telegram_errors import pause
from bot.dispatch import FEATURES, register
from bot.game.attempt import TimeLimits
from bot.intake import server
from bot.intake.server import Health
from bot.intake.updates import Raising
from bot.intake.webhook import Webhook
from bot.introduction import introduce
from bot.metrics import Metrics
from bot.network.transport import Transport, reading
from bot.settings import Settings
from bot.workers.pool import Workers
from storage.database import lock_file
from storage.errors import StorageError
from storage.privacy.forgotten import Journal
from storage.settings import Secret
from storage.store import Store


def connect_bot(token: str, api_url: str, transport: Transport, polling: Transport) -> ExtBot[None]:
    """Telegram as this bot's account; the connection opens with `App.initialize`."""
    return ExtBot(
        token,
        base_url=api_url if "{token}" in api_url else f"{api_url}/bot",
        request=transport,
        get_updates_request=polling,
    )


log = logging.getLogger("bot")


class CannotStart(Exception):
    """The bot cannot start; the message is one sentence for the host."""


async def retry_until_up(call: Callable[[], Awaitable[object]], stopping: asyncio.Event) -> bool:
    """Make a call to Telegram until it succeeds; False if the bot was told to stop meanwhile.

    Raises CannotStart if Telegram does not know the token, or refuses for good.
    """
    wait, told = 0.5, ""
    while not stopping.is_set():
        try:
            with reading():
                await call()
        except InvalidToken:
            raise CannotStart("Telegram doesn't know this BOT_TOKEN; @BotFather shows the right one.") from None
        except BadRequest as error:
            raise CannotStart(f"Telegram refuses: {error}.") from None
        except TelegramError as error:
            if told != (told := str(error)):
                log.warning("Can't reach Telegram: %s", told)
            with suppress(TimeoutError):
                await asyncio.wait_for(stopping.wait(), pause(error) or wait)
            wait = min(2 * wait, 30)
        else:
            return True
    return False


async def set_up(settings: Settings, token: str, stopping: asyncio.Event) -> None:
    """Tell Telegram who the bot is, the commands and the webhook, once for all processes of this bot.

    Raises CannotStart if Telegram refuses.
    """
    transport = Transport(settings.proxy)
    telegram = connect_bot(token, settings.bot_api_url, transport, transport)
    webhook = webhook_of(settings, telegram, Metrics())
    try:
        if not await retry_until_up(telegram.initialize, stopping):
            return
        if not await introduce(telegram, settings.default_language):
            raise CannotStart("Telegram didn't accept the commands and descriptions; the log says why.")
        if webhook is not None:
            await retry_until_up(webhook.set, stopping)
    finally:
        await telegram.shutdown()
    log.info("@%s is set up", telegram.username)


async def ensure_no_webhook(bot: Bot, *, take_over: bool) -> None:
    """Make sure that no webhook is set: polling would take the updates of whoever set it.

    Raises CannotStart if one is set, unless it may be taken over.
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


DELIVERY_CLOSING_SECONDS: Final = 3
"""How long a stop waits for what is being sent; the sweep of the next start sends the rest."""


HAND_OVER_SECONDS: Final = 1
"""How long a stop waits for the database to note which of the computer's moves are left to other processes."""


class Ground(NamedTuple):
    """What a bot is made on: the database, the network, its own processes and tasks."""

    store: Callable[..., Store] = Store
    transport: Callable[[Secret | None], Transport] = Transport
    polling: Callable[[Secret | None], Transport] = Transport
    workers: Callable[[Metrics], Workers] = Workers
    tasks: Callable[[], Tasks] = Tasks


class Parts(NamedTuple):
    """The parts of a bot that hasn't started yet."""

    services: Services
    app: App
    polling: Transport
    webhook: Webhook | None
    """None if the settings ask for polling."""
    health: Health
    site: server.Server


def make(
    settings: Settings,
    token: str,
    ground: Ground = Ground(),  # noqa: B008 - it never changes
    features: Features = FEATURES,
) -> Parts:
    """Make the parts of a bot; nothing is started, and no connection is opened."""
    polling = ground.polling(settings.proxy)
    services, telegram = _services(settings, token, polling, ground, features)
    made = cast("type[Services]", lambda: services)  # the builder only ever calls it
    app = (
        Application.builder()
        .application_class(Raising)
        .bot(telegram)
        .context_types(ContextTypes(context=Context, bot_data=made))
        .job_queue(None)
        .updater(None)
        .build()
    )
    register(app, features)
    buttons.offer(features.taps)
    health = Health(telegram, services.store, services.metrics)
    webhook = webhook_of(settings, telegram, services.metrics)
    router = web.UrlDispatcher()
    health.add_to(router)
    if webhook is not None:
        webhook.add_to(router)
    return Parts(services, app, polling, webhook, health, server.Server(router))


async def close(parts: Parts) -> None:
    """Send what waits, for a while, then end processes and connections."""
    services, app = parts.services, parts.app
    with suppress(StorageError, TimeoutError):
        await asyncio.wait_for(services.computer.hand_over(), HAND_OVER_SECONDS)
    services.workers.close()
    await services.computer.close()
    await close_delivery(services, DELIVERY_CLOSING_SECONDS)
    await app.shutdown()
    await app.bot.shutdown()  # an application that was never initialized leaves its connections open
    await services.store.close()


async def close_delivery(services: Services, seconds: float) -> None:
    """Send what waits, for at most this many seconds, and write back what is shown."""
    await services.lanes.close(seconds)
    await asyncio.gather(services.tasks.close(0.5), services.answers.close(0.5))
    with suppress(TimeoutError):
        await asyncio.wait_for(services.boards.write_back(), 1)


def _services(
    settings: Settings, token: str, polling: Transport, ground: Ground, features: Features
) -> tuple[Services, ExtBot[None]]:
    metrics = Metrics()
    store = ground.store(settings.database, observe=metrics.transacted)
    metrics.database_queue.set_function(lambda: store.waiting)
    transport = ground.transport(settings.proxy)
    telegram = connect_bot(token, settings.bot_api_url, transport, polling)
    services = Services(
        store=store,
        calls=Calls(transport, telegram),
        pace=Pace(calls_per_second=settings.calls_per_second, edits_per_minute=settings.edits_per_minute),
        rng=Random(),  # noqa: S311 - it keeps no secret; the system's takes a call for each move
        limits=TimeLimits(settings.challenge_ttl, settings.move_ttl, settings.computer_ttl),
        admins=Admins(telegram),
        metrics=metrics,
        workers=ground.workers(metrics),
        kept=Retention(settings.retention_days, settings.group_retention_days),
        journal=Journal(settings.forgotten_path()),
        languages=Languages(settings.default_language),
        features=features,
        tasks=ground.tasks(),
    )
    lanes = services.lanes
    metrics.publisher_queue.set_function(lambda: lanes.waiting)
    metrics.publisher_chats.set_function(lambda: len(lanes))
    metrics.publisher_lag.set_function(lanes.lag)
    return services, telegram


def lock_database(settings: Settings) -> None:
    """Keep other bots off a SQLite file; raises CannotStart if one has it."""
    if not lock_file(settings.database):
        raise CannotStart(
            f"Another bot uses {settings.database.database}, and SQLite is for one: stop that one, "
            "or let both use PostgreSQL (DATABASE_URL)."
        )


def check_journal(settings: Settings) -> None:
    """Raise CannotStart if the list of forgotten people can't be kept."""
    journal = Journal(settings.forgotten_path())
    try:
        journal.check()
    except OSError as error:
        raise CannotStart(f"FORGOTTEN_FILE {journal.path} cannot be used: {error.strerror}.") from None


def webhook_of(settings: Settings, telegram: Bot, metrics: Metrics) -> Webhook | None:
    """The webhook, if the settings ask for one."""
    if settings.webhook_url is None or settings.webhook_secret is None:
        return None
    return Webhook(telegram, metrics, settings.webhook_url, settings.webhook_secret.text)


def open_socket(settings: Settings) -> socket.socket | None:
    """The socket of the bot's web server; None if its default port is taken and nobody asked for it.

    Raises CannotStart if the address cannot be used. A Bot API server may still have to start on the same port.
    """
    host, port, reason = settings.http_host, settings.http_port, "BOT_API_URL has the same port"
    advice = f"set HTTP_PORT to another, such as {port % 65535 + 1} (0 picks one), or change HTTP_HOST"
    if not settings.takes_port_of_api:
        try:
            return server.listen(host, port)
        except OSError as error:
            reason = str(error.strerror).partition(" (while")[0]  # what follows names the address again
            if error.errno == EADDRINUSE:
                reason += ", perhaps by a Bot API server"
            elif error.errno != EACCES:
                advice = "set HTTP_HOST to an address of this machine, such as 127.0.0.1 or ::1"
    sentence = f"HTTP_PORT {port} on {host} cannot be used ({reason}): {advice}."
    if settings.given & {"webhook_url", "http_host", "http_port"}:
        raise CannotStart(sentence)
    log.warning("No health page: %s", sentence)
    return None

"""Makes the parts of a running bot from its settings, and closes them."""

from __future__ import annotations

import asyncio
import logging
import socket
from contextlib import suppress
from random import SystemRandom
from typing import Final, NamedTuple

from telegram import Bot
from telegram.ext import ExtBot

from bot import app as application
from bot.context.admins import Admins
from bot.context.languages import Languages
from bot.context.recent_people import RecentPeople
from bot.context.retention import Retention
from bot.context.services import App, Services
from bot.delivery.calls import Calls
from bot.delivery.pace import Pace
from bot.delivery.publisher import Publisher
from bot.features.inline import offers
from bot.game.time_limits import TimeLimits
from bot.intake import server
from bot.intake.polling import PollingTransport
from bot.intake.probes import Pages
from bot.intake.webhook import Webhook
from bot.metrics import Metrics
from bot.network.transport import Transport
from bot.settings import Settings
from bot.startup import CannotStart
from bot.workers.pool import Workers
from storage.errors import StorageError
from storage.privacy.forgotten import Journal
from storage.store import Store

log = logging.getLogger("bot")

CLOSING_SECONDS: Final = 3
"""How long a stop waits for what is being sent; the sweep of the next start sends the rest."""


HAND_OVER_SECONDS: Final = 1
"""How long a stop waits for the database to note which of the computer's moves are left to other processes."""


class Parts(NamedTuple):
    """The parts of a bot that hasn't started yet."""

    services: Services
    app: App
    polling: PollingTransport
    webhook: Webhook | None
    """None if the settings ask for polling."""
    pages: Pages
    site: server.Server


def make(settings: Settings, token: str) -> Parts:
    """Make the parts of a bot; nothing is started, and no connection is opened."""
    polling = PollingTransport(settings.proxy)
    services, telegram = _services(settings, token, polling)
    pages = Pages(telegram, services.store, services.metrics)
    webhook = webhook_of(settings, telegram, services.metrics)
    site = server.Server({**pages.by_path(), **(webhook.by_path() if webhook else {})})
    return Parts(services, application.build(telegram, services), polling, webhook, pages, site)


async def close(parts: Parts) -> None:
    """Send what waits, for a while, then end processes and connections."""
    services, app = parts.services, parts.app
    await services.exhibitions.close()
    with suppress(StorageError, TimeoutError):
        await asyncio.wait_for(services.computer.hand_over(), HAND_OVER_SECONDS)
    services.workers.close()
    await services.computer.close()
    await services.publisher.close(CLOSING_SECONDS)
    await app.shutdown()
    await app.bot.shutdown()  # an application that was never initialized leaves its connections open
    await services.store.close()


def _services(settings: Settings, token: str, polling: PollingTransport) -> tuple[Services, ExtBot[None]]:
    """The services of the handlers, and Telegram as the bot's account; nothing is started."""
    metrics = Metrics()
    store = Store(settings.database, observe=metrics.transacted)
    metrics.database_queue.set_function(lambda: store.waiting)
    transport = Transport(settings.proxy)
    telegram = application.connect(token, settings.bot_api_url, transport, polling)
    pace = Pace(calls_per_second=settings.calls_per_second, edits_per_minute=settings.edits_per_minute)
    workers = Workers(metrics)
    services = Services(
        store=store,
        publisher=Publisher(
            telegram, Calls(transport, telegram.base_url), store, pace=pace, metrics=metrics, workers=workers
        ),
        rng=SystemRandom(),
        limits=TimeLimits(settings.challenge_ttl, settings.move_ttl, settings.computer_ttl),
        key=offers.signing_key(token),
        admins=Admins(telegram),
        recent=RecentPeople(),
        failures={},
        metrics=metrics,
        workers=workers,
        kept=Retention(settings.retention_days, settings.group_retention_days),
        journal=Journal(settings.forgotten_path()),
        languages=Languages(settings.default_language),
    )
    return services, telegram


def webhook_of(settings: Settings, telegram: Bot, metrics: Metrics) -> Webhook | None:
    """The webhook, if the settings ask for one."""
    if settings.webhook_url is None or settings.webhook_secret is None:
        return None
    return Webhook(telegram, metrics, settings.webhook_url, settings.webhook_secret.get_secret_value())


def listen(settings: Settings) -> socket.socket | None:
    """The socket of the bot's web server; None if its default port is taken and nobody asked for it.

    Raises:
        CannotStart: if the address cannot be used.
    """
    host, port = settings.http_host, settings.http_port
    try:
        return server.listen(host, port)
    except OSError as error:
        reason = str(error.strerror).partition(" (while")[0]  # what follows names the address again
        sentence = f"Port {port} on {host} cannot be used ({reason}): change HTTP_PORT (0 picks one) or HTTP_HOST."
        if settings.model_fields_set & {"webhook_url", "http_host", "http_port"}:
            raise CannotStart(sentence) from None
        log.warning("No health page: %s", sentence)
        return None

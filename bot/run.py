"""`python -m bot`: start the bot, and stop it cleanly on SIGINT or SIGTERM."""

from __future__ import annotations

import argparse
import asyncio
import gc
import logging
import signal
import sys
from contextlib import suppress
from functools import partial
from random import SystemRandom
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from telegram.error import BadRequest, InvalidToken, TelegramError

from bot import app as application
from bot import logs, server
from bot.context import Services
from bot.delivery.calls import Calls
from bot.delivery.errors import pause
from bot.delivery.held import HOLD_SECONDS
from bot.delivery.pace import Pace
from bot.delivery.publisher import Publisher
from bot.delivery.sweep import SWEEP_SECONDS, sweep
from bot.delivery.transport import Transport
from bot.game.time_limits import TimeLimits
from bot.handlers import clock, languages, offers
from bot.handlers.admins import Admins
from bot.handlers.recent_people import RecentPeople
from bot.intake.polling import Poller, PollingTransport
from bot.intake.updates import Intake
from bot.intake.webhook import Webhook
from bot.metrics import Metrics
from bot.pages import Pages
from bot.settings import Settings
from bot.supervision import supervise
from bot.thinking.workers import Workers
from storage import derived
from storage.database import parse_url
from storage.errors import StorageError, told
from storage.migrate import migrate
from storage.settings import SettingsError
from storage.store import Store

if TYPE_CHECKING:
    import socket
    from collections.abc import Awaitable, Callable, Coroutine

    from telegram import Bot
    from telegram.ext import ExtBot

    from bot.context import App

log = logging.getLogger("bot")

HOW_TO_BEGIN: Final = (
    "BOT_TOKEN is not set. @BotFather on Telegram gives you a token (send it /newbot); put it into .env. "
    "`make play` needs none."
)

CLOSING_SECONDS: Final = 3
"""For how long a stop waits for what is being sent; the sweep of the next start sends the rest."""
COUNT_SECONDS: Final = 5.0
"""Results that have come are counted, and days that are over are rated, so often."""
SWEEP_AFTER_SECONDS: Final = 5.0
"""The sweep begins so long after the start at the latest, however much waits to be handled first."""


class CannotStart(Exception):
    """The bot cannot start; the message is one sentence for the host."""


class Options(argparse.Namespace):
    """What the command line says beyond the settings."""

    set_up: bool | None
    """Whether Telegram is told the commands and the webhook; None for as usual: yes, and then take updates."""
    take_over: bool


def _options() -> Options:
    parser = argparse.ArgumentParser(prog="python -m bot", description="Run OXO on Telegram.")
    set_up = parser.add_mutually_exclusive_group()
    set_up.add_argument(
        "--set-up",
        action="store_true",
        default=None,
        help="tell Telegram the bot's name, description and commands and, with WEBHOOK_URL, the webhook; then end",
    )
    set_up.add_argument(
        "--no-set-up", dest="set_up", action="store_false", help="run without telling Telegram any of it"
    )
    parser.add_argument(
        "--take-over", action="store_true", help="delete a webhook that is set for the bot, to poll instead"
    )
    return parser.parse_args(namespace=Options())


def main() -> int:
    """Run the bot until it is told to stop; the result is the exit code."""
    options = _options()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # until the event loop takes signals over
    try:
        settings = Settings.read()
        token = _token(settings)
        logs.configure(settings.log_level, settings.log_format, token)
        if not options.set_up:
            migrate(parse_url(settings.database_url))
        with asyncio.Runner(loop_factory=_event_loop()) as runner:
            runner.run(_set_up(settings, token) if options.set_up else _run(settings, token, options))
    except (SettingsError, CannotStart) as error:
        print(error, file=sys.stderr)  # noqa: T201 - the host started this by hand
        return 1
    except (StorageError, OSError) as error:
        reason = told(error) if isinstance(error, OSError) else error
        print(f"The database cannot be used: {reason}", file=sys.stderr)  # noqa: T201 - likewise
        return 1
    except KeyboardInterrupt:
        return 0
    return 0


def _token(settings: Settings) -> str:
    if settings.bot_token is None:
        raise CannotStart(HOW_TO_BEGIN)
    return settings.bot_token


def _event_loop() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """Uvloop where it exists, for a tenth more taps a second."""
    try:
        import uvloop  # noqa: PLC0415 - not every system has it
    except ImportError:
        return None
    return uvloop.new_event_loop


async def _run(settings: Settings, token: str, options: Options) -> None:
    """Take updates until a signal says stop; what is under way is then finished first."""
    stopping = _stopping()
    listener = _listen(settings)
    polling = PollingTransport()
    services, telegram = _services(settings, token, polling)
    store, publisher, metrics = services.store, services.publisher, services.metrics
    app = application.build(telegram, services)
    pages = Pages(telegram, store, metrics)
    webhook = _webhook(settings, telegram, metrics)
    site = server.Server({**pages.by_path(), **(webhook.by_path() if webhook else {})})
    serving = asyncio.create_task(site.serve(listener)) if listener is not None else None
    background: list[asyncio.Task[object]] = []

    def beside(work: Coroutine[None, None, object]) -> None:
        background.append(asyncio.create_task(work))

    try:
        if await _patiently(app.initialize, stopping):
            beside(supervise("Holding what waits", _nothing_more(publisher.hold), HOLD_SECONDS))
            if options.set_up is None:
                beside(application.announce(telegram))
            beside(
                supervise(
                    "Reading the languages that people chose",
                    partial(services.languages.read, store),
                    languages.AGAIN_SECONDS,
                )
            )
            _settle_garbage_collection()
            intake = Intake(app)
            if webhook is None:
                await _claim_polling(telegram, take_over=options.take_over)
                pages.ready = True
                log.info("@%s takes updates by long polling", telegram.username)
                poller = Poller(telegram, polling, intake, metrics)
                beside(_look_after(services, poller.caught_up.wait()))
                await poller.run(stopping)
            else:
                webhook.open(intake)
                pages.ready = True
                if options.set_up is False or await _patiently(webhook.set, stopping):
                    log.info("@%s takes updates by webhook", telegram.username)
                    beside(_look_after(services, webhook.caught_up()))
                    await stopping.wait()
    finally:
        pages.ready = False
        if webhook is not None:
            webhook.close()
        site.close()
        if serving is not None:
            await asyncio.wait((serving,))
        for task in background:
            task.cancel()
        await asyncio.gather(*background, return_exceptions=True)
        await _close(services, app)
    log.info("Stopped")


async def _close(services: Services, app: App) -> None:
    """Send what waits, for a while, and end processes and connections."""
    await services.watching.close()
    await services.workers.close()
    await services.computer.close()
    await services.publisher.close(CLOSING_SECONDS)
    await app.shutdown()
    await app.bot.shutdown()  # an application that was never initialized leaves its connections open
    await services.store.close()


def _services(settings: Settings, token: str, polling: PollingTransport) -> tuple[Services, ExtBot[None]]:
    """Everything that the handlers work with, and Telegram as the bot's account; nothing is begun yet."""
    metrics = Metrics()
    store = Store(parse_url(settings.database_url), observe=metrics.transacted)
    metrics.database_queue = lambda: store.waiting
    transport = Transport()
    telegram = application.connect(token, settings.bot_api_url, transport, polling)
    pace = Pace(calls_per_second=settings.calls_per_second, edits_per_minute=settings.edits_per_minute)
    workers = Workers(metrics)
    services = Services(
        store=store,
        publisher=Publisher(telegram, Calls(transport, telegram.base_url), store, pace, metrics, workers=workers),
        rng=SystemRandom(),
        limits=TimeLimits(settings.challenge_ttl, settings.move_ttl, settings.computer_ttl),
        key=offers.signing_key(token),
        admins=Admins(telegram),
        recent=RecentPeople(),
        failures={},
        metrics=metrics,
        workers=workers,
    )
    return services, telegram


async def _look_after(services: Services, caught_up: Coroutine[None, None, object]) -> None:
    """Begin the sweep once the updates that waited at the start are handled, and only then the deadlines.

    Who has moved in time, while the bot was away, must not lose on time.
    """
    store, publisher = services.store, services.publisher
    backlog = asyncio.create_task(caught_up)
    work: list[asyncio.Task[None]] = []
    try:
        await asyncio.wait((backlog,), timeout=SWEEP_AFTER_SECONDS)
        sweeping = supervise("The sweep", lambda: sweep(store, publisher), SWEEP_SECONDS)
        work.append(asyncio.create_task(sweeping))
        await backlog
        deadlines = supervise("The look at the deadlines", lambda: clock.look(services), clock.LOOK_SECONDS)
        work.append(asyncio.create_task(deadlines))
        counting = supervise("Counting results", lambda: derived.count(store), COUNT_SECONDS)
        rating = supervise("Making ratings", lambda: derived.rate(store), COUNT_SECONDS)
        work += [asyncio.create_task(counting), asyncio.create_task(rating)]
        await asyncio.gather(*work)
    finally:
        for task in (backlog, *work):
            task.cancel()


def _nothing_more(step: Callable[[], Awaitable[None]]) -> Callable[[], Awaitable[bool]]:
    """A step of work that has nothing more to do at once."""

    async def once() -> bool:
        await step()
        return False

    return once


async def _set_up(settings: Settings, token: str) -> None:
    """Tell Telegram who the bot is, the commands and the webhook, once for all processes of this bot.

    Raises:
        CannotStart: if Telegram refuses.
    """
    stopping = _stopping()
    telegram = application.connect(token, settings.bot_api_url, Transport(), PollingTransport())
    try:
        if not await _patiently(telegram.initialize, stopping):
            return
        if not (await application.announce(telegram) and await application.introduce(telegram)):
            raise CannotStart("Telegram did not take the commands and descriptions; the log says why.")
        if (webhook := _webhook(settings, telegram, Metrics())) is not None:
            await _patiently(webhook.set, stopping)
    finally:
        await telegram.shutdown()
    log.info("@%s is set up", telegram.username)


def _webhook(settings: Settings, telegram: Bot, metrics: Metrics) -> Webhook | None:
    """The webhook, if the settings want one."""
    if settings.webhook_url is None or settings.webhook_secret is None:
        return None
    return Webhook(telegram, metrics, settings.webhook_url, settings.webhook_secret)


def _stopping() -> asyncio.Event:
    """An event that is set when a signal says stop."""
    stopping = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stopping.set)
    return stopping


def _listen(settings: Settings) -> socket.socket | None:
    """The socket of the bot's web server; none if nobody has asked for it and its usual port is taken.

    Raises:
        CannotStart: if the address cannot be used.
    """
    host, port = settings.http_host, settings.http_port
    try:
        return server.listen(host, port)
    except OSError as error:
        reason = str(error.strerror).partition(" (while")[0]  # what follows names the address again
        sentence = f"Port {port} on {host} cannot be used ({reason}): set HTTP_PORT to another, or to 0."
        if settings.webhook_url is not None or "http_port" in settings.given:
            raise CannotStart(sentence) from None
        log.warning("There is no health page. %s", sentence)
        return None


async def _patiently(call: Callable[[], Awaitable[object]], stopping: asyncio.Event) -> bool:
    """Make a call to Telegram, as often as it takes; False if the bot was told to stop meanwhile.

    Raises:
        CannotStart: if Telegram does not know the token, or refuses for good.
    """
    wait = 0.5
    while not stopping.is_set():
        try:
            await call()
        except InvalidToken:
            raise CannotStart("Telegram does not know this BOT_TOKEN; @BotFather shows the right one.") from None
        except BadRequest as error:
            raise CannotStart(f"Telegram refuses: {error}.") from None
        except TelegramError as error:
            log.warning("Telegram cannot be reached: %s", error)
            with suppress(TimeoutError):
                await asyncio.wait_for(stopping.wait(), pause(error) or wait)
            wait = min(2 * wait, 30)
        else:
            return True
    return False


async def _claim_polling(bot: Bot, *, take_over: bool) -> None:
    """Make sure that no webhook is set: polling would take the updates of whoever set it.

    Raises:
        CannotStart: if one is set, unless it may be taken over.
    """
    try:
        url = (await bot.get_webhook_info()).url
        if url and take_over:
            await bot.delete_webhook(drop_pending_updates=False)
            log.warning("The webhook at %s was deleted", urlsplit(url).netloc)
            return
    except TelegramError as error:
        log.warning("Whether a webhook is set is not known, and polling will tell: %s", error)
        return
    if url:
        raise CannotStart(
            f"A webhook is set for this bot, at {urlsplit(url).netloc}, so another program takes its updates. "
            "Stop that one and start with --take-over to delete the webhook, or set WEBHOOK_URL."
        )


def _settle_garbage_collection() -> None:
    """Look for garbage among new objects only, and seldom: a quarter more taps a second (benchmarks/README.md)."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


if __name__ == "__main__":
    sys.exit(main())

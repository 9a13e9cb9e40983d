"""`python -m bot`: start the bot, and stop it cleanly on SIGINT or SIGTERM."""

import argparse
import asyncio
import codecs
import gc
import logging
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from types import FrameType
from typing import Final

from bot import logs
from bot.background.clock import note
from bot.background.jobs import start_with_the_bot, start_with_updates
from bot.delivery.tasks import Tasks
from bot.features.privacy.erasing import after_restore
from bot.intake.polling import Poller
from bot.intake.updates import Intake
from bot.introduction import introduce
from bot.settings import Settings
from bot.wiring import (
    CannotStart,
    Parts,
    check_journal,
    close,
    ensure_no_webhook,
    lock_database,
    make,
    open_socket,
    retry_until_up,
    set_up,
)
from storage.errors import StorageError, told
from storage.migrate import migrate
from storage.settings import SettingsError
from storage.store import Store

log = logging.getLogger("bot")

HOW_TO_BEGIN: Final = (
    "BOT_TOKEN is not set. @BotFather on Telegram gives you a token (send it /newbot); put it into .env. "
    "`make play` needs none."
)


OUTDATED: Final = (
    "Another release has upgraded the database, so this process ends. Start the new release in its place."
)

CAME_SECOND: Final = (
    "Another program took this bot's updates before this one started, so this one ends. The other isn't on this "
    "database: stop it, or give this bot a token of its own (BOT_TOKEN)."
)

LAST_SECONDS: Final = 9.0
"""The most seconds that a stop takes, whatever hangs; Docker kills after ten."""


class Options(argparse.Namespace):
    """The options of the command line."""

    set_up: bool | None = None
    """True to only tell Telegram about the bot, False not to tell it; None for a normal start, which does both."""
    take_over: bool = False


def _options() -> Options:
    parser = argparse.ArgumentParser(prog="python -m bot", description="Run OXO on Telegram.")
    parser.add_argument("--version", action="version", version=f"OXO {_version()}")
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


def _version() -> str:
    try:
        return version("oxo-bot")
    except PackageNotFoundError:
        return "(not installed)"


def main() -> int:
    """Run the bot until it is told to stop; returns the exit code."""
    options = _options()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _break_off)  # until the event loop handles signals
    try:
        settings = Settings.read()
        token = _token(settings)
        logs.configure(settings.log_level, settings.log_format, settings.secrets)
        if not options.set_up:
            lock_database(settings)
            migrate(settings.database)
            check_journal(settings)
        with asyncio.Runner(loop_factory=_event_loop()) as runner:
            runner.run(_run(settings, token, options))
    except (SettingsError, CannotStart) as error:
        print(error, file=sys.stderr)  # noqa: T201 - the host started this by hand
        return 1
    except (StorageError, OSError) as error:
        reason = told(error) if isinstance(error, OSError) else error
        print(f"The database cannot be used: {reason}", file=sys.stderr)  # noqa: T201 - the host started this by hand
        return 1
    except KeyboardInterrupt:
        return 0
    return 0


def _token(settings: Settings) -> str:
    if settings.bot_token is None:
        raise CannotStart(HOW_TO_BEGIN)
    return settings.bot_token.text


def _event_loop() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """Use uvloop where it exists, for a tenth more taps a second."""
    try:
        import uvloop  # noqa: PLC0415 - not every system has it
    except ImportError:
        return None
    return uvloop.new_event_loop


async def _run(settings: Settings, token: str, options: Options) -> None:
    stopping = _stopping()
    if options.set_up:
        await set_up(settings, token, stopping)
        return
    listener = open_socket(settings)
    parts = make(settings, token)
    # python-telegram-bot finds commands in messages with it; perhaps no file can be opened by then.
    codecs.lookup("utf-16-le")
    _settle_garbage_collection()
    await serve(parts, options, stopping, listener)


async def serve(
    parts: Parts, options: Options, stopping: asyncio.Event, listener: socket.socket | None = None
) -> None:
    """Start, take updates until told to stop, and close everything; raises CannotStart if it can't go on."""
    serving = asyncio.create_task(parts.site.serve(listener)) if listener is not None else None
    tasks, services = Tasks(), parts.services
    tasks.start(_stop_when_outdated(services.store, stopping))
    try:
        if await retry_until_up(parts.app.initialize, stopping):
            await note(services.store)
            start_with_the_bot(services, parts.app.bot, tasks)
            if options.set_up is None:
                tasks.start(introduce(parts.app.bot, services.languages.default, services.store))
            await after_restore(services)
            await _take_updates(parts, options, tasks, stopping)
    finally:
        parts.health.ready = False
        if parts.webhook is not None:
            parts.webhook.close()
        parts.site.close()
        if serving is not None:
            await asyncio.wait((serving,))
        await tasks.close()
        await close(parts)
    log.info("Stopped")
    if services.store.outdated.is_set():
        raise CannotStart(OUTDATED)


async def _take_updates(parts: Parts, options: Options, tasks: Tasks, stopping: asyncio.Event) -> None:
    services, telegram, webhook = parts.services, parts.app.bot, parts.webhook
    intake = Intake(parts.app)
    if webhook is None:
        await ensure_no_webhook(telegram, take_over=options.take_over)
        parts.health.ready = True
        log.info("@%s takes updates by long polling", telegram.username)
        failed = services.reach.fail
        alone = services.store.is_alone
        poller = Poller(telegram, parts.polling, intake, services.metrics, failed=failed, may_give_up=alone)
        parts.health.is_contested = poller.is_contested
        tasks.start(start_with_updates(services, tasks, poller))
        await poller.run(stopping)
        if not stopping.is_set():
            raise CannotStart(CAME_SECOND)
        return
    webhook.open(intake)
    parts.health.ready = True
    if options.set_up is False or await retry_until_up(webhook.set, stopping):
        log.info("@%s takes updates by webhook", telegram.username)
        tasks.start(start_with_updates(services, tasks, webhook))
        await stopping.wait()


async def _stop_when_outdated(store: Store, stopping: asyncio.Event) -> None:
    """Stop once another release has upgraded the database; its processes take what isn't confirmed."""
    await store.outdated.wait()
    log.error(OUTDATED)
    stopping.set()


class _Stop(asyncio.Event):
    """Set when the process is to stop; from then on it ends in time, whatever hangs."""

    def set(self) -> None:
        if not self.is_set():
            _end_in_time()
        super().set()


def _stopping() -> asyncio.Event:
    """An event that is set when a signal says stop."""
    stopping = _Stop()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stopping.set)
    return stopping


def _break_off(number: int, frame: FrameType | None) -> None:
    """Break off the start, and make sure that it ends, even if the database hangs."""
    _end_in_time()
    signal.default_int_handler(number, frame)


def _end_in_time() -> None:
    last = threading.Timer(LAST_SECONDS, _end)
    last.daemon = True
    last.start()


def _end() -> None:
    """End immediately, as if killed: nothing is lost, and the service manager would do it a moment later."""
    log.warning("Something hangs; stopping now. Unfinished work is in the database")
    os._exit(0)


def _settle_garbage_collection() -> None:
    """Run the garbage collector rarely, and on new objects only: a quarter more taps a second."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


if __name__ == "__main__":
    sys.exit(main())

"""`python -m bot`: start the bot, and stop it cleanly on SIGINT or SIGTERM."""

from __future__ import annotations

import argparse
import asyncio
import gc
import logging
import signal
import sys
from contextlib import suppress
from random import SystemRandom
from typing import TYPE_CHECKING, Final

from telegram.error import InvalidToken, TelegramError

from bot import app as application
from bot import inline, logs, timers
from bot.context import Services
from bot.deadlines import Patience
from bot.intake import Intake, poll
from bot.publisher import Publisher
from bot.settings import Settings
from bot.transport import PollingTransport
from storage.database import parse_url
from storage.errors import StorageError
from storage.migrate import migrate
from storage.settings import SettingsError
from storage.store import Store

if TYPE_CHECKING:
    from collections.abc import Callable

    from bot.context import App

log = logging.getLogger("bot")

HOW_TO_BEGIN: Final = (
    "BOT_TOKEN is not set. @BotFather on Telegram gives you a token (send it /newbot); put it into .env. "
    "`make play` needs none."
)

CLOSING_SECONDS: Final = 5
"""For how long a stop waits for what is being sent; the sweep of the next start sends the rest."""


class CannotStart(Exception):
    """The bot cannot start; the message is one sentence for the host."""


def main() -> int:
    """Run the bot until it is told to stop; the result is the exit code."""
    argparse.ArgumentParser(prog="python -m bot", description="Run OXO on Telegram.").parse_args()
    try:
        settings = Settings.read()
        token = _token(settings)
        logs.configure(settings.log_level, settings.log_format, token)
        migrate(parse_url(settings.database_url))
        with asyncio.Runner(loop_factory=_event_loop()) as runner:
            runner.run(_run(settings, token))
    except (SettingsError, CannotStart) as error:
        print(error, file=sys.stderr)  # noqa: T201 - the host started this by hand
        return 1
    except (StorageError, OSError) as error:
        print(f"The database cannot be used: {error}", file=sys.stderr)  # noqa: T201 - likewise
        return 1
    except KeyboardInterrupt:
        return 0
    return 0


def _token(settings: Settings) -> str:
    if settings.bot_token is None:
        raise CannotStart(HOW_TO_BEGIN)
    return settings.bot_token.get_secret_value()


def _event_loop() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """Uvloop where it exists, for a tenth more taps a second."""
    try:
        import uvloop  # noqa: PLC0415
    except ImportError:
        return None
    return uvloop.new_event_loop


async def _run(settings: Settings, token: str) -> None:
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stopping.set)
    store = Store(parse_url(settings.database_url))
    polling = PollingTransport()
    telegram = application.connect(token, settings.bot_api_url, polling)
    publisher = Publisher(
        telegram,
        store,
        calls_per_second=settings.calls_per_second,
        edits_per_minute=settings.edits_per_minute,
    )
    services = Services(
        store=store,
        publisher=publisher,
        rng=SystemRandom(),
        patience=Patience(settings.challenge_ttl, settings.move_ttl, settings.computer_ttl),
        key=inline.signing_key(token),
        failures={},
    )
    app = application.build(telegram, services)
    try:
        if await _reach_telegram(app, stopping):
            background = [
                asyncio.create_task(work)
                for work in (publisher.run(), timers.run(services), application.announce(app))
            ]
            _settle_garbage_collection()
            log.info("@%s takes updates by long polling", telegram.username)
            await poll(telegram, polling, Intake(app), stopping)
            await publisher.close(CLOSING_SECONDS)
            for task in background:
                task.cancel()
            await asyncio.gather(*background, return_exceptions=True)
    finally:
        await app.shutdown()
        await store.close()
    log.info("Stopped")


async def _reach_telegram(app: App, stopping: asyncio.Event) -> bool:
    """Initialize the application, as often as it takes; False if the bot was told to stop meanwhile.

    Raises:
        CannotStart: if Telegram does not know the token.
    """
    pause = 0.5
    while not stopping.is_set():
        try:
            await app.initialize()
        except InvalidToken:
            raise CannotStart("Telegram does not know this BOT_TOKEN; @BotFather shows the right one.") from None
        except TelegramError as error:
            log.warning("Telegram cannot be reached: %s", error)
            with suppress(TimeoutError):
                await asyncio.wait_for(stopping.wait(), pause)
            pause = min(2 * pause, 30)
        else:
            return True
    return False


def _settle_garbage_collection() -> None:
    """Look for garbage among new objects only, and seldom: a quarter more taps a second (benchmarks/README.md)."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


if __name__ == "__main__":
    sys.exit(main())

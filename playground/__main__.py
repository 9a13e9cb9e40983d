"""`python -m playground`: Telegram on loopback, the bot in it, and a page to play in."""

import argparse
import asyncio
import contextlib
import os
import signal
import sys
from pathlib import Path

from playground.child import BotGaveUpError, BotProcess
from playground.server import HOST, Playground

DATABASES = Path("data")
"""Where the bot keeps its games unless DATABASE_URL says otherwise: a file per port, emptied at the start."""
_DEFAULT_PORT = 8080
_HIGHEST_PORT = 65_535
_FIRST_CALLS = frozenset({"getUpdates", "setWebhook"})


def main(arguments: list[str] | None = None) -> str | None:
    """Run until Ctrl-C or SIGTERM; returns what went wrong, if anything did."""
    parser = argparse.ArgumentParser(prog="python -m playground", description=__doc__)
    parser.add_argument("--port", default=str(_DEFAULT_PORT), help="TCP port on 127.0.0.1 (default: %(default)s)")
    parser.add_argument("--no-bot", action="store_true", help="don't start the bot; print what it needs to join")
    parser.add_argument("--database", metavar="URL", help="the bot's DATABASE_URL")
    options = parser.parse_args(arguments)
    port = _port(options.port)
    if port is None:
        return f"{options.port!r} is no port: give a number up to {_HIGHEST_PORT}, such as {_with_port(8090)}."
    with contextlib.suppress(KeyboardInterrupt):
        return asyncio.run(_run(port, options.database, with_bot=not options.no_bot))
    return None


def _port(given: str) -> int | None:
    number = int(given) if given.isascii() and given.isdecimal() else -1
    return number if 0 <= number <= _HIGHEST_PORT else None


def _with_port(port: int) -> str:
    """The command that starts the playground at another port, otherwise as it was started."""
    return f"make play PORT={port}" if "MAKELEVEL" in os.environ else f"python -m playground --port {port}"


async def _run(port: int, database: str | None, *, with_bot: bool) -> str | None:
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stopped.set)
    playground = Playground(port=port)
    try:
        await playground.start()
    except OSError:
        another = port + 10 if port + 10 <= _HIGHEST_PORT else _DEFAULT_PORT
        return f"Port {port} on {HOST} can't be used; choose another with: {_with_port(another)}"
    async with contextlib.AsyncExitStack() as stack:
        stack.push_async_callback(playground.stop)
        if not with_bot:
            _say(f"BOT_TOKEN={playground.token} BOT_API_URL={playground.url}")
            _say(f"The playground is at {playground.url}")
            await stopped.wait()
            return None
        return await _with_bot(playground, _environment(playground, database), stopped)


async def _with_bot(playground: Playground, environment: dict[str, str], stopped: asyncio.Event) -> str | None:
    process = BotProcess(environment)
    playground.workshop.take_charge(process)
    bot = asyncio.create_task(process.keep_running())
    greeting = asyncio.create_task(_greet(playground))
    stop = asyncio.create_task(stopped.wait())
    await asyncio.wait({bot, stop}, return_when=asyncio.FIRST_COMPLETED)
    for task in (bot, greeting, stop):
        task.cancel()
    outcome, *_ = await asyncio.gather(bot, greeting, stop, return_exceptions=True)
    return str(outcome) if isinstance(outcome, BotGaveUpError) else None


async def _greet(playground: Playground) -> None:
    """Print the address once the bot is listening."""

    def listens() -> bool | None:
        return any(call.method in _FIRST_CALLS for call in playground.calls) or None

    with contextlib.suppress(TimeoutError):
        await playground.telegram.changes.until(listens, 3600, lambda: "the bot")
        _say(f"Play at {playground.url} (Ctrl-C ends it)")


def _environment(playground: Playground, database: str | None) -> dict[str, str]:
    url = database or os.environ.get("DATABASE_URL")
    if not url:
        database_file = DATABASES / f"playground-{playground.port}.db"
        for suffix in ("", "-wal", "-shm"):
            database_file.with_name(database_file.name + suffix).unlink(missing_ok=True)
        url = f"sqlite:///{database_file}"
    http_port = os.environ.get("HTTP_PORT") or "0"  # several playgrounds may run in parallel
    addresses = {"BOT_API_URL": playground.url, "DATABASE_URL": url, "HTTP_PORT": http_port}
    return {"BOT_TOKEN": playground.token, **addresses}


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())

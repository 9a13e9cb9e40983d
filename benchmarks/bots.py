"""What is measured: OXO's bot, and a minimal python-telegram-bot bot."""

import atexit
import secrets
import socket
from typing import Any

import uvloop

from benchmarks.children import Child, Tree
from benchmarks.databases import fill, new_database
from benchmarks.load import Load, run
from benchmarks.runs import Figures, Measure, Size


def bare(**options: Any) -> Measure:  # noqa: ANN401 - the fields of Load
    """A function that measures python-telegram-bot with minimal handlers; `options` are fields of Load."""
    return lambda size, _tree: _play(size, children=[Child(["-m", "benchmarks.bare"])], **options)


def oxo(
    *,
    database: str = "sqlite",
    processes: int = 1,
    webhook: bool = False,
    filled: bool = False,
    paced: bool = False,
    **options: Any,  # noqa: ANN401 - the fields of Load
) -> Measure:
    """A function that measures a checkout's bot, on a database of its own with the newest schema.

    Args:
        database: sqlite or postgresql.
        processes: The number of bots on the database; more than one need webhooks, which get updates in turn.
        webhook: Deliver updates to webhooks instead of being polled for them.
        filled: Preload the games that the size names; with SQLite only.
        paced: Keep to the pace that Telegram allows a chat, which otherwise hides what the bot can do.
        options: Fields of Load.
    """

    def measure(size: Size, tree: Tree) -> Figures:
        with new_database(database) as url:
            tree.run("-m", "storage", "migrate", DATABASE_URL=url)
            if filled:
                fill(url, finished=size.finished, running=size.running)
            settings = {"DATABASE_URL": url} if paced else {"DATABASE_URL": url, "EDITS_PER_MINUTE": "0"}
            secret = secrets.token_hex(16)
            if webhook:
                settings |= {"WEBHOOK_URL": "https://oxo.example/webhook", "WEBHOOK_SECRET": secret}
            ports = [free_port() for _ in range(processes)]
            children = [Child(["-m", "bot"], tree, settings | {"HTTP_PORT": str(port)}) for port in ports]
            webhooks = [f"http://127.0.0.1:{port}/webhook" for port in ports if webhook]
            return _play(size, children=children, webhooks=webhooks, secret=secret, **options)

    return measure


def free_port() -> int:
    """A port on loopback that nobody else gets: it stays bound until the end.

    A socket that doesn't listen doesn't stop servers from binding its port with SO_REUSEADDR (socket(7)).
    """
    holder = socket.socket()
    holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    holder.bind(("127.0.0.1", 0))
    atexit.register(holder.close)
    port: int = holder.getsockname()[1]
    return port


def _play(size: Size, **options: Any) -> Figures:  # noqa: ANN401 - the fields of Load
    usual = {"seconds": size.seconds, "warm_up": size.warm_up, "games": size.games}
    return uvloop.run(run(Load(**usual | options)))

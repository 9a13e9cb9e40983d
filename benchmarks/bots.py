"""The bots that are measured, and how to run each: OXO, and a minimal python-telegram-bot bot."""

import atexit
import dataclasses
import json
import secrets
import socket
import sys
from collections.abc import Callable
from typing import Any

from benchmarks.children import OURS, Child, Tree
from benchmarks.databases import fill, new_database
from benchmarks.load import Load
from benchmarks.runs import Figures, Size


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


def bare(size: Size, **options: Any) -> Callable[[], Figures]:  # noqa: ANN401 - the fields of Load
    """A function that measures python-telegram-bot with minimal handlers; `options` are fields of Load."""
    children = [Child([sys.executable, "-m", "benchmarks.bare"])]
    return lambda: _play(size, children=children, blind=True, **options)


def oxo(
    size: Size,
    tree: Tree,
    *,
    database: str = "sqlite",
    processes: int = 1,
    webhook: bool = False,
    migrated: bool = False,
    filled: bool = False,
    paced: bool = False,
    **options: Any,  # noqa: ANN401 - the fields of Load
) -> Callable[[], Figures]:
    """A function that measures a checkout's bot once, on an empty database of its own.

    Args:
        size: How long to play.
        tree: The checkout.
        database: sqlite or postgresql.
        processes: The number of bots on the database; more than one need webhooks, which get updates in turn.
        webhook: Deliver updates to webhooks instead of being polled for them.
        migrated: Bring the database to the newest schema beforehand, as on any start but the first.
        filled: Preload the games that `size` names; with SQLite only.
        paced: Keep to the pace that Telegram allows a chat, which otherwise hides what the bot can do.
        options: Fields of Load.
    """

    def measure() -> Figures:
        with new_database(database) as url:
            if migrated or filled:
                tree.run("-m", "storage", "migrate", DATABASE_URL=url)
            if filled:
                fill(url, finished=size.finished, running=size.running)
            children, webhooks, secret = [], [], secrets.token_hex(16)
            for _ in range(processes):
                port = free_port()
                settings = {"DATABASE_URL": url, "HTTP_PORT": str(port)}
                if not paced:
                    settings["EDITS_PER_MINUTE"] = "0"
                if webhook:
                    settings |= {"WEBHOOK_URL": "https://oxo.example/webhook", "WEBHOOK_SECRET": secret}
                    webhooks.append(f"http://127.0.0.1:{port}/webhook")
                children.append(Child([tree.python, "-m", "bot"], str(tree.path), settings))
            return _play(size, children=children, webhooks=webhooks, secret=secret, **options)

    return measure


def _play(size: Size, **options: Any) -> Figures:  # noqa: ANN401 - the fields of Load
    """Run the load generator in a process of its own."""
    usual = {"seconds": size.seconds, "warm_up": size.warm_up, "games": size.games}
    load = Load(**(usual | options))
    figures: Figures = json.loads(OURS.run("-m", "benchmarks.load", json.dumps(dataclasses.asdict(load))))
    return figures

"""The bots that are measured, and how to run each: OXO, and a minimal python-telegram-bot bot."""

import atexit
import contextlib
import dataclasses
import json
import secrets
import socket
import sys
import tempfile
from collections.abc import Callable
from typing import Any

from benchmarks.children import OURS, Child, Tree
from benchmarks.databases import postgresql_database
from benchmarks.fill import fill
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
    return lambda: _play([Child([sys.executable, "-m", "benchmarks.bare"])], size, {"choice": "any"} | options)


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
    """A function that measures the bot once, on an empty database of its own.

    Args:
        size: How long to play.
        tree: The checkout whose bot is measured.
        database: sqlite or postgresql.
        processes: The number of bots on the database; more than one need webhooks, which get updates in turn.
        webhook: Deliver updates to webhooks instead of being polled for them.
        migrated: Bring the database to the newest schema beforehand, as on any start but the first.
        filled: Preload the games that `size` names.
        paced: Keep to the pace that Telegram allows a chat, which otherwise hides what the bot can do.
        options: Fields of Load.
    """

    def measure() -> Figures:
        with contextlib.ExitStack() as stack:
            if database == "sqlite":
                url = f"sqlite:///{stack.enter_context(tempfile.TemporaryDirectory())}/oxo.sqlite"
            else:
                url = stack.enter_context(postgresql_database())
            if migrated or filled:
                tree.run("storage", "migrate", DATABASE_URL=url)
            if filled:
                fill(url, finished=size.finished, running=size.running)
            children, webhooks, secret = [], [], secrets.token_hex(16)
            for _ in range(processes):
                port = free_port()
                environment = {"DATABASE_URL": url, "HTTP_PORT": str(port)}
                if not paced:
                    environment["EDITS_PER_MINUTE"] = "0"
                if webhook:
                    environment |= {"WEBHOOK_URL": "https://oxo.example/webhook", "WEBHOOK_SECRET": secret}
                    webhooks.append(f"http://127.0.0.1:{port}/webhook")
                children.append(Child([tree.python, "-m", "bot"], str(tree.path), environment))
            return _play(children, size, {"webhooks": webhooks, "secret": secret} | options)

    return measure


def _play(children: list[Child], size: Size, options: dict[str, Any]) -> Figures:
    """Run the load generator in a process of its own.

    Raises:
        RuntimeError: with what it wrote, if it failed.
    """
    usual = {"seconds": size.seconds, "warm_up": size.warm_up, "games": size.games}
    load = dataclasses.asdict(Load(children=children, **(usual | options)))
    figures: Figures = json.loads(OURS.run("benchmarks.load", json.dumps(load)))
    return figures

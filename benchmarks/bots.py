"""What is measured, once each: OXO's bot, a minimal python-telegram-bot bot, and the engine."""

import atexit
import dataclasses
import functools
import json
import secrets
import socket
import sys
from typing import Any

from benchmarks.children import OURS, Child, Tree
from benchmarks.databases import fill, new_database
from benchmarks.load import Load
from benchmarks.runs import Figures, Measure, Size

ENGINE = """
from timeit import timeit
imported = timeit("import engine", number=1)
from engine import CLASSIC, STRATEGIES
perfect = STRATEGIES["perfect"]
first = timeit(lambda: perfect(CLASSIC.start()), number=1)
ply = unfinished = {CLASSIC.start()}
while ply:
    ply = {after for each in ply for cell in each.legal_moves if not (after := each.play(cell)).is_over}
    unfinished = unfinished | ply
later = timeit(lambda: [perfect(each) for each in unfinished], number=1) / len(unfinished)
print(imported * 1e3, first * 1e3, later * 1e6)
"""


def engine(_size: Size, tree: Tree) -> Figures:
    """Time the engine in a fresh process: its import, its first answer, and those in all unfinished positions."""
    imported, first, later = map(float, tree.run("-c", ENGINE).split())
    return {"import_ms": imported, "first_ms": first, "answer_us": later}


def bare(**options: Any) -> Measure:  # noqa: ANN401 - the fields of Load
    """A function that measures python-telegram-bot with minimal handlers; `options` are fields of Load."""
    children = [Child([sys.executable, "-m", "benchmarks.bare"])]
    return lambda size, _tree: _play(size, children=children, **options)


def oxo(
    *,
    database: str = "sqlite",
    processes: int = 1,
    webhook: bool = False,
    migrated: bool = False,
    filled: bool = False,
    paced: bool = False,
    crowded: bool = False,
    half_load: bool = False,
    **options: Any,  # noqa: ANN401 - the fields of Load
) -> Measure:
    """A function that measures a checkout's bot, on an empty database of its own.

    Args:
        database: sqlite or postgresql.
        processes: The number of bots on the database; more than one need webhooks, which get updates in turn.
        webhook: Deliver updates to webhooks instead of being polled for them.
        migrated: Bring the database to the newest schema beforehand, as on any start but the first.
        filled: Preload the games that the size names; with SQLite only.
        paced: Keep to the pace that Telegram allows a chat, which otherwise hides what the bot can do.
        crowded: Play as many games as the size names for that.
        half_load: Tap at half of the rate that the checkout can do.
        options: Fields of Load.
    """

    def measure(size: Size, tree: Tree) -> Figures:
        chosen = dict(options)
        if crowded:
            chosen["games"] = size.many_games
        if half_load:
            chosen["rate"] = _capacity(size, tree) / 2
        with new_database(database) as url:
            if migrated or filled:
                tree.run("-m", "storage", "migrate", DATABASE_URL=url)
            if filled:
                fill(url, finished=size.finished, running=size.running)
            settings = {"DATABASE_URL": url} if paced else {"DATABASE_URL": url, "EDITS_PER_MINUTE": "0"}
            if webhook:
                chosen["secret"] = secrets.token_hex(16)
                settings |= {"WEBHOOK_URL": "https://oxo.example/webhook", "WEBHOOK_SECRET": chosen["secret"]}
            ports = [free_port() for _ in range(processes)]
            children = [
                Child([tree.python, "-m", "bot"], str(tree.path), settings | {"HTTP_PORT": str(port)})
                for port in ports
            ]
            webhooks = [f"http://127.0.0.1:{port}/webhook" for port in ports if webhook]
            return _play(size, children=children, webhooks=webhooks, **chosen)

    return measure


@functools.cache
def _capacity(size: Size, tree: Tree) -> float:
    return oxo()(size, tree)["taps_per_s"]


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
    """Run the load generator in a process of its own."""
    usual = {"seconds": size.seconds, "warm_up": size.warm_up, "games": size.games}
    load = Load(**(usual | options))
    figures: Figures = json.loads(OURS.run("-m", "benchmarks.load", json.dumps(dataclasses.asdict(load))))
    return figures

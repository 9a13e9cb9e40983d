"""The bots that are measured, each with what it needs: OXO, and the bare handlers."""

import atexit
import contextlib
import secrets
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.children import Child
from benchmarks.databases import postgresql_database
from benchmarks.fill import fill
from benchmarks.load import Load
from benchmarks.nginx import in_front_of
from benchmarks.runs import Size, Variant
from storage.database import parse_url
from storage.migrate import migrate

BARE = {
    "as it comes": "benchmarks.bare.as_it_comes",
    "on aiohttp": "benchmarks.bare.on_aiohttp",
    "with aiosqlite": "benchmarks.bare.with_aiosqlite",
}


def free_port() -> int:
    """A port on loopback that nobody else is given: it stays bound until the end.

    A socket that does not listen hinders nobody who binds its port with SO_REUSEADDR, as servers do (socket(7)).
    """
    holder = socket.socket()
    holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    holder.bind(("127.0.0.1", 0))
    atexit.register(holder.close)
    port: int = holder.getsockname()[1]
    return port


def bare(name: str, size: Size, **options: Any) -> Variant:  # noqa: ANN401 - the fields of Load
    """A bare handler; `options` are fields of Load."""

    @contextlib.contextmanager
    def prepare() -> Iterator[Load]:
        with tempfile.TemporaryDirectory() as folder:
            database = {"DATABASE_URL": f"sqlite+aiosqlite:///{folder}/bare.sqlite"}
            yield _load([Child(["-m", BARE[name]], database)], size, {"choice": "any"} | options)

    return prepare


def oxo(
    size: Size,
    *,
    database: str = "sqlite",
    processes: int = 1,
    webhook: bool = False,
    nginx: bool = False,
    migrated: bool = True,
    filled: bool = False,
    paced: bool = False,
    **options: Any,  # noqa: ANN401 - the fields of Load
) -> Variant:
    """The bot on a database without games.

    Args:
        size: how long to play.
        database: sqlite or postgresql.
        processes: so many bots share the database; more than one needs webhooks.
        webhook: deliver updates to webhooks instead of being polled for them.
        nginx: let nginx share the updates among the processes; else the generator does, in turn.
        migrated: bring the database to the newest schema beforehand, as any start but the first finds it.
        filled: preload the games that `size` names.
        paced: keep to the pace that Telegram allows a chat, which would else hide what the bot can do.
        options: fields of Load.
    """

    @contextlib.contextmanager
    def prepare() -> Iterator[Load]:
        with contextlib.ExitStack() as stack:
            if database == "sqlite":
                folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
                url = f"sqlite:///{folder / 'oxo.sqlite'}"
            else:
                url = stack.enter_context(postgresql_database())
            if filled:
                fill(url, finished=size.finished, running=size.running)
            elif migrated:
                migrate(parse_url(url))
            children, webhooks, secret = [], [], secrets.token_hex(16)
            ports = [free_port() for _ in range(processes)]
            for port in ports:
                environment = {"DATABASE_URL": url, "HTTP_PORT": str(port)}
                if not paced:
                    environment["EDITS_PER_MINUTE"] = "0"
                if webhook:
                    environment |= {"WEBHOOK_URL": "https://oxo.example/webhook", "WEBHOOK_SECRET": secret}
                    webhooks.append(f"http://127.0.0.1:{port}/webhook")
                children.append(Child(["-m", "bot"], environment))
            if nginx:
                front = free_port()
                stack.enter_context(in_front_of(ports, front))
                webhooks = [f"http://127.0.0.1:{front}/webhook"]
            yield _load(children, size, {"webhooks": webhooks, "secret": secret} | options)

    return prepare


def _load(children: list[Child], size: Size, options: dict[str, Any]) -> Load:
    usual = {"seconds": size.seconds, "warm_up": size.warm_up, "games": size.games}
    return Load(children=children, **(usual | options))

"""What can't start says why in a sentence: no class name, no error number, nothing of Python's."""

from __future__ import annotations

import re
import socket
import sqlite3
import sys
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import make_url

from playground import Playground
from tests import forks
from tests.project.commands import ROOT, Checkout, environment

TOKEN = {"BOT_TOKEN": "123456:ABC-DEF", "HTTP_PORT": "0"}
UNREADABLE = re.compile(r"Traceback|[A-Z][a-z]+(Error|Exception)|Errno|\[|\('|<class|sqlalche|psycopg|aiohttp")


@pytest.fixture
def elsewhere(tmp_path: Path) -> Checkout:
    """A folder with just a file that is no database, and a database of a future release."""
    (tmp_path / "letter.db").write_text("Dear Ann, this is no database, however long one looks at it. " * 20)
    with sqlite3.connect(tmp_path / "newer.db") as connection:
        connection.execute("CREATE TABLE alembic_version (version_num TEXT)")
        connection.execute("INSERT INTO alembic_version VALUES ('9999')")
    connection.close()
    return Checkout(tmp_path)


async def run(elsewhere: Checkout, module: str, *arguments: str, **settings: str) -> tuple[int, str]:
    """Run a module of the project there; the exit code, and what it complains of."""
    folder, variables = str(elsewhere.folder), environment(**settings)
    order = forks.Order(module=module, arguments=arguments, folder=folder, environment=variables)
    code, _, err = await forks.run(order)
    return code, err


@pytest.mark.parametrize(
    ("command", "settings", "words"),
    [
        ("bot", {}, "BOT_TOKEN is not set"),
        ("bot", {"BOT_TOKEN": "nonsense"}, "BOT_TOKEN is malformed"),
        ("bot", {**TOKEN, "DATABASE_URL": "sqlite:///letter.db"}, "file is not a database"),
        ("bot", {**TOKEN, "DATABASE_URL": "sqlite:////proc/none/oxo.db"}, "No such file or directory: /proc/none"),
        ("bot", {**TOKEN, "DATABASE_URL": "sqlite:///newer.db"}, "it is of another release (9999)"),
        ("bot", {**TOKEN, "DATABASE_URL": "mysql://one/two"}, "sqlite and postgresql are"),
        (
            "bot",
            {**TOKEN, "HTTP_PORT": "", "HTTP_HOST": "256.0.0.1"},
            "Port 8081 on 256.0.0.1 cannot be used (Name or service",
        ),
        ("bot", {**TOKEN, "WEBHOOK_URL": "https://a.example/hook"}, "WEBHOOK_URL needs WEBHOOK_SECRET"),
        ("storage migrate", {"DATABASE_URL": "sqlite:///letter.db"}, "file is not a database"),
        ("storage check", {"DATABASE_URL": "sqlite:///letter.db"}, "file is not a database"),
        ("storage check", {"DATABASE_URL": "sqlite:///none.db"}, "unable to open database file"),
        ("storage migrate", {"DATABASE_URL": "sqlite:////proc/none/oxo.db"}, "directory: /proc/none"),
        ("storage backup copy.db", {"DATABASE_URL": "sqlite:///none.db"}, "There is no database at none.db."),
        (
            "storage backup /proc/none/a.db",
            {"DATABASE_URL": "sqlite:///newer.db"},
            "written to /proc/none/a.db: No",
        ),
        ("playground --port abc", {}, "'abc' is no port"),
    ],
)
async def test_a_wrong_setting_or_a_database_that_cannot_be_used(
    elsewhere: Checkout, command: str, settings: dict[str, str], words: str
) -> None:
    code, printed = await run(elsewhere, *command.split(), **settings)
    (sentence,) = [line for line in printed.splitlines() if " INFO " not in line]
    assert code == 1
    assert words in sentence
    assert not UNREADABLE.search(sentence)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"username": "nobody_here"}, 'role "nobody_here" does not exist'),
        ({"database": "nothing_here"}, 'database "nothing_here" does not exist'),
        ({"query": {"sslmod": "disable"}}, 'invalid connection option "sslmod"'),
    ],
)
async def test_a_postgresql_server_that_refuses_is_not_waited_for(
    elsewhere: Checkout, postgres_url: str, change: dict[str, Any], why: str
) -> None:
    url = make_url(postgres_url).set(**change).render_as_string(hide_password=False)
    code, printed = await run(elsewhere, "bot", **TOKEN, DATABASE_URL=url)
    (sentence,) = printed.splitlines()
    assert code == 1
    assert sentence.startswith("The database cannot be used: ")
    assert why in sentence
    assert not UNREADABLE.search(sentence)


async def test_a_port_that_is_taken(elsewhere: Checkout) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        _, printed = await run(elsewhere, "bot", **{**TOKEN, "HTTP_PORT": port})
    last = printed.splitlines()[-1]
    advice = "change HTTP_PORT (0 picks one) or HTTP_HOST"
    assert last == f"Port {port} on 127.0.0.1 cannot be used (Address already in use): {advice}."


async def test_a_token_that_telegram_does_not_know(elsewhere: Checkout) -> None:
    async with Playground() as playground:
        _, printed = await run(elsewhere, "bot", **TOKEN, BOT_API_URL=playground.url)
    assert printed.endswith("BOT_TOKEN; @BotFather shows the right one.\n")


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("http://127.0.0.1:{port}", r"cannot connect: Connection refused"),
        ("http://nowhere.invalid", "cannot connect: the address cannot be found"),
    ],
)
async def test_a_telegram_that_cannot_be_reached_is_waited_for(
    elsewhere: Checkout, port: int, address: str, why: str
) -> None:
    settings = {**TOKEN, "BOT_API_URL": address.format(port=port), "PYTHONPATH": str(ROOT)}
    async with elsewhere.start(sys.executable, "-m", "bot", **settings) as terminal:
        await terminal.says(f"Can't reach Telegram: {why}$")
        status, _ = await terminal.ctrl_c()
    assert status == 0
    assert not [line for line in terminal.lines if UNREADABLE.search(line)]

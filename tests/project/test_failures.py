"""What can't start says why in a sentence: no class name, no error number, nothing of Python's."""

import asyncio
import re
import signal
import socket
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import make_url

from bot.settings import Settings
from bot.wiring import CannotStart, lock_database
from playground import Playground
from tests import relays, starts
from tests.ports import free_port
from tests.processes import Processes, until
from tests.project.commands import Checkout, environment

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
    """Run a module of the project there; the exit code, and what it prints."""
    variables = environment(**settings)
    code, out, err = await starts.run(module, *arguments, folder=elsewhere.folder, environment=variables)
    return code, out + err


@pytest.mark.parametrize(
    ("command", "settings", "words"),
    [
        ("bot", {}, "BOT_TOKEN is not set"),
        ("bot", {**TOKEN, "DATABASE_URL": "sqlite:///letter.db"}, "file is not a database: letter.db"),
        ("bot", {**TOKEN, "DATABASE_URL": "sqlite:////proc/none/oxo.db"}, "No such file or directory: /proc/none"),
        ("bot", {**TOKEN, "DATABASE_URL": "sqlite:///newer.db"}, "it is of another release (9999)"),
        (
            "bot",
            {**TOKEN, "HTTP_PORT": "", "HTTP_HOST": "256.0.0.1"},
            "(Name or service not known): set HTTP_HOST to an address of this machine",
        ),
        ("bot", {**TOKEN, "FORGOTTEN_FILE": "letter.db/list"}, "letter.db/list cannot be used: Not a directory."),
        (
            "bot",
            {**TOKEN, "FORGOTTEN_FILE": "/proc/none/a"},
            "FORGOTTEN_FILE /proc/none/a cannot be used: No such",
        ),
        ("bot", {**TOKEN, "FORGOTTEN_FILE": "x" * 300}, "cannot be used: File name too long."),
        ("bot", {**TOKEN, "FORGOTTEN_FILE": "/dev/full"}, "/dev/full cannot be used: Not a regular file."),
        ("storage migrate", {"DATABASE_URL": "sqlite:///letter.db"}, "file is not a database: letter.db"),
        ("storage check", {"DATABASE_URL": "sqlite:///none.db"}, "unable to open database file"),
        ("storage check", {"DATABASE_URL": "sqlite:///newer.db"}, "its schema is 9999, not"),
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
    assert sentence.endswith("check DATABASE_URL")
    assert not UNREADABLE.search(sentence)


async def test_a_token_that_telegram_does_not_know_is_told_and_not_shown(elsewhere: Checkout) -> None:
    async with Playground() as playground:
        settings = {"BOT_TOKEN": relays.TOKEN, "BOT_API_URL": playground.url, "LOG_LEVEL": "DEBUG"}
        code, printed = await run(elsewhere, "bot", **settings, HTTP_PORT="0")
    assert code == 1
    assert relays.SECRET not in printed
    last = printed.splitlines()[-1]
    assert "BOT_TOKEN" in last
    assert "@BotFather" in last
    assert not UNREADABLE.search(last)


async def test_a_port_that_is_taken(elsewhere: Checkout) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        _, printed = await run(elsewhere, "bot", **{**TOKEN, "HTTP_PORT": port})
    last = printed.splitlines()[-1]
    reason = "Address already in use, perhaps by a Bot API server"
    advice = f"set HTTP_PORT to another, such as {int(port) + 1} (0 picks one), or change HTTP_HOST"
    assert last == f"HTTP_PORT {port} on 127.0.0.1 cannot be used ({reason}): {advice}."


@pytest.mark.parametrize(
    ("host", "is_chosen"), [("localhost", True), ("127.0.0.1", True), ("[::1]", True), ("localhost", False)]
)
async def test_the_port_of_a_bot_api_server_that_has_yet_to_start_is_left_to_it(
    elsewhere: Checkout, host: str, *, is_chosen: bool
) -> None:
    port = str(free_port()) if is_chosen else "8081"
    settings = {**TOKEN, "BOT_API_URL": f"http://{host}:{port}/x", "HTTP_PORT": port if is_chosen else ""}
    sentence = f"HTTP_PORT {port} on 127.0.0.1 cannot be used (BOT_API_URL has the same port): set HTTP_PORT"
    if is_chosen:
        code, printed = await run(elsewhere, "bot", **settings)
        assert code == 1
        assert printed.splitlines()[-1].startswith(sentence)
        return
    async with Playground() as playground:
        rig = Processes(playground, elsewhere.folder, begins=False, settings=settings)
        await rig.start(ready=False)
        await until(lambda: f"WARNING bot: No health page: {sentence}" in rig.logged())
        assert await rig.end(signal.SIGINT) == 0, "it goes on as without a health page"


async def test_a_second_bot_on_a_sqlite_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It waits, as the first may be about to stop; a lock that is left over keeps nobody off."""
    (tmp_path / "linked.db").symlink_to("oxo.db")
    async with Playground() as playground, Processes(playground, tmp_path, begins=False, replicas=2) as rig:
        await rig.start()
        monkeypatch.setattr("storage.database.LOCK_SECONDS", 0.2)
        linked = tmp_path / "linked.db"
        given = {"BOT_TOKEN": playground.token, "DATABASE_URL": f"sqlite:///{linked}"}
        sentence = f"Another bot uses {linked}, and SQLite is for one: stop that one, or let both use PostgreSQL"
        with pytest.raises(CannotStart, match=re.escape(f"{sentence} (DATABASE_URL).")):
            lock_database(Settings.of(given))
        await rig.start(number=1, ready=False)
        await asyncio.sleep(1)  # it has begun to wait by then, or does the same a moment later
        assert await rig.end(signal.SIGINT) == 0
        await rig.ready(1)
        assert await rig.end(signal.SIGINT, 1) == 0
    assert (tmp_path / "oxo.db.lock").exists()


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("http://127.0.0.1:{port}", "cannot connect: Connection refused"),
        ("http://nowhere.invalid", "cannot connect: the address cannot be found"),
    ],
)
async def test_a_telegram_that_cannot_be_reached_is_waited_for(
    tmp_path: Path, port: int, address: str, why: str
) -> None:
    settings = {"BOT_API_URL": address.format(port=port)}
    async with Playground() as playground:
        rig = Processes(playground, tmp_path, begins=False, settings=settings)
        await rig.start(ready=False)
        await until(lambda: f"Can't reach Telegram: {why}\n" in rig.logged())
        await asyncio.sleep(0.7)  # the second try comes after half a second
        assert rig.logged().count("Can't reach Telegram") == 1
        assert await rig.end(signal.SIGINT) == 0
    assert not UNREADABLE.search(rig.logged())

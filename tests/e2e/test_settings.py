"""Settings: a missing, misspelt or malformed one stops the start with a sentence that names it."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest
from aiohttp import web

from playground import Playground
from tests import forks
from tests.people import position_of
from tests.processes import Processes

TOKEN = "123456:ABCdefGHIjklMNOpqrSTUvwxYZ-0123456789"  # noqa: S105 - of nobody
SECRET = TOKEN.partition(":")[2]
OURS = ("BOT_", "DATABASE", "LOG_", "CALLS", "EDITS", "HTTP_", "WEBHOOK", "CHALLENGE", "MOVE_")


def environment(**settings: str) -> dict[str, str]:
    """The environment with only these of the bot's settings."""
    return {name: value for name, value in os.environ.items() if not name.startswith(OURS)} | settings


async def run(folder: Path, *arguments: str, **settings: str) -> tuple[int, str]:
    """Run the bot in a folder until it exits; returns the exit code and its output."""
    order = forks.Order(arguments=arguments, folder=str(folder), environment=environment(**settings))
    code, out, err = await forks.run(order)
    return code, out + err


def check_sentence(code: int, output: str, *names: str) -> None:
    """Check that one readable sentence with these names, and without the token, stopped the start."""
    assert code == 1, output
    assert "Traceback" not in output
    assert len(output.strip().splitlines()) == 1, output
    assert output.strip().endswith("."), output
    assert SECRET not in output
    for name in names:
        assert name in output


async def test_without_a_token_one_sentence_says_where_to_get_one(tmp_path: Path) -> None:
    for settings in ({}, {"BOT_TOKEN": ""}):
        code, output = await run(tmp_path, **settings)
        check_sentence(code, output, "BOT_TOKEN", "@BotFather", "make play")
    assert not (tmp_path / "data").exists(), "nothing was begun"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("BOT_TOKEN", f"{TOKEN} {TOKEN}"),
        ("BOT_API_URL", "api.telegram.org"),
        ("DATABASE_URL", "postgresql://process:a@b:hunter2@127.0.0.1/oxo"),
        ("LOG_LEVEL", "LOUD"),
        ("LOG_FORMAT", "xml"),
    ],
)
async def test_a_malformed_setting_is_named(tmp_path: Path, name: str, value: str) -> None:
    code, output = await run(tmp_path, **{"BOT_TOKEN": TOKEN, name: value})
    check_sentence(code, output, name)
    assert "hunter2" not in output


async def test_a_malformed_setting_in_env_is_named(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text(f"BOT_TOKEN={TOKEN}\nDATABASE_URL=mysql://process:hunter2@127.0.0.1/oxo\n")
    code, output = await run(tmp_path)
    check_sentence(code, output, "DATABASE_URL", "mysql")
    assert "hunter2" not in output


async def test_a_misspelt_setting_is_named_with_the_one_meant(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text(f"BOT_TOKN={TOKEN}\n")
    check_sentence(*await run(tmp_path), "BOT_TOKN", "BOT_TOKEN")


async def test_a_stranger_in_env_is_named_and_one_in_the_environment_is_not(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text(f"BOT_TOKEN={TOKEN}\nGREETING=hello\n")
    check_sentence(*await run(tmp_path), "GREETING")
    (tmp_path / ".env").unlink()
    check_sentence(*await run(tmp_path, GREETING="hello", TOKEN="x", URL="x"), "BOT_TOKEN")  # noqa: S106 - no secret


async def test_an_env_file_that_is_no_text_is_named(tmp_path: Path) -> None:
    (tmp_path / ".env").write_bytes(b"BOT_TOKEN=\xff\xfe\x00")
    check_sentence(*await run(tmp_path), ".env")


async def test_a_database_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    code, output = await run(tmp_path, BOT_TOKEN=TOKEN, DATABASE_URL=f"sqlite:///{tmp_path}/file/oxo.db")
    assert code == 1
    assert "Traceback" not in output
    assert "database" in output


async def test_plain_postgresql_gets_its_driver_and_its_password_stays_secret(tmp_path: Path) -> None:
    async with (
        Playground() as playground,
        Processes(playground, tmp_path, "postgresql://oxo:hunter2@127.0.0.1:1/oxo", begins=False) as process,
    ):
        await process.start(ready=False)
        async with asyncio.timeout(60):
            while "Waiting for the database" not in process.logged():  # noqa: ASYNC110 - files tell no one
                await asyncio.sleep(0.05)
        await process.stop()
        assert "hunter2" not in process.logged()
        assert "Traceback" not in process.logged()


@pytest.mark.parametrize(
    ("ending", "leads_to"),
    [
        ("", f"/bot{TOKEN}"),
        ("/", f"/bot{TOKEN}"),
        ("/a/b/", f"/a/b/bot{TOKEN}"),
        ("/bot{token}/test", f"/bot{TOKEN}/test"),
    ],
)
async def test_calls_go_to_the_address_the_token_and_the_method(
    tmp_path: Path, ending: str, leads_to: str
) -> None:
    paths: list[str] = []

    async def refuse(request: web.Request) -> web.Response:
        paths.append(request.path)
        return web.json_response({"ok": False, "error_code": 401, "description": "Unauthorized"}, status=401)

    application = web.Application()
    application.add_routes([web.route("*", "/{tail:.*}", refuse)])
    runner = web.AppRunner(application, access_log=None)
    await runner.setup()
    try:
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        url = f"http://127.0.0.1:{runner.addresses[0][1]}{ending}"
        code, output = await run(tmp_path, BOT_TOKEN=TOKEN, BOT_API_URL=url, LOG_LEVEL="WARNING")
        _, logged = await run(tmp_path, BOT_TOKEN=TOKEN, BOT_API_URL=url, LOG_LEVEL="DEBUG")
    finally:
        await runner.cleanup()
    check_sentence(code, output, "BOT_TOKEN", "@BotFather")
    assert SECRET not in logged
    assert set(paths) == {f"{leads_to}/getMe"}


async def test_the_database_is_by_default_under_data_in_the_current_folder(tmp_path: Path) -> None:
    async with Playground() as playground, Processes(playground, tmp_path, begins=False) as process:
        del process.settings["DATABASE_URL"]
        await process.start()
        board = await playground.people["ann"].ask("/newgame hard")
        assert position_of(board).ply == 0
        assert await process.stop() == 0
    (database,) = (tmp_path / "data").glob("*.db")
    assert database.read_bytes().startswith(b"SQLite format 3")


async def test_the_environment_counts_more_than_env(tmp_path: Path) -> None:
    async with Playground() as playground:
        (tmp_path / ".env").write_text(
            f"BOT_TOKEN={TOKEN}\nBOT_API_URL={playground.url}\nDATABASE_URL=sqlite:///elsewhere/deep/games.db\n"
            "# a comment\n\nLOG_LEVEL=error\nLOG_FORMAT=\n"
        )
        async with Processes(playground, tmp_path, begins=False) as process:
            process.settings = {"BOT_TOKEN": playground.token}
            await process.start()
            await playground.people["ann"].ask("/newgame hard")
    assert (tmp_path / "elsewhere" / "deep" / "games.db").exists()
    assert process.logged() == "", "there was no error"

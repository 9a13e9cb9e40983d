"""Settings of a real start: one that is missing or malformed stops it with a sentence that names it.

`tests/bot/test_settings.py` has the table of what can be wrong.
"""

import os
from pathlib import Path

import pytest

from playground import Playground
from tests import starts
from tests.processes import Processes
from tests.relays import SECRET, TOKEN

OURS = ("BOT_", "DATABASE", "LOG_", "CALLS", "EDITS", "HTTP_", "WEBHOOK", "CHALLENGE", "MOVE_")


async def run(folder: Path, *arguments: str, **settings: str) -> tuple[int, str]:
    """Run the bot in a folder with these settings until it exits; returns the exit code and its output."""
    others = {name: value for name, value in os.environ.items() if not name.startswith(OURS)}
    code, out, err = await starts.run("bot", *arguments, folder=folder, environment=others | settings)
    return code, out + err


def check_sentence(code: int, output: str, *names: str) -> None:
    """Check that one readable sentence with these names, and without a secret, stopped the start."""
    assert code == 1, output
    assert "Traceback" not in output
    assert len(output.strip().splitlines()) == 1, output
    assert output.strip().endswith("."), output
    assert SECRET not in output
    assert "hunter2" not in output
    for name in names:
        assert name in output


async def test_without_a_token_one_sentence_says_where_to_get_one(tmp_path: Path) -> None:
    check_sentence(*await run(tmp_path, BOT_TOKEN=""), "BOT_TOKEN", "@BotFather", "make play")
    assert not (tmp_path / "data").exists(), "nothing was begun"


@pytest.mark.parametrize("level", ["WARNING", "DEBUG"])
async def test_a_token_that_telegram_does_not_know_is_told_and_not_shown(tmp_path: Path, level: str) -> None:
    async with Playground() as playground:
        code, output = await run(tmp_path, BOT_TOKEN=TOKEN, BOT_API_URL=playground.url, LOG_LEVEL=level)
    assert SECRET not in output
    if level == "WARNING":
        check_sentence(code, output, "BOT_TOKEN", "@BotFather")


async def test_a_token_in_env_is_enough_and_the_database_is_under_data_in_the_current_folder(
    tmp_path: Path,
) -> None:
    async with Playground() as playground:
        lines = [f"BOT_TOKEN={playground.token}", f"BOT_API_URL={playground.url}", "# a comment", ""]
        (tmp_path / ".env").write_text("\n".join([*lines, "LOG_LEVEL=error", "LOG_FORMAT="]))
        async with Processes(playground, tmp_path, begins=False) as process:
            process.settings = {}
            await process.start()
            assert "Your turn" in (await playground.people["ann"].ask("/newgame hard")).text
    (database,) = (tmp_path / "data").glob("*.db")
    assert database.read_bytes().startswith(b"SQLite format 3")
    assert process.logged() == "", "there was no error"

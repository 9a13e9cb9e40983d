"""Logs: text or JSON, with their context, and never with the token."""

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING

import pytest

from bot import logs

if TYPE_CHECKING:
    from collections.abc import Iterator

TOKEN = "123456:ABCdefGHIjklMNOpqrSTUvwxYZ-0123456789"  # noqa: S105 - of nobody
SECRET = TOKEN.partition(":")[2]
QUIET = ("httpx", "httpcore", "aiohttp.access", "telegram", "alembic", "uvicorn")


@pytest.fixture(autouse=True)
def restored() -> Iterator[None]:
    """The logging of the test run itself is given back."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    levels = {name: logging.getLogger(name).level for name in QUIET}
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    for name, before in levels.items():
        logging.getLogger(name).setLevel(before)


@pytest.mark.parametrize("style", ["text", "json"])
def test_the_token_is_taken_out_of_messages_arguments_and_tracebacks(
    style: str, capsys: pytest.CaptureFixture[str]
) -> None:
    logs.configure("DEBUG", style, TOKEN)
    log = logging.getLogger("test")
    log.info("https://api.telegram.org/bot%s/getMe", TOKEN)
    log.info(TOKEN)
    log.debug("%r", {"token": TOKEN})
    error = RuntimeError(f"https://api.telegram.org/bot{TOKEN}/getMe")
    error.__cause__ = OSError(SECRET)
    log.error("It failed with %s", SECRET, exc_info=error)
    printed = capsys.readouterr().err
    assert SECRET not in printed
    assert printed.count(logs.REDACTED) >= 6


def test_json_is_one_object_a_line_with_its_context(capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure("INFO", "json", TOKEN)
    log = logging.getLogger("test")
    log.warning('two\nlines and a "quote" and 小波', extra={"game_id": 7, "update_id": 9, "secret": "x"})
    log.error("broken", exc_info=KeyError("x"))
    first, second = (json.loads(line) for line in capsys.readouterr().err.splitlines())
    assert first["message"] == 'two\nlines and a "quote" and 小波'
    assert (first["level"], first["logger"]) == ("WARNING", "test")
    assert (first["game_id"], first["update_id"]) == (7, 9)
    assert "secret" not in first, "only what is known to be harmless is printed"
    assert "KeyError" in second["exception"]


def test_text_shows_the_context_on_the_first_line(capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure("INFO", "text")
    error = KeyError("x")
    logging.getLogger("test").error("broken", exc_info=error, extra={"chat_id": 0, "game_id": 3})
    first, *rest = capsys.readouterr().err.splitlines()
    assert first.endswith("broken (game_id=3 chat_id=0)")
    assert any("KeyError" in line for line in rest)


def test_the_level_holds(capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure("WARNING", "text")
    logging.getLogger("test").info("quiet")
    logging.getLogger("test").warning("loud")
    printed = capsys.readouterr().err
    assert "loud" in printed
    assert "quiet" not in printed

"""Logs: text or JSON, with their context, and never with a secret."""

import asyncio
import gc
import io
import json
import logging
from base64 import b64encode
from collections.abc import Iterator
from typing import Any

import pytest
from telegram.error import TelegramError
from telegram.ext import ExtBot
from telegram.request import BaseRequest

from bot import logs
from tests.relays import SECRET, TOKEN

PROXY = "socks5h://ann:p%40ss%22w%C3%BCrd@proxy.example.org:1080"
NAME = "Ann Blackberry"
QUIET = ("httpx", "httpcore", "telegram", "alembic")
LOG = logging.getLogger("test")


@pytest.fixture(autouse=True)
def restored() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    levels = {name: logging.getLogger(name).level for name in QUIET}
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    for name, before in levels.items():
        logging.getLogger(name).setLevel(before)


Printed = pytest.CaptureFixture[str]


@pytest.fixture(params=["text", "json"])
def log(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> io.StringIO:
    printed = io.StringIO()
    monkeypatch.setattr("sys.stderr", printed)
    logs.configure("DEBUG", request.param, [TOKEN, PROXY])
    return printed


def test_the_token_is_taken_out_of_messages_arguments_and_tracebacks(log: io.StringIO) -> None:
    LOG.info("https://api.telegram.org/bot%s/getMe", TOKEN)
    LOG.info(TOKEN)
    LOG.debug("%r", {"token": TOKEN})
    error = RuntimeError(f"https://api.telegram.org/bot{TOKEN}/getMe")
    error.__cause__ = OSError(SECRET)
    LOG.error("It failed with %s", SECRET, exc_info=error)
    text = log.getvalue()
    assert SECRET not in text
    assert text.count(logs.REDACTED) == 6


def test_a_password_in_an_address_is_taken_out_in_each_of_its_forms(log: io.StringIO) -> None:
    LOG.info(PROXY)
    LOG.info('p@ss"würd')
    LOG.info("Proxy-Authorization: Basic %s", b64encode('ann:p@ss"würd'.encode()).decode())
    LOG.error("broken", exc_info=OSError("p%40ss%22w%C3%BCrd"))
    text = log.getvalue()
    assert text.count(logs.REDACTED) == 4
    assert not [part for part in ("ss%22w", 'ss"w', 'ss\\"w', "YW5u") if part in text]
    assert "socks5h://ann:<secret>@proxy.example.org:1080" in text


@pytest.mark.parametrize("password", ["hunter[2", "hunter]2", "hunter/2", "hunter#2", "hunter?2", "hunter@2"])
def test_a_password_that_a_database_takes_as_it_is_is_taken_out(capsys: Printed, password: str) -> None:
    address = f"postgresql://oxo:{password}@db.example.org/oxo"
    logs.configure("INFO", "text", [address])
    LOG.info("%s and %s", address, password)
    line = capsys.readouterr().err
    assert line.endswith("postgresql://oxo:<secret>@db.example.org/oxo and <secret>\n")


def test_json_is_one_object_a_line_with_its_context(capsys: Printed) -> None:
    logs.configure("INFO", "json", [TOKEN])
    LOG.warning('two\nlines and a "quote" and 小波', extra={"game_id": 7, "update_id": 9, "secret": "x"})
    LOG.error("broken", exc_info=KeyError("x"))
    first, second = (json.loads(line) for line in capsys.readouterr().err.splitlines())
    assert first["message"] == 'two\nlines and a "quote" and 小波'
    assert (first["level"], first["logger"]) == ("WARNING", "test")
    assert (first["game_id"], first["update_id"]) == (7, 9)
    assert "secret" not in first, "only fields known to be harmless are printed"
    assert "KeyError" in second["exception"]


def test_text_shows_the_context_on_the_first_line_from_its_level_on(capsys: Printed) -> None:
    logs.configure("WARNING", "text")
    LOG.info("quiet")
    LOG.error("broken", exc_info=KeyError("x"), extra={"chat_id": 0, "game_id": 3})
    first, *rest = capsys.readouterr().err.splitlines()
    assert first.endswith("broken (game_id=3 chat_id=0)")
    assert any("KeyError" in line for line in rest)


def test_the_id_of_a_private_chat_is_its_persons_and_not_printed(log: io.StringIO) -> None:
    for chat_id in (5_000_000_001, -1_002_000_000_001):
        LOG.info("refused", extra={"chat_id": chat_id})
    private, group = log.getvalue().splitlines()
    assert "5000000001" not in private
    assert "-1002000000001" in group


class Given(BaseRequest):
    """A Telegram with the same answer to everything."""

    read_timeout = 1

    def __init__(self, body: bytes) -> None:
        self.body = body

    async def initialize(self) -> None:
        """Nothing to open."""

    async def shutdown(self) -> None:
        """Nothing to close."""

    async def do_request(self, *_: Any, **__: Any) -> tuple[int, bytes]:  # noqa: ANN401 - the interface's
        return 200, self.body


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        ({"ok": True, "result": [{"update_id": 1, "message": {"chat": 5, "text": NAME}}]}, KeyError),
        (f"{NAME}'s, and no object", TelegramError),
    ],
    ids=["an update without a date", "no JSON"],
)
async def test_what_cannot_be_parsed_is_not_printed(
    log: io.StringIO, answer: object, error: type[Exception]
) -> None:
    body = json.dumps(answer).encode().removesuffix(b'"')
    bot = ExtBot("1:x", request=Given(body), get_updates_request=Given(body))
    with pytest.raises(error):
        await bot.get_updates()
    text = log.getvalue()
    assert "telegram" in text, "the library logged something"
    assert NAME not in text


def raise_from_text() -> None:
    try:
        int(NAME)
    except ValueError as error:
        raise KeyError(NAME) from error


def test_an_error_is_told_by_kind_and_place_and_not_by_what_it_quotes(log: io.StringIO) -> None:
    try:
        raise_from_text()
    except KeyError as error:
        LOG.exception("broken")
        LOG.error("both", exc_info=ExceptionGroup(NAME, [error, OSError("no space left")]))  # noqa: TRY400 - of both
    text = log.getvalue()
    assert NAME not in text
    for word in ("ValueError", "KeyError", "ExceptionGroup", "raise_from_text", "OSError: no space left"):
        assert word in text


async def test_a_task_that_nobody_awaited_does_not_tell_what_it_worked_on(log: io.StringIO) -> None:
    async def fail() -> None:
        raise ValueError(NAME)

    task = asyncio.create_task(fail(), name=NAME)
    await asyncio.wait([task])
    del task
    gc.collect()
    text = log.getvalue()
    assert "Task exception was never retrieved" in text
    assert "ValueError" in text
    assert NAME not in text

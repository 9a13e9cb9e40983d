"""The bot's web server: what it accepts from Telegram, what it refuses, and what a host's tools read."""

import asyncio
import io
import json
import sqlite3
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, closing, contextmanager
from pathlib import Path
from typing import Final

import aiohttp
import pytest
from sqlalchemy import make_url

from bot.boards import buttons
from bot.game.play import Move
from playground import Playground
from tests.faults.crowd import Ledger, crowd
from tests.ports import HOST, free_port
from tests.processes import SECRET, until
from tests.world import World, world

HEADER = "X-Telegram-Bot-Api-Secret-Token"
MEBIBYTE = 2**20


@pytest.fixture
async def oxo(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[World]:
    """A bot that takes updates by webhook; the test brings them."""
    monkeypatch.setattr("storage.writer.OUTAGE_SECONDS", 0.3)
    monkeypatch.setattr("storage.database.BUSY_SECONDS", 0.1)
    port = str(free_port())
    settings = {"HTTP_PORT": port, "WEBHOOK_URL": f"http://{HOST}:{port}/hook", "WEBHOOK_SECRET": SECRET}
    async with Playground() as playground, world(playground, sqlite_url, **settings) as oxo:
        await oxo.serve()
        yield oxo
        assert "Traceback" not in oxo.logged()


@asynccontextmanager
async def session(oxo: World, **headers: str) -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession(oxo.settings["WEBHOOK_URL"].removesuffix("hook"), headers=headers) as caller:
        yield caller


async def brought(oxo: World, update: bytes) -> tuple[int, str | None, bytes]:
    """What becomes of an update that Telegram brings: the status, when it may come again, and the answer."""
    async with session(oxo, **{HEADER: SECRET}) as telegram, telegram.post("hook", data=update) as answer:
        return answer.status, answer.headers.get("Retry-After"), await answer.read()


async def page(oxo: World, name: str) -> str:
    async with session(oxo) as caller, caller.get(name) as answer:
        return await answer.text()


def update(number: int = 1, **fields: object) -> bytes:
    return json.dumps({"update_id": number, **fields}).encode()


def newgame(playground: Playground, number: int) -> bytes:
    ann = playground.people["ann"]
    return update(
        number,
        message={
            "message_id": number,
            "date": 1,
            "from": ann.as_json(),
            "chat": ann.private.as_json(),
            "text": "/newgame",
            "entities": [{"type": "bot_command", "offset": 0, "length": 8}],
        },
    )


async def chunks(body: bytes) -> AsyncIterator[bytes]:
    for start in range(0, len(body), 65536):
        yield body[start : start + 65536]


TOO_LARGE: Final = f"Maximum request body size {MEBIBYTE} exceeded."


async def test_only_telegram_is_let_in_and_nothing_is_done_for_others(oxo: World) -> None:
    good = {HEADER: SECRET}
    body = newgame(oxo.playground, 1)
    large = b'{"update_id": 1, "x": "' + b"x" * MEBIBYTE + b'"}'
    cases: Sequence[tuple[str, str, dict[str, str], object, int]] = [
        ("POST", "hook", {}, body, 401),
        ("POST", "hook", {HEADER: ""}, body, 401),
        ("POST", "hook", {HEADER: SECRET[:-1]}, body, 401),
        ("POST", "hook", {HEADER: SECRET + "x"}, body, 401),
        ("POST", "hook", {HEADER: SECRET.upper()}, body, 401),
        ("POST", "hook", {HEADER: "ü"}, body, 401),
        ("POST", "hook", {}, io.BytesIO(large), 401),
        ("POST", "", good, body, 404),
        ("POST", "hook/", good, body, 404),
        ("POST", "other", good, body, 404),
        ("POST", "healthz", good, body, 405),
        ("GET", "hook", good, None, 405),
        ("PUT", "hook", good, body, 405),
        ("DELETE", "hook", good, None, 405),
        ("POST", "hook", good, io.BytesIO(large), 413),
        ("POST", "hook", good, chunks(large), 413),
        ("POST", "hook", good, b"", 400),
        ("POST", "hook", good, b"{", 400),
        ("POST", "hook", good, b"\xff\xfe", 400),
        ("POST", "hook", good, b"[" * 100_000, 400),
        ("POST", "hook", good, b"[]", 400),
        ("POST", "hook", good, b"null", 400),
        ("POST", "hook", good, b'"update_id"', 400),
        ("POST", "hook", good, b"{}", 400),
        ("POST", "hook", good, b'{"update_id": "1"}', 400),
        ("POST", "hook", good, b'{"update_id": true}', 400),
        ("POST", "hook", good, b'{"update_id": 1.5}', 400),
    ]
    async with session(oxo) as telegram:
        for method, path, headers, data, status in cases:
            async with telegram.request(method, path, headers=headers, data=data, allow_redirects=False) as answer:
                assert answer.status == status, (method, path, headers, str(data)[:60])
                assert await answer.text() in {"", f"{status}: {answer.reason}", TOO_LARGE}
        assert not oxo.records()
        async with telegram.post("hook", headers=good, data=body) as answer:
            assert answer.status == 200
        assert len(oxo.records()) == 1, "it was stored before the answer"
    assert "Traceback" not in oxo.logged()
    assert SECRET not in oxo.logged()


async def test_an_update_that_cannot_be_read_is_logged_and_never_comes_again(oxo: World) -> None:
    unreadable: list[dict[str, object]] = [
        {"message": {"chat": 5}},
        {"callback_query": []},
        {"message": None},
        {},
    ]
    for number, fields in enumerate(unreadable):
        assert (await brought(oxo, update(700 + number, **fields)))[0] == 200, fields
    assert (await brought(oxo, newgame(oxo.playground, 800)))[0] == 200
    assert len(oxo.records()) == 1
    assert "update_id=700" in oxo.logged()


async def test_the_hosts_pages_tell_how_the_bot_is(oxo: World) -> None:
    oxo.playground.telegram.webhook.set(oxo.settings["WEBHOOK_URL"], SECRET, 40)
    ledger = Ledger()
    (player,) = crowd(oxo.playground, 1, ledger, seed=1)
    await player.begin()
    await player.tap(player.board)
    assert await page(oxo, "healthz") == "alive\n"
    assert await page(oxo, "readyz") == "ready\n"
    metrics = await page(oxo, "metrics")
    assert 'oxo_updates_total{kind="callback_query",outcome="done"} 1.0' in metrics
    assert "oxo_tap_to_edit_seconds_count 1.0" in metrics
    assert 'oxo_games{state="running"} 1.0' in metrics
    assert "oxo_publisher_queue 0.0" in metrics
    nonsense = oxo.playground.faults.add(
        "answer_before", method="getMe", status=200, body=b'{"ok":true,"result":[1]}'
    )
    await _unreachable(oxo)
    oxo.playground.faults.remove(nonsense)
    async with asyncio.timeout(60):
        while await page(oxo, "readyz") != "ready\n":
            await oxo.skip(5)
    await oxo.playground.stop()
    await _unreachable(oxo)
    await oxo.playground.start()


async def _unreachable(oxo: World) -> None:
    """Wait until the pages say that Telegram can't be reached; an answer is kept a while."""
    async with asyncio.timeout(60):
        while "Telegram cannot be reached" not in await page(oxo, "readyz"):
            await oxo.skip(5)
    assert await page(oxo, "healthz") == "alive\n"


def tap(number: int, query_id: str = "77") -> bytes:
    who = {"id": 5, "is_bot": False, "first_name": "Ann"}
    data = buttons.write(buttons.OnGame(4711, Move(0, 4)))
    message = {"message_id": 7, "date": 1, "chat": {"id": 5, "type": "private"}}
    query = {"id": query_id, "from": who, "chat_instance": "1", "data": data, "message": message}
    return update(number, callback_query=query)


async def test_a_tap_is_answered_in_the_response_itself(oxo: World) -> None:
    status, _, body = await brought(oxo, tap(50))
    assert status == 200
    said = json.loads(body)
    assert (said["method"], said["callback_query_id"]) == ("answerCallbackQuery", "77")
    assert "I no longer have this game" in said["text"]
    assert await brought(oxo, tap(50)) == (200, None, b""), "once"
    assert not oxo.playground.calls_of("answerCallbackQuery"), "and with no request of the bot's"


@contextmanager
def locked(file: Path) -> Iterator[None]:
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute("BEGIN EXCLUSIVE")
        yield


async def test_a_tap_whose_connection_is_gone_is_answered_with_a_call(oxo: World, sqlite_url: str) -> None:
    request = b"POST /hook HTTP/1.1\r\nHost: oxo\r\n%b: %b\r\nContent-Length: %d\r\n\r\n%b"
    with locked(Path(make_url(sqlite_url).database or "")):
        _, writer = await asyncio.open_connection(HOST, int(oxo.settings["HTTP_PORT"]))
        writer.write(request % (HEADER.encode(), SECRET.encode(), len(tap(70)), tap(70)))
        for _ in range(3):
            assert await page(oxo, "healthz") == "alive\n", "later requests are answered later"
        writer.close()
        await writer.wait_closed()
        for _ in range(3):
            assert await page(oxo, "healthz") == "alive\n"
    await until(lambda: len(oxo.playground.calls_of("answerCallbackQuery")) == 1)
    assert 'oxo_updates_total{kind="callback_query",outcome="done"} 1.0' in await page(oxo, "metrics")
    assert "Traceback" not in oxo.logged()


async def test_what_cannot_be_stored_is_brought_again_until_somebody_can(oxo: World, sqlite_url: str) -> None:
    file = Path(make_url(sqlite_url).database or "")
    with locked(file):
        for body in (newgame(oxo.playground, 60), tap(61)):
            status, again, answer = await brought(oxo, body)
            assert (status, answer) == (503, b""), "without an apology"
            assert str(again).isdecimal()
    assert (await brought(oxo, newgame(oxo.playground, 60)))[0] == 200
    assert "I no longer have this game" in json.loads((await brought(oxo, tap(61)))[2])["text"]
    assert len(oxo.records()) == 1
    said = [call.parameters["text"] for call in oxo.playground.calls_of("sendMessage")]
    assert "Something's wrong on my side" not in str(said)

"""The bot's web server: what it accepts from Telegram, what it refuses, and what a host's tools read."""

from __future__ import annotations

import asyncio
import io
import json
import signal
import sqlite3
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import aiohttp
import pytest
from sqlalchemy import make_url, select

from bot.boards import buttons
from bot.game.actions import Move
from playground import Playground
from storage.schema import METADATA
from tests.faults.crowd import Ledger, crowd
from tests.people import begun, put
from tests.ports import HOST, free_port
from tests.processes import SECRET, Processes, until

HEADER = "X-Telegram-Bot-Api-Secret-Token"
MEBIBYTE = 2**20


@pytest.fixture
async def rig(sqlite_url: str, tmp_path: Path) -> AsyncIterator[Processes]:
    """A bot that takes updates by webhook."""
    async with Playground() as playground, Processes(playground, tmp_path, sqlite_url, webhook=True) as rig:
        yield rig


def update(number: int = 1, **fields: object) -> bytes:
    """An update as Telegram sends it."""
    return json.dumps({"update_id": number, **fields}).encode()


def newgame(playground: Playground, number: int) -> bytes:
    """Ann asks for a game."""
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
    """A body without a declared length."""
    for start in range(0, len(body), 65536):
        yield body[start : start + 65536]


async def test_only_telegram_is_let_in_and_nothing_is_done_for_others(rig: Processes) -> None:
    good = {HEADER: SECRET}
    body = newgame(rig.playground, 1)
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
    async with aiohttp.ClientSession(f"http://{HOST}:{rig.ports[0]}/") as session:
        for method, path, headers, data, status in cases:
            async with session.request(method, path, headers=headers, data=data, allow_redirects=False) as answer:
                assert answer.status == status, (method, path, headers, str(data)[:60])
                assert await answer.read() in {b"", b"Not Found", b"Method Not Allowed"}
        assert not rig.games()
        async with session.post("hook", headers=good, data=body) as answer:
            assert answer.status == 200
        assert len(rig.games()) == 1, "it was stored before the answer"
    assert "Traceback" not in rig.logged()
    assert SECRET not in rig.logged()


async def test_an_update_that_cannot_be_read_is_logged_and_never_comes_again(rig: Processes) -> None:
    async with aiohttp.ClientSession(f"http://{HOST}:{rig.ports[0]}/", headers={HEADER: SECRET}) as session:
        unreadable: list[dict[str, object]] = [
            {"message": {"chat": 5}},
            {"callback_query": []},
            {"message": None},
            {},
        ]
        for number, fields in enumerate(unreadable):
            async with session.post("hook", data=update(700 + number, **fields)) as answer:
                assert answer.status == 200, fields
        async with session.post("hook", data=newgame(rig.playground, 800)) as answer:
            assert answer.status == 200
    assert len(rig.games()) == 1
    assert "update_id=700" in rig.logged()


async def test_the_same_update_twice_at_the_same_time_makes_one_game(rig: Processes) -> None:
    body = newgame(rig.playground, 900)
    async with aiohttp.ClientSession(f"http://{HOST}:{rig.ports[0]}/", headers={HEADER: SECRET}) as session:

        async def post() -> int:
            async with session.post("hook", data=body) as answer:
                return answer.status

        assert await asyncio.gather(*(post() for _ in range(20))) == [200] * 20
        assert len(rig.games()) == 1
        await rig.end()
        await rig.start()
        assert await post() == 200
    assert len(rig.games()) == 1, "another process doesn't create another"
    metrics = await rig.get("metrics")
    assert 'oxo_updates_total{kind="message",outcome="done"} 1.0' in metrics


async def test_two_opponents_who_want_to_be_forgotten_together_both_are(rig: Processes) -> None:
    ann, bo = (rig.playground.add_person(name, started=True) for name in ("Annelise", "Borislav"))
    group = rig.playground.add_group("The Noughts", [ann, bo])
    await put(ann, await begun(ann, bo, group), 4)
    questions = [(person, await person.ask("/forget")) for person in (ann, bo)]
    await asyncio.gather(
        *(person.tap(question, "Yes, delete it") for person, question in [*questions, questions[0]])
    )
    for person in (ann, bo):
        await person.private.wait_for(lambda message: "your data is deleted" in message.text, within=60)

    def told() -> list[object]:
        with rig.engine.connect() as connection:
            values = [str(connection.execute(select(table)).all()) for table in METADATA.sorted_tables]
        return [part for part in (ann.id, bo.id, "Annelise", "Borislav") if str(part) in " ".join(values)]

    await until(lambda: not told())  # the username itself is stored until Telegram has confirmed it


async def test_the_hosts_pages_tell_how_the_bot_is(rig: Processes) -> None:
    ledger = Ledger()
    (player,) = crowd(rig.playground, 1, ledger, seed=1)
    await player.begin()
    await player.tap(player.board)
    assert await rig.get("healthz") == "alive\n"
    assert await rig.get("readyz") == "ready\n"
    metrics = await rig.get("metrics")
    assert 'oxo_updates_total{kind="callback_query",outcome="done"} 1.0' in metrics
    assert "oxo_tap_to_edit_seconds_count 1.0" in metrics
    assert 'oxo_games{state="running"} 1.0' in metrics
    assert "oxo_publisher_queue 0.0" in metrics
    await rig.playground.stop()
    async with asyncio.timeout(60):
        while "Telegram cannot be reached" not in await rig.get("readyz"):  # noqa: ASYNC110 - an answer is kept a while
            await asyncio.sleep(0.2)
    assert await rig.get("healthz") == "alive\n"
    await rig.playground.start()


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"WEBHOOK_URL": "https://oxo.example.org/hook"}, "WEBHOOK_URL needs WEBHOOK_SECRET"),
        ({"WEBHOOK_URL": "oxo.example.org", "WEBHOOK_SECRET": "s"}, "WEBHOOK_URL is malformed"),
        ({"WEBHOOK_URL": "https://oxo.example.org/metrics", "WEBHOOK_SECRET": "s"}, "WEBHOOK_URL is malformed"),
        (
            {"WEBHOOK_URL": "https://oxo.example.org/", "WEBHOOK_SECRET": "not this!"},
            "WEBHOOK_SECRET is malformed",
        ),
        ({"HTTP_PORT": "65536"}, "HTTP_PORT is malformed"),
        ({"HTTP_HOST": "256.0.0.1"}, "cannot be used"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
async def test_settings_that_cannot_be_meant_stop_the_start_with_a_sentence(
    settings: dict[str, str], sentence: str, sqlite_url: str, tmp_path: Path
) -> None:
    async with Playground() as playground:
        rig = Processes(playground, tmp_path, sqlite_url)
        await rig.start(ready=False, settings=settings)
        assert await rig.ended() == 1
        assert sentence in rig.logged()
        assert "Traceback" not in rig.logged()


async def test_a_port_that_is_taken_is_named_and_zero_takes_a_free_one(sqlite_url: str, tmp_path: Path) -> None:
    async with Playground() as playground, Processes(playground, tmp_path, sqlite_url) as rig:
        other = Processes(playground, tmp_path / "other", f"sqlite:///{tmp_path / 'other.db'}")
        other.folder.mkdir()
        await other.start(ready=False, settings={"HTTP_PORT": str(rig.ports[0])})
        assert await other.ended() == 1
        assert f"HTTP_PORT {rig.ports[0]} on 127.0.0.1 cannot be used" in other.logged()


async def test_polling_leaves_a_webhook_alone_unless_told_to_take_over(sqlite_url: str, tmp_path: Path) -> None:
    async with Playground() as playground:
        webhook = playground.telegram.webhook
        webhook.set(f"http://{HOST}:{free_port()}/a-secret-path", "s", 40, "")
        rig = Processes(playground, tmp_path, sqlite_url)
        await rig.start(ready=False)
        assert await rig.ended() == 1
        assert "--take-over" in rig.logged()
        assert "a-secret-path" not in rig.logged()
        assert webhook.url
        said = await playground.people["ann"].say("/newgame")
        playground.faults.add(kind="delay", method="deleteWebhook", delay=0.5)
        await rig.start("--take-over")
        assert not webhook.url, "it isn't ready before"
        await said.chat.wait_for(after=said)
        assert await rig.end(signal.SIGTERM) == 0
        assert len(rig.games()) == 1, "earlier updates were not dropped"


async def test_one_job_sets_up_and_the_others_need_not(sqlite_url: str, tmp_path: Path) -> None:
    async with Playground() as playground, Processes(playground, tmp_path, sqlite_url, webhook=True) as rig:
        await rig.end(signal.SIGTERM)
        playground.telegram.webhook.remove()
        playground.calls.clear()
        await rig.start("--set-up", ready=False)
        assert await rig.ended() == 0
        *_, call = playground.calls_of("setWebhook")  # so soon after another, the first may be told to wait
        assert call.ok
        assert call.parameters["secret_token"] == SECRET
        assert playground.calls_of("setMyCommands")
        playground.calls.clear()
        await rig.start("--no-set-up")
        assert not playground.calls_of("setWebhook")
        assert not playground.calls_of("setMyCommands")
        ann = playground.people["ann"]
        await ann.ask("/newgame")
        assert len(rig.games()) == 1


async def test_what_is_no_http_is_refused_and_leaves_no_line(rig: Processes) -> None:
    nonsense = b"HELLO\r\n\r\n"
    too_long = b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\n\r\n"
    two_lengths = b"POST /hook HTTP/1.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n"
    await until(lambda: "takes updates by webhook" in rig.logged())
    before = rig.logged()
    for request in (nonsense, too_long, two_lengths):
        reader, writer = await asyncio.open_connection(HOST, rig.ports[0])
        writer.write(request)
        assert (await asyncio.wait_for(reader.readline(), 60)).split()[1] == b"400"
        writer.close()
    assert rig.logged() == before
    assert await rig.get("healthz") == "alive\n"


def tap(number: int, query_id: str = "77") -> bytes:
    """Somebody presses a button of a game that is not there."""
    who = {"id": 5, "is_bot": False, "first_name": "Ann"}
    data = buttons.write(buttons.OnGame(4711, Move(0, 4)))
    message = {"message_id": 7, "date": 1, "chat": {"id": 5, "type": "private"}}
    query = {"id": query_id, "from": who, "chat_instance": "1", "data": data, "message": message}
    return update(number, callback_query=query)


async def test_a_tap_is_answered_in_the_response_itself(rig: Processes) -> None:
    async with aiohttp.ClientSession(f"http://{HOST}:{rig.ports[0]}/", headers={HEADER: SECRET}) as session:
        async with session.post("hook", data=tap(50)) as answer:
            assert answer.status == 200
            said = await answer.json()
        assert (said["method"], said["callback_query_id"]) == ("answerCallbackQuery", "77")
        assert "I don't know this game any more" in said["text"]
        async with session.post("hook", data=tap(50)) as answer:
            assert (answer.status, await answer.read()) == (200, b""), "once"
    assert not rig.playground.calls_of("answerCallbackQuery"), "and with no request of the bot's"


@contextmanager
def locked(file: Path) -> Iterator[None]:
    """Nobody else can write to a SQLite database meanwhile."""
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute("BEGIN EXCLUSIVE")
        yield


async def test_a_tap_whose_connection_is_gone_is_answered_with_a_call(rig: Processes, sqlite_url: str) -> None:
    request = b"POST /hook HTTP/1.1\r\nHost: oxo\r\n%b: %b\r\nContent-Length: %d\r\n\r\n%b"
    with locked(Path(make_url(sqlite_url).database or "")):
        _, writer = await asyncio.open_connection(HOST, rig.ports[0])
        writer.write(request % (HEADER.encode(), SECRET.encode(), len(tap(70)), tap(70)))
        for _ in range(3):
            assert await rig.get("healthz") == "alive\n", "later requests are answered later"
        writer.close()
        await writer.wait_closed()
        for _ in range(3):
            assert await rig.get("healthz") == "alive\n"
    await until(lambda: len(rig.playground.calls_of("answerCallbackQuery")) == 1)
    assert 'oxo_updates_total{kind="callback_query",outcome="done"} 1.0' in await rig.get("metrics")
    assert "Traceback" not in rig.logged()


async def test_what_cannot_be_stored_is_brought_again_until_somebody_can(rig: Processes, sqlite_url: str) -> None:
    file = Path(make_url(sqlite_url).database or "")
    async with aiohttp.ClientSession(f"http://{HOST}:{rig.ports[0]}/", headers={HEADER: SECRET}) as session:
        with locked(file):
            for body in (newgame(rig.playground, 60), tap(61)):
                async with session.post("hook", data=body) as answer:
                    assert answer.status == 503
                    assert answer.headers["Retry-After"].isdecimal()
                    assert await answer.read() == b"", "without an apology"
        async with session.post("hook", data=newgame(rig.playground, 60)) as answer:
            assert answer.status == 200
        async with session.post("hook", data=tap(61)) as answer:
            assert "I don't know this game any more" in (await answer.json())["text"]
    assert len(rig.games()) == 1
    assert not [
        call
        for call in rig.playground.calls_of("sendMessage")
        if "Something's wrong on my side" in call.parameters["text"]
    ]

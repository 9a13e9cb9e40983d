"""The bot's web server: its pages, what strangers may not do, and how it closes."""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Final

import pytest
from aiohttp import web

from bot.intake import server
from bot.intake.server import Server, body_of, listen
from tests.ports import HOST

GET: Final = b"GET /page HTTP/1.1\r\nHost: oxo\r\n\r\n"
LAST: Final = b"GET /page HTTP/1.1\r\nHost: oxo\r\nConnection: close\r\n\r\n"
POST: Final = b"POST /page HTTP/1.1\r\nHost: oxo\r\nConnection: close\r\n"


@asynccontextmanager
async def served(
    answer: Callable[[web.BaseRequest], Awaitable[web.Response]], method: str = "GET"
) -> AsyncIterator[tuple[Server, asyncio.Task[None], int]]:
    """A server with one page at /page; yields the server, its task and its port."""
    listener = listen(HOST, 0)
    router = web.UrlDispatcher()
    router.add_routes([web.get("/page", answer) if method == "GET" else web.post("/page", answer)])
    site = Server(router)
    task = asyncio.create_task(site.serve(listener))
    try:
        yield site, task, listener.getsockname()[1]
    finally:
        site.close()
        await task


async def hello(_request: web.BaseRequest) -> web.Response:
    return web.Response(text="hello")


async def echo(request: web.BaseRequest) -> web.Response:
    return web.Response(body=await body_of(request))


class Patient:
    """A page that takes as long as the test wants."""

    def __init__(self) -> None:
        self.asked = asyncio.Event()
        self.may_answer = asyncio.Event()

    async def call(self, port: int, request: bytes) -> asyncio.Task[bytes]:
        waiting = asyncio.create_task(conversation(port, request))
        await self.asked.wait()
        return waiting

    async def answer(self, _request: web.BaseRequest) -> web.Response:
        self.asked.set()
        await self.may_answer.wait()
        return web.Response(text="done")


async def conversation(port: int, *parts: bytes) -> bytes:
    """Send these bytes and read until the other side closes the connection."""
    reader, writer = await asyncio.open_connection(HOST, port)
    try:
        for part in parts:
            writer.write(part)
            await writer.drain()
        return await asyncio.wait_for(reader.read(), 60)
    finally:
        writer.close()


def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let connections be idle, and bodies take, for a moment only."""
    for name, seconds in (("KEPT_ALIVE", 0.2), ("BODY_SECONDS", 0.2), ("TICK_SECONDS", 0.05)):
        monkeypatch.setattr(server, name, seconds)


async def test_a_page_that_fails_says_only_that(caplog: pytest.LogCaptureFixture) -> None:
    async def fail(_request: web.BaseRequest) -> web.Response:
        raise KeyError("inner matters")

    async with served(fail) as (_, _, port):
        said = await conversation(port, LAST)
    assert said.startswith(b"HTTP/1.1 500 ")
    assert b"inner" not in said
    assert [record.message for record in caplog.records if record.exc_info] == ["A page failed"]


async def test_a_body_may_come_after_a_word_that_it_may() -> None:
    async with served(echo, "POST") as (_, _, port):
        reader, writer = await asyncio.open_connection(HOST, port)
        writer.write(POST + b"Expect: 100-continue\r\nContent-Length: 4\r\n\r\n")
        assert await reader.readuntil(b"\r\n\r\n") == b"HTTP/1.1 100 Continue\r\n\r\n"
        writer.write(b"noug")
        assert (await reader.read()).endswith(b"\r\n\r\nnoug")
        writer.close()


async def test_what_is_refused_is_refused_before_its_body_comes_and_heard_to_no_end() -> None:
    async def refuse(_request: web.BaseRequest) -> web.Response:
        return web.Response(status=401)

    async with served(refuse, "POST") as (_, _, port):
        reader, writer = await asyncio.open_connection(HOST, port)
        writer.write(POST + b"Expect: 100-continue\r\nContent-Length: 4\r\n\r\n")
        assert await reader.readline() == b"HTTP/1.1 401 Unauthorized\r\n"
        writer.close()
        said = await conversation(port, POST + b"Content-Length: %d\r\n\r\n" % (2**18), *[b"x" * 2**14] * 16)
        assert said.startswith(b"HTTP/1.1 401 "), "whoever sends all of it reads the refusal"


@pytest.mark.parametrize(
    "nonsense",
    [
        b"HELLO\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"x" * 100 + b"\r\n\r\n",
        b"GET /page HTTP/1.1\r\nHost: oxo\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
        b"GET /page HTTP/1.1\r\nHost: oxo\r\nContent-Length: -1\r\n\r\n",
        b"GET /page HTTP/1.1\r\nHost: oxo\r\nX: " + b"x" * 2**14 + b"\r\n\r\n",
        b"GET /page HTTP/1.1\r\nHost: oxo\r\nX: " + b"x" * 2**14,
        b"GET /page HTTP/1.1\r\nHost: oxo\r\n" + b"X: x\r\n" * 2**12,
        b"GET /" + b"x" * 2**14 + b" HTTP/1.1\r\n\r\n",
        b"GET /page HTTP/1.1\r\nHost: oxo\r\nX: x\x00\r\n\r\n",
        b"GET /page HTTP/7.7\r\nHost: oxo\r\n\r\n",
    ],
    ids=lambda value: str(value[:40]),
)
async def test_what_is_no_request_ends_a_connection_without_a_line_in_the_log(
    nonsense: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    async with served(hello) as (_, _, port):
        reader, writer = await asyncio.open_connection(HOST, port)
        writer.write(GET)
        assert (await reader.readuntil(b"hello")).startswith(b"HTTP/1.1 200 ")
        writer.write(nonsense)
        said = await asyncio.wait_for(reader.read(), 60)
        writer.close()
    assert re.findall(rb"HTTP/1.\d (\d+)", said) == [b"400"]
    assert re.findall(rb"Server: (.*)\r\n", said) == [b"OXO"]
    assert not [record for record in caplog.records if record.levelname != "INFO"]


@pytest.mark.parametrize("sent", [b"", b"GET /page HT", POST + b"Content-Length: 9\r\n\r\nx"], ids=str)
async def test_a_client_that_leaves_in_the_middle_is_not_logged(
    sent: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    async with served(echo, "POST") as (_, _, port):
        _, writer = await asyncio.open_connection(HOST, port)
        writer.write(sent)
        await writer.drain()
        writer.transport.abort()
        for chunks in (b"Transfer-Encoding: chunked\r\n\r\nlong\r\n", b"Content-Encoding: gzip\r\n\r\n"):
            await conversation(port, POST + chunks)
    assert not [record for record in caplog.records if record.levelname != "INFO"]


@pytest.mark.parametrize("sent", [b"", b"GET /page HT", GET * 2, POST + b"Content-Length: 9\r\n\r\nx"], ids=str)
async def test_a_connection_on_which_nothing_happens_is_closed_even_in_the_middle_of_a_request(
    sent: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    impatient(monkeypatch)
    async with served(echo, "POST") as (_, _, port):
        with suppress(ConnectionResetError):
            said = await conversation(port, sent)
            assert re.findall(rb"HTTP/1.1 (\d+)", said) in ([], [b"408"], [b"405", b"405"])


async def test_a_client_that_waits_for_an_answer_is_not_disconnected(monkeypatch: pytest.MonkeyPatch) -> None:
    patient = Patient()
    impatient(monkeypatch)
    async with served(patient.answer) as (_, _, port):
        under_way = await patient.call(port, LAST)
        assert await conversation(port, b"") == b"", "and this one is"
        patient.may_answer.set()
        assert (await under_way).endswith(b"done")


async def test_a_client_that_reads_no_answers_is_not_read_from_and_disconnected(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun = 0

    async def large(_request: web.BaseRequest) -> web.Response:
        nonlocal begun
        begun += 1
        return web.Response(body=b"x" * 2**20)

    impatient(monkeypatch)
    async with served(large) as (_, _, port):
        reader, writer = await asyncio.open_connection(HOST, port, limit=2**10)
        with suppress(ConnectionError):
            while True:
                writer.write(GET * 1000)
                await asyncio.wait_for(writer.drain(), 60)
        assert 0 < begun < 50
        with suppress(ConnectionError):
            while await reader.read(2**20):
                pass
        writer.close()


async def test_where_too_many_are_connected_the_one_that_has_been_idle_longest_makes_room(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(server, "MOST_CONNECTIONS", 3)
    patient = Patient()
    async with served(patient.answer) as (_, _, port):
        under_way = await patient.call(port, LAST)
        (first, one), (second, two) = [await asyncio.open_connection(HOST, port) for _ in range(2)]
        patient.may_answer.set()
        one.write(GET)  # so that the other one has been idle longer
        assert (await first.readuntil(b"done")).startswith(b"HTTP/1.1 200 ")
        assert (await under_way).endswith(b"done")
        patient.asked.clear()
        patient.may_answer.clear()
        again = await patient.call(port, LAST)
        newcomer = asyncio.create_task(conversation(port, LAST))
        assert await asyncio.wait_for(second.read(), 60) == b""
        patient.may_answer.set()
        for task in (again, newcomer):
            assert (await task).endswith(b"done")
        one.write(LAST)
        assert (await asyncio.wait_for(first.read(), 60)).endswith(b"done"), "and this one is still there"
        for writer in (one, two):
            writer.close()


async def test_a_closing_server_answers_what_is_under_way_and_drops_idle_connections() -> None:
    patient = Patient()
    async with served(patient.answer) as (site, task, port):
        idle, writer = await asyncio.open_connection(HOST, port)
        under_way = await patient.call(port, GET)
        site.close()
        assert await idle.read() == b""
        writer.close()
        with pytest.raises(ConnectionRefusedError):
            await asyncio.open_connection(HOST, port)
        patient.may_answer.set()
        assert (await under_way).endswith(b"done")
        await task


async def test_a_closing_server_waits_for_nobody_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    patient = Patient()
    monkeypatch.setattr(server, "SERVER_CLOSING_SECONDS", 0.2)
    async with served(patient.answer) as (site, task, port):
        _, writer = await asyncio.open_connection(HOST, port)
        writer.write(GET)
        await patient.asked.wait()
        site.close()
        await asyncio.wait_for(task, 20)
        writer.close()

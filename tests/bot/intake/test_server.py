"""The bot's web server: which page answers what, and how it closes."""

from __future__ import annotations

import asyncio
import gc
import re
import time
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Final

import aiohttp
import pytest

from bot.intake import server
from bot.intake.connection import LARGEST_BODY, LARGEST_HEAD, LARGEST_MESSAGE, Connection
from bot.intake.http import Page, Response
from bot.intake.server import Server, listen

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from bot.intake.http import Request

HOST = "127.0.0.1"


@asynccontextmanager
async def served(
    answer: Callable[[Request], Response | Awaitable[Response]], method: bytes = b"GET"
) -> AsyncIterator[tuple[Server, asyncio.Task[None], int]]:
    """A server with one page at /page; gives the server, its task and its port."""
    listener = listen(HOST, 0)
    site = Server({"/page": Page(method, answer)})
    task = asyncio.create_task(site.serve(listener))
    try:
        yield site, task, listener.getsockname()[1]
    finally:
        site.close()
        await task


async def hello(_request: Request) -> Response:
    """Say hello."""
    return Response(b"hello")


async def test_a_page_answers_its_method_alone() -> None:
    async with served(hello) as (_, _, port), aiohttp.ClientSession(f"http://{HOST}:{port}") as session:
        for method, path, status, body in (
            ("GET", "/page", 200, "hello"),
            ("GET", "/page?x=1", 200, "hello"),
            ("GET", "/p%61ge", 200, "hello"),
            ("HEAD", "/page", 200, ""),
            ("POST", "/page", 405, "Method Not Allowed"),
            ("GET", "/page/", 404, "Not Found"),
            ("GET", "/", 404, "Not Found"),
        ):
            async with session.request(method, path) as answer:
                assert (answer.status, await answer.text()) == (status, body), (method, path)


async def test_a_page_that_fails_says_no_more_than_that(caplog: pytest.LogCaptureFixture) -> None:
    async def fail(_request: Request) -> Response:
        raise KeyError("inner matters")

    async with (
        served(fail) as (_, _, port),
        aiohttp.ClientSession(f"http://{HOST}:{port}") as session,
        session.get("/page") as answer,
    ):
        assert (answer.status, await answer.text()) == (500, "")
    assert "A page failed" in caplog.text


async def test_a_request_whose_headers_do_not_end_is_refused() -> None:
    async with served(hello) as (_, _, port):
        reader, writer = await asyncio.open_connection(HOST, port)
        writer.write(b"GET /page HTTP/1.1\r\nHost: oxo\r\nX: " + b"x" * (LARGEST_HEAD + 1))
        assert (await reader.readline()).startswith(b"HTTP/1.1 400 ")
        await reader.read()
        writer.close()


async def test_a_large_body_is_no_header() -> None:
    async def count(request: Request) -> Response:
        return Response(b"%d" % len(request.body))

    async with served(count, b"POST") as (_, _, port), aiohttp.ClientSession(f"http://{HOST}:{port}") as session:
        for _ in range(3):
            async with session.post("/page", data=b"x" * 2**19) as answer:
                assert await answer.text() == str(2**19)


async def conversation(port: int, *parts: bytes) -> bytes:
    """Send what is given and read until the other side ends it."""
    reader, writer = await asyncio.open_connection(HOST, port)
    for part in parts:
        writer.write(part)
        await writer.drain()
    try:
        return await asyncio.wait_for(reader.read(), 5)
    finally:
        writer.close()


GET: Final = b"GET /page HTTP/1.1\r\nHost: oxo\r\n\r\n"
LAST: Final = b"GET /page HTTP/1.1\r\nHost: oxo\r\nConnection: close\r\n\r\n"


async def test_requests_in_a_row_are_answered_in_their_order_one_at_a_time() -> None:
    under_way, most = 0, 0

    async def echo(request: Request) -> Response:
        nonlocal under_way, most
        under_way += 1
        most = max(most, under_way)
        await asyncio.sleep(0)
        under_way -= 1
        return Response(request.header(b"x"))

    asked = [b"GET /page HTTP/1.1\r\nX: <%d>\r\n\r\n" % number for number in range(50)]
    async with served(echo) as (_, _, port):
        for parts in ([b"".join(asked), LAST], [*asked, LAST]):
            said = await conversation(port, *parts)
            assert re.findall(rb"<(\d+)>", said) == [b"%d" % number for number in range(50)]
            assert said.count(b"HTTP/1.1 200 OK\r\n") == 51
            assert said.count(b"connection: close\r\n") == 1
    assert most == 1


async def test_a_connection_is_kept_unless_its_sender_wants_otherwise() -> None:
    async with served(hello) as (_, _, port):
        for last in (
            LAST,
            b"GET /page HTTP/1.0\r\n\r\n",
            b"GET /page HTTP/1.1\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n",
        ):
            said = await conversation(port, GET, last, GET)
            assert said.count(b"\r\n\r\nhello") == 2, last


async def test_a_body_may_come_in_pieces_and_after_a_word_that_it_may() -> None:
    async def echo(request: Request) -> Response:
        return Response(request.body)

    begin = b"POST /page HTTP/1.1\r\nConnection: close\r\n"
    async with served(echo, b"POST") as (_, _, port):
        said = await conversation(port, begin + b"Content-Length: 4\r\n\r\n", b"no", b"ug")
        assert said.endswith(b"\r\n\r\nnoug")
        said = await conversation(
            port, begin + b"Transfer-Encoding: chunked\r\n\r\n2\r\nno\r\n", b"2\r\nug\r\n0\r\n\r\n"
        )
        assert said.endswith(b"\r\n\r\nnoug")
        reader, writer = await asyncio.open_connection(HOST, port)
        writer.write(begin + b"Expect: 100-continue\r\nContent-Length: 4\r\n\r\n")
        assert await reader.readuntil(b"\r\n\r\n") == b"HTTP/1.1 100 Continue\r\n\r\n"
        writer.write(b"noug")
        assert (await reader.read()).endswith(b"\r\n\r\nnoug")
        writer.close()


async def test_a_body_that_is_too_large_is_refused_and_what_follows_it_is_answered() -> None:
    async with served(hello) as (_, _, port):
        large = b"GET /page HTTP/1.1\r\nContent-Length: %d\r\n\r\n" % (2 * LARGEST_BODY)
        said = await conversation(port, large, b"x" * (2 * LARGEST_BODY), LAST)
        assert re.findall(rb"HTTP/1.1 (\d+)", said) == [b"413", b"200"]


@pytest.mark.parametrize("endless", [b"X: " + b"x" * 2**16 + b"\r\n", b"x" * 2**16], ids=["trailers", "a trailer"])
async def test_what_follows_a_body_has_an_end_too(endless: bytes) -> None:
    async with served(hello) as (_, _, port):
        reader, writer = await asyncio.open_connection(HOST, port)
        writer.write(b"GET /page HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX: ")
        with suppress(ConnectionError):
            for _ in range(2 * LARGEST_MESSAGE // len(endless)):
                writer.write(endless)
                await writer.drain()
            assert re.findall(rb"HTTP/1.1 (\d+)", await asyncio.wait_for(reader.read(), 5)) == [b"400"]
        writer.close()


async def test_who_is_refused_by_the_headers_is_refused_before_the_body_comes() -> None:
    site = Server({"/page": Page(b"POST", hello, lambda _: Response(status=401))})
    listener = listen(HOST, 0)
    task = asyncio.create_task(site.serve(listener))
    reader, writer = await asyncio.open_connection(HOST, listener.getsockname()[1])
    writer.write(b"POST /page HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n")
    assert await reader.readline() == b"HTTP/1.1 401 Unauthorized\r\n"
    writer.close()
    site.close()
    await task


@pytest.mark.parametrize(
    "nonsense",
    [
        b"HELLO\r\n\r\n",
        b"GET /page HTTP/1.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
        b"GET /page HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
        b"GET /page HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nlong\r\n",
        b"CONNECT oxo:80 HTTP/1.1\r\n\r\n",
        b"GET http://[/ HTTP/1.1\r\n\r\n",
        b"GET /page HTTP/1.1\r\nX: " + b"x" * (LARGEST_HEAD + 1) + b"\r\n\r\n",
        b"GET /" + b"x" * (LARGEST_HEAD + 1) + b" HTTP/1.1\r\n\r\n",
    ],
    ids=lambda value: str(value[:40]),
)
async def test_what_is_no_request_ends_a_connection_after_what_came_before(nonsense: bytes) -> None:
    async with served(hello) as (_, _, port):
        said = await conversation(port, GET + nonsense)
        assert re.findall(rb"HTTP/1.1 (\d+)", said) == [b"200", b"400"]
        assert said.count(b"connection: close\r\n") == 1


async def test_a_connection_on_which_nothing_happens_is_closed_even_in_the_middle_of_a_request(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked, may_answer = asyncio.Event(), asyncio.Event()

    async def patient(_request: Request) -> Response:
        asked.set()
        await may_answer.wait()
        return Response(b"done")

    monkeypatch.setattr(server, "KEPT_ALIVE", 0.1)
    monkeypatch.setattr(server, "TICK_SECONDS", 0.05)
    async with served(patient) as (_, _, port):
        under_way = asyncio.create_task(conversation(port, LAST))
        await asked.wait()
        for begun in (b"", b"GET /page HT", b"GET /page HTTP/1.1\r\nContent-Length: 9\r\n\r\nx"):
            with suppress(ConnectionResetError):
                assert await conversation(port, begun) == b""
        may_answer.set()
        assert (await under_way).endswith(b"done"), "who waits for an answer is not sent away"


async def test_who_fetches_no_answers_is_read_no_further() -> None:
    begun = 0

    def large(_request: Request) -> Response:
        nonlocal begun
        begun += 1
        return Response(b"x" * 2**20)

    async with served(large) as (_, _, port):
        reader, writer = await asyncio.open_connection(HOST, port, limit=2**10)
        for _ in range(200):
            writer.write(GET)
        writer.write(LAST)
        await writer.drain()
        async with served(hello) as (_, _, other):  # takes a few rounds of the loop
            for _ in range(20):
                await conversation(other, LAST)
        assert 0 < begun < 50
        length = 0
        while piece := await reader.read(2**20):
            length += len(piece)
        assert begun == 201
        assert length > 201 * 2**20
        writer.close()


async def test_many_requests_in_a_row_are_no_large_head() -> None:
    async with served(hello) as (_, _, port):
        said = await conversation(port, GET * 10_000 + LAST)
        assert re.findall(rb"HTTP/1.1 (\d+)", said) == [b"200"] * 10_001


async def test_a_request_may_begin_in_the_piece_in_which_a_large_one_ends() -> None:
    async with served(hello) as (_, _, port):
        large = b"GET /page HTTP/1.1\r\nContent-Length: %d\r\n\r\n" % (2 * LARGEST_HEAD)
        said = await conversation(port, large + b"x" * (2 * LARGEST_HEAD) + LAST[:9], LAST[9:])
        assert re.findall(rb"HTTP/1.1 (\d+)", said) == [b"200"] * 2


async def test_what_is_refused_is_refused_once_however_much_follows() -> None:
    async with served(hello) as (_, _, port):
        reader, writer = await asyncio.open_connection(HOST, port)
        writer.write(b"GET /other HTTP/1.1\r\nContent-Length: %d\r\n\r\n" % (4 * LARGEST_MESSAGE))
        said = await reader.readuntil(b"Not Found")
        with suppress(ConnectionError):
            for _ in range(4 * LARGEST_MESSAGE // 2**20):
                writer.write(b"x" * 2**20)
                await writer.drain()
            said += await asyncio.wait_for(reader.read(), 5)
        assert said.count(b"HTTP/1.1") == 1
        with suppress(ConnectionError):
            writer.close()
            await writer.wait_closed()


async def test_who_sends_a_body_to_its_end_reads_the_refusal_though_the_connection_is_not_kept() -> None:
    async with served(hello) as (_, _, port):
        head = b"GET /other HTTP/1.0\r\nContent-Length: %d\r\n\r\n" % LARGEST_BODY
        said = await conversation(port, head, *[b"x" * 2**14] * (LARGEST_BODY // 2**14))
        assert said.startswith(b"HTTP/1.1 404 ")


async def test_who_ends_what_they_send_is_answered_all_they_asked_for() -> None:
    asked, may_answer, left = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def patient(request: Request) -> Response:
        request.left = left.set
        asked.set()
        await may_answer.wait()
        return Response(b"done")

    async with served(patient) as (_, _, port):
        reader, writer = await asyncio.open_connection(HOST, port)
        writer.write(GET)
        await asked.wait()
        writer.write_eof()
        await asyncio.wait_for(left.wait(), 5)
        may_answer.set()
        assert (await asyncio.wait_for(reader.read(), 5)).endswith(b"connection: close\r\n\r\ndone")
        writer.close()


async def test_a_page_hears_that_nobody_waits_any_more(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    heard: list[str] = []
    asked, left = asyncio.Event(), asyncio.Event()

    def never(request: Request) -> asyncio.Future[Response]:
        def leave() -> None:
            heard.append("left")
            left.set()

        request.left = leave
        asked.set()
        return asyncio.get_running_loop().create_future()

    monkeypatch.setattr(server, "CLOSING_SECONDS", 0.1)
    async with served(never) as (site, task, port):
        _, writer = await asyncio.open_connection(HOST, port)
        writer.write(GET)
        await asked.wait()
        writer.transport.abort()
        await asyncio.wait_for(left.wait(), 5)
        asked.clear()
        heard.clear()
        _, writer = await asyncio.open_connection(HOST, port)
        writer.write(GET)
        await asked.wait()
        site.close()
        await task
        assert heard, "a stop waits for nobody for ever"
        writer.close()
    assert not caplog.records


async def test_a_connection_that_is_gone_holds_nothing_until_garbage_is_looked_for() -> None:
    async with served(hello) as (_, _, port):
        gc.collect()
        gc.disable()
        try:
            _, writer = await asyncio.open_connection(HOST, port)
            writer.write(b"GET /page HTTP/1.1\r\nContent-Length: 9\r\n\r\nx")
            async with served(hello) as (_, _, other):  # takes a few rounds of the loop
                await conversation(other, LAST)
                assert connections()
                writer.close()
                await writer.wait_closed()
                for _ in range(5):
                    await conversation(other, LAST)
            await conversation(port, LAST)
            assert not connections()
        finally:
            gc.enable()


def connections() -> list[object]:
    """Those that are in memory."""
    return [found for found in gc.get_objects() if isinstance(found, Connection)]


async def test_a_body_that_a_page_has_no_use_for_is_not_kept() -> None:
    async def size(request: Request) -> Response:
        return Response(b"%d" % len(request.body))

    async with served(size) as (_, _, port):
        assert (await conversation(port, LAST[:-2] + b"Content-Length: 4\r\n\r\nnoug")).endswith(b"\r\n\r\n0")


async def test_an_old_client_is_not_told_to_go_on() -> None:
    async with served(hello) as (_, _, port):
        said = await conversation(
            port, b"GET /page HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\nx"
        )
        assert said.startswith(b"HTTP/1.1 200 ")


async def test_a_closing_server_answers_what_is_under_way_and_drops_idle_connections() -> None:
    asked, may_answer = asyncio.Event(), asyncio.Event()

    async def patient(_request: Request) -> Response:
        asked.set()
        await may_answer.wait()
        return Response(b"done")

    async def get(session: aiohttp.ClientSession) -> str:
        async with session.get("/page") as answer:
            return await answer.text()

    async with served(patient) as (site, task, port), aiohttp.ClientSession(f"http://{HOST}:{port}") as session:
        idle, writer = await asyncio.open_connection(HOST, port)
        under_way = asyncio.create_task(get(session))
        await asked.wait()
        site.close()
        assert await idle.read() == b""
        writer.close()
        with pytest.raises(ConnectionRefusedError):
            await asyncio.open_connection(HOST, port)
        may_answer.set()
        assert await under_way == "done"
        await task


async def test_a_closing_server_waits_for_nobody_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = asyncio.Event()

    async def never(_request: Request) -> Response:
        asked.set()
        await asyncio.Event().wait()
        return Response()

    monkeypatch.setattr(server, "CLOSING_SECONDS", 0.2)
    async with served(never) as (site, task, port):
        _, writer = await asyncio.open_connection(HOST, port)
        writer.write(b"GET /page HTTP/1.1\r\nHost: oxo\r\n\r\n")
        await asked.wait()
        began = time.monotonic()
        site.close()
        await task
        assert time.monotonic() - began < 1
        writer.close()

"""The bot's web server: which page answers what, and how it closes."""

from __future__ import annotations

import asyncio
import time
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import aiohttp
import pytest

from bot.intake import server
from bot.intake.server import LARGEST_HEAD, Response, Server, listen

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from bot.intake.server import Page, Request

HOST = "127.0.0.1"


@asynccontextmanager
async def served(page: Page) -> AsyncIterator[tuple[Server, asyncio.Task[None], int]]:
    """A server with one page for GET at /page; gives the server, its task and its port."""
    listener = listen(HOST, 0)
    site = Server({"/page": ("GET", page)})
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
        return Response(b"%d" % len(await request.body(2**20)))

    async with served(count) as (_, _, port), aiohttp.ClientSession(f"http://{HOST}:{port}") as session:
        for _ in range(3):
            async with session.get("/page", data=b"x" * 2**19) as answer:
                assert await answer.text() == str(2**19)


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

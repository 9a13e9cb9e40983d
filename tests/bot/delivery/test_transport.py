"""What is answered to a call is its result, or an error of the library's, whoever has answered."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest
from aiohttp import web
from telegram.error import BadRequest, NetworkError, RetryAfter
from telegram.request import RequestData

from bot.delivery.errors import NotSent
from bot.delivery.transport import Transport

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

EDIT, SEND = "editMessageText", "sendMessage"


@asynccontextmanager
async def answering(status: int, body: str) -> AsyncIterator[tuple[Transport, str]]:
    """A transport, and the address of a server that answers everything so."""

    async def answer(_: web.BaseRequest) -> web.Response:
        return web.Response(status=status, text=body)

    runner = web.ServerRunner(web.Server(answer))
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    transport = Transport()
    await transport.initialize()
    try:
        host, port = runner.addresses[0][:2]
        yield transport, f"http://{host}:{port}/bot1:secret"
    finally:
        await transport.shutdown()
        await runner.cleanup()


async def test_a_sent_message_is_given_back_and_an_edited_one_is_not_read() -> None:
    async with answering(200, '{"ok":true,"result":{"message_id":7}}') as (transport, url):
        assert await transport.call(f"{url}/{SEND}", b"{}") == {"message_id": 7}
        assert await transport.call(f"{url}/{EDIT}", b"{}") is True


@pytest.mark.parametrize("method", [EDIT, SEND])
@pytest.mark.parametrize("page", ["<html>Please sign in</html>", "", "[]", '{"status":"fine"}'])
async def test_a_page_of_something_in_between_is_no_answer(method: str, page: str) -> None:
    async with answering(200, page) as (transport, url):
        with pytest.raises(NetworkError, match="no answer of Telegram's") as told:
            await transport.call(f"{url}/{method}", b"{}")
    assert "secret" not in repr(told.value)


async def test_refusals_are_those_of_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PTB_TIMEDELTA", "1")  # without it the library warns
    refusal = '{"ok":false,"error_code":400,"description":"Bad Request: message is not modified"}'
    async with answering(400, refusal) as (transport, url):
        with pytest.raises(BadRequest, match="not modified"):
            await transport.call(f"{url}/{EDIT}", b"{}")
    slow = '{"ok":false,"error_code":429,"description":"Too Many Requests","parameters":{"retry_after":3}}'
    async with answering(429, slow) as (transport, url):
        with pytest.raises(RetryAfter):
            await transport.call(f"{url}/{EDIT}", b"{}")


async def test_a_gateways_page_is_an_error_in_passing() -> None:
    async with answering(502, "<html>Bad Gateway</html>") as (transport, url):
        with pytest.raises(NetworkError, match="HTTP 502"):
            await transport.call(f"{url}/{EDIT}", b"{}")
        with pytest.raises(NetworkError, match="HTTP 502"):
            await transport.post(f"{url}/getMe", RequestData([]))


async def test_a_server_that_is_not_there_was_told_nothing() -> None:
    async with answering(200, "") as (_, url):
        pass
    transport = Transport()
    await transport.initialize()
    with pytest.raises(NotSent, match="connection refused"):
        await transport.call(f"{url}/{SEND}", b"{}")
    await transport.shutdown()
    with pytest.raises(NetworkError, match="shut down"):
        await transport.call(f"{url}/{SEND}", b"{}")

"""Polling goes on whatever Telegram answers, and logs an outage once."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import cast

import pytest
from aiohttp import web
from telegram import Update

from bot import wiring as application
from bot.intake.polling import Poller, PollingTransport
from bot.intake.updates import Intake
from bot.metrics import Metrics
from bot.network.transport import Transport


class Seen:
    """Takes nothing, as all of it was taken before."""

    def begin(self, _: Update) -> None:
        """There is nothing to do."""


@asynccontextmanager
async def polling(
    status: int, body: str, intake: Intake | None = None
) -> AsyncIterator[tuple[Poller, asyncio.Semaphore]]:
    """A poller whose server always answers like this, and a semaphore released by each request."""
    asked = asyncio.Semaphore(0)

    async def answer(_: web.BaseRequest) -> web.Response:
        asked.release()
        return web.Response(status=status, text=body)

    runner = web.ServerRunner(web.Server(answer))
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    host, port = runner.addresses[0][:2]
    transport = PollingTransport()
    await transport.initialize()
    try:
        bot = application.connect("1:secret", f"http://{host}:{port}", Transport(), transport)
        # There are no updates, so nothing handles any.
        yield Poller(bot, transport, cast("Intake", intake), Metrics(), failed=str), asked
    finally:
        await transport.shutdown()
        await runner.cleanup()


CONFLICT = '{"ok": false, "error_code": 409, "description": "Conflict: terminated by other getUpdates request"}'
UNAUTHORIZED = '{"ok": false, "error_code": 401, "description": "Unauthorized"}'
ANSWERS = [
    (200, "[]"),
    (200, "null"),
    (200, '{"ok": true}'),
    (200, '{"ok": true, "result": null}'),
    (200, '{"ok": true, "result": {}}'),
    (200, '{"ok": true, "result": [7]}'),
    (200, '{"ok": true, "result": [{}]}'),
    (200, '{"ok": true, "result": [{"update_id": "7"}]}'),
    (200, "{"),
    (200, "<html>sign in</html>"),
    (502, "<html>bad gateway</html>"),
    (409, CONFLICT),
    (401, UNAUTHORIZED),
]


@pytest.mark.parametrize(("status", "body"), ANSWERS, ids=[f"{status} {body[:30]}" for status, body in ANSWERS])
async def test_what_is_no_answer_is_logged_once_and_asked_for_again(
    status: int, body: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("bot.intake.polling.LONGEST_PAUSE_SECONDS", 0.01)
    stopping = asyncio.Event()
    async with polling(status, body) as (poller, asked), asyncio.timeout(60):
        running = asyncio.create_task(poller.run(stopping))
        for _ in range(3):
            await asked.acquire()
        stopping.set()
        await running
    (line,) = [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR]
    assert line.startswith("Updates cannot be fetched: ")


NOTHING = '{"ok": true, "result": []}'
OLD = '{"ok": true, "result": [{"update_id": 7}]}'


@pytest.mark.parametrize("body", [NOTHING, OLD], ids=["nothing", "what was confirmed"])
async def test_a_server_that_does_not_wait_for_news_is_not_asked_all_the_time(
    body: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.intake.polling.SHORT_SECONDS", 0.2)
    stopping, clock = asyncio.Event(), asyncio.get_running_loop().time
    async with polling(200, body, cast("Intake", Seen())) as (poller, asked), asyncio.timeout(60):
        running = asyncio.create_task(poller.run(stopping))
        await asked.acquire()
        began = clock()
        for _ in range(3):
            await asked.acquire()
        took = clock() - began
        stopping.set()
        await running
    assert took >= 2 * 0.2 - 0.01, "only the second follows immediately, since the first asked for no wait"

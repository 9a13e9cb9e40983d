"""Polling goes on whatever Telegram answers, and logs an outage once."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import cast

import pytest
from aiohttp import web

from bot import wiring as application
from bot.intake.polling import Poller
from bot.intake.updates import Intake
from bot.metrics import Metrics
from bot.network.transport import Transport


class Seen:
    """Takes nothing, as all of it was taken before."""

    def begin(self, _: object) -> None:
        """There is nothing to do."""


class Busy:
    """Handles an update until it is told that this is done."""

    def __init__(self) -> None:
        self.done = asyncio.Event()

    def begin(self, _: object) -> asyncio.Task[bool]:
        return asyncio.create_task(self.done.wait())


class Asked(asyncio.Semaphore):
    """Released by each request of a poller."""

    def __init__(self) -> None:
        super().__init__(0)
        self.poller: Poller
        self.ended = asyncio.Event()
        self.offsets: list[int] = []
        """The offset of each, which confirms all updates before it."""


@asynccontextmanager
async def polling(
    status: int, body: str, intake: Intake | None = None, *, may_give_up: bool = False
) -> AsyncIterator[Asked]:
    asked = Asked()

    async def answer(request: web.BaseRequest) -> web.Response:
        asked.offsets.append((await request.json()).get("offset"))
        asked.release()
        return web.Response(status=status, text=body)

    runner = web.ServerRunner(web.Server(answer))
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    host, port = runner.addresses[0][:2]
    transport, stopping = Transport(), asyncio.Event()
    await transport.initialize()
    try:
        bot = application.connect_bot("1:secret", f"http://{host}:{port}", Transport(), transport)
        # There are no updates, so nothing handles any.
        handed = cast("Intake", intake)
        poller = asked.poller = Poller(bot, transport, handed, Metrics(), failed=str, may_give_up=may_give_up)
        async with asyncio.timeout(60), asyncio.TaskGroup() as tasks:
            tasks.create_task(poller.run(stopping)).add_done_callback(lambda _: asked.ended.set())
            yield asked
            stopping.set()
    finally:
        await transport.shutdown()
        await runner.cleanup()


CONFLICT = '{"ok": false, "error_code": 409, "description": "Conflict: terminated by other getUpdates request"}'
UNAUTHORIZED = '{"ok": false, "error_code": 401, "description": "Unauthorized"}'
RESULTS = ("null", "{}", "[7]", "[{}]", '[{"update_id": "7"}]')
ANSWERS = [
    *((200, body) for body in ("[]", "null", '{"ok": true}', "{", "<html>sign in</html>")),
    *((200, f'{{"ok": true, "result": {result}}}') for result in RESULTS),
    *((502, "<html>bad gateway</html>"), (409, CONFLICT), (401, UNAUTHORIZED)),
]


@pytest.mark.parametrize(("status", "body"), ANSWERS, ids=[f"{status} {body[:30]}" for status, body in ANSWERS])
async def test_what_is_no_answer_is_logged_once_and_asked_for_again(
    status: int, body: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("bot.intake.polling.LONGEST_FETCH_PAUSE_SECONDS", 0.01)
    async with polling(status, body) as asked:
        for _ in range(3):
            await asked.acquire()
    (line,) = [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR]
    assert line.startswith("Updates cannot be fetched: ")


NOTHING = '{"ok": true, "result": []}'


@pytest.mark.parametrize(
    ("alone_for", "may_give_up", "ends"), [(1e9, True, True), (1e9, False, False), (0, True, False)]
)
async def test_a_poller_that_came_second_and_was_never_alone_ends_where_it_may(
    monkeypatch: pytest.MonkeyPatch,
    alone_for: float,
    may_give_up: bool,  # noqa: FBT001 - a column of the table
    ends: bool,  # noqa: FBT001 - as above
) -> None:
    monkeypatch.setattr("bot.intake.polling.LONGEST_FETCH_PAUSE_SECONDS", 0.01)
    monkeypatch.setattr("bot.intake.polling.SECOND_SECONDS", 0)
    monkeypatch.setattr("bot.intake.polling.UNCONTESTED_SECONDS", alone_for)
    async with polling(409, CONFLICT, may_give_up=may_give_up) as asked:
        await asked.acquire()
        if not ends:
            for _ in range(3):
                await asked.acquire()
        else:
            await asyncio.wait_for(asked.ended.wait(), 30)
        assert asked.poller.is_contested() is (alone_for > 0)


OLD = '{"ok": true, "result": [{"update_id": 7}]}'


@pytest.mark.parametrize("body", [NOTHING, OLD], ids=["nothing", "what was confirmed"])
async def test_a_server_that_does_not_wait_for_news_is_not_asked_all_the_time(
    body: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.intake.polling.SHORT_SECONDS", 0.2)
    clock = asyncio.get_running_loop().time
    async with polling(200, body, cast("Intake", Seen())) as asked:
        await asked.acquire()
        began = clock()
        for _ in range(3):
            await asked.acquire()
        took = clock() - began
    assert took >= 2 * 0.2 - 0.01, "only the second follows immediately, since the first asked for no wait"


async def test_an_update_is_confirmed_only_once_it_is_handled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.intake.polling.BATCH_SECONDS", 0.01)
    monkeypatch.setattr("bot.intake.polling.FETCH_AGAIN_SECONDS", 0.01)
    intake = Busy()
    async with polling(200, OLD, cast("Intake", intake)) as asked:
        for _ in range(4):
            await asked.acquire()
        assert asked.offsets == [0, 7, 7, 7]
        intake.done.set()
        while 8 not in asked.offsets:
            await asked.acquire()

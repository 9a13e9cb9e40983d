"""Tasks that nobody awaits are referenced until they are done."""

from __future__ import annotations

import asyncio

import pytest

from bot.delivery.tasks import Tasks

pytestmark = pytest.mark.virtual_time


async def test_work_is_counted_while_it_is_under_way_and_what_hangs_is_given_up_at_the_close() -> None:
    tasks, ended = Tasks(), []

    async def wait(seconds: float) -> None:
        try:
            await asyncio.sleep(seconds)
        finally:
            ended.append((seconds, asyncio.get_running_loop().time()))

    tasks.start(wait(3))
    tasks.later(1, lambda: wait(60))
    await asyncio.sleep(2)
    assert len(tasks) == 2
    await tasks.close(5)
    await asyncio.sleep(1)
    assert (len(tasks), ended) == (0, [(3, 3), (60, 7)])


async def test_work_that_fails_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    async def fail() -> None:
        raise KeyError("x")

    tasks = Tasks()
    tasks.later(1, fail)
    await asyncio.sleep(2)
    (record,) = caplog.records
    assert record.getMessage() == "Background work failed"
    assert record.exc_info is not None

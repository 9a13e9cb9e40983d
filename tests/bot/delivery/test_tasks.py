"""Tasks that nobody awaits are referenced until they are done."""

from __future__ import annotations

import asyncio

import pytest

from bot.delivery.tasks import Tasks


async def test_work_is_counted_while_it_is_under_way() -> None:
    tasks, gate = Tasks(), asyncio.Event()

    async def work() -> None:
        await gate.wait()

    tasks.start(work())
    assert len(tasks) == 1
    gate.set()
    await tasks.close(5)
    await asyncio.sleep(0)
    assert len(tasks) == 0


async def test_what_hangs_is_given_up_at_the_close() -> None:
    tasks, cancelled = Tasks(), asyncio.Event()

    async def hang() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()

    tasks.start(hang())
    await tasks.close(0.01)
    async with asyncio.timeout(60):
        await cancelled.wait()


async def test_work_that_fails_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    tasks, failed = Tasks(), asyncio.Event()

    async def fail() -> None:
        failed.set()
        raise KeyError("x")

    tasks.later(0, fail)
    async with asyncio.timeout(60):
        await failed.wait()
        while len(tasks):  # noqa: ASYNC110 - its end is told to nobody
            await asyncio.sleep(0)
    (record,) = caplog.records
    assert record.getMessage() == "Background work failed"
    assert record.exc_info is not None

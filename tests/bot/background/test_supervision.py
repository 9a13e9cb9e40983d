"""Background work survives any error (D5), and logs each kind of error once."""

from __future__ import annotations

import asyncio
import logging

import pytest

from bot.background import jobs
from bot.background.jobs import supervise
from storage.errors import StorageUnavailable


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """No pause between attempts."""
    monkeypatch.setattr(jobs, "LONGEST_PAUSE_SECONDS", 0.0)


async def run(*steps: bool | Exception) -> int:
    """Supervise work whose steps end like this, in order; returns how many steps ran."""
    made, all_made = 0, asyncio.Event()

    async def step() -> bool:
        nonlocal made
        if made == len(steps):
            all_made.set()
            await asyncio.Event().wait()
        made += 1
        outcome = steps[made - 1]
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    task = asyncio.create_task(supervise("Sweep", step, 0.0))
    async with asyncio.timeout(60):
        await all_made.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    return made


async def test_work_goes_on_after_any_error_which_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    assert await run(True, KeyError("x"), KeyError("x"), ValueError("y"), False, False) == 6
    assert [record.getMessage() for record in caplog.records] == [
        "Sweep: failed, will retry",
        "Sweep: working again",
    ]
    assert caplog.records[0].exc_info is not None


async def test_an_error_that_comes_again_later_is_logged_again(caplog: pytest.LogCaptureFixture) -> None:
    await run(KeyError("x"), False, KeyError("x"), False)
    assert [record.levelno for record in caplog.records if record.levelno >= logging.ERROR] == [logging.ERROR] * 2


async def test_a_database_that_cannot_be_used_is_the_storages_to_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    assert await run(StorageUnavailable("locked"), StorageUnavailable("locked"), False) == 3
    assert [record.getMessage() for record in caplog.records] == ["Sweep: working again"]

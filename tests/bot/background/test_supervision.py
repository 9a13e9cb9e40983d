"""Background work survives any error (D5), and logs each kind of error once."""

import asyncio
import logging

import pytest

from bot.background.jobs import supervise
from storage.errors import StorageUnavailable

pytestmark = pytest.mark.virtual_time


async def run(*outcomes: bool | Exception, pause: float = 1.0) -> list[float]:
    """Supervise work whose steps end like this, in order; returns when each began."""
    left = list(outcomes)
    begun: list[float] = []

    async def step() -> bool:
        if not left:
            return False
        begun.append(asyncio.get_running_loop().time())
        outcome = left.pop(0)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    task = asyncio.create_task(supervise("Sweep", step, pause))
    await asyncio.sleep(60)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    return begun


async def test_work_goes_on_after_any_error_a_little_later_each_time_and_logs_it_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO)
    errors = [KeyError("x"), KeyError("x"), *[ValueError("y")] * 7]
    assert await run(True, *errors, False, False) == [0, 0, 1, 3, 7, 15, 23, 31, 39, 47, 55, 56]
    assert [record.getMessage() for record in caplog.records] == [
        "Sweep: failed, will be tried again",
        "Sweep: working again",
    ]
    assert caplog.records[0].exc_info is not None


async def test_work_that_is_seldom_done_is_tried_again_soon_if_it_fails() -> None:
    assert await run(False, KeyError("x"), KeyError("x"), False, False, pause=20) == [0, 20, 21, 23, 43]


async def test_an_error_that_comes_again_later_is_logged_again(caplog: pytest.LogCaptureFixture) -> None:
    await run(KeyError("x"), False, KeyError("x"), False)
    assert [record.levelno for record in caplog.records if record.levelno >= logging.ERROR] == [logging.ERROR] * 2


async def test_a_database_that_cannot_be_used_is_the_storages_to_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    assert len(await run(StorageUnavailable("locked"), StorageUnavailable("locked"), False)) == 3
    assert not caplog.records

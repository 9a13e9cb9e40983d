"""Jobs in other processes: a fair order, no process left behind, and what the jobs are."""

import asyncio
import gc
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path

import psutil
import pytest

from bot.metrics import Metrics
from bot.workers import jobs
from bot.workers.child import NICENESS
from bot.workers.pool import MOST_URGENT, MOST_WAITING, Busy, Failed, Job, Superseded, Workers
from engine import parse_rules
from tests.patience import slowness
from tests.processes import until

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]


def job(
    key: Hashable,
    rules: str = "5x5x4",
    moves: str = "",
    *,
    seconds: float = 1.5,
    urgent: bool = True,
    whose: Hashable = None,
) -> Job[int]:
    """A random move, which takes no time; on 8 by 8 a search, which uses all its time."""
    level = "perfect" if rules == "8x8x5" else "easy"
    return Job(key, partial(jobs.best_cell, rules, moves, level, 1), seconds, urgent=urgent, whose=whose)


def long(key: Hashable, *, seconds: float = 60, urgent: bool = True) -> Job[int]:
    return job(key, "8x8x5", "0123456789", seconds=seconds, urgent=urgent)


@asynccontextmanager
async def workers(size: int = 1, idle: float = 60) -> AsyncIterator[Workers]:
    made = Workers(Metrics(), size, idle)
    try:
        yield made
    finally:
        made.close()
        await until(lambda: not processes())


def processes(parent: int | None = None) -> list[psutil.Process]:
    found = []
    for child in psutil.Process(parent).children():
        with suppress(psutil.NoSuchProcess):
            if any("spawn_main" in word for word in child.cmdline()) and child.status() != psutil.STATUS_ZOMBIE:
                found.append(child)
    return found


async def begun(pool: Workers, asked: Job[int]) -> tuple[asyncio.Task[int], psutil.Process]:
    await pool.run(job("first", urgent=asked.urgent))
    (process,) = processes()
    task = asyncio.create_task(pool.run(asked))
    used = process.cpu_times().user
    await until(lambda: process.cpu_times().user > used + 0.02)
    return task, process


async def test_a_process_gives_way_to_others_and_serves_again() -> None:
    async with workers() as pool:
        assert processes() == [], "none starts before it is needed"
        assert await pool.run(job(1)) in parse_rules("5x5x4").start().legal_moves
        (process,) = processes()
        assert process.nice() >= NICENESS >= 10
        # Between sessions, niceness may not count (`man 7 sched`, the autogroup feature).
        assert os.getsid(process.pid) == os.getsid(0)
        await pool.run(job(2))
        assert processes() == [process]


async def test_there_are_as_many_processes_as_may_be_and_one_for_what_nobody_waits_for() -> None:
    async with workers(2) as pool:
        asked = [job(key, urgent=key % 3 > 0) for key in range(18)]
        assert len(await asyncio.gather(*map(pool.run, asked))) == 18
        assert len(processes()) == 3
    default = Workers(Metrics())
    # Counted without starting one for each core of a big machine.
    assert len(default._groups[True].processes) == max(1, len(os.sched_getaffinity(0)) - 1)  # noqa: SLF001 - see above


async def test_a_process_without_work_ends_and_another_begins_with_the_next() -> None:
    async with workers(idle=0.05) as pool:
        await pool.run(job(1))
        await until(lambda: not processes())
        for key in range(5):
            await pool.run(job(key))
            await asyncio.sleep(0.05)  # for as long as it waits


async def test_a_job_whose_process_is_killed_is_done_by_another_but_fails_if_that_dies_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with workers() as pool:
        task, process = await begun(pool, long(2, seconds=0.5 * slowness()))
        process.kill()
        assert await task in range(10, 64)
        (process,) = processes()
        process.kill()
        process.wait(60)
        monkeypatch.setenv("PYTHONHASHSEED", "no number, so that no interpreter starts")
        with pytest.raises(Failed):
            await pool.run(job(3))
        monkeypatch.undo()
        assert await pool.run(job(4)) in range(25)


async def test_a_job_that_overstays_is_killed_and_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.workers.pool.OVERRUN_SECONDS", 1.0)
    async with workers() as pool:
        await pool.run(job(1, seconds=60))
        (process,) = processes()
        process.suspend()
        with pytest.raises(Failed, match=r"more than 1\.1 s"):
            await pool.run(job(2, seconds=0.1))
        process.wait(60)


async def test_jobs_that_wait_for_each_other_share_the_time_so_that_all_are_done_soon() -> None:
    """Twenty games ask at once, each for a second and a half: one process answers all in about two seconds."""
    async with workers() as pool:
        await pool.run(job("warm"))
        began = time.perf_counter()
        times = []

        async def ask(key: int) -> int:
            cell = await pool.run(long(key, seconds=1.5)._replace(within=1.8))
            times.append(time.perf_counter() - began)
            return cell

        cells = await asyncio.gather(*map(ask, range(20)))
    assert set(cells) <= set(range(10, 64))
    assert times[0] < times[-1] / 2, "the first leaves the others their share"
    assert times[-1] < 30.0, "the time they would take one after the other"


async def test_a_job_that_raises_fails_with_what_it_raised_and_its_process_goes_on() -> None:
    async with workers() as pool:
        await pool.run(job(1))
        before = processes()
        for asked in (job(2, "9x9"), job(3, moves="00"), job(4)._replace(work=lambda _: 1)):
            with pytest.raises(Failed, match=r"InvalidRules|IllegalMove|[Pp]ickle|local object"):
                await pool.run(asked)
        assert processes() == before


@pytest.mark.parametrize("how", ["by its key", "nobody waits any more", "a newer one about the same comes"])
async def test_a_job_that_is_cancelled_ends_with_its_process(how: str) -> None:
    async with workers() as pool:
        task, process = await begun(pool, long(2))
        match how:
            case "by its key":
                pool.cancel(2)
            case "nobody waits any more":
                task.cancel()
        assert await pool.run(job(2)) in range(25)
        with pytest.raises(asyncio.CancelledError if task.cancelled() else Superseded):
            await task
        process.wait(60)


async def test_a_job_that_is_cancelled_before_it_begins_leaves_its_process_to_the_next() -> None:
    async with workers() as pool:
        task = asyncio.create_task(pool.run(job(1)))
        await asyncio.sleep(0)  # it has a process but hasn't started
        pool.cancel(1)
        with pytest.raises(Superseded):
            await task
        async with asyncio.timeout(60):
            assert await pool.run(job(2)) in range(25)


async def test_what_nobody_waits_for_keeps_nobody_waiting() -> None:
    async with workers() as pool:
        later, process = await begun(pool, long("later", urgent=False))
        assert await pool.run(job("now")) in range(25)
        assert not later.done()
        assert process.is_running()
        pool.cancel("later")
        await asyncio.gather(later, return_exceptions=True)


async def test_a_person_with_many_jobs_keeps_nobody_else_waiting_for_all_of_them() -> None:
    """Ann's games ask for ten moves, then Bob's for one: it comes after the one under way and her next."""
    ended: list[str] = []

    async def ask(pool: Workers, key: str, whose: str) -> None:
        await pool.run(job(key, whose=whose))
        ended.append(key)

    async with workers() as pool:
        asked = [asyncio.create_task(ask(pool, f"Ann {number}", "Ann")) for number in range(10)]
        asked.append(asyncio.create_task(ask(pool, "Bob", "Bob")))
        await asyncio.gather(*asked)
    assert ended.index("Bob") <= 1
    assert [key for key in ended if key != "Bob"] == [f"Ann {number}" for number in range(10)]


async def test_there_is_an_end_to_what_waits() -> None:
    async with workers() as pool:
        tasks = []
        for urgent, most in ((True, MOST_URGENT), (False, MOST_WAITING)):
            asked = [long((urgent, number), urgent=urgent) for number in range(most + 1)]
            tasks += [asyncio.create_task(pool.run(each)) for each in asked]
            await asyncio.sleep(0)
            with pytest.raises(Busy):
                await pool.run(long("one more", urgent=urgent))
        pool.close()
        for task in tasks:
            with pytest.raises(Superseded):
                await task
        with pytest.raises(Busy):
            await pool.run(job("after the end"))


async def test_a_loop_that_is_cut_short_leaves_no_process_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cancelling every task also cancels the wait for a process to end, which may take a while."""
    wait = os.waitpid

    def slowly(pid: int, options: int) -> tuple[int, int]:
        ended = wait(pid, options)
        time.sleep(0.35)
        return ended

    monkeypatch.setattr("os.waitpid", slowly)
    pool = Workers(Metrics(), 1)
    await begun(pool, long(1))
    for _ in range(3):
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()
        await asyncio.sleep(0)
    pool.close()
    del pool
    gc.collect()  # anything left open would raise a warning
    await until(lambda: not processes())


SCRIPT = """
import asyncio
from functools import partial
from bot.metrics import Metrics
from bot.workers import jobs
from bot.workers.pool import Job, Workers

async def main():
    pool = Workers(Metrics(), 1)
    await pool.run(Job(1, partial(jobs.best_cell, "5x5x4", "", "easy", 1), 1.5))
    search = asyncio.create_task(pool.run(Job(1, partial(jobs.best_cell, "8x8x5", "", "perfect", 1), 600)))
    await asyncio.sleep(0.05)
    print("busy", flush=True)
    {then}

asyncio.run(main())
"""


@pytest.mark.parametrize(
    ("then", "number"),
    [("await search", signal.SIGKILL), ("await search", signal.SIGTERM), ("raise RuntimeError('a crash')", None)],
)
def test_however_a_bot_ends_its_processes_end_with_it(then: str, number: signal.Signals | None) -> None:
    command = [sys.executable, "-c", SCRIPT.format(then=then)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as bot:
        assert bot.stdout is not None
        assert bot.stdout.readline() == b"busy\n"
        children = psutil.Process(bot.pid).children(recursive=True)
        if number is not None:
            bot.send_signal(number)
        bot.wait(60)
        for child in children:
            child.wait(60)


# What the processes do.


def test_the_strongest_searches_no_longer_than_what_it_is_measured_with() -> None:
    """It would use any time it's given."""
    began = time.process_time()
    jobs.best_cell("6x6x4", "", "perfect", 1, 60)
    assert time.process_time() - began < 10

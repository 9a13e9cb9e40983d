"""The processes that think: few, nice, and never left behind."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil
import pytest

from bot.metrics import Metrics
from bot.thinking import processes
from bot.thinking.worker import NICENESS
from bot.thinking.workers import (
    MOST_URGENT,
    MOST_WAITING,
    TIMES_BACK,
    Busy,
    Failed,
    Job,
    Superseded,
    Workers,
)
from engine import parse_rules

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Hashable

ROOT = Path(__file__).parents[3]


def question(
    key: Hashable,
    *,
    urgent: bool = True,
    whose: Hashable = None,
    **changes: Any,  # noqa: ANN401 - any argument
) -> Job:
    arguments = {"rules": "5x5x4", "moves": "", "level": "easy", "seed": 1, "seconds": 1.5}
    return Job(key, "best", arguments | changes, urgent=urgent, whose=whose)


@asynccontextmanager
async def workers(size: int = 1, idle: float = 60) -> AsyncIterator[Workers]:
    made = Workers(Metrics(), size, idle)
    try:
        yield made
    finally:
        await made.close()
        assert thinking() == []


def thinking(parent: int | None = None) -> list[psutil.Process]:
    """The processes of a process that think."""
    found = []
    for child in psutil.Process(parent).children():
        try:
            if "bot.thinking.worker" in child.cmdline() and child.status() != psutil.STATUS_ZOMBIE:
                found.append(child)
        except psutil.NoSuchProcess:
            continue
    return found


async def frozen(pool: Workers) -> psutil.Process:
    """The one process of a pool, frozen, so that the next job goes on and on."""
    await pool.run(question("first"))
    (process,) = thinking()
    process.suspend()
    return process


async def begun(job: asyncio.Task[Any]) -> None:
    """Let a task come to where it waits."""
    for _ in range(5):
        await asyncio.sleep(0)
    assert not job.done()


async def test_a_question_has_its_answer() -> None:
    async with workers() as pool:
        assert await pool.run(question(1)) in parse_rules("5x5x4").start().legal_moves


async def test_a_process_gives_way_to_others_and_serves_again() -> None:
    async with workers() as pool:
        await pool.run(question(1))
        (process,) = thinking()
        assert process.nice() >= NICENESS >= 10
        # Between sessions niceness may count for nothing (`man 7 sched`, the autogroup feature).
        assert os.getsid(process.pid) == os.getsid(0)
        await pool.run(question(2))
        assert thinking() == [process]


def test_there_are_fewer_processes_than_cores() -> None:
    assert processes.most() == max(1, len(os.sched_getaffinity(0)) - 1)


async def test_however_much_is_asked_there_are_no_more_processes_than_may_be() -> None:
    async with workers(2) as pool:
        assert thinking() == []
        answers = await asyncio.gather(*(pool.run(question(key)) for key in range(12)))
        assert len(answers) == 12
        assert len(thinking()) == 2


async def test_a_process_without_work_ends_and_another_begins_with_the_next() -> None:
    async with workers(idle=0.05) as pool:
        await pool.run(question(1))
        async with asyncio.timeout(10):
            while thinking():  # noqa: ASYNC110 - the end of a process that nobody started here is told to nobody
                await asyncio.sleep(0.01)
        for key in range(5):
            await pool.run(question(key))
            await asyncio.sleep(0.05)  # just as long as it waits


async def test_a_question_whose_process_is_killed_is_answered_by_another() -> None:
    async with workers() as pool:
        process = await frozen(pool)
        job = asyncio.create_task(pool.run(question(2)))
        await begun(job)
        process.kill()
        assert await job in range(25)
        assert thinking() != [process]


async def test_a_question_that_kills_every_process_has_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONHASHSEED", "no number, so that no interpreter starts")
    async with workers() as pool:
        with pytest.raises(Failed):
            await pool.run(question(1))
        monkeypatch.undo()
        assert await pool.run(question(2)) in range(25)


async def test_a_process_that_is_stuck_is_given_up_and_nobody_waits_for_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with workers() as pool:
        process = await frozen(pool)
        monkeypatch.setattr("bot.thinking.workers.GRACE_SECONDS", 0.1)
        with pytest.raises(Failed):
            await pool.run(question(2, seconds=0.1))
        monkeypatch.undo()
        assert process not in thinking()
        assert await pool.run(question(3)) in range(25)


async def test_what_nobody_waits_for_is_tried_again_after_a_process_was_stuck(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with workers() as pool:
        process = await frozen(pool)
        monkeypatch.setattr("bot.thinking.workers.PATIENT_SECONDS", 4.0)
        assert await pool.run(question(2, seconds=0.1, urgent=False)) in range(25)
        assert process not in thinking()


async def test_who_asks_at_once_shares_the_time_so_that_all_are_answered_soon() -> None:
    """Twenty games ask at once, each for a second and a half: one process answers all in about two seconds."""
    async with workers() as pool:
        await pool.run(question("warm"))
        began = time.perf_counter()
        long = question(0, rules="8x8x5", level="perfect", moves="0123456789")._replace(within=1.8)
        jobs = [long._replace(key=key) for key in range(20)]
        times = []

        async def ask(job: Job) -> int:
            cell = await pool.run(job)
            times.append(time.perf_counter() - began)
            return int(cell)

        cells = await asyncio.gather(*map(ask, jobs))
    assert set(cells) <= set(range(10, 64))
    assert times[0] < 1.5, "the first leaves the others their share"
    assert times[-1] < 6.0, "not 30"


async def test_a_process_that_says_something_else_leaves_nobody_waiting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whatever goes wrong with looking after a process, who has asked hears of it, and the next is served."""

    async def odd(*_: object) -> list[str]:
        return ["no answer"]

    async with workers() as pool:
        monkeypatch.setattr("bot.thinking.processes.exchange", odd)
        with pytest.raises(Failed):
            await pool.run(question(1))
        monkeypatch.undo()
        assert await pool.run(question(2)) in range(25)


async def test_a_question_that_makes_no_sense_is_told_and_the_process_goes_on() -> None:
    async with workers() as pool:
        await pool.run(question(1))
        before = thinking()
        for job in (question(2, rules="9x9"), question(3, moves="00"), Job(4, "dance", {"seconds": 1})):
            with pytest.raises(Failed, match=r"InvalidRules|IllegalMove|KeyError"):
                await pool.run(job)
        assert thinking() == before


async def test_a_newer_question_about_the_same_takes_the_place_of_the_older() -> None:
    async with workers() as pool:
        process = await frozen(pool)
        older = asyncio.create_task(pool.run(question(2)))
        await begun(older)
        assert await pool.run(question(2, level="hard")) in range(25)
        with pytest.raises(Superseded):
            await older
        assert process not in thinking()


async def test_calling_off_ends_the_process_that_thinks() -> None:
    async with workers() as pool:
        process = await frozen(pool)
        job = asyncio.create_task(pool.run(question(2)))
        await begun(job)
        assert 2 in pool
        pool.cancel(2)
        assert 2 not in pool
        with pytest.raises(Superseded):
            await job
        process.wait(5)
        assert await pool.run(question(3)) in range(25)


async def test_who_waits_no_more_calls_it_off() -> None:
    async with workers() as pool:
        process = await frozen(pool)
        job = asyncio.create_task(pool.run(question(2)))
        await begun(job)
        job.cancel()
        await asyncio.gather(job, return_exceptions=True)
        assert 2 not in pool
        process.wait(5)


async def test_what_nobody_waits_for_comes_last() -> None:
    async with workers() as pool:
        process = await frozen(pool)
        order: list[int] = []

        async def ask(key: int, *, urgent: bool) -> None:
            await pool.run(question(key, urgent=urgent))
            order.append(key)

        asked = {0: True, 1: False, 2: False, 3: True, 4: True}
        tasks = [asyncio.create_task(ask(key, urgent=urgent)) for key, urgent in asked.items()]
        await begun(tasks[0])
        process.resume()
        await asyncio.gather(*tasks)
        assert order == [0, 3, 4, 1, 2]


async def test_what_nobody_waits_for_stands_back_for_somebody_who_does_and_is_done_later() -> None:
    async with workers() as pool:
        process = await frozen(pool)
        later = asyncio.create_task(pool.run(question("later", urgent=False)))
        await begun(later)
        assert await pool.run(question("now")) in range(25)
        assert not process.is_running()
        assert await later in range(25)


async def test_what_stands_back_does_so_only_so_often_and_is_short_then() -> None:
    async with workers() as pool:
        await frozen(pool)
        long = question("later", urgent=False, rules="8x8x5", level="perfect", seconds=60)
        later = asyncio.create_task(pool.run(long))
        for number in range(TIMES_BACK + 1):
            await begun(later)
            now = asyncio.create_task(pool.run(question(number)))
            if number < TIMES_BACK:
                await now
                async with asyncio.timeout(10):
                    while not (found := thinking()):  # noqa: ASYNC110 - it begins when it does
                        await asyncio.sleep(0.005)
                for process in found:
                    process.suspend()
        assert not now.done()
        for process in thinking():
            process.resume()
        async with asyncio.timeout(30):
            await asyncio.gather(now, later)


async def test_there_is_an_end_to_what_waits() -> None:
    async with workers() as pool:
        await frozen(pool)
        jobs = [asyncio.create_task(pool.run(question(key))) for key in range(MOST_WAITING + 1)]
        await begun(jobs[0])
        with pytest.raises(Busy):
            await pool.run(question("that nobody waits for", urgent=False))
        more = range(MOST_WAITING + 1, MOST_URGENT + 1)
        jobs += [asyncio.create_task(pool.run(question(key))) for key in more]
        await begun(jobs[-1])
        with pytest.raises(Busy):
            await pool.run(question("one more"))
        await pool.close()
        for job in jobs:
            with pytest.raises(Superseded):
                await job
        with pytest.raises(Busy):
            await pool.run(question("after the end"))


SCRIPT = """
import asyncio
from bot.metrics import Metrics
from bot.thinking import processes
from bot.thinking.workers import Job, Workers

async def main():
    pool = Workers(Metrics(), 1)
    await pool.run(Job(1, "best", dict(rules="5x5x4", moves="", level="easy", seed=1, seconds=1.5)))
    print("warm", flush=True)
    while True:
        await pool.run(Job(1, "best", dict(rules="8x8x5", moves="", level="perfect", seed=1, seconds=1.5)))

asyncio.run(main())
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_whoever_dies_while_others_think_leaves_nobody_behind(number: signal.Signals) -> None:
    with subprocess.Popen([sys.executable, "-c", SCRIPT], cwd=ROOT, stdout=subprocess.PIPE) as bot:
        assert bot.stdout is not None
        assert bot.stdout.readline() == b"warm\n"
        (worker,) = thinking(bot.pid)
        bot.send_signal(number)
        began = time.monotonic()
        bot.wait(5)
        worker.wait(5)
        assert time.monotonic() - began < 5


async def test_who_has_many_jobs_keeps_nobody_else_waiting_for_all_of_them() -> None:
    """Ann's games ask for ten moves, then Bob's for one: it comes after the one under way and her next."""
    ended: list[str] = []

    async def ask(pool: Workers, key: str, whose: str) -> None:
        await pool.run(question(key, whose=whose))
        ended.append(key)

    async with workers() as pool:
        asked = [asyncio.create_task(ask(pool, f"Ann {number}", "Ann")) for number in range(10)]
        asked.append(asyncio.create_task(ask(pool, "Bob", "Bob")))
        await asyncio.gather(*asked)
    assert ended.index("Bob") <= 1
    assert [key for key in ended if key != "Bob"] == [f"Ann {number}" for number in range(10)]

"""Processes that work for the bot, so that it answers meanwhile: each one, and all together.

It is a `ProcessPoolExecutor` of one process: an executor of several could not end a single job, and one process
that dies would fail the jobs of all.

Urgent jobs, which a player waits for, and all others have separate processes, so neither waits for the other.
"""

from __future__ import annotations

import asyncio
import logging
import math
import os
import sys
import time
from collections.abc import Callable, Hashable
from concurrent import futures
from functools import partial
from typing import Any, Final, Generic, NamedTuple, TypeVar

from bot.metrics import Metrics

T = TypeVar("T")

log = logging.getLogger(__name__)

MOST_WAITING: Final = 64
"""With this many jobs waiting, no more that aren't urgent are accepted."""
MOST_URGENT: Final = 1024
"""With this many jobs waiting, none are accepted."""
LEAST_JOB_SECONDS: Final = 0.1
"""What a job may take, however long it waited."""
IDLE_SECONDS: Final = 60.0
"""A process without a job ends after this long."""
OVERRUN_SECONDS: Final = 5.0
"""How far a job may overrun, including the start of its process, before it is killed."""
PATIENT_SECONDS: Final = 15.0
"""The same for jobs that aren't urgent."""
JOB_TRIES: Final = 2
"""How often a job is tried when its process dies."""


class Died(Exception):
    """A process died during a job or could not be started."""


class Process:
    """A process that starts with its first job and ends after `idle` seconds without one."""

    def __init__(self, idle: float) -> None:
        self._idle = idle
        self._executor: futures.ProcessPoolExecutor | None = None
        self._timer: asyncio.TimerHandle | None = None

    async def run(self, work: Callable[[], T], seconds: float) -> T:
        """Do one job; its exceptions are raised here. If this is cancelled, the process is killed.

        Raises Died if the process died or cannot be started, TimeoutError if it was killed after so many seconds.
        """
        if self._timer is not None:
            self._timer.cancel()
        future = self._submit(work)
        try:
            async with asyncio.timeout(seconds):
                return await asyncio.wrap_future(future)
        except futures.BrokenExecutor as error:
            self.kill()
            raise Died(str(error)) from error
        finally:
            if not future.done():
                self.kill()
            self._timer = asyncio.get_running_loop().call_later(self._idle, self.kill)

    def kill(self) -> None:
        """Kill the process; the next job starts another.

        Python 3.14 has `ProcessPoolExecutor.kill_workers` for this.
        """
        if self._timer is not None:
            self._timer.cancel()
        executor, self._executor = self._executor, None
        processes = None if executor is None else executor._processes  # noqa: SLF001 - until then there is no other way
        for process in tuple((processes or {}).values()):
            process.kill()

    def _submit(self, work: Callable[[], T]) -> futures.Future[T]:
        try:
            if self._executor is None:
                self._executor = _start()
            return self._executor.submit(work)
        except (futures.BrokenExecutor, OSError) as error:
            self.kill()
            raise Died(str(error)) from error


def _start() -> futures.ProcessPoolExecutor:
    import multiprocessing  # noqa: PLC0415 - a bot that needs no process does not load it

    from bot.workers import child  # noqa: PLC0415 - nor what runs in one

    # A fork would copy the bot with its connections and locks.
    return futures.ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), child.give_way)


class NoAnswer(Exception):
    """A job has no answer."""


class Busy(NoAnswer):
    """Too many jobs are waiting."""


class Superseded(NoAnswer):
    """A newer job with the same key has taken its place, or it was cancelled."""


class Failed(NoAnswer):
    """The job raised an exception or took too long, or its processes died."""


class Job(NamedTuple, Generic[T]):
    """Some work for another process."""

    key: Hashable
    """What it is about, such as a game. A newer job with the same key replaces it."""
    work: Callable[[float], T]
    """A function of `bot.workers.jobs` with all its arguments but the last, the seconds that it may take."""
    seconds: float
    """The most that it may take."""
    urgent: bool = True
    """Whether a player waits for it."""
    whose: Hashable = None
    """The person who waits. Everybody's first job comes before anybody's second."""
    within: float | None = None
    """How many seconds until the answer is wanted; jobs that compete become shorter."""


class _Entry:
    """A job that waits or runs."""

    def __init__(self, job: Job[Any], rank: int) -> None:
        self.job = job
        self.rank = rank
        """How many jobs of the same person came before it."""
        self.answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self.since = time.monotonic()
        self.task: asyncio.Task[None] | None = None
        """Its task, once its turn has come."""


class _Group(NamedTuple):
    """The processes for one kind of jobs."""

    processes: tuple[Process, ...]
    free: list[Process]
    most: int
    grace: float


class Workers:
    """Does jobs in other processes.

    By default one fewer than there are cores do urgent jobs; one more does the rest.
    """

    def __init__(self, metrics: Metrics, size: int | None = None, idle: float = IDLE_SECONDS) -> None:
        self._metrics = metrics
        self._groups = {
            True: _group(size or max(1, _cores() - 1), idle, MOST_URGENT, OVERRUN_SECONDS),
            False: _group(1, idle, MOST_WAITING, PATIENT_SECONDS),
        }
        """By whether their jobs are urgent."""
        self._entries: dict[Hashable, _Entry] = {}
        self._closed = False
        metrics.thinking_queue.set_function(lambda: len(self._entries))

    async def run(self, job: Job[T]) -> T:
        """Do a job in its turn, or raise a NoAnswer. Cancelling this cancels the job."""
        self.cancel(job.key)
        if self._closed or len(self._waiting(urgent=job.urgent)) >= self._groups[job.urgent].most:
            raise Busy(f"{len(self._entries)} jobs are waiting already.")
        mine = 0 if job.whose is None else sum(other.job.whose == job.whose for other in self._entries.values())
        entry = self._entries[job.key] = _Entry(job, mine)
        self._begin(urgent=job.urgent)
        try:
            answer: T = await entry.answer
        finally:
            self._drop(entry)
        return answer

    def cancel(self, key: Hashable) -> None:
        """Cancel the job with this key, if there is one; a process that runs it is killed."""
        if (entry := self._entries.get(key)) is not None:
            _fail(entry, Superseded("It was cancelled."))
            self._drop(entry)

    def close(self) -> None:
        """Cancel all jobs and end all processes."""
        self._closed = True
        for key in tuple(self._entries):
            self.cancel(key)
        for group in self._groups.values():
            for process in group.processes:
                process.kill()

    def _drop(self, entry: _Entry) -> None:
        if self._entries.get(entry.job.key) is entry:
            del self._entries[entry.job.key]
        if entry.task is not None:
            entry.task.cancel()

    def _waiting(self, *, urgent: bool) -> list[_Entry]:
        return [entry for entry in self._entries.values() if entry.task is None and entry.job.urgent == urgent]

    def _begin(self, *, urgent: bool) -> None:
        group = self._groups[urgent]
        while group.free and (waiting := self._waiting(urgent=urgent)):
            entry, process = min(waiting, key=lambda entry: entry.rank), group.free.pop()
            entry.task = asyncio.get_running_loop().create_task(self._do(entry, process))
            entry.task.add_done_callback(partial(self._ended, entry, process))

    async def _do(self, entry: _Entry, process: Process) -> None:
        try:
            answer = await self._answer(entry, process)
            if not entry.answer.done():
                entry.answer.set_result(answer)
        except Failed as error:
            _fail(entry, error)

    def _ended(self, entry: _Entry, process: Process, _task: asyncio.Task[None]) -> None:
        """Free the process for the next job; this one may have been cancelled before it began."""
        self._metrics.thinking.observe(time.monotonic() - entry.since)
        self._groups[entry.job.urgent].free.append(process)
        self._begin(urgent=entry.job.urgent)

    async def _answer(self, entry: _Entry, process: Process) -> Any:  # noqa: ANN401 - what the job returns
        """Do a job, and repeat it if its process dies, but not if it takes too long.

        Raises Failed if it cannot be done.
        """
        grace = self._groups[entry.job.urgent].grace
        for _ in range(JOB_TRIES):
            seconds = self._seconds(entry)
            try:
                return await process.run(partial(entry.job.work, seconds), seconds + grace)
            except TimeoutError:
                raise Failed(f"It has taken more than {seconds + grace:.1f} s.") from None
            except Died as error:
                log.warning("A worker process died: %s", error)
            except Exception as error:
                raise Failed(f"{type(error).__name__}: {error}") from error
        raise Failed("The processes that worked on it died.")

    def _seconds(self, entry: _Entry) -> float:
        """What a job may take if it begins now and shares the time that is left with those waiting."""
        job = entry.job
        if job.within is None:
            return job.seconds
        left = entry.since + job.within - time.monotonic()
        turns = math.ceil((1 + len(self._waiting(urgent=job.urgent))) / len(self._groups[job.urgent].processes))
        return min(job.seconds, max(left / turns, LEAST_JOB_SECONDS))


def _group(size: int, idle: float, most: int, grace: float) -> _Group:
    processes = tuple(Process(idle) for _ in range(size))
    return _Group(processes, list(processes), most, grace)


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


def _fail(entry: _Entry, error: NoAnswer) -> None:
    if not entry.answer.done():
        entry.answer.set_exception(error)

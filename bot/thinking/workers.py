"""The processes that think: few, nice to all others, started when they are needed and ended when they are not."""

from __future__ import annotations

import asyncio
import logging
import math
import time
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from bot.thinking import processes

if TYPE_CHECKING:
    from asyncio.subprocess import Process
    from collections.abc import Hashable, Mapping

    from bot.metrics import Metrics

log = logging.getLogger(__name__)

MOST_WAITING: Final = 64
"""With so many jobs waiting, none is taken any more that nobody waits for."""
MOST_URGENT: Final = 1024
"""The most jobs that wait in all; beyond it whoever asks hears so at once."""
LEAST_SECONDS: Final = 0.1
"""What a job has for itself however long it has waited."""
IDLE_SECONDS: Final = 60.0
"""After so long without a job a process ends."""
GRACE_SECONDS: Final = 5.0
"""What a job may take beyond its own seconds, a process's start included, before its process counts as stuck."""
PATIENT_SECONDS: Final = 15.0
"""The same for what nobody waits for: on a machine that has much else to do a process gets little of it."""
TIMES_BACK: Final = 3
"""How often a job that nobody waits for stands back for others."""
LAST_SECONDS: Final = 1.0
"""What such a job has when it stands back no more, so that nobody waits long for it."""
TRIES: Final = 2
"""How often a job whose process ends is begun, by another process each time."""


class NoAnswer(Exception):
    """A job has no answer."""


class Busy(NoAnswer):
    """Too many jobs wait already."""


class Superseded(NoAnswer):
    """Another job about the same has taken its place, or it was called off."""


class Failed(NoAnswer):
    """The job has ended in an error, its process is stuck, or processes have ended in the middle of it."""


class Job(NamedTuple):
    """Something to think about."""

    key: Hashable
    """What it is about, such as a game; a newer job about the same takes its place."""
    name: str
    """What is asked, one of `bot.thinking.jobs`."""
    arguments: Mapping[str, Any]
    """Values of JSON by name; `seconds` among them bounds it."""
    urgent: bool = True
    """Whether somebody waits for it; the others come after these."""
    whose: Hashable = None
    """Who waits for it. Of those who have many jobs, each one comes after what others wait for."""
    within: float | None = None
    """After so many seconds the answer is wanted: what is left of them it shares with those that wait."""


class _Asked:
    """A job with its answer to come."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self.process: Process | None = None
        """Who thinks about it now."""
        self.number = 0
        """Its place among all."""
        self.own = 0
        """How many jobs of the same person there were before it."""
        self.stands_back = False
        """Whether its process was ended for a job that somebody waits for."""
        self.stood_back = 0
        self.at = time.perf_counter()

    def seconds(self, turns: int) -> float:
        """What the job may take if it begins now, and so many that wait take their turns in the same time."""
        seconds = float(self.job.arguments["seconds"])
        if self.stood_back >= TIMES_BACK:
            return min(seconds, LAST_SECONDS)
        if self.job.within is None:
            return seconds
        left = self.at + self.job.within - time.perf_counter()
        return min(seconds, max(left / turns, LEAST_SECONDS))


class Workers:
    """A pool of processes that do jobs, those that were asked for first first.

    Args:
        metrics: Where it counts.
        size: The most processes; by default one less than this process has cores.
        idle: After how many seconds without a job a process ends.
    """

    def __init__(self, metrics: Metrics, size: int | None = None, idle: float = IDLE_SECONDS) -> None:
        self._metrics = metrics
        self._size = size or processes.most()
        self._idle_seconds = idle
        self._asked: dict[Hashable, _Asked] = {}
        self._queue: asyncio.PriorityQueue[tuple[bool, int, int, _Asked]] = asyncio.PriorityQueue()
        self._number = 0
        self._slots: set[asyncio.Task[None]] = set()
        self._idle = 0
        self._closed = False
        metrics.thinking_queue = lambda: len(self._asked)

    def __contains__(self, key: Hashable) -> bool:
        """Whether a job about this waits or is thought about."""
        return key in self._asked

    async def run(self, job: Job) -> Any:  # noqa: ANN401 - a value of JSON
        """Do a job, in its turn. Whoever is cancelled while waiting for it calls it off.

        Raises:
            Busy: Too many wait already.
            Superseded: A newer one about the same has come, or `cancel` was called.
            Failed: It cannot be done.
        """
        self.cancel(job.key)
        most = MOST_URGENT if job.urgent else MOST_WAITING
        if self._closed or len(self._asked) >= most + self._size:
            raise Busy(f"{len(self._asked)} jobs wait already.")
        own = 0 if job.whose is None else sum(other.job.whose == job.whose for other in self._asked.values())
        asked = self._asked[job.key] = _Asked(job)
        asked.own = own
        self._number += 1
        asked.number = self._number
        self._put(asked)
        if self._queue.qsize() > self._idle:
            if len(self._slots) < self._size:
                self._open_slot()
            elif job.urgent:
                self._make_room()
        try:
            return await asked.answer
        finally:
            self._drop(asked)

    def cancel(self, key: Hashable) -> None:
        """Call off the job about this, if there is one; a process that thinks about it ends."""
        if (asked := self._asked.get(key)) is not None:
            _fail(asked, Superseded("It was called off."))
            self._drop(asked)

    async def close(self) -> None:
        """Call off all jobs and end all processes."""
        self._closed = True
        for key in tuple(self._asked):
            self.cancel(key)
        slots = tuple(self._slots)
        for slot in slots:
            slot.cancel()
        await asyncio.gather(*slots, return_exceptions=True)

    def _drop(self, asked: _Asked) -> None:
        """Forget a job, and end the process that still thinks about it."""
        if self._asked.get(asked.job.key) is asked:
            del self._asked[asked.job.key]
        if asked.process is not None:
            processes.kill(asked.process)

    def _put(self, asked: _Asked) -> None:
        self._queue.put_nowait((not asked.job.urgent, asked.own, asked.number, asked))

    def _make_room(self) -> None:
        """Let a job that nobody waits for stand back, to be begun anew later; but not for ever."""
        for asked in self._asked.values():
            may = not asked.job.urgent and asked.stood_back < TIMES_BACK
            if may and asked.process is not None and not asked.stands_back:
                asked.stands_back = True
                asked.stood_back += 1
                processes.kill(asked.process)
                return

    def _open_slot(self) -> None:
        slot = asyncio.create_task(self._serve())
        self._slots.add(slot)
        slot.add_done_callback(self._slot_ended)

    def _slot_ended(self, slot: asyncio.Task[None]) -> None:
        self._slots.discard(slot)
        if not slot.cancelled() and (error := slot.exception()) is not None:
            log.error("A process that thinks cannot be looked after", exc_info=error)
        if not self._closed and not self._queue.empty() and not self._slots:
            self._open_slot()  # it was asked for just as the slot gave up waiting

    async def _serve(self) -> None:
        """Do one job after another with one process at a time, until there is none for a while."""
        process: Process | None = None
        asked: _Asked | None = None
        try:
            while (asked := await self._next()) is not None:
                for _ in range(TRIES):
                    is_stuck = False
                    try:
                        process = process or await processes.start()
                        self._settle(asked, await _think(process, asked, self._turns()))
                    except (OSError, TimeoutError, ValueError) as error:
                        await processes.end(process)
                        process = None
                        is_stuck = isinstance(error, TimeoutError)
                        if not (asked.answer.done() or asked.stands_back):
                            log.warning("A process that thinks has failed: %s", error or type(error).__name__)
                    # Nobody waits twice as long for what has not come in time.
                    if asked.answer.done() or asked.stands_back or (is_stuck and asked.job.urgent):
                        break
                if asked.stands_back and not asked.answer.done():
                    asked.stands_back = False
                    self._put(asked)
                else:
                    _fail(asked, Failed("The processes that thought about it have failed."))
        finally:
            if asked is not None:
                _fail(asked, Failed("Nobody looks after it any more."))
            await processes.end(process)

    async def _next(self) -> _Asked | None:
        """The next job that is still wanted; None after a while without."""
        self._idle += 1
        try:
            while True:
                *_, asked = await asyncio.wait_for(self._queue.get(), self._idle_seconds)
                if not asked.answer.done():
                    return asked
        except TimeoutError:
            return None
        finally:
            self._idle -= 1

    def _turns(self) -> int:
        """How many jobs that somebody waits for each process has before it, with the one that begins."""
        waiting = sum(asked.job.urgent and asked.process is None for asked in self._asked.values())
        return max(1, math.ceil(waiting / self._size))

    def _settle(self, asked: _Asked, answer: Mapping[str, Any]) -> None:
        """Take the answer of a process, if anybody still wants it."""
        self._metrics.thinking.observe(time.perf_counter() - asked.at)
        if "error" in answer:
            _fail(asked, Failed(answer["error"]))
        elif not asked.answer.done():
            asked.answer.set_result(answer["result"])


def _fail(asked: _Asked, error: NoAnswer) -> None:
    """Say that there is no answer, unless there is one."""
    if not asked.answer.done():
        asked.answer.set_exception(error)


async def _think(process: Process, asked: _Asked, turns: int) -> Mapping[str, Any]:
    """Let a process do a job.

    Raises:
        OSError, ValueError: if the process has ended, or says something else.
        TimeoutError: if it takes too long.
    """
    job = asked.job
    asked.process = process
    try:
        seconds = asked.seconds(turns)
        async with asyncio.timeout(seconds + (GRACE_SECONDS if job.urgent else PATIENT_SECONDS)):
            return await processes.exchange(process, job.name, {**job.arguments, "seconds": seconds})
    finally:
        asked.process = None

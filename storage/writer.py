"""One thread that owns the database connection and commits what arrives together in one transaction.

A commit waits for the disk, so it is the dear part of a small transaction; while one is under way, the next jobs
gather, and they share the following commit (group commit). If a shared transaction fails, each of its jobs runs
again in a transaction of its own, so that one bad job fails alone. Jobs must therefore be repeatable: they may
change nothing but the database.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from contextlib import contextmanager
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol, TypeVar

from sqlalchemy.exc import DatabaseError, DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from storage.errors import ConcurrentChange, StorageUnavailable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from sqlalchemy import Connection, Engine

P_contra = TypeVar("P_contra", contravariant=True)
R_co = TypeVar("R_co", covariant=True)

log = logging.getLogger(__name__)

BATCH: Final = 256
"""The most jobs that share a transaction: beyond this a commit is cheap and waiting is not."""

WAITING: Final = 10_000
"""The most jobs that may wait; more are refused, so that an outage cannot fill the memory."""

PATIENCE: Final = 5.0
"""For how many seconds jobs wait at the start of an outage; a database server restarts in about one."""

CONFLICTS: Final = frozenset({"40001", "40P01", "23505"})
"""PostgreSQL's codes for a serialization failure, a deadlock and a key that another transaction has just stored:
a second try sees what that one wrote."""


LOCKED: Final = "55P03"
"""PostgreSQL's code for a lock that was waited for too long."""

SHORT_WAIT: Final = "SET LOCAL lock_timeout = '15ms'"
"""Two processes' shared transactions may wait for each other, each for a game that the other holds. PostgreSQL
notices that after a second; this ends it at once, and each job then runs alone, where no such circle can be."""


class Work(Protocol[P_contra, R_co]):
    """What a transaction is made of: takes payloads, in order, and gives each its result or its error."""

    def __call__(self, connection: Connection, payloads: Sequence[P_contra], /) -> Sequence[R_co | Exception]:
        """Do all of it in the connection's open transaction."""


class Job(NamedTuple):
    """One caller's wish; neighbours with the same `work` are handed to it together."""

    work: Work[Any, Any]
    payload: Any
    future: asyncio.Future[Any]


class Writer:
    """The thread and its queue; belongs to the event loop that it was made in."""

    def __init__(self, engine: Engine, *, observe: Callable[[float, int], None] | None = None) -> None:
        """Start the thread; `observe` is told the seconds and the number of jobs of every transaction."""
        self._engine = engine
        self._observe = observe
        self._queue: SimpleQueue[Job | None] = SimpleQueue()
        self._loop = asyncio.get_running_loop()
        self._failing = False
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._serve, name="storage", daemon=True)
        self._thread.start()

    async def submit(self, work: Work[P_contra, R_co], payload: P_contra) -> R_co:
        """Do a job in the next transaction.

        Raises:
            StorageUnavailable: if the database cannot be used now, or too many jobs wait.
            Exception: whatever the job itself raised; it then changed nothing.
        """
        if self._queue.qsize() >= WAITING:
            raise StorageUnavailable("too many jobs wait for the database")
        future: asyncio.Future[R_co] = self._loop.create_future()
        self._queue.put(Job(work, payload, future))
        return await future

    @property
    def waiting(self) -> int:
        """How many jobs wait."""
        return self._queue.qsize()

    async def close(self) -> None:
        """Finish all jobs that wait, then end the thread."""
        self._closing.set()
        self._queue.put(None)
        await asyncio.to_thread(self._thread.join)

    def _serve(self) -> None:
        open_ = True
        while open_:
            jobs, open_ = self._next_batch()
            if not jobs:
                continue
            started = time.perf_counter()
            results = self._transact(jobs)
            if self._observe is not None:
                self._observe(time.perf_counter() - started, len(jobs))
            self._loop.call_soon_threadsafe(_deliver, jobs, results)

    def _next_batch(self) -> tuple[list[Job], bool]:
        """Wait for a job and take what else is there; False when the queue was closed behind them."""
        jobs: list[Job] = []
        job = self._queue.get()
        while job is not None:
            jobs.append(job)
            if len(jobs) == BATCH:
                return jobs, True
            try:
                job = self._queue.get_nowait()
            except Empty:
                return jobs, True
        return jobs, False

    def _transact(self, jobs: Sequence[Job]) -> Sequence[Any]:
        """Commit jobs together or, if that fails, each alone; a job that met another process's, once more."""
        try:
            return self._commit_patiently(jobs)
        except StorageUnavailable as error:
            return [error] * len(jobs)
        except Exception as error:  # noqa: BLE001 - every error goes to the caller who awaits it
            if len(jobs) > 1:
                return [result for job in jobs for result in self._transact([job])]
            if not isinstance(error, ConcurrentChange):
                return [error]
        try:
            return self._commit_patiently(jobs)
        except Exception as error:  # noqa: BLE001 - as above
            return [error]

    def _commit_patiently(self, jobs: Sequence[Job]) -> Sequence[Any]:
        """Commit jobs together; where an outage begins, keep trying for `PATIENCE`, and log it once."""
        deadline = time.monotonic() + (0 if self._failing else PATIENCE)
        pause = 0.05
        while True:
            try:
                results = self._commit(jobs)
            except StorageUnavailable as error:
                if time.monotonic() + pause < deadline and not self._closing.wait(pause):
                    pause *= 2
                    continue
                if not self._failing:
                    self._failing = True
                    log.error("The database cannot be used: %s", error)  # noqa: TRY400 - the cause says it all
                raise
            if self._failing:
                self._failing = False
                log.warning("The database can be used again")
            return results

    def _commit(self, jobs: Sequence[Job]) -> Sequence[Any]:
        results: list[Any] = []
        shared = len(jobs) > 1
        with _faults_told_apart(shared=shared), self._engine.begin() as connection:
            if shared and connection.dialect.name == "postgresql":
                connection.exec_driver_sql(SHORT_WAIT)
            for work, payloads in _runs(jobs):
                results += work(connection, payloads)
        return results


@contextmanager
def _faults_told_apart(*, shared: bool) -> Iterator[None]:
    """Tell a database that cannot be used, and another process in the way, from a faulty statement."""
    try:
        yield
    except (DBAPIError, PoolTimeout) as error:
        cause = error.orig if isinstance(error, DBAPIError) else error
        code = getattr(cause, "sqlstate", None)
        if code in CONFLICTS or (shared and code == LOCKED):
            raise ConcurrentChange(str(cause)) from error
        # Other subclasses tell of a faulty statement; the base itself, of a file that is damaged or no database.
        if (
            not isinstance(error, (OperationalError, InterfaceError, PoolTimeout))
            and type(error) is not DatabaseError
        ):
            raise
        raise StorageUnavailable(" ".join(str(cause).split())) from error


def _runs(jobs: Sequence[Job]) -> Iterator[tuple[Work[Any, Any], list[Any]]]:
    """Split jobs into runs of neighbours with the same work, so that their order is kept."""
    start = 0
    for end in range(1, len(jobs) + 1):
        if end == len(jobs) or jobs[end].work is not jobs[start].work:
            yield jobs[start].work, [job.payload for job in jobs[start:end]]
            start = end


def _deliver(jobs: Sequence[Job], results: Sequence[Any]) -> None:
    for job, result in zip(jobs, results, strict=True):
        if job.future.done():
            continue
        if isinstance(result, Exception):
            job.future.set_exception(result)
        else:
            job.future.set_result(result)

"""Group commit: one thread owns the database connection, and jobs that arrive together share a transaction.

The expensive part of a small transaction is its commit, which waits for the disk. While one is under way, the next
jobs queue up, and they share the commit after it. If a shared transaction fails, each half of its jobs runs again,
until the bad job fails alone. So jobs must be repeatable: they may change nothing but the database.
"""

import asyncio
import logging
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from queue import Empty, SimpleQueue
from typing import Any, Final, NamedTuple, Protocol, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from storage.database import has_written
from storage.errors import ConcurrentChange, LockedRow, OtherRelease, StorageUnavailable, TooSlow
from storage.migrate import HEAD, revision

P_contra = TypeVar("P_contra", contravariant=True)
R_co = TypeVar("R_co", covariant=True)

log = logging.getLogger(__name__)

BATCH_JOBS: Final = 256
"""The most jobs that share a transaction: with more, a commit is hardly cheaper for each, and they wait longer."""

MOST_JOBS: Final = 10_000
"""The most jobs that may wait; more are refused, so that an outage can't fill the memory."""

OUTAGE_SECONDS: Final = 5.0
"""For so many seconds from the start of an outage another try may begin; a database server restarts in one."""

WRITER_CLOSING_SECONDS: Final = 2.0

CONFLICTS: Final = frozenset({"40001", "40P01", "23505"})
"""PostgreSQL's codes for a serialization failure, a deadlock and a key that another transaction has just stored:
a second try sees what that one wrote."""

LOCKED: Final = "55P03"
"""PostgreSQL's code for a lock that wasn't available in time."""

UNUSABLE: Final = frozenset({"25006", "25P03"})
"""PostgreSQL's codes for a server that takes no writes now, such as a replica before its promotion, and for a
transaction that the server has ended because this process was frozen in it."""

FAULTY: Final = frozenset(
    {
        sqlite3.SQLITE_ERROR,
        sqlite3.SQLITE_TOOBIG,
        sqlite3.SQLITE_CONSTRAINT,
        sqlite3.SQLITE_MISMATCH,
        sqlite3.SQLITE_MISUSE,
        sqlite3.SQLITE_RANGE,
    }
)
"""SQLite's codes for a faulty statement or value; all others mean a file that can't be used now."""

TOO_SLOW: Final = "57014"
"""PostgreSQL's code for a statement that took longer than it may."""

LONE_WAIT: Final = "SET LOCAL lock_timeout = '60ms'"
"""A job that runs alone may wait a little longer than the connection's setting says (`storage.database`), but not
for long, because all others wait behind it: it tries again later."""

TRY_AGAIN_SECONDS: Final = 0.3
LOCKED_SECONDS: Final = 12.0
"""How long a job keeps trying for a row that another process holds; a frozen process is cut off after 5 s."""


class Work(Protocol[P_contra, R_co]):
    """What a transaction does: takes payloads in order, and returns each one's result or error."""

    def __call__(self, connection: Connection, payloads: Sequence[P_contra], /) -> Sequence[R_co | Exception]:
        """Do all of it in the open transaction."""


class WriteJob(NamedTuple):
    """One caller's job; all jobs of a batch with the same `work` go to it together."""

    work: Work[Any, Any]
    payload: Any
    future: asyncio.Future[Any]
    deadline: float
    """Until when it tries again for a locked row, in seconds of `time.monotonic`."""


class Writer:
    """The thread and its queue; belongs to the event loop that made it."""

    def __init__(
        self,
        engine: Engine,
        order: Sequence[Work[Any, Any]],
        *,
        observe: Callable[[float, int], None] | None = None,
    ) -> None:
        """Start the thread, which calls `observe` with the seconds and the number of jobs of every transaction.

        The works of `order` come first in each, in this order.
        """
        self._engine = engine
        self._order = order
        self._observe = observe
        self._many_write = engine.dialect.name == "postgresql"
        """Whether several transactions can write at a time."""
        self._queue: SimpleQueue[WriteJob | None] = SimpleQueue()
        self._later: deque[tuple[float, WriteJob]] = deque()
        """Jobs that met a locked row, each with when it tries again, soonest first."""
        self._loop = asyncio.get_running_loop()
        self._failing = False
        self.outdated = asyncio.Event()
        """Set once another release has upgraded the database."""
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._serve, name="storage", daemon=True)
        self._thread.start()

    async def submit(self, work: Work[P_contra, R_co], payload: P_contra) -> R_co:
        """Do a job in the next transaction; if it raises an error, it has changed nothing."""
        if self._closing.is_set():
            raise StorageUnavailable("the database is closed")
        if self.waiting >= MOST_JOBS:
            raise StorageUnavailable("too many jobs wait for the database")
        future: asyncio.Future[R_co] = self._loop.create_future()
        self._queue.put(WriteJob(work, payload, future, time.monotonic() + LOCKED_SECONDS))
        return await future

    @property
    def waiting(self) -> int:
        return self._queue.qsize() + len(self._later)

    async def close(self) -> None:
        """Finish all jobs that wait, then end the thread; don't wait for a database that doesn't answer."""
        self._closing.set()
        self._queue.put(None)
        await asyncio.to_thread(self._thread.join, WRITER_CLOSING_SECONDS)

    def _serve(self) -> None:
        open_ = True
        while open_ or self._later:
            jobs, open_ = self._next_batch(open_=open_)
            if not jobs:
                continue
            started = time.perf_counter()
            results = self._carry_out(jobs)
            if self._observe is not None:
                self._observe(time.perf_counter() - started, len(jobs))
            self._loop.call_soon_threadsafe(_deliver, self._ended(jobs, results))

    def _next_batch(self, *, open_: bool) -> tuple[list[WriteJob], bool]:
        """Wait for a job and take all others that are there; False when the queue was closed behind them."""
        jobs: list[WriteJob] = []
        while self._later and (self._later[0][0] <= time.monotonic() or not open_):
            jobs.append(self._later.popleft()[1])
        while open_ and len(jobs) < BATCH_JOBS:
            until_due = max(0.001, self._later[0][0] - time.monotonic()) if self._later else None
            try:
                job = self._queue.get(block=not jobs, timeout=until_due)
            except Empty:
                return jobs, True
            if job is None:
                return jobs, False
            jobs.append(job)
        return jobs, open_

    def _ended(self, jobs: Sequence[WriteJob], results: Sequence[Any]) -> Sequence[tuple[WriteJob, Any]]:
        """Put off jobs that met a locked row, unless their time is over; the others, with their results."""
        now = time.monotonic()
        last = self._closing.is_set()
        ended: list[tuple[WriteJob, Any]] = []
        for job, result in zip(jobs, results, strict=True):
            if not isinstance(result, LockedRow):
                ended.append((job, result))
            elif now < job.deadline and not last:
                self._later.append((now + TRY_AGAIN_SECONDS, job))
            else:
                ended.append((job, StorageUnavailable(f"another process holds a row: {result}")))
        return ended

    def _carry_out(self, jobs: Sequence[WriteJob]) -> Sequence[Any]:
        """Commit jobs: in one transaction on SQLite, which has one writer at a time and slow commits.

        On PostgreSQL each kind of work has its own. In a shared one, a process that settles a board it has sent
        would hold that row while it waits for a board that another process has sent, and the other likewise:
        people's taps reach either process.
        """
        if not self._many_write:
            return self._transact(jobs)
        return self._by_work(jobs, lambda _, theirs: self._transact(theirs))

    def _transact(self, jobs: Sequence[WriteJob]) -> Sequence[Any]:
        """Commit jobs together or, if that fails, in halves; repeat a single one after a concurrent change."""
        try:
            return self._commit_patiently(jobs)
        except StorageUnavailable as error:
            return [error] * len(jobs)
        except Exception as error:  # noqa: BLE001 - every error goes to the caller who awaits it
            if len(jobs) > 1:
                half = len(jobs) // 2
                return [*self._transact(jobs[:half]), *self._transact(jobs[half:])]
            if isinstance(error, LockedRow) or not isinstance(error, ConcurrentChange):
                return [error]
        try:
            return self._commit_patiently(jobs)
        except Exception as error:  # noqa: BLE001 - as above
            return [error]

    def _commit_patiently(self, jobs: Sequence[WriteJob]) -> Sequence[Any]:
        """Commit jobs together; when an outage begins, keep trying for `OUTAGE_SECONDS`, and log it once."""
        deadline = time.monotonic() + (0 if self._failing else OUTAGE_SECONDS)
        pause = 0.05
        while True:
            try:
                results = self._commit(jobs)
            except (StorageUnavailable, DBAPIError) as error:
                self.refuse_other_schema(error)
                if not isinstance(error, StorageUnavailable):
                    raise
                self._engine.dispose()  # what refuses writes may do so for as long as the connection lives
                if time.monotonic() + pause < deadline and not self._closing.wait(pause):
                    pause *= 2
                    continue
                if not self._failing:
                    self._failing = True
                    log.error("The database cannot be used: %s", error)  # noqa: TRY400 - the cause says it all
                raise
            return results

    def refuse_other_schema(self, error: Exception) -> None:
        """Raise `OtherRelease` if a statement fails because another release has upgraded the database.

        A database that can't be used is not asked: that takes seconds, in which no job runs.
        """
        if isinstance(error, StorageUnavailable):
            return
        try:
            with self._engine.begin() as connection:
                schema = revision(connection)
        except (DBAPIError, PoolTimeout):
            return
        if schema not in (None, HEAD):
            self._loop.call_soon_threadsafe(self.outdated.set)
            raise OtherRelease(schema) from error

    def _commit(self, jobs: Sequence[WriteJob]) -> Sequence[Any]:
        with errors_told_apart(), self._engine.begin() as connection:
            if len(jobs) == 1 and self._many_write:
                connection.exec_driver_sql(LONE_WAIT)
            results = self._by_work(jobs, lambda work, theirs: work(connection, [job.payload for job in theirs]))
            # A full disk, or a server that only reads, also commits what has written nothing.
            is_back = self._failing and has_written(connection)
        if is_back:
            self._failing = False
            log.warning("The database can be used again")
        elif self._failing:
            self._engine.dispose()  # as after an error
        return results

    def _by_work(
        self, jobs: Sequence[WriteJob], do: Callable[[Work[Any, Any], Sequence[WriteJob]], Sequence[Any]]
    ) -> Sequence[Any]:
        """Do the jobs of each work together; the results are in the order of the jobs.

        A caller who submits two jobs of one batch hasn't seen the result of the first, so there is no order to
        keep between works. Together, the jobs of a work take fewer statements. And as every process begins with
        the same work, which takes its rows in one order, their transactions seldom hold what another one waits
        for.
        """
        places: dict[Work[Any, Any], list[int]] = {work: [] for work in self._order}
        for number, job in enumerate(jobs):
            places.setdefault(job.work, []).append(number)
        results: list[Any] = [None] * len(jobs)
        for work, numbers in places.items():
            if numbers:
                theirs = do(work, [jobs[number] for number in numbers])
                for number, result in zip(numbers, theirs, strict=True):
                    results[number] = result
        return results


@contextmanager
def errors_told_apart(*, only_reads: bool = False) -> Iterator[None]:
    """Tell a database that can't be used, and a conflict with another process, from a faulty statement.

    With `only_reads`, a statement that writes is faulty.
    """
    try:
        yield
    except (DBAPIError, PoolTimeout) as error:
        cause = error.orig if isinstance(error, DBAPIError) else error
        code = getattr(cause, "sqlstate", None)
        if code == LOCKED:
            raise LockedRow(str(cause)) from error
        if code in CONFLICTS:
            raise ConcurrentChange(str(cause)) from error
        if isinstance(error, DBAPIError) and (_is_faulty(error) or (only_reads and _is_write(error))):
            raise
        kind = TooSlow if code == TOO_SLOW else StorageUnavailable
        raise kind(" ".join(str(cause).split())) from error


def _is_write(error: DBAPIError) -> bool:
    """Whether a connection that may not write has refused to."""
    codes = (getattr(error.orig, name, None) for name in ("sqlstate", "sqlite_errorcode"))
    return any(code in {"25006", sqlite3.SQLITE_READONLY} for code in codes)


def _is_faulty(error: DBAPIError) -> bool:
    """Whether the statement is to blame, by the code of the database; on PostgreSQL also by the driver's class."""
    if isinstance(error.orig, sqlite3.Error):  # the driver's own complaints about a call have no code
        return getattr(error.orig, "sqlite_errorcode", sqlite3.SQLITE_MISUSE) & 0xFF in FAULTY
    if getattr(error.orig, "sqlstate", None) in UNUSABLE:
        return False
    return not (isinstance(error, (OperationalError, InterfaceError)) or error.connection_invalidated)


def _deliver(ended: Sequence[tuple[WriteJob, Any]]) -> None:
    for job, result in ended:
        if job.future.done():
            continue
        if isinstance(result, Exception):
            job.future.set_exception(result)
        else:
            job.future.set_result(result)

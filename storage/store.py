"""The database as the bot sees it: change a game or run some SQL, each in a durable transaction."""

import asyncio
import sqlite3
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Concatenate, ParamSpec, TypeVar

from sqlalchemy import URL, Connection
from sqlalchemy.exc import DBAPIError

from storage.database import connect, empty_log
from storage.errors import StorageUnavailable, TooSlow
from storage.games import boards, versions
from storage.games.boards import Sent
from storage.games.changes import ChangeRequest, change_games
from storage.games.record import Changed, Decision, Record
from storage.games.versions import Stored
from storage.people.person import Person
from storage.writer import Writer, errors_told_apart

P = ParamSpec("P")
R = TypeVar("R")


class Store:
    """A database with its writer thread; belongs to the event loop that opened it.

    Its methods raise `StorageUnavailable` if the database can't be used now, `ConcurrentChange` if other processes
    were faster twice, and whatever the work raises; nothing of it is then stored.
    """

    def __init__(self, url: URL, *, observe: Callable[[float, int], None] | None = None) -> None:
        """Open the database at `url`, whose schema must be there already (`storage.migrate`)."""
        self._url = url
        self._engine = connect(url, create=False)
        self._writer = Writer(self._engine, (boards.settle, change_games), observe=observe)
        self._reading = connect(url, create=False, writes=False)
        self._reader = ThreadPoolExecutor(1, "reader")

    @property
    def is_alone(self) -> bool:
        """Whether no other process can work on the database (`storage.database.lock_file`)."""
        return self._url.get_backend_name() == "sqlite"

    @property
    def waiting(self) -> int:
        return self._writer.waiting

    @property
    def outdated(self) -> asyncio.Event:
        """Set once a statement has failed because another release has upgraded the database."""
        return self._writer.outdated

    async def close(self) -> None:
        await self._writer.close()
        self._reader.shutdown(wait=False, cancel_futures=True)
        self._engine.dispose()
        self._reading.dispose()

    async def empty_log(self, *, gaps: bool) -> bool:
        """Remove what was deleted from SQLite's write-ahead log; False if that has to be tried again.

        With `gaps`, also from the gaps of a small file.
        """
        try:
            return await asyncio.to_thread(empty_log, self._url, gaps=gaps)
        except sqlite3.Error as error:
            raise StorageUnavailable(str(error)) from error

    async def change(
        self,
        game_id: int,
        decide: Callable[[Record], Decision[R]],
        update_id: int | None = None,
        by: Person | None = None,
    ) -> Changed[R | None]:
        """Change one game by a pure function, which may be called more than once.

        Changes of a game are decided in the order of the calls, but one that meets another process's lock is tried
        again a little later, perhaps after those that came after it. A function that returns the game it was given
        changes nothing; any other game is stored as the next version, and all its boards as theirs. A Telegram
        update (`update_id`) that has changed the game before has no effect, and its result is None. The row of the
        person who changes the game (`by`) is brought up to date.
        """
        return await self._writer.submit(change_games, ChangeRequest(game_id, decide, update_id, by))

    async def settle(self, sent: Sent) -> bool:
        """Store which message was sent as a board; False if the board has another one by now.

        Changes of games in the same transaction see it.
        """
        return await self._writer.submit(boards.settle, sent)

    async def store_again(self, board_id: int, wanted: int | None = None) -> Stored | None:
        """Store a board's next version, with the content as it is, so that it may be shown.

        None if there is none, if `wanted` is given and isn't its newest version, or the game cannot be read.
        """
        return await self._writer.submit(versions.store_again, versions.Again(board_id, wanted))

    async def run(self, work: Callable[Concatenate[Connection, P], R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Run some SQL in a transaction, with these arguments; the function may be called more than once."""
        return await self._writer.submit(_run, lambda connection: work(connection, *args, **kwargs))

    async def read(self, work: Callable[Concatenate[Connection, P], R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Run some SQL on a connection that can't write, in a transaction that waits for no commit.

        In an outage it waits, as long as changes do, for the database to come back, and tries once more. What is
        too slow isn't tried again.
        """
        try:
            return await self._look(lambda connection: work(connection, *args, **kwargs))
        except TooSlow:
            raise
        except StorageUnavailable:
            await self.run(lambda connection: connection.exec_driver_sql("SELECT 1").close())
            return await self._look(lambda connection: work(connection, *args, **kwargs))

    async def _look(self, work: Callable[[Connection], R]) -> R:
        return await asyncio.get_running_loop().run_in_executor(self._reader, self._read, work)

    def _read(self, work: Callable[[Connection], R]) -> R:
        try:
            with errors_told_apart(only_reads=True), self._reading.begin() as connection:
                return work(connection)
        except DBAPIError as error:
            self._writer.refuse_other_schema(error)
            raise


def _run(connection: Connection, payloads: Sequence[Callable[[Connection], R]]) -> Sequence[R]:
    return [work(connection) for work in payloads]

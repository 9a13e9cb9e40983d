"""The database as the bot sees it: change a game, or run some SQL, each in one durable transaction."""

from __future__ import annotations

import asyncio
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from storage.database import connect, empty_log
from storage.errors import StorageUnavailable
from storage.games import board_messages
from storage.games.changes import ChangeRequest, change_games
from storage.writer import Writer

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sqlalchemy import URL, Connection

    from storage.games.board_messages import Sent
    from storage.games.record import Changed, Decision, Record
    from storage.people.person import Person

R = TypeVar("R")


class Store:
    """A database with its writer thread; belongs to the event loop that it was opened in."""

    def __init__(self, url: URL, *, observe: Callable[[float, int], None] | None = None) -> None:
        """Open the database at `url`; its schema must be there (`storage.migrate`)."""
        self._url = url
        self._engine = connect(url, create=False)
        self._writer = Writer(self._engine, (board_messages.settle, change_games), observe=observe)
        self._reading = connect(url, create=False, writes=False)
        self._reader = ThreadPoolExecutor(1, "reader")

    @property
    def waiting(self) -> int:
        """How many jobs wait for the database."""
        return self._writer.waiting

    @property
    def outdated(self) -> asyncio.Event:
        """Set once a statement has failed because another release has upgraded the database."""
        return self._writer.outdated

    async def close(self) -> None:
        """Finish what waits and close the connections."""
        await self._writer.close()
        self._reader.shutdown(wait=False, cancel_futures=True)
        self._engine.dispose()
        self._reading.dispose()

    async def empty_log(self, *, gaps: bool) -> bool:
        """Leave nothing in SQLite's write-ahead log of what was deleted; False if that has to be tried again.

        With `gaps`, nothing is left in gaps of a small file either.

        Raises:
            StorageUnavailable: if the file cannot be used now.
        """
        try:
            return await asyncio.to_thread(partial(empty_log, self._url, gaps=gaps))
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

        Changes of one game are decided in the order of the calls. A function that gives back the game it was
        given changes nothing; any other value is stored as the next version of the game and of all its boards. An
        update of Telegram (`update_id`) that has changed the game before changes it no more; its result is None.
        The person who changes it (`by`) is remembered as they are now.

        Raises:
            GameNotFound: if no game has this id.
            CorruptGame: if the stored game contradicts itself.
            ConcurrentChange: if other processes changed the game twice while this was under way.
            StorageUnavailable: if the database cannot be used now.
        """
        return await self._writer.submit(change_games, ChangeRequest(game_id, decide, update_id, by))

    async def settle(self, sent: Sent) -> bool:
        """Remember which message was sent as a board; False if the board has another one by now.

        The changes of games that are asked for at the same time know of it.

        Raises:
            StorageUnavailable: if the database cannot be used now.
        """
        return await self._writer.submit(board_messages.settle, sent)

    async def run(self, work: Callable[[Connection], R]) -> R:
        """Run some SQL in a transaction; the function may be called more than once.

        Raises:
            StorageUnavailable: if the database cannot be used now.
            Exception: whatever `work` raises; nothing of it is then stored.
        """
        return await self._writer.submit(_run, work)

    async def read(self, work: Callable[[Connection], R]) -> R:
        """Run SQL that reads, or only now and then finds that it must write, in a transaction of its own.

        It waits for no commit. Work that comes to a statement that writes, or that meets a fault of the database,
        is done once more by `run`.

        Raises:
            StorageUnavailable: if the database cannot be used now.
            Exception: whatever `work` raises.
        """
        try:
            return await self._look(work)
        except (DBAPIError, PoolTimeout):
            return await self.run(work)

    async def _look(self, work: Callable[[Connection], R]) -> R:
        return await asyncio.get_running_loop().run_in_executor(self._reader, self._read, work)

    def _read(self, work: Callable[[Connection], R]) -> R:
        with self._reading.begin() as connection:
            return work(connection)


def _run(connection: Connection, payloads: Sequence[Callable[[Connection], R]]) -> Sequence[R]:
    return [work(connection) for work in payloads]

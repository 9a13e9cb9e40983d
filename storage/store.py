"""The database as the bot sees it: change a game, or run some SQL, each in one durable transaction."""

from __future__ import annotations

import asyncio
import sqlite3
from typing import TYPE_CHECKING, TypeVar

from storage import board_messages
from storage.changes import Wish, change_games
from storage.database import connect, empty_log
from storage.errors import StorageUnavailable
from storage.writer import Writer

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sqlalchemy import URL, Connection

    from storage.board_messages import Sent
    from storage.record import Changed, Decision, Record

R = TypeVar("R")


class Store:
    """A database with its writer thread; belongs to the event loop that it was opened in."""

    def __init__(self, url: URL, *, observe: Callable[[float, int], None] | None = None) -> None:
        """Open the database at `url`; its schema must be there (`storage.migrate`)."""
        self._url = url
        self._engine = connect(url, create=False)
        self._writer = Writer(self._engine, (board_messages.settle, change_games), observe=observe)

    @property
    def waiting(self) -> int:
        """How many jobs wait for the database."""
        return self._writer.waiting

    async def close(self) -> None:
        """Finish what waits and close the connections."""
        await self._writer.close()
        self._engine.dispose()

    async def empty_log(self) -> bool:
        """Leave nothing in SQLite's write-ahead log of what was deleted; False if that has to be tried again.

        Raises:
            StorageUnavailable: if the file cannot be used now.
        """
        try:
            return await asyncio.to_thread(empty_log, self._url)
        except sqlite3.Error as error:
            raise StorageUnavailable(str(error)) from error

    async def change(
        self, game_id: int, decide: Callable[[Record], Decision[R]], update_id: int | None = None
    ) -> Changed[R | None]:
        """Change one game by a pure function, which may be called more than once.

        Changes of one game are decided in the order of the calls. A function that gives back the game it was
        given changes nothing; any other value is stored as the game's next version, and raises all its boards. An
        update of Telegram (`update_id`) that has changed the game before changes it no more; its result is None.

        Raises:
            GameNotFound: if no game has this id.
            CorruptGame: if the stored game contradicts itself.
            ConcurrentChange: if other processes changed the game twice while this was under way.
            StorageUnavailable: if the database cannot be used now.
        """
        return await self._writer.submit(change_games, Wish(game_id, decide, update_id))

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


def _run(connection: Connection, payloads: Sequence[Callable[[Connection], R]]) -> Sequence[R]:
    return [work(connection) for work in payloads]

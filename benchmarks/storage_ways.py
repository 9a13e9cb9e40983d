"""Ways to store a tap: select one game by its key, update it with a version check, commit."""

import asyncio
import queue
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Protocol

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncEngine, async_sessionmaker, create_async_engine
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, sessionmaker

GAMES = 10_000


class Base(DeclarativeBase):
    """The declarative base of this benchmark's one table."""


class Game(Base):
    """A row as wide as the row of a real game."""

    __tablename__ = "games"
    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    moves: Mapped[str]
    x_player: Mapped[int | None] = mapped_column(sa.BigInteger)
    o_player: Mapped[int | None] = mapped_column(sa.BigInteger)
    level: Mapped[str]
    geometry: Mapped[str]
    chat: Mapped[int] = mapped_column(sa.BigInteger)
    thread: Mapped[int | None]
    message: Mapped[int]
    termination: Mapped[str | None]
    shown: Mapped[int]
    version: Mapped[int] = mapped_column()
    __mapper_args__ = {"version_id_col": version}  # noqa: RUF012 - the declarative base reads it once


GAME = Base.metadata.tables["games"]
SELECT = sa.select(GAME).where(GAME.c.id == sa.bindparam("key"))
SELECT_MANY = sa.select(GAME).where(GAME.c.id.in_(sa.bindparam("keys", expanding=True)))
UPDATE = (
    sa.update(GAME)
    .where(GAME.c.id == sa.bindparam("key"), GAME.c.version == sa.bindparam("seen"))
    .values(moves=sa.bindparam("played"), version=sa.bindparam("next"))
)


class Store(Protocol):
    """A way to store a tap."""

    async def tap(self, key: int) -> None:
        """Add two plies to game `key` and commit."""

    async def close(self) -> None:
        """Give back connections and threads."""


class StaleGameError(Exception):
    """Someone else changed the game between its load and its save."""


def play(moves: str) -> str:
    """Two plies more, starting again when the board is full."""
    return moves + "04" if len(moves) < 8 else ""


def change(row: sa.Row[Any]) -> dict[str, Any]:
    """The parameters of UPDATE for a loaded row."""
    return {"key": row.id, "seen": row.version, "played": play(row.moves), "next": row.version + 1}


def play_core(connection: sa.Connection, key: int) -> None:
    """Load and save one game within the connection's transaction."""
    row = connection.execute(SELECT, {"key": key}).one()
    if connection.execute(UPDATE, change(row)).rowcount != 1:
        raise StaleGameError(key)


def play_batch(connection: sa.Connection, keys: list[int]) -> None:
    """Load and save many games with one SELECT and one executemany."""
    rows = connection.execute(SELECT_MANY, {"keys": keys})
    changes = [change(row) for row in rows]
    # psycopg gives the number of all rows that an executemany changed, as sqlite3 does.
    if connection.execute(UPDATE, changes).rowcount != len(keys):
        raise StaleGameError(keys)


def play_savepoints(connection: sa.Connection, keys: list[int]) -> None:
    """Load and save many games one by one, a savepoint each, so that one failure fails one tap."""
    for key in keys:
        with connection.begin_nested():
            play_core(connection, key)


def set_up_sqlite(engine: sa.Engine) -> None:
    """Switch every new connection to WAL with synchronous=FULL, and every transaction to BEGIN IMMEDIATE."""

    def connect(connection: Any, _record: object) -> None:  # noqa: ANN401 - sqlite3's or aiosqlite's
        connection.isolation_level = None
        cursor = connection.cursor()
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=5000", "foreign_keys=ON"):
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    sa.event.listen(engine, "connect", connect)
    sa.event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN IMMEDIATE"))


def sync_engine(url: str) -> sa.Engine:
    """An engine with one connection, which any one thread at a time may use."""
    if url.startswith("sqlite"):
        engine = sa.create_engine(url, poolclass=sa.pool.StaticPool, connect_args={"check_same_thread": False})
        set_up_sqlite(engine)
        return engine
    return sa.create_engine(url, poolclass=sa.pool.StaticPool)


def fill(url: str) -> None:
    """Create the table with GAMES games in it."""
    engine = sync_engine(url)
    with engine.begin() as connection:
        Base.metadata.create_all(connection)
        row = {"moves": "", "x_player": 1, "level": "medium", "geometry": "3x3x3", "chat": 1, "message": 1}
        rows = [row | {"id": key, "shown": 1, "version": 1} for key in range(GAMES)]
        connection.execute(sa.insert(GAME), rows)
    engine.dispose()


class AsyncStore:
    """SQLAlchemy's asyncio extension, one pool connection a tap."""

    def __init__(self, url: str, *, orm: bool) -> None:
        # SQLite has one writer anyway, and a second connection would only wait for the first one's lock.
        # The pool is not fair (its waiters are woken in no order), so a semaphore stands in front.
        size = 1 if url.startswith("sqlite") else 8
        self._engine: AsyncEngine = create_async_engine(url, pool_size=size, max_overflow=0)
        if url.startswith("sqlite"):
            set_up_sqlite(self._engine.sync_engine)
        self._sessions = async_sessionmaker(self._engine, expire_on_commit=False)
        self._turn = asyncio.Semaphore(size)
        self._do = self._tap_orm if orm else self._tap_core

    async def tap(self, key: int) -> None:
        """Run the transaction on a connection of the pool."""
        await self._do(key)

    async def _tap_orm(self, key: int) -> None:
        async with self._turn, self._sessions.begin() as session:
            game = await session.get_one(Game, key)
            game.moves = play(game.moves)

    async def _tap_core(self, key: int) -> None:
        async with self._turn, self._engine.begin() as connection:
            row = (await connection.execute(SELECT, {"key": key})).one()
            if (await connection.execute(UPDATE, change(row))).rowcount != 1:
                raise StaleGameError(key)

    async def close(self) -> None:
        """Close the pool."""
        await self._engine.dispose()


class ThreadStore:
    """A blocking connection in one dedicated thread, one transaction a tap."""

    def __init__(self, url: str, *, orm: bool) -> None:
        self._engine = sync_engine(url)
        self._sessions = sessionmaker(self._engine, expire_on_commit=False)
        self._thread = ThreadPoolExecutor(1)
        self._do = self._tap_orm if orm else self._tap_core

    def _tap_orm(self, key: int) -> None:
        with self._sessions.begin() as session:
            game = session.get_one(Game, key)
            game.moves = play(game.moves)

    def _tap_core(self, key: int) -> None:
        with self._engine.begin() as connection:
            play_core(connection, key)

    async def tap(self, key: int) -> None:
        """Run the transaction in the thread and wait for it."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._do, key)

    async def close(self) -> None:
        """End the thread and close the connection."""
        self._thread.shutdown()
        self._engine.dispose()


RunBatch = Callable[[sa.Connection, list[int]], None]


class GroupStore:
    """One writer thread: whatever arrived while it was committing shares the next commit."""

    def __init__(self, url: str, run: RunBatch, *, most: int = 64) -> None:
        self._engine = sync_engine(url)
        self._run = run
        self._most = most
        self._jobs: queue.SimpleQueue[tuple[int, asyncio.Future[None]] | None] = queue.SimpleQueue()
        self._loop = asyncio.get_running_loop()
        self._thread = threading.Thread(target=self._write, daemon=True)
        self._thread.start()

    def _write(self) -> None:
        while True:
            job = self._jobs.get()
            batch = []
            while job is not None:
                batch.append(job)
                if len(batch) == self._most:
                    break
                try:
                    job = self._jobs.get_nowait()
                except queue.Empty:
                    break
            if not batch:
                return
            error: Exception | None = None
            try:
                with self._engine.begin() as connection:
                    self._run(connection, [key for key, _ in batch])
            except (sa.exc.SQLAlchemyError, StaleGameError) as caught:
                error = caught
            self._loop.call_soon_threadsafe(self._settle, batch, error)

    @staticmethod
    def _settle(batch: list[tuple[int, asyncio.Future[None]]], error: Exception | None) -> None:
        for _, future in batch:
            if future.done():
                continue
            if error is None:
                future.set_result(None)
            else:
                future.set_exception(error)

    async def tap(self, key: int) -> None:
        """Hand the job to the writer and wait for its commit."""
        future = self._loop.create_future()
        self._jobs.put((key, future))
        await future

    async def close(self) -> None:
        """End the thread and close the connection."""
        self._jobs.put(None)
        await asyncio.to_thread(self._thread.join)
        self._engine.dispose()


def ways(folder: Path, postgresql: str | None) -> dict[str, Callable[[], Store]]:
    """Every way by its name; stores are opened within a running loop.

    Args:
        folder: where the SQLite file lies or is made.
        postgresql: SQLAlchemy URL of a database of our own, or None to leave PostgreSQL out.
    """
    path = folder / "storage.sqlite"
    file, asynchronous = f"sqlite:///{path}", f"sqlite+aiosqlite:///{path}"
    found: dict[str, Callable[[], Store]] = {
        "SQLite, ORM on aiosqlite": lambda: AsyncStore(asynchronous, orm=True),
        "SQLite, Core on aiosqlite": lambda: AsyncStore(asynchronous, orm=False),
        "SQLite, ORM, one thread": lambda: ThreadStore(file, orm=True),
        "SQLite, Core, one thread": lambda: ThreadStore(file, orm=False),
        "SQLite, Core, group commit, a savepoint each": lambda: GroupStore(file, play_savepoints),
        "SQLite, Core, group commit, SELECT IN and executemany": lambda: GroupStore(file, play_batch),
    }
    if postgresql is not None:
        found |= {
            "PostgreSQL, ORM on asynchronous psycopg": lambda: AsyncStore(postgresql, orm=True),
            "PostgreSQL, Core on asynchronous psycopg": lambda: AsyncStore(postgresql, orm=False),
            "PostgreSQL, Core, one thread": lambda: ThreadStore(postgresql, orm=False),
            "PostgreSQL, Core, group commit, a savepoint each": lambda: GroupStore(postgresql, play_savepoints),
            "PostgreSQL, Core, group commit, SELECT IN and executemany": lambda: GroupStore(
                postgresql, play_batch
            ),
        }
    return found

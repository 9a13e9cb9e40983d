"""Looks after the whole database: counts games by state, checks that each can be read, and copies a SQLite file.

A copy of the file alone would miss what is still in the write-ahead log, or contain half a transaction. SQLite's
own backup reads one snapshot, and in WAL mode nobody waits for it (sqlite.org, "Online Backup API").
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final
from urllib.parse import quote

from sqlalchemy import URL, ColumnElement, Connection, Engine, func, literal, select

from storage.database import BUSY_SECONDS
from storage.errors import CorruptGame, StorageError
from storage.games.games import GAME_COLUMNS, game_of
from storage.schema import BOARDS, GAMES

MOST_COUNTED: Final = 100_000
"""Where counting a state stops, so that it stays cheap; more games read as this many."""

BATCH_ROWS: Final = 1000


def count_games(connection: Connection) -> dict[str, int]:
    """How many games are running and (about) over, and how many boards are lagging.

    No count reads a whole table: running games and lagging boards have indexes of their own, and the newest id is
    about the number of games that ever began.
    """
    running = _count(connection, GAMES.c.termination.is_(None))
    lagging = _count(connection, BOARDS.c.shown < BOARDS.c.wanted)
    begun = connection.execute(select(func.max(GAMES.c.id))).scalar() or 0
    return {"running": running, "over": max(begun - running, 0), "lagging": lagging}


def _count(connection: Connection, condition: ColumnElement[bool]) -> int:
    some = select(literal(1)).where(condition).limit(MOST_COUNTED).subquery()
    return connection.execute(select(func.count()).select_from(some)).scalar_one()


def corrupt_games(engine: Engine) -> Iterator[CorruptGame | int]:
    """Replay every game: yields the error of each that contradicts itself, and after each batch the games read."""
    read = last = 0
    while True:
        with engine.connect() as connection:
            rows = connection.execute(
                select(*GAME_COLUMNS).where(GAMES.c.id > last).order_by(GAMES.c.id).limit(BATCH_ROWS)
            ).all()
        if not rows:
            return
        for row in rows:
            try:
                game_of(tuple(row)).check()
            except CorruptGame as error:
                yield error
        last, read = rows[-1].id, read + len(rows)
        yield read


def back_up(url: URL, target: Path) -> int:
    """Copy the database at `url` into a new file, which appears once it is complete; its size in bytes.

    The message of a `StorageError` is a sentence for the host.
    """
    if url.get_backend_name() != "sqlite":
        raise StorageError("PostgreSQL is backed up by its own tool: pg_dump --format=custom --file=FILE DATABASE")
    source = Path(url.database or "")
    if not source.is_file():
        raise StorageError(f"There is no database at {source}.")
    if target.exists():
        raise StorageError(f"{target} exists already, and nothing is overwritten.")
    unfinished = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        _copy(source, unfinished)
        _name(unfinished, target)
    except sqlite3.Error as error:
        raise StorageError(f"The database cannot be copied: {error}.") from error
    except FileExistsError:
        raise StorageError(f"{target} exists already, and nothing is overwritten.") from None
    except OSError as error:
        raise StorageError(f"The copy cannot be written to {target}: {error.strerror}.") from error
    finally:
        unfinished.unlink(missing_ok=True)
    return target.stat().st_size


def _name(unfinished: Path, target: Path) -> None:
    """Give the copy its name; linking, unlike renaming, never replaces a file that has appeared meanwhile.

    Where the disk has no links, such as FAT and many network shares, the name is taken first, by an empty file.
    """
    try:
        os.link(unfinished, target)
    except FileExistsError:
        raise
    except OSError as error:
        target.touch(0o600, exist_ok=False)
        try:
            unfinished.replace(target)
        except OSError:
            target.unlink(missing_ok=True)
            raise error from None


def _copy(source: Path, target: Path) -> None:
    """Copy and check the copy; it is on the disk when this returns."""
    target.touch(0o600, exist_ok=False)
    with (
        closing(sqlite3.connect(f"file:{quote(str(source))}?mode=ro", uri=True, timeout=BUSY_SECONDS)) as original,
        closing(sqlite3.connect(target)) as copy,
    ):
        original.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE")  # so that the copy is one file
        (verdict,) = copy.execute("PRAGMA quick_check(1)").fetchone()
    if verdict != "ok":
        raise StorageError(f"The database is damaged: {verdict}.")
    with target.open("rb+") as file:
        os.fsync(file.fileno())

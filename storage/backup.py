"""Makes a consistent copy of a SQLite database that is in use.

A copy of the file alone would miss what is still in the write-ahead log, or contain half a transaction. SQLite's
own backup reads one snapshot, and in WAL mode nobody waits for it (sqlite.org, "Online Backup API").
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

from sqlalchemy import URL

from storage.database import BUSY_SECONDS
from storage.errors import StorageError


class CannotBackUp(StorageError):
    """The copy can't be made; the message is one sentence for the host."""


def back_up(url: URL, target: Path) -> int:
    """Copy the database at `url` into a new file, which appears once it is complete; its size in bytes.

    Raises:
        CannotBackUp: if the database is not SQLite, is not there or is damaged, or the target exists already or
            cannot be written.
    """
    if url.get_backend_name() != "sqlite":
        raise CannotBackUp("PostgreSQL is backed up by its own tool: pg_dump --format=custom --file=FILE DATABASE")
    source = Path(url.database or "")
    if not source.is_file():
        raise CannotBackUp(f"There is no database at {source}.")
    if target.exists():
        raise CannotBackUp(f"{target} exists already, and nothing is overwritten.")
    unfinished = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        _copy(source, unfinished)
        # Linking, unlike renaming, never replaces a file that has appeared meanwhile.
        os.link(unfinished, target)
    except sqlite3.Error as error:
        raise CannotBackUp(f"The database cannot be copied: {error}.") from error
    except FileExistsError:
        raise CannotBackUp(f"{target} exists already, and nothing is overwritten.") from None
    except OSError as error:
        raise CannotBackUp(f"The copy cannot be written to {target}: {error.strerror}.") from error
    finally:
        unfinished.unlink(missing_ok=True)
    return target.stat().st_size


def _copy(source: Path, target: Path) -> None:
    """Copy and check the copy; it is on the disk when this returns."""
    os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    with (
        closing(sqlite3.connect(f"file:{quote(str(source))}?mode=ro", uri=True, timeout=BUSY_SECONDS)) as original,
        closing(sqlite3.connect(target)) as copy,
    ):
        original.backup(copy)
        copy.execute("PRAGMA journal_mode=DELETE")  # so that the copy is one file
        (verdict,) = copy.execute("PRAGMA quick_check(1)").fetchone()
    if verdict != "ok":
        raise CannotBackUp(f"The database is damaged: {verdict}.")
    with target.open("rb+") as file:
        os.fsync(file.fileno())

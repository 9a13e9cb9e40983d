"""`python -m storage`: commands with which a host maintains the database."""

from __future__ import annotations

import argparse
import asyncio
import logging
import sys
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import TypeVar

from sqlalchemy import URL
from sqlalchemy.exc import DBAPIError

from storage.database import connect, vacuum
from storage.errors import CorruptGame, StorageError, StorageUnavailable, told
from storage.maintenance import back_up, corrupt_games
from storage.migrate import HEAD, migrate, revision
from storage.privacy import erasure
from storage.privacy.forgotten import Journal
from storage.results import rebuild
from storage.settings import DatabaseSettings, SettingsError
from storage.store import Store

R = TypeVar("R")


def main() -> int:
    """Run a command; the result is the exit code."""
    parser = argparse.ArgumentParser(prog="python -m storage", description="Maintain OXO's database.")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("migrate", help="upgrade the database to the newest schema")
    commands.add_parser("check", help="replay every game and name those that can't be read")
    commands.add_parser("rebuild", help="compute statistics and ratings again, best while the bot is stopped")
    commands.add_parser(
        "vacuum", help="erase what is left of deleted data from the files; the bot waits meanwhile"
    )
    commands.add_parser(
        "forgotten", help="forget people again whom a restored backup brought back; a start does so, too"
    )
    backup = commands.add_parser("backup", help="copy a SQLite database, also while the bot runs")
    backup.add_argument("path", type=Path, help="the copy; it must not exist yet")
    arguments = parser.parse_args()
    logging.getLogger("storage").addHandler(logging.NullHandler())  # its errors say what it logs
    try:
        settings = DatabaseSettings.read()
        url, command = settings.database, arguments.command
        if command == "backup":
            return _back_up(url, arguments.path)
        if command == "forgotten":
            return _forget_again(url, Journal(settings.forgotten_path()))
        if command in ("check", "rebuild"):
            _refuse_other_schema(url)
        work = {"migrate": _migrate, "check": _check, "rebuild": _rebuild, "vacuum": _vacuum}
        return work[command](url)
    except KeyboardInterrupt:
        _complain("Interrupted.")
    except DBAPIError as error:
        _complain(f"The database cannot be used: {' '.join(str(error.orig).split())}")
    except StorageUnavailable as error:
        _complain(f"The database cannot be used: {error}")
    except OSError as error:
        _complain(f"The database cannot be used: {told(error)}")
    except (SettingsError, StorageError) as error:
        _complain(str(error))
    return 1


def _refuse_other_schema(url: URL) -> None:
    engine = connect(url, create=False)
    with engine.connect() as connection:
        found = revision(connection)
    engine.dispose()
    if found != HEAD:
        raise StorageUnavailable(
            f"its schema is {found or 'none'}, not {HEAD}; python -m storage migrate upgrades it"
        )


def _migrate(url: URL) -> int:
    before = migrate(url, patience=0)
    _say(f"The database {'is at' if before == HEAD else 'was upgraded to'} schema {HEAD}.")
    return 0


def _back_up(url: URL, path: Path) -> int:
    size = back_up(url, path)
    _say(f"The database was copied to {path} ({size:,} bytes).")
    return 0


def _rebuild(url: URL) -> int:
    asyncio.run(_with_store(url, partial(rebuild.rebuild, say=_say)))
    return 0


async def _with_store(url: URL, work: Callable[[Store], Awaitable[R]]) -> R:
    store = Store(url)
    try:
        return await work(store)
    finally:
        await store.close()


def _vacuum(url: URL) -> int:
    vacuum(url)
    _say("The database was rewritten: no deleted data is left in it.")
    return 0


def _forget_again(url: URL, journal: Journal) -> int:
    migrate(url, patience=0)
    count = asyncio.run(_with_store(url, partial(erasure.forget_again, journal=journal)))
    _say(f"{count:,} people of {journal.path} were forgotten again.")
    return 0


def _check(url: URL) -> int:
    engine = connect(url, create=False)
    corrupt = read = 0
    try:
        for found in corrupt_games(engine):
            if isinstance(found, CorruptGame):
                corrupt += 1
                _complain(str(found))
            else:
                read = found
    finally:
        engine.dispose()
    _say(f"{read:,} games were replayed; {corrupt:,} cannot be read.")
    return 1 if corrupt else 0


def _say(line: str) -> None:
    print(line)  # noqa: T201 - a command's answer


def _complain(line: str) -> None:
    print(line, file=sys.stderr)  # noqa: T201 - likewise


if __name__ == "__main__":
    sys.exit(main())

"""`python -m storage`: commands with which a host maintains the database."""

import argparse
import asyncio
import logging
import sqlite3
import sys
from pathlib import Path

from sqlalchemy import URL
from sqlalchemy.exc import DBAPIError

from storage.database import connect, vacuum
from storage.errors import CorruptGame, StorageError, StorageUnavailable, told
from storage.maintenance import back_up, corrupt_games
from storage.migrate import HEAD, migrate, revision
from storage.privacy import erasure
from storage.privacy.forgotten import Journal
from storage.settings import DatabaseSettings, SettingsError
from storage.store import Store


def main() -> int:
    """Run a command; the result is the exit code."""
    parser = argparse.ArgumentParser(prog="python -m storage", description="Maintain OXO's database.")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("migrate", help="upgrade the database to the newest schema")
    commands.add_parser("check", help="replay every game and name those that can't be read")
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
        url = settings.database
        match arguments.command:
            case "backup":
                size = back_up(url, arguments.path)
                print(f"The database was copied to {arguments.path} ({size:,} bytes).")
            case "migrate":
                is_new = migrate(url, patience=0) != HEAD
                print(f"The database {'was upgraded to' if is_new else 'is at'} schema {HEAD}.")
            case "forgotten":
                migrate(url, patience=0)
                asyncio.run(_forget_again(url, Journal(settings.forgotten_path())))
            case "vacuum":
                vacuum(url)
                print("The database was rewritten: no deleted data is left in it.")
            case _:
                return _check(url)
    except KeyboardInterrupt:
        return _complain("Interrupted.")
    except (DBAPIError, sqlite3.Error, OSError, StorageError, SettingsError) as error:
        return _complain(_reason(error))
    return 0


def _reason(error: Exception) -> str:
    match error:
        case DBAPIError():
            why = " ".join(str(error.orig).split())
        case OSError():
            why = told(error)
        case sqlite3.Error() | StorageUnavailable():
            why = str(error)
        case _:
            return str(error)
    return f"The database cannot be used: {why}"


async def _forget_again(url: URL, journal: Journal) -> None:
    store = Store(url)
    try:
        count = await erasure.forget_again(store, journal)
    finally:
        await store.close()
    print(f"{count:,} people of {journal.path} were forgotten again.")


def _check(url: URL) -> int:
    engine = connect(url, create=False)
    with engine.connect() as connection:
        schema = revision(connection)
    if schema != HEAD:
        raise StorageUnavailable(
            f"its schema is {schema or 'none'}, not {HEAD}; python -m storage migrate upgrades it, or says why not"
        )
    corrupt = read = 0
    for each in corrupt_games(engine):
        if isinstance(each, CorruptGame):
            corrupt += _complain(str(each))
        else:
            read = each
    engine.dispose()
    print(f"{read:,} games were replayed; {corrupt:,} cannot be read.")
    return 1 if corrupt else 0


def _complain(line: str) -> int:
    print(line, file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())

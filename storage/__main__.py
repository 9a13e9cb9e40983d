"""`python -m storage migrate`: what a host does to a database by hand."""

from __future__ import annotations

import argparse
import sys

from storage.database import parse_url
from storage.errors import StorageError
from storage.migrate import HEAD, migrate
from storage.settings import DatabaseSettings, SettingsError


def main() -> int:
    """Do what the command line asks; the result is the exit code."""
    parser = argparse.ArgumentParser(prog="python -m storage", description="Look after OXO's database.")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("migrate", help="bring the database to the newest schema")
    parser.parse_args()
    try:
        url = parse_url(DatabaseSettings.read().database_url)
        before = migrate(url, patience=0)
    except (SettingsError, StorageError, OSError) as error:
        print(error, file=sys.stderr)  # noqa: T201 - a command's answer
        return 1
    done = "is at" if before == HEAD else "was brought to"
    print(f"The database {done} schema {HEAD}.")  # noqa: T201 - a command's answer
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Has a database explain every statement that storage sends, to see that none reads a whole table.

The databases are empty. SQLite's planner knows no sizes without ANALYZE, so its plan is that of a full one;
PostgreSQL is told to scan a table only where no index helps.
"""

import re
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final, Self

from sqlalchemy import Connection, Engine, event

from storage.database import connect, parse_url
from storage.migrate import migrate
from storage.schema import METADATA
from tests.conftest import postgresql_database

BIG: Final = METADATA.tables.keys() - {"progress", "erasures", "former_pairs"}
"""Tables that have more than a few rows."""

SELDOM: Final = {
    "storage.privacy.forgotten.people",  # once after a backup is restored
    "storage.privacy.forgotten.entries",
    "storage.clock.go_on",  # after a clock was set back, and after an outage
    "storage.privacy.traces._noted_and_waits",  # after a deletion; the outbox is nearly empty
    "storage.people.cups.announced",  # after an outage; of a group's cups one hasn't begun
    "storage.maintenance._count",  # when a host asks
    "storage.people.chats.languages",  # once a minute, of an index of those who have chosen one
    "storage.results.leaderboards.place_by_rating",  # of an index of those who hide, as the next two
    "storage.results.leaderboards.families_rated",
    "storage.results.leaderboards.families_won",
    "storage.privacy.forgotten.undone",  # at a start
    "storage.migrate._upgrade_from",
}
"""What may read whole tables, or whole indexes."""

EXPLAIN: Final = {"sqlite": "EXPLAIN QUERY PLAN", "postgresql": "EXPLAIN"}
SCAN: Final = {"sqlite": re.compile(r"SCAN (\w+)"), "postgresql": re.compile(r"Seq Scan on (\w+)")}


def scanned(connection: Connection, statement: str, parameters: Any = ()) -> set[str]:  # noqa: ANN401 - the driver's
    """The big tables that a statement reads from end to end."""
    database = connection.dialect.name
    if database == "postgresql":
        connection.exec_driver_sql("SET LOCAL enable_seqscan = off")
    lines = connection.exec_driver_sql(f"{EXPLAIN[database]} {statement}", parameters).all()
    return {match[1] for row in lines if (match := SCAN[database].search(row[-1]))} & BIG


class Plans:
    """Records the statements that storage sends, and explains each once."""

    def __init__(self, folder: Path) -> None:
        self._urls = {"sqlite": f"sqlite:///{folder / 'plans.db'}"}
        self._engines: dict[str, Engine] = {}
        self._sent: dict[tuple[str, str], tuple[Any, str] | None] = {}
        self._opened = ExitStack()

    def __enter__(self) -> Self:
        event.listen(Engine, "before_cursor_execute", self._record)
        return self

    def __exit__(self, *_: object) -> None:
        event.remove(Engine, "before_cursor_execute", self._record)
        self._opened.close()

    def scans(self) -> Sequence[str]:
        """The new statements that read whole tables, each with the function that has sent it."""
        found = []
        for (database, statement), sent in list(self._sent.items()):
            if sent is None:
                continue
            self._sent[database, statement] = None
            with self._engine(database).connect() as connection:
                if tables := scanned(connection, statement, sent[0]):
                    found.append(f"{sent[1]} reads all of {sorted(tables)}: {statement}")
        return found

    def _record(self, connection: Connection, _: object, statement: str, parameters: Any, *__: object) -> None:  # noqa: ANN401
        sender = _sender()
        if sender and sender not in SELDOM and statement.startswith(("SELECT", "UPDATE", "DELETE", "WITH")):
            first = parameters[0] if isinstance(parameters, list) else parameters
            self._sent.setdefault((connection.dialect.name, statement), (first, sender))

    def _engine(self, database: str) -> Engine:
        if database not in self._engines:
            url = parse_url(self._urls.get(database) or self._opened.enter_context(postgresql_database()))
            migrate(url)
            self._engines[database] = connect(url)
            self._opened.callback(self._engines[database].dispose)
        return self._engines[database]


def _sender() -> str | None:
    """The function of storage that sends a statement now; None if a test does."""
    frame = sys._getframe(2)  # noqa: SLF001 - there is no other way to know
    while frame.f_back and not (name := frame.f_globals.get("__name__", "")).startswith(("storage.", "tests.")):
        frame = frame.f_back
    return f"{name}.{frame.f_code.co_name}" if name.startswith("storage.") else None

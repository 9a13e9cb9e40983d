"""Forgetting a person while another process, or a background task, works on their data."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

import pytest
from sqlalchemy import URL, Connection, Engine, event, select
from sqlalchemy.exc import DBAPIError

from storage.columns import DAY
from storage.database import connect
from storage.errors import LockedRow
from storage.privacy import erasure, forgotten
from storage.results import results
from storage.schema import ERASURES, PAIRS, RATINGS, RESULTS
from storage.writer import CONFLICTS, LOCKED
from tests.storage.examples import WON, finish, put
from tests.storage.people_everywhere import OTHER, WHO, WITH_OTHER, begin, found_in_rows, go_on

YESTERDAY: Final = int(time.time()) // DAY - 1
PEOPLE: Final = (WHO, OTHER)
DEADLOCK: Final = "40P01"


def played(connection: Connection) -> None:
    record = put(connection, chat_id=None, **WITH_OTHER, **WON)
    results.add(connection, [record.game], YESTERDAY * DAY + 5)


def end(engine: Engine) -> list[str]:
    """Do everything that is left; returns where there are traces of the first person."""
    with engine.begin() as connection:
        go_on(connection)
        return found_in_rows(connection)


@contextmanager
def meanwhile(engine: Engine, after: str, do: Callable[[], None], does: str = "SELECT") -> Iterator[None]:
    """Run something once, in the middle of a transaction that has read or deleted rows of a table."""
    waiting = [do]

    def executed(*told: Any) -> None:  # noqa: ANN401 - as SQLAlchemy has it
        statement = str(told[2])
        if waiting and statement.startswith(does) and f"FROM {after}" in " ".join(statement.split()):
            waiting.pop()()

    event.listen(engine, "after_cursor_execute", executed)
    yield
    event.remove(engine, "after_cursor_execute", executed)
    assert not waiting


@pytest.fixture
def one(postgresql: URL) -> Iterator[Engine]:
    """Connections of a process. SQLite lets nobody in between, so this is PostgreSQL's alone."""
    engine = connect(postgresql, create=False)
    yield engine
    engine.dispose()


@pytest.fixture
def other(postgresql: URL) -> Iterator[Engine]:
    engine = connect(postgresql, create=False)
    yield engine
    engine.dispose()


def attempt(engine: Engine, work: Callable[[Connection], object]) -> None:
    """Do something in a transaction that may wait in vain for now, which is tried again, but in no circle."""
    try:
        with engine.begin() as connection:
            work(connection)
    except LockedRow:
        pass
    except DBAPIError as error:
        if getattr(error.orig, "sqlstate", "") not in {LOCKED, *CONFLICTS} - {DEADLOCK}:
            raise


@pytest.mark.parametrize("table", ["games", "results", "erasures"])
def test_two_opponents_are_forgotten_by_two_processes_together(one: Engine, other: Engine, table: str) -> None:
    with one.begin() as connection:
        played(connection)
        begin(connection, *PEOPLE)
    with meanwhile(one, table, lambda: attempt(other, go_on)):
        attempt(one, go_on)
    end(one)
    with one.begin() as connection:
        assert found_in_rows(connection) == found_in_rows(connection, OTHER) == []
        assert connection.execute(select(ERASURES)).all() == []
        assert connection.execute(select(RESULTS)).all() == connection.execute(select(PAIRS)).all() == []


def test_one_person_asks_twice_together(one: Engine, other: Engine) -> None:
    def ask(connection: Connection) -> None:
        begin(connection, WHO)

    with one.begin() as connection:
        played(connection)
        erasure.ask(connection, WHO, 1)
    with meanwhile(one, "erasures", lambda: attempt(other, ask)):
        attempt(one, ask)
    with one.begin() as connection:
        begin(connection, WHO)
        assert len(connection.execute(select(ERASURES)).all()) == 1
    end(one)
    with one.begin() as connection:
        assert found_in_rows(connection) == []
        assert found_in_rows(connection, OTHER)
        assert connection.execute(select(PAIRS)).all() == []


def test_a_game_that_another_process_begins_during_the_last_portion_is_forgotten_before_they_are_told(
    one: Engine, other: Engine
) -> None:
    with one.begin() as connection:
        begin(connection, WHO)
        while connection.execute(select(ERASURES.c.cursor)).scalar() != erasure.Phase.CLEARED:
            erasure.step(connection)
    tap = meanwhile(one, "chats", lambda: attempt(other, lambda c: put(c, chat_id=None, **WITH_OTHER)))
    with tap, one.begin() as connection:
        step = erasure.step(connection)
    assert step is not None
    assert step.farewell is not None
    with one.begin() as connection:
        assert found_in_rows(connection)
        assert erasure.resume(connection, WHO, 2**40)
        assert forgotten.forgotten_at(connection, WHO) == 2**40, "a copy from before this brings them back, too"
    assert end(one) == []


def test_a_game_that_is_rated_meanwhile_writes_nobody_back(one: Engine, other: Engine) -> None:
    with one.begin() as connection:
        game = put(connection, chat_id=None, **WITH_OTHER, moves=WON["moves"][:-1]).game
    with meanwhile(one, "ratings", lambda: attempt(other, lambda connection: begin(connection, WHO))):
        attempt(one, lambda connection: finish(connection, game.id))
    assert end(one) == []
    with one.connect() as connection:
        rated = set(connection.execute(select(RATINGS.c.person)).scalars())
    assert rated == {OTHER}

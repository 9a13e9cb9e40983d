"""One order of locks, so that nobody waits in a circle (`storage.results.ratings`)."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import URL, Connection, Engine, event

from storage.database import connect
from storage.people.person import Person
from storage.results import ratings, results
from storage.schema import GAMES, PEOPLE, RATINGS
from tests.storage.examples import ANN, HALL, TWO, X_WINS, finish, put

LOCKING = ("INSERT INTO", "UPDATE", "DELETE FROM")


@contextmanager
def locked(engine: Engine) -> Iterator[list[str]]:
    """What a transaction locks for the first time, in order: tables with rows of its own, and the ratings."""
    order: list[str] = []

    def executed(*told: Any) -> None:  # noqa: ANN401 - as SQLAlchemy has it
        words = " ".join(str(told[2]).split())
        verb = next(
            (verb for verb in LOCKING if words.startswith(verb)), "FROM" if "FOR UPDATE" in words else None
        )
        found = "the lock" if "advisory" in words else verb and words.partition(f"{verb} ")[2].split()[0]
        if found and found not in order:
            order.append(found)

    event.listen(engine, "before_cursor_execute", executed)
    yield order
    event.remove(engine, "before_cursor_execute", executed)


@pytest.fixture
def engine(postgresql: URL) -> Iterator[Engine]:
    """SQLite has one writer at a time, so this is PostgreSQL's alone."""
    engine = connect(postgresql, create=False)
    yield engine
    engine.dispose()


@pytest.mark.parametrize(
    ("work", "takes_lock"),
    [
        (finish, True),
        (lambda connection, _: results.hide(connection, Person(ANN, "Ann")), True),
        (lambda connection, _: results.clear_shown(connection, ANN, 5), False),
        (lambda connection, _: ratings.unsettle(connection, 2**30), True),
    ],
    ids=["a tap ends a game", "somebody hides", "their games are cleared", "ratings become provisional"],
)
def test_games_and_people_are_locked_before_the_ratings(
    engine: Engine,
    work: Callable[[Connection, int], Any],
    takes_lock: bool,  # noqa: FBT001 - a column of the table
) -> None:
    with engine.begin() as connection:
        before, game = (put(connection, HALL, chat_id=HALL.chat_id, moves=X_WINS[:-1], **TWO).game for _ in "12")
        finish(connection, before.id)
        connection.execute(RATINGS.update().values(settled=1))
        connection.execute(PEOPLE.update().where(PEOPLE.c.id == ANN).values(hidden=not takes_lock))
    with locked(engine) as order, engine.begin() as connection:
        work(connection, game.id)
    assert order
    assert ("the lock" in order) is takes_lock
    after = order[order.index("the lock") + 1 :] if takes_lock else []
    assert not {GAMES.name, "boards", PEOPLE.name} & set(after), order

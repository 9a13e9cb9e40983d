"""People's own preferences."""

from __future__ import annotations

from sqlalchemy import Engine

from storage.people import people
from storage.people.person import Person
from tests.storage.examples import ANN, BOB


def test_others_may_ask_a_person_for_a_takeback_unless_told_otherwise(engine: Engine) -> None:
    with engine.begin() as connection:
        assert people.allows_takebacks(connection, BOB)
        people.choose(connection, Person(BOB, "Bob"), takebacks=False)
        assert not people.allows_takebacks(connection, BOB)
        people.see(connection, Person(BOB, "Bobby"))
        assert not people.allows_takebacks(connection, BOB)
        assert people.find(connection, BOB) == Person(BOB, "Bobby")
        people.choose(connection, Person(BOB, "Bob"), takebacks=True)
        assert people.allows_takebacks(connection, BOB)
        assert people.find(connection, ANN) is None

"""People's own preferences."""

from __future__ import annotations

from sqlalchemy import Engine

from storage.people import people, preferences
from storage.people.person import Person
from tests.storage.examples import ANN, BOB


def test_others_may_ask_a_person_for_a_takeback_unless_told_otherwise(engine: Engine) -> None:
    with engine.begin() as connection:
        assert preferences.allows_takebacks(connection, BOB)
        preferences.choose(connection, Person(BOB, "Bob"), takebacks=False)
        assert not preferences.allows_takebacks(connection, BOB)
        people.see(connection, Person(BOB, "Bobby"))
        assert not preferences.allows_takebacks(connection, BOB)
        assert people.find(connection, BOB) == Person(BOB, "Bobby")
        preferences.choose(connection, Person(BOB, "Bob"), takebacks=True)
        assert preferences.allows_takebacks(connection, BOB)
        assert people.find(connection, ANN) is None

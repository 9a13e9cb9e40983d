"""People who used inline mode recently are remembered for a while, in memory only."""

from __future__ import annotations

from bot.context.services import REMEMBERED_PEOPLE, RecentPeople
from tests.bot.games import ANN, BO


def test_a_person_is_found_by_their_newest_name() -> None:
    people = RecentPeople()
    assert people.find(ANN.id) is None
    people.learn(ANN)
    people.learn(ANN._replace(name="Anna"))
    found = people.find(ANN.id)
    assert found is not None
    assert found.name == "Anna"
    assert people.find(BO.id) is None


def test_the_oldest_are_forgotten_first() -> None:
    people = RecentPeople()
    for number in range(REMEMBERED_PEOPLE):
        people.learn(BO._replace(id=number))
    people.learn(BO._replace(id=0))
    people.learn(ANN)
    assert people.find(ANN.id) is not None
    assert people.find(0) is not None
    assert people.find(1) is None

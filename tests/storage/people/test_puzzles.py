"""People's progress in the daily puzzle."""

from __future__ import annotations

from sqlalchemy import Connection

from storage.people import chats, people, puzzles
from storage.people.person import Person
from storage.results import hiding
from tests.storage.examples import GROUP

ANN, BO = Person(7, "Ann"), Person(8, "Bo")


def solve(connection: Connection, person: Person, day: int, at: int = 1) -> bool:
    solving = puzzles.load(connection, person.id, day)
    return puzzles.save(connection, person, solving._replace(solved_at=at, streak=solving.streak + 1))


def names_in(connection: Connection, chat_id: int, day: int) -> list[str]:
    return [each.name for each in puzzles.solvers(connection, chat_id, day)]


def test_a_streak_lives_on_from_day_to_day_and_ends_with_a_day_that_was_missed(connection: Connection) -> None:
    for day in (5, 6, 7):
        assert solve(connection, ANN, day)
    for _ in range(2):  # whoever looks at the next one, and errs there, keeps it
        today = puzzles.load(connection, ANN.id, 8)
        assert (today.streak, puzzles.load(connection, ANN.id, 9).streak) == (3, 0)
        assert puzzles.save(connection, ANN, today._replace(wrong=today.wrong + 1))


def test_of_two_steps_from_the_same_version_one_counts(connection: Connection) -> None:
    for wrong in range(3):
        step = puzzles.load(connection, ANN.id, 5)._replace(wrong=wrong + 1)
        assert [puzzles.save(connection, ANN, step) for _ in "ab"] == [True, False]
    assert puzzles.load(connection, ANN.id, 5).wrong == 3


def test_a_reminder_comes_once_a_day_at_its_time_however_long_nobody_looked(connection: Connection) -> None:
    def taken(at: int) -> list[int]:
        return list(puzzles.take_due(connection, now=at, limit=10))

    at, day = 10**9, puzzles.DAY
    puzzles.remind(connection, ANN, at)
    times = (at - 1, at + 3 * day + 5, at + 3 * day + 5, at + 4 * day - 1, at + 4 * day)
    assert [taken(time) for time in times] == [[], [ANN.id], [], [], [ANN.id]]
    puzzles.remind(connection, ANN, None)
    assert taken(at + 9 * day) == []
    assert not puzzles.is_reminded(connection, ANN.id)


def test_a_group_lists_those_who_opened_it_there_in_order_without_people_who_hide(connection: Connection) -> None:
    for person, at in ((ANN, 20), (BO, 10)):
        people.see(connection, person)
        assert solve(connection, person, 5, at)
    assert names_in(connection, GROUP, 5) == []
    for person in (ANN, BO):
        puzzles.join(connection, person, GROUP)
    assert [names_in(connection, GROUP, day) for day in (5, 6)] == [["Bo", "Ann"], []]
    hiding.hide(connection, BO, 5)
    assert names_in(connection, GROUP, 5) == ["Ann"]
    chats.migrate(connection, old=GROUP, new=GROUP - 1)
    assert names_in(connection, GROUP - 1, 5) == ["Ann"]

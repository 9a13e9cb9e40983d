"""Time in which nobody could be heard, or that a clock got wrong, moves everything that people wait for."""

from enum import Enum
from typing import Any, Final

import pytest
from sqlalchemy import Boolean, Column, Connection, Table, insert, select, update

from storage.clock import DIFFER_SECONDS, UNHEARD_SECONDS, go_on, has_begun_again, is_steady, unheard
from storage.columns import DAY, Time
from storage.games.game import Termination
from storage.games.record import LOOK_NEVER
from storage.people.person import CupStage
from storage.schema import BOARDS, CUPS, GAMES, METADATA, Member

NOW = 1_700_000_000
SOON, LATELY = NOW + 60, NOW - 60
HOUR = 3600
OVER: Final[dict[Table, dict[str, Enum]]] = {
    GAMES: {"termination": Termination.LINE},
    CUPS: {"stage": CupStage.OVER},
}
LASTING: Final = [table for table in METADATA.sorted_tables if any(each.info["time"] for each in table.c)]


def then(column: Column[Any]) -> int:
    return LATELY if column.info["time"] is Time.SINCE else SOON


def value_of(column: Column[Any], number: int) -> Any:  # noqa: ANN401 - of any column
    if column.info["time"]:
        return then(column)
    if column.nullable:
        return None
    if isinstance(column.type, Member):
        return next(iter(column.type.of))
    if isinstance(column.type, Boolean):
        return False
    return str(number) if column.type.python_type is str else number


def put(connection: Connection, number: int, over: bool) -> None:  # noqa: FBT001 - of two kinds
    """Store a row in each table, all of whose times are soon; with `over`, nothing is waited for any more."""
    for table in METADATA.sorted_tables:
        row = {column.name: value_of(column, number) for column in table.c}
        row |= {"wanted": 1, "shown": 1 if over else 0} if table is BOARDS else {}
        connection.execute(insert(table).values(row | (OVER.get(table, {}) if over else {})))


def times(connection: Connection, number: int) -> dict[Column[Any], int]:
    """All stored times, by column."""
    found: dict[Column[Any], int] = {}
    for table in LASTING:
        key = next(iter(table.primary_key))
        wanted = number if key.type.python_type is int else str(number)
        row = connection.execute(select(table).where(key == wanted)).one()._mapping  # noqa: SLF001 - SQLAlchemy's own
        found |= {column: row[column.name] for column in table.c if column.info["time"]}
    return found


@pytest.mark.parametrize("leap", [HOUR, 30 * DAY, -2 * HOUR, -30 * DAY])
def test_whatever_is_due_or_waits_moves_by_as_much_as_nobody_was_heard_and_nothing_else_does(
    connection: Connection, leap: int
) -> None:
    go_on(connection, NOW)
    for number, over in ((1, False), (2, True)):
        put(connection, number, over)
    assert go_on(connection, NOW + leap) == leap
    moving = {Time.DUE, Time.SINCE} if leap > 0 else {Time.DUE, Time.SINCE, Time.NEAR}
    for column, found in times(connection, 1).items():
        assert found - then(column) == (leap if column.info["time"] in moving else 0), column
    ended = times(connection, 2)
    assert all(ended[column] == then(column) for column in ended if column.table in (GAMES, BOARDS, CUPS))


def test_what_began_after_the_last_note_has_just_begun_when_people_are_heard_again(connection: Connection) -> None:
    put(connection, 1, over=False)
    connection.execute(GAMES.update().values(moved_at=NOW + 4))
    go_on(connection, NOW)
    go_on(connection, NOW + HOUR)
    assert connection.execute(select(GAMES.c.moved_at)).scalars().all() == [NOW + HOUR - 1]


@pytest.mark.parametrize("leap", [HOUR, -HOUR])
def test_what_has_not_begun_begins_by_no_leap(connection: Connection, leap: int) -> None:
    put(connection, 1, over=False)
    empty = [column for table in LASTING for column in table.c if column.info["time"] and column.nullable]
    for column in empty:
        connection.execute(update(column.table).values({column: None}))
    go_on(connection, NOW)
    assert go_on(connection, NOW + leap) == leap
    assert {column: times(connection, 1)[column] for column in empty} == dict.fromkeys(empty)


def test_what_is_put_off_for_good_stays_so_when_a_clock_is_set_back(connection: Connection) -> None:
    put(connection, 1, over=False)
    connection.execute(BOARDS.update().values(look_at=LOOK_NEVER))
    go_on(connection, NOW)
    go_on(connection, NOW - DAY)
    assert connection.execute(select(BOARDS.c.look_at)).scalars().all() == [LOOK_NEVER]


def test_the_usual_pause_between_two_notes_and_clocks_that_differ_a_little_move_nothing(
    connection: Connection,
) -> None:
    go_on(connection, NOW)
    assert go_on(connection, NOW + UNHEARD_SECONDS - 1) == 0
    assert go_on(connection, NOW + UNHEARD_SECONDS - 1 - DIFFER_SECONDS) == 0, "another machine's"
    assert go_on(connection, NOW + UNHEARD_SECONDS) == 0, "that didn't take the later note back"
    assert (unheard(connection).seconds, is_steady(connection, NOW)) == (0, True)


def test_of_two_processes_that_come_back_only_the_first_moves_anything(connection: Connection) -> None:
    go_on(connection, NOW)
    assert [go_on(connection, NOW + HOUR), go_on(connection, NOW + HOUR + 1)] == [HOUR, 0]


def test_a_fetch_that_turns_out_to_have_waited_in_vain_counts_as_well(connection: Connection) -> None:
    go_on(connection, NOW)
    assert go_on(connection, NOW + 5, unheard=50) == 55


def test_how_long_nobody_was_heard_is_known_until_everything_has_begun_again(connection: Connection) -> None:
    go_on(connection, NOW)
    go_on(connection, NOW + HOUR)
    go_on(connection, NOW + HOUR + 40)
    assert unheard(connection) == (HOUR + 40, NOW + HOUR + 40)
    go_on(connection, NOW - DAY)
    assert unheard(connection) == (HOUR + 40, NOW - DAY), "a clock was set back meanwhile"
    has_begun_again(connection)
    assert unheard(connection).seconds == 0


@pytest.mark.parametrize("leap", [DAY, -DAY, 400 * DAY])
def test_nothing_is_old_for_a_day_after_time_has_leapt(connection: Connection, leap: int) -> None:
    go_on(connection, NOW)
    go_on(connection, NOW + leap)
    assert [is_steady(connection, NOW + leap + passed) for passed in (0, DAY - 1, DAY)] == [False, False, True]

"""A statement for many rows changes each by its own fields, whatever those hold, on every database."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import BigInteger, Boolean, Column, MetaData, Table, Text, insert, select, update

from storage.each import InsertEach, SelectEach, UpdateEach

if TYPE_CHECKING:
    from sqlalchemy import Engine

THINGS = Table(
    "things", MetaData(), Column("id", BigInteger, primary_key=True), Column("what", Text), Column("n", BigInteger)
)

RENAME = UpdateEach(
    ("key", "expected", "what", "n"),
    lambda row: (
        update(THINGS)
        .where(THINGS.c.id == row["key"], THINGS.c.n == row["expected"])
        .values(what=row["what"], n=row["n"])
    ),
)

LARGEST = 2**63 - 1


def renamed(
    engine: Engine, *rows: tuple[int, int, str | None, int | None]
) -> tuple[int, list[tuple[object, ...]]]:
    """How many things were renamed of those numbered 1 to 3 with their number as n, and what they are then."""
    with engine.begin() as connection:
        THINGS.drop(connection, checkfirst=True)
        THINGS.create(connection)
        connection.execute(insert(THINGS), [{"id": number, "n": number} for number in (1, 2, 3)])
        changed = RENAME.run(connection, rows)
        found = [tuple(row) for row in connection.execute(select(THINGS).order_by(THINGS.c.id))]
        THINGS.drop(connection)
    return changed, found


def test_each_row_is_changed_by_its_own_fields(engine: Engine) -> None:
    changed, things = renamed(engine, (3, 3, "ox", 30), (1, 1, "hen", 10))
    assert changed == 2
    assert things == [(1, "hen", 10), (2, None, 2), (3, "ox", 30)]


def test_a_row_that_is_not_as_expected_is_left_alone_and_does_not_count(engine: Engine) -> None:
    changed, things = renamed(engine, (1, 2, "hen", 10), (2, 2, "dog", 20), (4, 4, "cat", 40))
    assert changed == 1
    assert things == [(1, None, 1), (2, "dog", 20), (3, None, 3)]


@pytest.mark.parametrize(
    "what",
    [
        None,
        "",
        "null",
        "1",
        '"quoted" \\ \n',
        "井字棋 \U0001f469\u200d\U0001f467",
        "\u2068Ann\u2069 \x1f",
        "[1]",
        "$[0]",
    ],
)
def test_every_text_is_stored_as_it_is(engine: Engine, what: str | None) -> None:
    assert renamed(engine, (2, 2, what, 20))[1][1] == (2, what, 20)


def test_half_a_surrogate_pair_is_refused_and_changes_nothing(engine: Engine) -> None:
    with pytest.raises(UnicodeEncodeError):
        renamed(engine, (2, 2, "\ud800", 20))
    assert renamed(engine, (2, 2, "dog", 20)) == (1, [(1, None, 1), (2, "dog", 20), (3, None, 3)])


@pytest.mark.parametrize("number", [None, 0, -1, LARGEST, -LARGEST])
def test_every_number_is_stored_as_it_is(engine: Engine, number: int | None) -> None:
    assert renamed(engine, (2, 2, "dog", number))[1][1] == (2, "dog", number)


def test_new_rows_are_numbered_in_their_order_on_from_the_highest(engine: Engine) -> None:
    store = InsertEach(THINGS, ("what", "n"))
    with engine.begin() as connection:
        THINGS.drop(connection, checkfirst=True)
        THINGS.create(connection)
        first = store.run(connection, [("hen", 3), ("ox", None), ("dog", 1)])
        second = store.run(connection, [("cat", 2)])
        found = [tuple(row) for row in connection.execute(select(THINGS).order_by(THINGS.c.id))]
        THINGS.drop(connection)
    assert list(zip([*first, *second], [("hen", 3), ("ox", None), ("dog", 1), ("cat", 2)], strict=True)) == [
        (number, (what, n)) for number, what, n in found
    ]
    assert [number for number, *_ in found] == [1, 2, 3, 4]


def test_rows_are_read_as_they_are_stored(engine: Engine) -> None:
    of_flags = Table(
        "flags",
        MetaData(),
        Column("id", BigInteger, primary_key=True),
        Column("on", Boolean),
        Column("what", Text),
    )
    read = SelectEach(tuple(of_flags.c), of_flags, of_flags.c.id)
    stored = [(1, True, "井字棋 \x1f"), (2, False, None), (LARGEST, None, '"')]
    with engine.begin() as connection:
        of_flags.drop(connection, checkfirst=True)
        of_flags.create(connection)
        connection.execute(
            insert(of_flags), [{"id": number, "on": on, "what": what} for number, on, what in stored]
        )
        found = [tuple(row) for row in read.run(connection, [LARGEST, 2, 1, 7])]
        nothing = list(read.run(connection, []))
        of_flags.drop(connection)
    assert sorted(found) == stored
    assert [type(row[1]) for row in sorted(found)] == [bool, bool, type(None)]
    assert nothing == []

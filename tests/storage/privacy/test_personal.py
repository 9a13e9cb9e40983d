"""Every column of every table is declared personal or not."""

from __future__ import annotations

from storage.privacy.personal import FIRST_OF, HELD, IMPERSONAL, DataKind
from storage.schema import METADATA


def test_every_column_is_known_to_tell_of_people_or_of_nobody() -> None:
    """A new column must be declared as one or the other: forgetting and exporting depend on it."""
    for table in METADATA.sorted_tables:
        held, other = set(HELD.get(table.name, {})), set(IMPERSONAL.get(table.name, "").split())
        assert not held & other, table.name
        assert held | other == set(table.columns.keys()), (
            f"{table.name}: storage/privacy/personal.py doesn't list all its columns"
        )


def test_what_is_listed_exists() -> None:
    assert set(HELD) | set(IMPERSONAL) == set(METADATA.tables)
    assert set(FIRST_OF) == set(HELD), "each personal table names the columns by which people are found"
    for name, columns in FIRST_OF.items():
        assert all(HELD[name][column] in (DataKind.PERSON, DataKind.CHAT) for column in columns)

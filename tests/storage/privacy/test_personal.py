"""Every column of every table is known to tell of people, or not to."""

from __future__ import annotations

from storage.privacy.personal import FIRST_OF, HELD, IMPERSONAL, DataKind
from storage.schema import METADATA


def test_every_column_is_known_to_tell_of_people_or_of_nobody() -> None:
    """Whoever adds a column says which it is: forgetting and exporting go by that."""
    for table in METADATA.sorted_tables:
        held, other = set(HELD.get(table.name, {})), set(IMPERSONAL.get(table.name, "").split())
        assert not held & other, table.name
        assert held | other == set(table.columns.keys()), (
            f"{table.name}: storage/privacy/personal.py does not know them all"
        )


def test_what_is_listed_exists() -> None:
    assert set(HELD) | set(IMPERSONAL) == set(METADATA.tables)
    assert set(FIRST_OF) == set(HELD), "each table that tells of people says by which columns they are found"
    for name, columns in FIRST_OF.items():
        assert all(HELD[name][column] in (DataKind.PERSON, DataKind.CHAT) for column in columns)

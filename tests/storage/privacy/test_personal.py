"""Every column says whose it is."""

import pytest

from storage.columns import DataKind
from storage.privacy.personal import FIRST_OF, HELD
from storage.schema import METADATA, Member


@pytest.mark.parametrize("kind", [int, str])
def test_nothing_becomes_a_column_that_does_not_say_what_it_is(kind: type) -> None:
    """So a new column is neither forgotten nor left out of exports."""
    with pytest.raises(TypeError):
        Member(kind)


def test_each_personal_table_names_the_columns_by_which_its_rows_are_found() -> None:
    assert set(FIRST_OF) == set(HELD)
    for name, columns in FIRST_OF.items():
        assert all(HELD[name][column] in (DataKind.PERSON, DataKind.CHAT) for column in columns)
    others = {"cup_games", "replays", "done", "progress", "forgotten", "former_pairs"}
    assert HELD.keys() | others == METADATA.tables.keys()

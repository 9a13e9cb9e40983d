"""Who may see whose results, case by case."""

from itertools import product

import pytest

from bot.game.visibility import ResultsRequest, may_see

TABLE = """
own  group  answers  plays-here  hides  sees
yes  -      -        -           -      yes
no   no     -        -           -      no
no   yes    -        -           yes    no
no   yes    yes      -           no     yes
no   yes    no       yes         no     yes
no   yes    no       no          no     no
"""
"""A dash stands for either."""


def rows() -> list[tuple[ResultsRequest, bool]]:
    """The table, with each dash expanded to both values."""
    found = []
    for line in TABLE.split("\n")[2:-1]:
        *given, sees = line.split()
        values = product(*({"yes": [True], "no": [False], "-": [True, False]}[word] for word in given))
        found += [(ResultsRequest(*each), sees == "yes") for each in values]
    return found


def test_every_case_is_in_the_table_once() -> None:
    assert sorted(asked for asked, _ in rows()) == sorted(
        ResultsRequest(*values) for values in product([True, False], repeat=5)
    )


@pytest.mark.parametrize(("asked", "sees"), rows())
def test_who_sees_whose_results(asked: ResultsRequest, sees: bool) -> None:  # noqa: FBT001 - a cell of the table
    assert may_see(asked) is sees

"""Lines as runs of bits, against lines found by walking."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.rules.geometry import Geometry
from engine.search.mnk.bits import board
from engine.search.mnk.bounds import Scales, weights
from engine.search.mnk.proof import Images
from engine.search.table import Table
from tests.engine.search.mnk.oracle import Rules, bits, lines


@st.composite
def marked(draw: st.DrawFn) -> tuple[Rules, frozenset[int], frozenset[int]]:
    """Any board with any marks, none of which fill a line."""
    m, n = draw(st.integers(3, 9)), draw(st.integers(3, 8))
    rules = Rules(m, n, draw(st.integers(3, max(m, n))))
    owners = draw(st.lists(st.sampled_from((0, 0, 1, 2)), min_size=m * n, max_size=m * n))
    own, other = (frozenset(cell for cell, owner in enumerate(owners) if owner == each) for each in (1, 2))
    for line in lines(rules):
        own, other = (marks - {min(line)} if line <= marks else marks for marks in (own, other))
    return rules, own, other


@settings(deadline=None)
@given(marked())
def test_open_lines_are_counted_by_the_marks_that_they_miss(
    case: tuple[Rules, frozenset[int], frozenset[int]],
) -> None:
    rules, own, other = case
    on = rules.board
    expected = [0] * rules.k
    for line in lines(rules):
        if not line & other:
            expected[rules.k - len(line & own) - 1] += 1
    missing = on.missing(*bits(rules, own, other), on.full)
    assert [starts.bit_count() for starts in missing] == expected


@settings(deadline=None)
@given(marked(), st.data())
def test_the_lines_through_a_cell_are_found_by_their_starts(
    case: tuple[Rules, frozenset[int], frozenset[int]], data: st.DataObject
) -> None:
    rules, own, other = case
    on = rules.board
    cell = data.draw(st.integers(0, on.cells - 1))
    found = sum(
        (starts & on.through[cell]).bit_count() for starts in on.missing(*bits(rules, own, other), on.full)
    )
    assert found == sum(cell in line and not line & other for line in lines(rules))


@pytest.mark.parametrize("size", [(3, 3, 3), (5, 4, 4), (6, 6, 5), (8, 8, 5)])
def test_both_scales_weigh_alike(size: tuple[int, int, int]) -> None:
    on = board(*size)
    own, other = on.marks([0]), on.marks([on.cells - 1])
    missing = on.missing(own, other, on.full)
    expected = weights(missing, 1 << on.k - 1, on.through)
    assert Scales(on).weigh(missing, range(on.cells)) == expected


def test_the_cells_of_marks_are_those_that_were_marked() -> None:
    on = board(5, 4, 4)
    assert on.cells_of(on.marks([3, 19, 7])) == [3, 7, 19]


def test_lines_are_those_of_the_geometry() -> None:
    geometry, on = Geometry(7, 6, 4), board(7, 6, 4)
    empty = on.missing(0, 0, on.full)
    assert empty[-1].bit_count() == len(geometry.lines)
    assert [(empty[-1] & starts).bit_count() for starts in on.through] == [
        len(through) for through in geometry.lines_through
    ]


@pytest.mark.parametrize(("m", "n", "images"), [(4, 4, 8), (5, 4, 4)])
def test_turned_and_reflected_positions_share_a_key_and_others_do_not(m: int, n: int, images: int) -> None:
    table = Images(board(m, n, 3))
    keys = {table.key(table.own[own] | table.other[other]) for own in range(m * n) for other in range(m * n)}
    turned = {
        min(tuple(sorted(_image(m, n, each, pair) for each in range(images))))
        for pair in ((own, other) for own in range(m * n) for other in range(m * n))
    }
    assert len(keys) == len(turned)


def _image(m: int, n: int, which: int, pair: tuple[int, int]) -> tuple[int, ...]:
    found = []
    for cell in pair:
        row, column = divmod(cell, m)
        if which & 1:
            row = n - 1 - row
        if which & 2:
            column = m - 1 - column
        found.append(column * m + row if which & 4 else row * m + column)
    return tuple(found)


def test_a_full_table_drops_what_was_not_used_since_it_last_was() -> None:
    table: Table[int, tuple[int]] = Table(entries=2)
    for key in (1, 2, 3):
        table.put(key, (key,))
    assert table.get(1) == (1,)
    table.put(4, (4,))
    table.put(5, (5,))
    assert table.get(1) == (1,)
    assert table.get(2) is None

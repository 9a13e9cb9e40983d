"""Lines as runs of bits, against lines found by walking."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.rules.mnk import symmetries
from engine.search.base import PositionTable
from engine.search.bits import board
from engine.search.bounds import weights
from engine.search.proof import Images
from tests.engine.naive import Game
from tests.engine.search.forms import board_of


@st.composite
def marked(draw: st.DrawFn) -> tuple[Game, frozenset[int], frozenset[int]]:
    """Any board with any marks, none of which fill a line."""
    m, n = draw(st.integers(3, 9)), draw(st.integers(3, 8))
    game = Game(m, n, draw(st.integers(3, max(m, n))))
    owners = draw(st.lists(st.sampled_from((0, 0, 1, 2)), min_size=m * n, max_size=m * n))
    own, other = (frozenset(cell for cell, owner in enumerate(owners) if owner == each) for each in (1, 2))
    for line in game.lines:
        own, other = (marks - {min(line)} if marks.issuperset(line) else marks for marks in (own, other))
    return game, own, other


@given(marked())
def test_open_lines_are_counted_by_the_marks_that_they_miss_and_found_through_each_cell(
    case: tuple[Game, frozenset[int], frozenset[int]],
) -> None:
    game, own, other = case
    on = board_of(game)
    open_lines = [line for line in game.lines if not other & {*line}]
    expected = [0] * game.k
    for line in open_lines:
        expected[game.k - len(own & {*line}) - 1] += 1
    missing = on.missing(on.marks(own), on.marks(other), on.full)
    assert [starts.bit_count() for starts in missing] == expected
    heavy = [sum(2 ** len(own & {*line}) for line in open_lines if cell in line) for cell in range(on.cells)]
    assert weights(missing, 1 << on.k - 1, on.through) == heavy


def test_the_cells_of_marks_are_those_that_were_marked() -> None:
    on = board(5, 4, 4)
    assert on.cells_of(on.marks([3, 19, 7])) == [3, 7, 19]


@pytest.mark.parametrize(("m", "n"), [(4, 4), (5, 4)])
def test_turned_and_reflected_positions_share_a_key_and_others_do_not(m: int, n: int) -> None:
    table = Images(board(m, n, 3))
    pairs = list(product(range(m * n), repeat=2))
    keys = [table.key(table.own[own] | table.other[other]) for own, other in pairs]
    least = [min((image[own], image[other]) for image in symmetries(m, n)) for own, other in pairs]
    assert len(set(keys)) == len(set(least)) == len(set(zip(keys, least, strict=True)))


def test_a_full_table_drops_what_was_not_used_since_it_last_was() -> None:
    table: PositionTable[int, tuple[int]] = PositionTable(entries=2)
    for key in (1, 2, 3):
        table.put(key, (key,))
    assert table.get(1) == (1,)
    table.put(4, (4,))
    table.put(5, (5,))
    assert table.get(1) == (1,)
    assert table.get(2) is None


@pytest.mark.parametrize(("m", "n", "images"), [(4, 4, 8), (5, 4, 4)])
def test_one_position_stands_for_all_that_are_symmetric_to_it(m: int, n: int, images: int) -> None:
    on, own, other = board(m, n, 3), [0, 1], [6]
    found = {
        on.alike(*(on.marks(image[cell] for cell in side) for side in (own, other))) for image in symmetries(m, n)
    }
    assert len(symmetries(m, n)) == images
    assert len(found) == 1
    assert on.alike(on.marks([0, 1]), on.marks([2])) not in found

"""Boards, their lines, and their symmetries."""

from itertools import product

import pytest

from engine import EngineError
from engine.rules.geometry import THREE_BY_THREE, Geometry, symmetries
from tests.engine.naive import Game

SIZES = list(product(range(3, 9), repeat=2))


def test_the_classic_board_has_eight_lines() -> None:
    rows, columns = ((0, 1, 2), (3, 4, 5), (6, 7, 8)), ((0, 3, 6), (1, 4, 7), (2, 5, 8))
    assert THREE_BY_THREE.lines == (*rows, *columns, (0, 4, 8), (2, 4, 6))
    assert THREE_BY_THREE.masks == (0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)


def test_161_boards_have_the_lines_that_walking_finds_and_no_other_board_is_one() -> None:
    boards = 0
    for m, n, k in product(range(1, 11), range(1, 11), range(11)):
        if (m, n) not in SIZES or not 3 <= k <= max(m, n):
            with pytest.raises(EngineError, match=r"^(A board has|On a board of) .*\.$"):
                Geometry(m, n, k)
            continue
        geometry, boards = Geometry(m, n, k), boards + 1
        assert sorted(map(sorted, geometry.lines)) == sorted(map(sorted, Game(m, n, k).lines))
        for cell, masks in enumerate(geometry.lines_through):
            assert len(masks) == sum(cell in line for line in geometry.lines)
            assert all(mask >> cell & 1 for mask in masks)
    assert boards == 161


@pytest.mark.parametrize(
    ("size", "sentence"),
    [
        ((2, 3, 3), "A board has 3 to 8 columns, not 2."),
        ((3, 9, 3), "A board has 3 to 8 rows, not 9."),
        ((4, 5, 6), "On a board of 4 columns and 5 rows a line has 3 to 5 cells, not 6."),
    ],
)
def test_what_is_wrong_with_a_board_is_said(size: tuple[int, int, int], sentence: str) -> None:
    with pytest.raises(EngineError) as refused:
        Geometry(*size)
    assert str(refused.value) == sentence


@pytest.mark.parametrize(("m", "n"), SIZES)
def test_symmetries_keep_the_lines(m: int, n: int) -> None:
    geometry = Geometry(m, n, 3)
    images = symmetries(m, n)
    assert images[0] == tuple(range(m * n))
    assert len(set(images)) == len(images) == (8 if m == n else 4)
    lines = {frozenset(line) for line in geometry.lines}
    for image in images:
        assert {frozenset(image[cell] for cell in line) for line in lines} == lines

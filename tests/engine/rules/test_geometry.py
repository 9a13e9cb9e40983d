"""Boards and their lines."""

import pytest

from engine import EngineError, InvalidRules
from engine.rules.geometry import THREE_BY_THREE, Geometry


def test_the_classic_board_has_eight_lines() -> None:
    assert THREE_BY_THREE.cells == 9
    assert THREE_BY_THREE.lines == (
        (0, 1, 2),
        (3, 4, 5),
        (6, 7, 8),
        (0, 3, 6),
        (1, 4, 7),
        (2, 5, 8),
        (0, 4, 8),
        (2, 4, 6),
    )
    assert THREE_BY_THREE.masks == (0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)


@pytest.mark.parametrize(
    ("m", "n", "k", "lines"), [(4, 3, 3, 14), (4, 4, 4, 10), (4, 4, 3, 24), (8, 3, 8, 3), (8, 8, 5, 96)]
)
def test_bigger_boards_have_so_many_lines(m: int, n: int, k: int, lines: int) -> None:
    geometry = Geometry(m, n, k)
    assert len(geometry.lines) == len(set(geometry.lines)) == lines
    assert all(len(set(line)) == k for line in geometry.lines)
    assert all(0 <= cell < m * n for line in geometry.lines for cell in line)


def test_lines_through_a_cell_are_the_lines_that_hold_it() -> None:
    geometry = Geometry(5, 4, 3)
    for cell, masks in enumerate(geometry.lines_through):
        assert len(masks) == sum(cell in line for line in geometry.lines)
        assert all(mask >> cell & 1 for mask in masks)


def test_161_geometries_are_boards_and_all_others_are_refused() -> None:
    boards = 0
    for m in range(1, 11):
        for n in range(1, 11):
            for k in range(11):
                if 3 <= m <= 8 and 3 <= n <= 8 and 3 <= k <= max(m, n):
                    boards += Geometry(m, n, k).k == k
                else:
                    with pytest.raises(InvalidRules):
                        Geometry(m, n, k)
    assert boards == 161


@pytest.mark.parametrize(
    ("m", "n", "k", "sentence"),
    [
        (2, 3, 3, "A board has 3 to 8 columns, not 2."),
        (3, 9, 3, "A board has 3 to 8 rows, not 9."),
        (4, 5, 6, "On a board of 4 columns and 5 rows a line has 3 to 5 cells, not 6."),
        (4, 5, 2, "On a board of 4 columns and 5 rows a line has 3 to 5 cells, not 2."),
    ],
)
def test_what_is_wrong_with_a_board_is_said(m: int, n: int, k: int, sentence: str) -> None:
    with pytest.raises(EngineError) as refused:
        Geometry(m, n, k)
    assert str(refused.value) == sentence

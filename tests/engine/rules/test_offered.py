"""Which boards people can choose: those on which random play rarely draws."""

from __future__ import annotations

from random import Random

import pytest

from engine import LEVELS, InvalidRules, Level, parse_rules
from engine.rules.catalogue import MENU, NotOffered, is_offered, longest_line, offered, usual_line
from engine.rules.mnk import MnkRules

MOST_DRAWN = 0.5
"""The largest share of draws between two random players on a board that is offered."""
GAMES = 200
SIZES = [(longer, shorter) for longer in range(3, 9) for shorter in range(3, longer + 1)]


def drawn(columns: int, rows: int, line: int) -> float:
    """The share of draws between two random players."""
    rules = parse_rules(f"{columns}x{rows}x{line}")
    assert isinstance(rules, MnkRules)
    rng, cells, draws = Random(f"{rules}"), list(range(rules.cells)), 0
    for _ in range(GAMES):
        rng.shuffle(cells)
        sides, ended = [0, 0], False
        for ply, cell in enumerate(cells):
            sides[ply % 2] |= 1 << cell
            if any(sides[ply % 2] & mask == mask for mask in rules.geometry.lines_through[cell]):
                ended = True
                break
        draws += not ended
    return draws / GAMES


@pytest.mark.parametrize("size", SIZES)
def test_the_longest_line_offered_is_the_longest_that_random_movers_do_not_mostly_draw(
    size: tuple[int, int],
) -> None:
    longer, shorter = size
    line = longest_line(longer, shorter)
    margin = 0.1  # 200 games
    assert drawn(longer, shorter, line) <= MOST_DRAWN + margin
    if line < longer:
        assert drawn(longer, shorter, line + 1) >= MOST_DRAWN - margin


@pytest.mark.parametrize("text", MENU)
def test_what_menus_show_is_offered_and_every_level_plays_it(text: str) -> None:
    rules = parse_rules(text)
    assert is_offered(rules)
    assert all(LEVELS[level].plays(rules) for level in Level)


@pytest.mark.parametrize(
    ("columns", "rows", "misere", "text"),
    [
        (3, 3, False, "3x3x3"),
        (4, 4, False, "4x4x4"),
        (5, 5, False, "5x5x4"),
        (6, 6, False, "6x6x4"),
        (7, 6, False, "7x6x4"),
        (7, 7, False, "7x7x5"),
        (8, 8, False, "8x8x5"),
        (8, 3, False, "8x3x3"),
        (3, 3, True, "3x3x3-misere"),
        (4, 4, True, "4x4x3-misere"),
        (5, 5, True, "5x5x4-misere"),
    ],
)
def test_a_size_alone_means_the_usual_line(columns: int, rows: int, text: str, *, misere: bool) -> None:
    assert str(offered(columns, rows, misere=misere)) == text


@pytest.mark.parametrize("size", SIZES)
def test_the_usual_line_is_offered_on_every_size(size: tuple[int, int]) -> None:
    for misere in (False, True):
        for columns, rows in (size, size[::-1]):
            assert usual_line(columns, rows, misere=misere) <= longest_line(columns, rows)


@pytest.mark.parametrize("board", [(5, 5, 5), (6, 6, 6), (8, 8, 8), (4, 3, 4)])
def test_a_board_that_is_mostly_drawn_exists_and_is_not_offered(board: tuple[int, int, int]) -> None:
    with pytest.raises(NotOffered):
        offered(*board)
    assert not is_offered(parse_rules("x".join(map(str, board))))


@pytest.mark.parametrize("board", [(2, 2, None), (9, 9, None), (3, 3, 4), (5, 5, 2), (100, 100, 5), (0, 0, 0)])
def test_a_board_that_there_is_not_is_refused_otherwise(board: tuple[int, int, int | None]) -> None:
    with pytest.raises(InvalidRules) as caught:
        offered(*board)
    assert not isinstance(caught.value, NotOffered)

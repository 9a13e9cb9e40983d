"""The opening book: the moves where a search would take too long."""

import random

import pytest

from engine import SearchLimits, parse_rules
from engine.levels import search
from engine.rules.mnk import symmetries
from engine.search.base import GameValue
from engine.search.bits import board
from engine.search.book import BOOK, recall
from tests.soak import SOAK
from tools.book import Page

pytestmark = pytest.mark.slow

FIVE = board(5, 5, 4)
WORDS = [
    (rules, value, word)
    for rules, value, *words in map(str.split, BOOK.read_text("ascii").splitlines())
    for word in words
]


def test_each_position_is_there_once_and_its_cell_is_empty() -> None:
    for text in {rules for rules, *_ in WORDS}:
        words = [word for rules, _, word in WORDS if rules == text]
        assert len({word[:-1] for word in words}) == len(words)
        for word in words:
            cells = parse_rules(text).read_moves(word)
            assert len(set(cells)) == len(cells)


def test_its_values_are_right_and_its_cells_keep_them() -> None:
    words = random.Random(1).sample(WORDS, 1000 if SOAK else 3)
    assert [word for text, value, word in words if Page(text).is_right(word, value) is False] == []
    assert Page("4x3x3-misere").is_right("052", "win") is False, "it gives the win away"


@pytest.mark.parametrize("cells", [(0, 3), (0, 12), (12,)])
def test_turned_and_reflected_positions_have_turned_and_reflected_answers(cells: tuple[int, ...]) -> None:
    found = []
    for image in symmetries(5, 5):
        first, second = ([image[cell] for cell in cells[start::2]] for start in (0, 1))
        sides = (first, second) if len(cells) % 2 == 0 else (second, first)
        own, other = map(FIVE.marks, sides)
        page = recall(FIVE, own, other)
        assert page is not None
        found.append({image.index(cell) for cell in page.cells})
    assert found == [found[0]] * 8


def test_nothing_is_known_of_later_positions_and_of_other_boards() -> None:
    assert recall(FIVE, FIVE.marks([0, 1, 7]), FIVE.marks([2, 20])) is None
    assert recall(board(5, 5, 5), 0, 0) is None


def test_of_known_cells_that_are_as_good_chance_picks_one_without_a_search() -> None:
    position = parse_rules("5x5x4").start().play(12)
    searches = [search(position.rules, seed=seed) for seed in range(30)]
    page = recall(FIVE, 0, FIVE.bits[12])
    assert page is not None
    assert len(page.cells) > 1
    assert {each.best(position) for each in searches} == set(page.cells)
    assert {each.nodes for each in searches} == {0}


@pytest.mark.parametrize(("cell", "result"), [(1, GameValue.WIN), (8, GameValue.LOSS)])
def test_a_value_that_the_book_knows_is_given_even_if_a_short_search_cannot_prove_it(
    cell: int, result: GameValue
) -> None:
    position = parse_rules("6x6x4").start().play(cell)
    assert search(position.rules, SearchLimits(nodes=100)).value(position).result is result


def test_what_may_spend_few_nodes_finds_a_cell_without_the_book() -> None:
    looking = search(parse_rules("5x5x4"), SearchLimits(nodes=1_000))
    looking.best(looking.rules.start().play(12))
    assert looking.nodes > 0


@pytest.mark.parametrize(("plies", "count"), [(0, 1), (1, 6), (2, 85)])
def test_one_position_stands_for_all_that_are_symmetric(plies: int, count: int) -> None:
    assert len(list(Page("5x5x4").positions(plies))) == count


@pytest.mark.parametrize(
    ("m", "n", "cells", "winning"),
    [(6, 5, (29, 12, 1), 15), (6, 6, (1, 8), 14), (6, 6, (11, 1, 24, 9), 12), (6, 6, (35, 0, 12), 14)],
)
def test_wins_that_the_strongest_level_gave_away_are_in_it(
    m: int, n: int, cells: tuple[int, ...], winning: int
) -> None:
    on = board(m, n, 4)
    first, second = on.marks(cells[::2]), on.marks(cells[1::2])
    own, other = (second, first) if len(cells) % 2 else (first, second)
    page = recall(on, own, other)
    assert page is not None
    assert page == (GameValue.WIN, (winning,))

"""Openings that are known by heart."""

import random

import pytest

from engine.mnk.bits import board
from engine.mnk.budget import Budget
from engine.mnk.openings import PLIES, openings, word
from engine.mnk.openings_5x5x4 import WORDS
from engine.mnk.proof import ENDLESS, NEVER
from engine.mnk.search import Searcher
from engine.mnk.solve import DRAW, Solver
from engine.symmetry import symmetries
from tools.openings import positions

FIVE = board(5, 5, 4)
KNOWN = WORDS.split()


@pytest.fixture(scope="module")
def solver() -> Solver:
    """What it has proven serves the next test."""
    return Solver(FIVE)


def cells_of(known: str) -> tuple[list[int], list[int], int]:
    """The cells of who began, those of the other side, and what is played then."""
    *marks, cell = [ord(letter) - ord("a") for letter in known]
    half = (len(marks) + 1) // 2
    return marks[:half], marks[half:], cell


def sides(first: list[int], second: list[int]) -> tuple[int, int]:
    """The bits of the side to move and of the other one."""
    own, other = FIVE.marks(first), FIVE.marks(second)
    return (own, other) if len(first) == len(second) else (other, own)


def test_each_position_is_there_once_and_its_cell_is_empty() -> None:
    assert len({known[:-1] for known in KNOWN}) == len(KNOWN)
    for known in KNOWN:
        first, second, cell = cells_of(known)
        assert len({*first, *second, cell}) == len(known) <= PLIES + 1
        images = [
            word([image[each] for each in first], [image[each] for each in second]) for image in symmetries(5, 5)
        ]
        assert known[:-1] == min(images)


def test_turned_and_reflected_positions_have_turned_and_reflected_answers() -> None:
    for known in random.Random(1).sample(KNOWN, 50):
        first, second, cell = cells_of(known)
        for image in symmetries(5, 5):
            turned = sides([image[each] for each in first], [image[each] for each in second])
            assert image[cell] in openings(FIVE, *turned)


def test_where_the_board_stays_the_same_when_it_is_turned_all_such_cells_are_as_good() -> None:
    #  . . . . .      . ? . ? .
    #  . . . . .      ? . . . ?
    #  . . X . .      . . X . .
    found = openings(FIVE, 0, FIVE.bits[12])
    images = {frozenset(image[cell] for cell in found) for image in symmetries(5, 5)}
    assert images == {frozenset(found)}
    assert len(found) in {4, 8}


@pytest.mark.parametrize("seed", range(20))
def test_what_is_known_keeps_a_drawn_position_drawn(seed: int, solver: Solver) -> None:
    first, second, cell = cells_of(random.Random(seed).choice(KNOWN))
    own, other = sides(first, second)
    assert solver.value(own, other, Budget(nodes=400_000)) == DRAW
    assert solver.can_win(other, own | FIVE.bits[cell], ENDLESS, Budget(nodes=400_000)) == NEVER


def test_what_is_not_known_of_so_few_plies_is_decided(solver: Solver) -> None:
    rng = random.Random(1)
    unknown = 0
    for plies in range(PLIES + 1):
        for _ in range(15):
            cells = rng.sample(range(25), plies)
            own, other = sides(cells[0::2], cells[1::2])
            if not openings(FIVE, own, other):
                unknown += 1
                verdict = solver.value(own, other, Budget(nodes=400_000))
                assert verdict is not None
                assert verdict.value != 0
    assert unknown > 10


def test_nothing_is_known_of_later_positions_and_of_other_boards() -> None:
    assert openings(FIVE, FIVE.marks([0, 1, 7]), FIVE.marks([2, 20])) == []
    assert openings(board(5, 5, 5), 0, 0) == []
    assert openings(board(4, 4, 4), 0, 0) == []


def test_who_may_look_at_many_positions_plays_a_known_opening_without_a_search() -> None:
    own, other = FIVE.marks([0]), FIVE.marks([3])
    choice = Searcher(FIVE).best(own, other, Budget(seconds=0.25), random.Random(1))
    assert choice.cell in openings(FIVE, own, other)
    assert (choice.verdict, choice.variation, choice.nodes) == (DRAW, (choice.cell,), 0)


def test_who_may_look_at_few_finds_a_cell_without_knowledge() -> None:
    own, other = FIVE.marks([0]), FIVE.marks([3])
    assert Searcher(FIVE).best(own, other, Budget(nodes=1_000)).nodes > 0


def test_in_misere_other_openings_are_good() -> None:
    choice = Searcher(FIVE, misere=True).best(0, FIVE.bits[12], Budget(nodes=10_000))
    assert choice.nodes > 0


def test_of_known_cells_that_are_as_good_chance_picks_one() -> None:
    cells = {Searcher(FIVE).best(0, FIVE.bits[12], Budget(), random.Random(seed)).cell for seed in range(30)}
    assert cells == set(openings(FIVE, 0, FIVE.bits[12]))
    assert len(cells) > 1


@pytest.mark.parametrize(("plies", "count"), [(0, 1), (1, 6), (2, 85), (3, 904)])
def test_openings_are_looked_for_in_all_positions_but_for_symmetric_ones(plies: int, count: int) -> None:
    found = list(positions(plies))
    assert len(found) == count
    assert all(len(first) == (plies + 1) // 2 and len(second) == plies // 2 for first, second in found)

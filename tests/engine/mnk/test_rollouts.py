"""Random games, played by the thousand, and what they make of replies."""

import random

import pytest

from engine.mnk.bits import board
from engine.mnk.budget import Budget, Spent
from engine.mnk.rollouts import RollOuts
from engine.mnk.search import Searcher
from engine.mnk.solve import DRAW
from tests.engine.mnk.oracle import Rules, has_line

FIVE = board(5, 5, 4)


def values(own: list[int], other: list[int]) -> dict[int, float]:
    return RollOuts(FIVE).values(FIVE.marks(own), FIVE.marks(other), Budget())


def played(rules: Rules, own: list[int], other: list[int], rng: random.Random) -> float:
    """What comes of a game that goes on at random, for the side that has just moved."""
    sides = [set(own), set(other)]
    rest = [cell for cell in range(rules.board.cells) if cell not in own and cell not in other]
    for ply, cell in enumerate(rng.sample(rest, len(rest)), 1):
        sides[ply % 2].add(cell)
        if has_line(rules, frozenset(sides[ply % 2])):
            return -1.0 if ply % 2 else 1.0
    return 0.0


def test_a_reply_is_worth_about_what_random_games_make_of_it() -> None:
    rules, rng = Rules(5, 5, 4), random.Random(1)
    own, other = [12, 11], [3, 23]
    found = values(own, other)
    for cell in (0, 8, 16, 24):
        at_random = sum(played(rules, [*own, cell], other, rng) for _ in range(300)) / 300
        assert abs(found[cell] - at_random) < 0.2
    assert found[0] < found[8] < found[16]


def test_a_line_that_can_be_completed_decides() -> None:
    assert values([0, 1, 2], [10, 11, 12]) == {
        cell: float(cell == 3) for cell in range(25) if cell not in {0, 1, 2, 10, 11, 12}
    }
    assert values([0, 24, 4], [10, 11, 12]) == {
        cell: 0.0 if cell == 13 else -1.0 for cell in range(25) if cell not in {0, 24, 4, 10, 11, 12}
    }


def test_a_reply_that_leaves_a_double_threat_is_worth_least() -> None:
    own, other = [0, 4], [11, 12]
    found = values(own, other)
    parries = {10, 13, 14}
    assert min(found[cell] for cell in parries) > max(found[cell] for cell in found if cell not in parries)


def test_where_hardly_a_cell_is_empty_random_games_say_nothing() -> None:
    own, other = FIVE.marks(range(0, 22, 2)), FIVE.marks(range(1, 22, 2))
    assert RollOuts(FIVE).values(own, other, Budget()) == {22: 0.0, 23: 0.0, 24: 0.0}


def test_random_games_are_paid_for() -> None:
    budget = Budget(nodes=100)
    with pytest.raises(Spent):
        RollOuts(FIVE).values(0, 0, budget)
    assert budget.nodes == 100


def test_of_the_cells_of_a_draw_one_is_played_that_misleads_tree_search_with_random_games() -> None:
    own, other = FIVE.marks([13, 15]), FIVE.marks([19, 11])
    choice = Searcher(FIVE, knows_openings=False).best(own, other, Budget(nodes=60_000))
    assert choice.verdict == DRAW
    assert choice.cell in {
        6,
        7,
        16,
        17,
    }  # with 24,000 roll-outs it loses at least ten times of twelve, elsewhere five

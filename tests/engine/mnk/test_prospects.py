"""How likely the other side errs within some rounds."""

import pytest

from engine.mnk.bits import board
from engine.mnk.budget import Budget, Spent
from engine.mnk.prospects import Ahead, Prospects
from engine.mnk.rollouts import RollOuts
from engine.mnk.search import Searcher
from engine.mnk.solve import DRAW, Solver

FIVE = board(5, 5, 4)


def within(own: list[int], other: list[int], ahead: Ahead, budget: Budget | None = None) -> float:
    prospects = Prospects(FIVE, Solver(FIVE), RollOuts(FIVE))
    return prospects.within(FIVE.marks(own), FIVE.marks(other), ahead, budget or Budget())


def test_who_has_no_reply_that_loses_does_not_err() -> None:
    assert within([0, 1, 2], [20, 24, 22], Ahead(5, 1)) == 0


def test_the_more_rounds_are_seen_the_more_errors() -> None:
    one, two, three = (within([12], [10, 0], Ahead(7, rounds)) for rounds in (1, 2, 3))
    assert 0 <= one <= two <= three <= 1


def test_what_loses_in_more_plies_is_overlooked_more_easily() -> None:
    five, seven, nine = (within([12], [17, 21], Ahead(plies, 1)) for plies in (5, 7, 9))
    assert 0 <= five < seven <= nine < 1


def test_it_is_paid_for() -> None:
    budget = Budget(nodes=100)
    with pytest.raises(Spent):
        within([12], [17, 21], Ahead(7, 2), budget)
    assert budget.nodes == 100


def test_where_no_cell_misleads_at_once_one_is_played_that_does_so_later() -> None:
    own, other = FIVE.marks([23, 16]), FIVE.marks([0, 12])
    choice = Searcher(FIVE, knows_openings=False).best(own, other, Budget(nodes=105_000))
    assert choice.verdict == DRAW
    solver = Solver(FIVE)
    prospects = Prospects(FIVE, solver, RollOuts(FIVE))
    after = own | FIVE.bits[choice.cell]
    at_once, later = (prospects.within(other, after, Ahead(9, rounds), Budget()) for rounds in (1, 3))
    assert at_once < 0.3
    assert later > 0.7

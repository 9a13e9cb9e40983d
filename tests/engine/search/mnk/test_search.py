"""The search that plays: it keeps proven values, is deterministic, and stops."""

import itertools
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import Limits
from engine.search import driver
from engine.search.driver import Budget, Spent, deepened
from engine.search.mnk.bits import board
from engine.search.mnk.search import Choice, Searcher
from engine.search.mnk.solve import Proven
from tests.engine.search.mnk.oracle import Rules, bits, free, has_line, positions, value
from tests.soak import SOAK

pytestmark = pytest.mark.slow

SMALL = (
    (Rules(3, 3, 3), 0),
    (Rules(3, 3, 3, misere=True), 0),
    (Rules(4, 4, 3), 8),
    (Rules(4, 4, 3, misere=True), 8),
    (Rules(4, 4, 4), 8),
    (Rules(4, 4, 4, misere=True), 8),
    (Rules(5, 3, 4), 7),
    (Rules(5, 3, 3, misere=True), 7),
)
BOARDS = ((3, 3, 3), (5, 5, 4), (7, 7, 5), (8, 8, 5), (8, 8, 8), (20, 20, 5))


def drawn(text: str, rules: Rules) -> tuple[int, int]:
    """The sides of a drawn board, the side to move first."""
    cells = text.replace(" ", "").replace("\n", "")
    x, o = (frozenset(cell for cell, mark in enumerate(cells) if mark == each) for each in "XO")
    return bits(rules, x, o) if len(x) == len(o) else bits(rules, o, x)


def choose(rules: Rules, sides: tuple[int, int], nodes: int = 2_000) -> Choice:
    return Searcher(rules.board, misere=rules.misere).best(*sides, Budget(Limits(nodes=nodes)))


@settings(max_examples=300 if SOAK else 40, deadline=None)
@given(st.data())
def test_no_choice_gives_away_what_the_position_is_worth(data: st.DataObject) -> None:
    rules, least = data.draw(st.sampled_from(SMALL))
    own, other = data.draw(positions(rules, least))
    choice = choose(rules, bits(rules, own, other), nodes=20_000)
    after = own | {choice.cell}
    result, plies = value(rules, own, other)
    assert choice.cell in free(rules, own, other)
    if has_line(rules, after):
        assert result == (-1 if rules.misere else 1)
    else:
        assert value(rules, other, after)[0] == -result
    if choice.proven is not None:
        assert choice.proven.value == result
        assert choice.proven.plies in {None, plies}


@pytest.mark.parametrize("nodes", [0, 1, 5, 100])
@pytest.mark.parametrize("size", BOARDS)
def test_there_is_an_answer_however_little_may_be_spent(size: tuple[int, int, int], nodes: int) -> None:
    on = board(*size)
    own, other = on.marks([0, 4]), on.marks([1, 8])
    choice = Searcher(on).best(own, other, Budget(Limits(nodes=nodes)))
    assert on.bits[choice.cell] & ~(own | other)
    assert choice.nodes <= nodes
    assert choice.variation[0] == choice.cell


def test_a_line_is_completed_before_anything_else() -> None:
    rules = Rules(5, 5, 4)
    board_drawn = """
        X X X . .
        O O O . .
        . . . . .
        . . . . .
        . . . . ."""
    choice = choose(rules, drawn(board_drawn, rules))
    assert choice.cell == 3
    assert choice.proven == Proven(1, 1)


def test_a_line_is_blocked() -> None:
    rules = Rules(5, 5, 4)
    board_drawn = """
        O O O . .
        . . . . .
        . . X . .
        . . . X .
        X . . . ."""
    assert choose(rules, drawn(board_drawn, rules)).cell == 3


def test_a_double_threat_is_made() -> None:
    rules = Rules(5, 5, 4)
    board_drawn = """
        O . . . O
        . . . . .
        . X X . .
        . . . . .
        . . . . ."""
    choice = choose(rules, drawn(board_drawn, rules))
    assert choice.cell == 13
    assert choice.proven == Proven(1, 3)


def test_in_misere_no_line_is_completed_while_there_is_another_cell() -> None:
    rules = Rules(4, 4, 3, misere=True)
    board_drawn = """
        X X . O
        . . . .
        O . . .
        . . . ."""
    assert choose(rules, drawn(board_drawn, rules)).cell != 2


def test_the_last_cell_is_played_where_it_loses() -> None:
    rules = Rules(3, 3, 3, misere=True)
    board_drawn = """
        X X .
        O O X
        O X O"""
    choice = choose(rules, drawn(board_drawn, rules))
    assert choice.cell == 2
    assert choice.proven == Proven(-1, 1)


@pytest.mark.parametrize("size", BOARDS)
def test_a_seed_and_a_budget_of_nodes_always_lead_to_the_same_choice(size: tuple[int, int, int]) -> None:
    on = board(*size)
    own, other = on.marks([0, on.cells // 2]), on.marks([1, on.cells - 1])
    first, second = (
        Searcher(on).best(own, other, Budget(Limits(nodes=1_500)), random.Random(7)) for _ in range(2)
    )
    assert first == second


def test_seeds_vary_the_choice_among_cells_that_look_alike() -> None:
    on = board(8, 8, 5)
    cells = {
        Searcher(on).best(0, on.bits[0], Budget(Limits(nodes=200)), random.Random(seed)).cell for seed in range(12)
    }
    assert len(cells) > 1


@pytest.mark.parametrize("misere", [False, True])
@pytest.mark.parametrize("size", [(6, 6, 4), (8, 8, 5), (20, 20, 5)])
def test_it_looks_at_the_clock_every_64_nodes_and_stops_in_time(
    size: tuple[int, int, int], monkeypatch: pytest.MonkeyPatch, *, misere: bool
) -> None:
    on = board(*size)
    looks = itertools.count()
    monkeypatch.setattr(driver, "monotonic", lambda: next(looks) / 20)
    searcher = Searcher(on, misere=misere, knows_book=False)
    choice = searcher.best(0, on.bits[on.cells // 2], Budget(Limits(seconds=1)))
    assert 64 < choice.nodes <= 64 * 20
    assert next(looks) > 20


def test_a_budget_of_nodes_ends_at_its_last_node() -> None:
    budget = Budget(Limits(nodes=100))
    for _ in range(100):
        budget.spend()
    with pytest.raises(Spent):
        budget.spend()
    assert budget.nodes == 100


def test_a_budget_of_seconds_ends_when_they_are_over() -> None:
    budget = Budget(Limits(seconds=0))
    with pytest.raises(Spent):
        budget.spend()
    assert budget.is_spent


def test_what_a_share_spends_counts() -> None:
    budget = Budget(Limits(nodes=100))
    share = budget.share(0.5)
    for _ in range(50):
        share.spend()
    assert share.is_spent
    budget.settle(share)
    assert budget.nodes == share.nodes == 50


def test_what_a_ply_deeper_did_not_finish_leaves_the_score_of_the_last_depth() -> None:
    def rank(cells: list[int], depth: int) -> float:
        if depth > 2:
            raise Spent
        cells.insert(0, cells.pop())
        return depth / 10

    cells = [1, 2, 3]
    assert deepened(rank, cells, 9, 100) == (0.2, 2)
    assert cells == [2, 3, 1]
    assert deepened(rank, cells, 9, 0.05) == (0.1, 1)


def test_it_beats_a_random_player_on_a_large_board() -> None:
    on = board(15, 15, 5)
    rng = random.Random(1)
    searcher = Searcher(on)
    own, other = 0, 0
    for _ in range(20):
        cell = searcher.best(own, other, Budget(Limits(nodes=400))).cell
        if on.missing(own, other, on.full)[0] & on.through[cell]:
            return
        own |= on.bits[cell]
        other |= on.bits[rng.choice(on.cells_of(on.full ^ own ^ other))]
    pytest.fail("No line within twenty plies.")

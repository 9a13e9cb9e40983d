"""Proofs against trying all games, and the known values of larger boards."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import Limits
from engine.search.driver import Budget
from engine.search.mnk.bits import board
from engine.search.mnk.solve import Proven, Solver
from engine.search.mnk.threats import Threats
from tests.engine.search.mnk.oracle import Rules, bits, has_line, positions, value
from tests.soak import SOAK

pytestmark = pytest.mark.slow

SMALL = (
    (Rules(3, 3, 3), 0),
    (Rules(3, 3, 3, misere=True), 0),
    (Rules(4, 3, 3), 4),
    (Rules(4, 3, 3, misere=True), 4),
    (Rules(4, 4, 3), 8),
    (Rules(4, 4, 3, misere=True), 8),
    (Rules(4, 4, 4), 8),
    (Rules(4, 4, 4, misere=True), 8),
    (Rules(5, 3, 4), 7),
    (Rules(5, 3, 5), 7),
    (Rules(5, 3, 3, misere=True), 7),
)
"""Rules, and the least marks from which trying all games is quick."""

SOLVERS = {rules: Solver(rules.board, misere=rules.misere) for rules, _ in SMALL}


def expected(rules: Rules, own: frozenset[int], other: frozenset[int]) -> Proven:
    result, plies = value(rules, own, other)
    return Proven(result, plies if result else None)


@pytest.mark.parametrize("misere", [False, True])
def test_every_position_of_three_by_three_has_its_value_and_distance(*, misere: bool) -> None:
    rules = Rules(3, 3, 3, misere=misere)
    found, fringe = set(), {(frozenset[int](), frozenset[int]())}
    while fringe:
        own, other = position = fringe.pop()
        if position in found or has_line(rules, other) or len(own | other) == 9:
            continue
        found.add(position)
        fringe |= {(other, own | {cell}) for cell in set(range(9)) - own - other}
        assert SOLVERS[rules].value(*bits(rules, own, other), Budget()) == expected(rules, own, other)
    assert len(found) == 4520


@settings(max_examples=500 if SOAK else 50, deadline=None)
@given(st.data())
def test_proofs_give_the_value_and_distance_that_all_games_give(data: st.DataObject) -> None:
    rules, least = data.draw(st.sampled_from(SMALL))
    own, other = data.draw(positions(rules, least))
    solver, position, true = SOLVERS[rules], bits(rules, own, other), expected(rules, own, other)
    found = solver.value(*position, Budget())
    if found is not None and true.plies is not None and found.plies is None:
        # As much as half of the nodes may go to count plies, and that was not enough.
        count = solver.can_win if found.value == 1 else solver.can_lose
        found = found._replace(plies=count(*position, true.plies, Budget()))
    assert found == true


@settings(max_examples=200 if SOAK else 20, deadline=None)
@given(st.data())
def test_a_table_that_forgets_nearly_everything_changes_no_value(data: st.DataObject) -> None:
    rules, least = data.draw(st.sampled_from(SMALL))
    own, other = data.draw(positions(rules, least))
    solver = Solver(rules.board, misere=rules.misere, entries=4)
    found, true = solver.value(*bits(rules, own, other), Budget()), expected(rules, own, other)
    assert found is not None
    assert found.value == true.value
    assert found.plies in (None, true.plies), "as much as half of the nodes may go to count plies"


@settings(max_examples=500 if SOAK else 50, deadline=None)
@given(positions(Rules(4, 4, 3), 6))
def test_a_sequence_of_threats_wins_as_it_says(position: tuple[frozenset[int], frozenset[int]]) -> None:
    rules = Rules(4, 4, 3)
    own, other = position
    sides = bits(rules, own, other)
    on = rules.board
    if on.missing(*sides, on.full)[0] or on.missing(sides[1], sides[0], on.full)[0]:
        return
    sequence = Threats(on).find(*sides, 20, 100, Budget())
    if sequence is not None:
        after = own | {sequence.cell}
        result, plies = value(rules, other, after)
        assert result == -1
        assert plies + 1 <= sequence.plies


KNOWN = [
    ((4, 3, 3, False), "win 7"),
    ((4, 4, 3, False), "win 5"),
    ((4, 4, 4, False), "draw"),
    ((5, 4, 4, False), "draw"),
    ((6, 5, 4, False), "win 11"),
    ((6, 6, 4, False), "win 11"),
    ((5, 5, 5, False), "draw"),
    ((6, 6, 5, False), "draw"),
    ((6, 6, 6, False), "draw"),
    ((3, 3, 3, True), "draw"),
    ((4, 3, 3, True), "loss 11"),
    ((4, 4, 4, True), "draw"),
]
"""Values after Uiterwijk and van den Herik, The Advantage of the Initiative (2000); plies by our own search."""


@pytest.mark.parametrize(("rules", "known"), KNOWN)
def test_known_values_come_out(rules: tuple[int, int, int, bool], known: str) -> None:
    m, n, k, misere = rules
    assert str(Solver(board(m, n, k), misere=misere).value(0, 0, Budget())) == known


def test_five_by_five_with_four_in_a_row_is_drawn_within_fifty_thousand_nodes() -> None:
    assert str(Solver(board(5, 5, 4)).value(0, 0, Budget(Limits(nodes=50_000)))) == "draw"


@pytest.mark.parametrize("size", [(6, 5, 4), (6, 6, 4)])
def test_the_first_ply_next_to_the_centre_wins_with_four_in_a_row(size: tuple[int, int, int]) -> None:
    on = board(*size)
    proven = Solver(on).value(0, on.bits[14], Budget())
    assert proven == Proven(-1, 10)


@settings(deadline=None)
@given(positions(Rules(5, 4, 4), 8))
def test_symmetric_positions_have_one_value(position: tuple[frozenset[int], frozenset[int]]) -> None:
    rules = Rules(5, 4, 4)
    own, other = position
    turned = [frozenset(19 - cell for cell in marks) for marks in (own, other)]
    reflected = [frozenset(cell // 5 * 5 + 4 - cell % 5 for cell in marks) for marks in (own, other)]
    values = {
        str(Solver(rules.board).value(*bits(rules, *marks), Budget()))
        for marks in ([own, other], turned, reflected)
    }
    assert len(values) == 1


def test_a_value_that_the_budget_does_not_reach_is_unknown() -> None:
    assert Solver(board(8, 8, 5)).value(0, 0, Budget(Limits(nodes=200))) is None


def test_what_was_proven_before_the_budget_ended_serves_the_next_question() -> None:
    solver = Solver(board(5, 5, 4))
    while solver.value(0, 0, Budget(Limits(nodes=20_000))) is None:
        pass
    again = Budget()
    assert str(solver.value(0, 0, again)) == "draw"
    assert again.nodes < 5_000

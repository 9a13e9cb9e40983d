"""Proofs against trying all games, and the known values of larger boards."""

from functools import cache, reduce

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import SearchLimits
from engine.search.base import UNPROVEN, Budget, GameValue, Value
from engine.search.bits import board
from engine.search.bounds import Threats
from engine.search.solve import Solver
from tests.engine import naive
from tests.engine.naive import Game, boards
from tests.engine.search.forms import SMALL, board_of, sides
from tests.soak import SOAK

pytestmark = pytest.mark.slow


@cache
def solver(game: Game) -> Solver:
    return Solver(board_of(game), misere=game.misere)


def expected(game: Game, text: str) -> Value:
    result, plies = naive.value(game, text)
    return Value(GameValue(result), plies if result else None)


@pytest.mark.parametrize("game", [naive.CLASSIC, naive.MISERE], ids=repr)
def test_every_position_of_three_by_three_has_its_value_and_distance(game: Game) -> None:
    for text in naive.unfinished(game):
        assert solver(game).value(*sides(game, text), Budget()) == expected(game, text)


@settings(max_examples=500 if SOAK else 50)
@given(st.data())
def test_proofs_give_the_value_and_distance_that_all_games_give(data: st.DataObject) -> None:
    game, least = data.draw(st.sampled_from(SMALL))
    text = data.draw(boards(game, least))
    position, true = sides(game, text), expected(game, text)
    found = solver(game).value(*position, Budget())
    if found.result and found.plies is None and true.plies is not None:
        # As much as half of the nodes may go to count plies, and that was not enough.
        found = found._replace(plies=solver(game).within(found.result, *position, true.plies, Budget()))
    assert found == true


@settings(max_examples=200 if SOAK else 20)
@given(st.data())
def test_a_table_that_forgets_nearly_everything_changes_no_value(data: st.DataObject) -> None:
    game, least = data.draw(st.sampled_from(SMALL))
    text = data.draw(boards(game, least))
    forgetful = Solver(board_of(game), misere=game.misere, entries=4)
    found, true = forgetful.value(*sides(game, text), Budget()), expected(game, text)
    assert found.result is true.result
    assert found.plies in (None, true.plies), "as much as half of the nodes may go to count plies"


@settings(max_examples=500 if SOAK else 50)
@given(boards(FOUR := Game(4, 4, 3), 6))
def test_a_sequence_of_threats_wins_as_it_says(text: str) -> None:
    own, other = sides(FOUR, text)
    on = board_of(FOUR)
    if on.missing(own, other, on.full)[0] or on.missing(other, own, on.full)[0]:
        return
    sequence = Threats(on).find(own, other, 20, 100, Budget())
    if sequence is not None:
        result, plies = naive.value(FOUR, naive.play(text, sequence.cell))
        assert result == -1
        assert plies + 1 <= sequence.plies


KNOWN = [
    (Game(4, 3, 3), {(): "win 7"}),
    (Game(4, 4, 3), {(): "win 5"}),
    (Game(4, 4, 4), {(): "draw"}),
    (Game(5, 4, 4), {(): "draw"}),
    (Game(6, 5, 4), {(): "win 11", (14,): "loss 10"}),
    *((Game(6, 6, 4), {(): "win 11", (14,): "loss 10"}) for _ in range(SOAK)),
    (Game(5, 5, 5), {(): "draw"}),
    (Game(6, 6, 5), {(): "draw"}),
    (Game(6, 6, 6), {(): "draw"}),
    (Game(8, 8, 5), {(): "draw"}),
    (Game(3, 3, 3, misere=True), {(): "draw"}),
    (Game(4, 3, 3, misere=True), {(): "loss 11"}),
    (Game(4, 4, 4, misere=True), {(): "draw"}),
]
"""Values after some cells, by Uiterwijk and van den Herik, The Advantage of the Initiative (2000); plies by us.

8x8x5 is by Hsu and others (2020).
"""


@pytest.mark.parametrize(("game", "known"), KNOWN, ids=repr)
def test_known_values_come_out(game: Game, known: dict[tuple[int, ...], str]) -> None:
    for cells, value in known.items():
        text = reduce(naive.play, cells, game.empty)
        assert str(solver(game).value(*sides(game, text), Budget())) == value


def test_five_by_five_is_drawn_within_fifty_thousand_nodes_and_what_was_proven_serves_the_next_question() -> None:
    five = Solver(board(5, 5, 4))
    assert five.value(0, 0, Budget(SearchLimits(nodes=10_000))) == UNPROVEN, (
        "a value that the budget doesn't reach"
    )
    assert str(five.value(0, 0, Budget(SearchLimits(nodes=50_000)))) == "draw"
    again = Budget()
    assert str(five.value(0, 0, again)) == "draw"
    assert again.nodes < 5_000

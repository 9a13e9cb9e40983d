"""The search that plays: it keeps proven values, is deterministic, and stops."""

import itertools
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import Limits
from engine.search import base
from engine.search.base import Budget, Spent, deepened
from engine.search.bits import board
from engine.search.mnk import Choice, Searcher
from engine.search.solve import Proven
from tests.engine import naive
from tests.engine.naive import Game, boards
from tests.engine.search.forms import SMALL, board_of, sides
from tests.soak import SOAK

pytestmark = pytest.mark.slow

BOARDS = ((3, 3, 3), (5, 5, 4), (7, 7, 5), (8, 8, 5), (8, 8, 8), (20, 20, 5))


def choose(game: Game, text: str, nodes: int = 2_000) -> Choice:
    """What a new search chooses."""
    return Searcher(board_of(game), misere=game.misere).best(*sides(game, text), Budget(Limits(nodes=nodes)))


@settings(max_examples=300 if SOAK else 40, deadline=None)
@given(st.data())
def test_no_choice_gives_away_what_the_position_is_worth(data: st.DataObject) -> None:
    game, least = data.draw(st.sampled_from(SMALL))
    text = data.draw(boards(game, least))
    choice = choose(game, text, nodes=20_000)
    result, plies = naive.value(game, text)
    assert choice.cell in naive.keeping(game, text)
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


FIVE = Game(5, 5, 4)


@pytest.mark.parametrize(
    ("game", "text", "cell", "proven"),
    [
        pytest.param(FIVE, "XXX.. OOO.. ..... ..... .....", 3, Proven(1, 1), id="a line is completed first"),
        pytest.param(FIVE, "OOO.. ..... ..X.. ...X. X....", 3, None, id="a line is blocked"),
        pytest.param(FIVE, "O...O ..... .XX.. ..... .....", 13, Proven(1, 3), id="a double threat is made"),
        pytest.param(naive.MISERE, "XX. OOX OXO", 2, Proven(-1, 1), id="in misère the last cell may lose"),
    ],
)
def test_it_chooses(game: Game, text: str, cell: int, proven: Proven | None) -> None:
    choice = choose(game, text)
    assert choice.cell == cell
    assert proven is None or choice.proven == proven


def test_in_misere_no_line_is_completed_while_there_is_another_cell() -> None:
    assert choose(Game(4, 4, 3, misere=True), "XX.O .... O... ....").cell != 2


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
    monkeypatch.setattr(base, "monotonic", lambda: next(looks) / 20)
    searcher = Searcher(on, misere=misere, knows_book=False)
    choice = searcher.best(0, on.bits[on.cells // 2], Budget(Limits(seconds=1)))
    assert 64 < choice.nodes <= 64 * 20
    assert next(looks) > 20


def test_a_budget_of_nodes_ends_at_its_last_node_and_what_a_share_spends_counts() -> None:
    budget = Budget(Limits(nodes=100))
    share = budget.share(0.5)
    for _ in range(50):
        share.spend()
    assert share.is_spent
    budget.settle(share)
    for _ in range(50):
        budget.spend()
    with pytest.raises(Spent):
        budget.spend()
    assert (budget.nodes, share.nodes) == (100, 50)


def test_a_budget_of_seconds_ends_when_they_are_over() -> None:
    budget = Budget(Limits(seconds=0))
    assert budget.is_spent
    with pytest.raises(Spent):
        budget.spend()


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

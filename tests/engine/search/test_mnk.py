"""The search that plays: it keeps proven values, is deterministic, and stops."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import SearchLimits, parse_rules
from engine.levels import nodes_of
from engine.rules.mnk import MnkPosition, MnkRules
from engine.search import base
from engine.search.base import Budget, Spent, Value, deepened
from engine.search.mnk import MnkSearch
from tests.boards import board as position_of
from tests.engine import naive
from tests.engine.naive import Game, boards
from tests.engine.search.forms import SMALL
from tests.soak import SOAK

pytestmark = pytest.mark.slow

BOARDS = ("3x3x3", "5x5x4", "7x7x5", "8x8x5", "8x8x8")


def started(text: str, *cells: int) -> MnkPosition:
    rules = parse_rules(text)
    assert isinstance(rules, MnkRules)
    return rules.after(cells)


def search(position: MnkPosition, limits: SearchLimits, seed: int = 0) -> MnkSearch:
    return MnkSearch(position.rules, limits, seed)


def choose(game: Game, text: str, nodes: int = 2_000) -> Value:
    position = position_of(text, parse_rules(game.text))
    return search(position, SearchLimits(nodes=nodes)).choice(position)


@settings(max_examples=300 if SOAK else 40)
@given(st.data())
def test_no_choice_gives_away_what_the_position_is_worth(data: st.DataObject) -> None:
    game, least = data.draw(st.sampled_from(SMALL))
    text = data.draw(boards(game, least))
    choice = choose(game, text, nodes=20_000)
    result, plies = naive.value(game, text)
    assert choice.cell in naive.keeping(game, text)
    assert choice.result in (None, result)
    assert choice.plies in (None, plies)


@pytest.mark.parametrize(
    ("rules", "moves", "nodes"),
    [("4x3x3", "a1 d3", 20), ("4x3x3-misere", "c2 a2 d2 b2", 1_000)],
)
def test_a_choice_claims_only_what_its_own_cell_keeps(rules: str, moves: str, nodes: int) -> None:
    """The position is proven to be won or drawn, but there are too few nodes for a cell that keeps it."""
    position = started(rules).rules.replay(moves)
    for seed in range(8):
        choice = search(position, SearchLimits(nodes), seed).choice(position)
        assert choice.cell is not None
        kept = search(position, SearchLimits()).value(position.play(choice.cell)).before(choice.cell)
        assert choice.result in (None, kept.result)
        assert choice.plies in (None, kept.plies)


@pytest.mark.parametrize("nodes", [0, 1, 5, 100])
@pytest.mark.parametrize("text", BOARDS)
def test_there_is_an_answer_however_little_may_be_spent(text: str, nodes: int) -> None:
    position = started(text, 0, 1, 4, 8)
    looking = search(position, SearchLimits(nodes=nodes))
    assert looking.best(position) in position.legal_moves
    assert looking.nodes <= nodes


@pytest.mark.parametrize(
    ("cells", "losing", "holding"),
    [
        pytest.param("19 28 35 27 26", 29, {44}, marks=pytest.mark.soak),
        ("54 35 33 28", 25, {27}),
        ("17 12 54 22 27 36 20 34 19", 16, {18}),
        ("3 13 28 35 37 19 43 20 34 18 17 25 30", 11, {22, 29}),
        # 44 and 22 hold, which takes 120,000 positions to see.
        ("1 16 35 28 27 19 36 18 37 34 43 26 42 33 12 20 17", 45, set()),
    ],
)
def test_the_strongest_level_sees_a_quiet_move_before_a_forced_win(
    cells: str, losing: int, holding: set[int]
) -> None:
    position = started("8x8x5", *map(int, cells.split()))
    limits = SearchLimits(nodes_of("strongest", position.rules))
    for seed in range(5 if SOAK else 1):
        cell = search(position, limits, seed).best(position)
        assert cell in (holding or set(position.legal_moves) - {losing})


@pytest.mark.parametrize("seconds", [0, -1, float("nan")])
def test_seconds_that_are_none_end_at_once(seconds: float) -> None:
    position = started("8x8x5", 27)
    looking = search(position, SearchLimits(seconds=seconds))
    assert looking.best(position) in position.legal_moves
    assert looking.nodes == 0


FIVE = Game(5, 5, 4)


@pytest.mark.parametrize(
    ("game", "text", "cell", "value"),
    [
        pytest.param(FIVE, "XXX.. OOO.. ..... ..... .....", 3, "win 1", id="a line is completed first"),
        pytest.param(FIVE, "OOO.. ..... ..X.. ...X. X....", 3, None, id="a line is blocked"),
        pytest.param(FIVE, "O...O ..... .XX.. ..... .....", 13, "win 3", id="a double threat is made"),
        pytest.param(naive.MISERE, "XX. OOX OXO", 2, "loss 1", id="in misère the last cell may lose"),
    ],
)
def test_it_chooses(game: Game, text: str, cell: int, value: str | None) -> None:
    choice = choose(game, text)
    assert choice.cell == cell
    assert value in (None, str(choice))


def test_in_misere_no_line_is_completed_while_there_is_another_cell() -> None:
    assert choose(Game(4, 4, 3, misere=True), "XX.O .... O... ....").cell != 2


@pytest.mark.parametrize("text", ["7x7x5", "8x8x5", "6x6x4-misere", "8x8x5-misere"])
def test_it_looks_at_the_clock_at_least_every_16_nodes_and_stops_in_time(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    position = started(text, 0, 14, 7, 20, 3)
    looks = itertools.count()
    monkeypatch.setattr(base, "monotonic", lambda: next(looks) / 20)
    looking = search(position, SearchLimits(seconds=1))
    looking.best(position)
    assert 64 < looking.nodes <= 16 * 20 < 16 * next(looks)
    budget = Budget(SearchLimits(seconds=1))
    for _ in range(16 * 19):
        budget.spend()
    with pytest.raises(Spent):
        budget.spend()


def test_a_budget_of_nodes_ends_at_its_last_node_and_what_a_share_spends_counts() -> None:
    budget = Budget(SearchLimits(nodes=100))
    with budget.share(0.5) as share:
        for _ in range(51):
            share.spend()
    assert share.is_spent
    for _ in range(50):
        budget.spend()
    with pytest.raises(Spent):
        budget.spend()
    assert (budget.nodes, share.nodes) == (100, 50)


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

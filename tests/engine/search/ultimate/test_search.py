"""The search for ultimate: proven values against exhaustive search, budgets, and stopping."""

import time
from random import Random

import pytest

from engine import CLASSIC, Limits
from engine.analysis.at_once import winning_plies
from engine.analysis.game_analysis import analyse
from engine.players.reasons import Reason
from engine.rules.base import Mark
from engine.rules.ultimate import ALL, ULTIMATE, UltimatePosition
from engine.search.ultimate.evaluation import CHANCES, PLIES, WEIGHTS, evaluation
from engine.search.ultimate.search import UltimateSearch
from engine.search.values import Result
from tests.engine import naive_ultimate

pytestmark = pytest.mark.slow


def cells_left(position: UltimatePosition) -> int:
    """The empty cells of boards that are not finished."""
    unfinished = [board for board in range(9) if not position.finished >> board & 1]
    return sum(position.mark_at(9 * board + cell) is None for board in unfinished for cell in range(9))


def random_position(seed: int, *, most_cells: int) -> tuple[UltimatePosition, naive_ultimate.Game] | None:
    """A late position of a random game with few cells left, in both implementations; None if there is none."""
    rng, position, game = Random(seed), ULTIMATE.start(), naive_ultimate.Game()
    while not position.is_over:
        if cells_left(position) <= most_cells:
            return position, game
        cell = rng.choice(position.legal_moves)
        position, game = position.play(cell), naive_ultimate.play(game, cell)
    return None


def exhaustive(game: naive_ultimate.Game, known: dict[naive_ultimate.Game, tuple[int, int]]) -> tuple[int, int]:
    """The score for the side to move and the plies to the end, by exhaustive search."""
    if game not in known:
        if naive_ultimate.ended(game):
            known[game] = -1 if naive_ultimate.won_by(game) else 0, 0
        else:
            after = [exhaustive(naive_ultimate.play(game, cell), known) for cell in naive_ultimate.moves(game)]
            best = max(-score for score, _ in after)
            plies = [1 + left for score, left in after if -score == best]
            known[game] = best, min(plies) if best > 0 else max(plies)
    return known[game]


@pytest.mark.parametrize("way", [1, -1])
def test_what_it_remembers_of_a_game_changes_no_value(way: int) -> None:
    proven = 0
    for seed in range(5):
        rng, position, game = Random(seed), ULTIMATE.start(), naive_ultimate.Game()
        passed = []
        while not position.is_over:
            passed.append((position, game))
            cell = rng.choice(position.legal_moves)
            position, game = position.play(cell), naive_ultimate.play(game, cell)
        search = UltimateSearch(limits=Limits(nodes=3_000))
        known: dict[naive_ultimate.Game, tuple[int, int]] = {}
        for at, told in passed[-12:][::way]:
            value = search.value(at)
            if value.result and cells_left(at) < 11:
                assert (value.result, value.plies) == exhaustive(told, known), repr(at)
                proven += 1
    assert proven > 10


def test_near_the_end_it_proves_the_value_and_the_plies() -> None:
    compared = set()
    for seed in range(40):
        found = random_position(seed, most_cells=9)
        if found is None:
            continue
        position, game = found
        score, plies = exhaustive(game, {})
        value = UltimateSearch().value(position)
        assert value.result == score, repr(position)
        assert value.plies == (plies if score else None), repr(position)
        for cell in value.line:
            position = position.play(cell)
        compared.add(score)
    assert compared == {-1, 0, 1}


def test_near_the_end_its_choices_give_nothing_away() -> None:
    judged = 0
    for seed in range(30):
        found = random_position(seed, most_cells=9)
        if found is None:
            continue
        position, game = found
        search, rng = UltimateSearch(), Random(seed)
        known: dict[naive_ultimate.Game, tuple[int, int]] = {}
        while not position.is_over:
            cell = search.best(position)
            assert exhaustive(naive_ultimate.play(game, cell), known)[0] == -exhaustive(game, known)[0], repr(
                position
            )
            judged += 1
            cell = rng.choice(position.legal_moves)
            position, game = position.play(cell), naive_ultimate.play(game, cell)
    assert judged > 50


def test_choices_change_no_value_that_is_asked_for_later() -> None:
    proven = 0
    for seed in range(20):
        found = random_position(seed, most_cells=9)
        if found is None:
            continue
        position, game = found
        search = UltimateSearch()
        search.best(position)
        score, plies = exhaustive(game, {})
        value = search.value(position)
        assert (value.result, value.plies) == (score, plies if score else None), repr(position)
        proven += 1
    assert proven > 10


def test_what_a_ply_makes_a_position_worth_is_known_before_it() -> None:
    for seed in range(20):
        rng, position = Random(seed), ULTIMATE.start()
        while not position.is_over:
            before = chances(position)
            own, other = (position.x, position.o) if position.turn is Mark.X else (position.o, position.x)
            cell = rng.choice(position.legal_moves)
            board, place = divmod(cell, 9)
            plies = PLIES[(own >> 9 * board & ALL) << 9 | other >> 9 * board & ALL]
            ply = next(each for each in plies if each.place == place)
            mine, theirs = (WEIGHTS[board](side) for side in before)
            worth = (
                evaluation(*before) + (ply.own - before[0][board]) * mine - (ply.other - before[1][board]) * theirs
            )
            position = position.play(cell)
            after = chances(position)
            assert evaluation(*after) == pytest.approx(-worth)


def chances(position: UltimatePosition) -> tuple[list[float], list[float]]:
    """How likely the side to move and its opponent are to win each board."""
    own, other = (position.x, position.o) if position.turn is Mark.X else (position.o, position.x)
    pairs = [CHANCES[(own >> 9 * board & ALL) << 9 | other >> 9 * board & ALL] for board in range(9)]
    return [mine for mine, _ in pairs], [theirs for _, theirs in pairs]


@pytest.mark.parametrize("seed", range(8))
def test_after_its_last_ply_it_sees_that_a_board_can_be_won(seed: int) -> None:
    # X is on the first board, from where it sends O to the middle one, which O wins at once, or to the last one.
    boards = ["OXOO.XXO.", "", "X", "", "OO", "...X", "....X", "", ""]
    x, o = (
        sum(1 << 9 * b + c for b, cells in enumerate(boards) for c, m in enumerate(cells) if m == mark)
        for mark in "XO"
    )
    position = UltimatePosition(x, o, 0, 0, 0, 0, None)
    assert position.turn is Mark.X
    assert position.legal_moves == (4, 8)
    assert UltimateSearch(limits=Limits(nodes=8), seed=seed).best(position) == 8


def test_it_wins_immediately_where_it_can() -> None:
    wins = 0
    for seed in range(40):
        rng, position = Random(seed), ULTIMATE.start()
        while not position.is_over:
            winning = [cell for cell in position.legal_moves if position.play(cell).outcome]
            if any((end := position.play(cell).outcome) and end.winner for cell in winning):
                value = UltimateSearch(limits=Limits(nodes=1_000)).value(position)
                assert (value.result, value.plies) == (Result.WIN, 1)
                assert value.line[0] in winning
                wins += 1
            position = position.play(rng.choice(position.legal_moves))
    assert wins > 20


def test_a_budget_in_nodes_gives_the_same_answer_again() -> None:
    position = ULTIMATE.start().play(40)
    first, second = (
        UltimateSearch(limits=Limits(nodes=3_000), seed=5),
        UltimateSearch(limits=Limits(nodes=3_000), seed=5),
    )
    assert first.value(position) == second.value(position)
    assert first.nodes == second.nodes == 3_000


def test_the_seed_decides_among_equals() -> None:
    position = ULTIMATE.start().play(40)
    cells = {UltimateSearch(limits=Limits(nodes=500), seed=seed).value(position).line[0] for seed in range(12)}
    assert len(cells) > 1


def test_where_nothing_is_proven_it_says_how_deep_it_looked() -> None:
    value = UltimateSearch(limits=Limits(nodes=3_000)).value(ULTIMATE.start())
    assert value.result is None
    assert value.depth >= 3
    assert -1 < value.estimate < 1
    position = ULTIMATE.start()
    for cell in value.line:
        position = position.play(cell)


def test_it_stops_when_its_time_is_over() -> None:
    began = time.monotonic()
    assert UltimateSearch(limits=Limits(seconds=0.2)).value(ULTIMATE.start()).line
    assert 0.2 <= time.monotonic() - began < 1.2


def test_it_is_an_evaluator_for_analyses() -> None:
    position = ULTIMATE.start().play(40)
    analysis = analyse(position, UltimateSearch(limits=Limits(nodes=300)))
    assert len(analysis.cells) == 8
    assert analysis.value.depth >= 2
    assert all(isinstance(each.reason, Reason) for each in analysis.cells)


def test_other_games_are_refused() -> None:
    with pytest.raises(TypeError, match="plays ultimate, not 3x3x3"):
        UltimateSearch().value(CLASSIC.start())


def test_with_no_budget_at_all_it_still_wins_and_blocks_on_the_whole_game() -> None:
    wins = blocks = 0
    for seed in range(300):
        rng, position = Random(seed), ULTIMATE.start()
        while not position.is_over:
            winning = winning_plies(position)
            safe = [cell for cell in position.legal_moves if not winning_plies(position.play(cell))]
            wins += bool(winning)
            blocks += 0 < len(safe) < len(position.legal_moves)
            for limits in (Limits(nodes=0), Limits(nodes=1), Limits(seconds=0)):
                cell = UltimateSearch(limits=limits, seed=seed).best(position)
                assert cell in (winning or safe or position.legal_moves)
            others = [cell for cell in position.legal_moves if cell not in winning]
            position = position.play(rng.choice(others or position.legal_moves))
    assert wins > 500
    assert blocks > 500

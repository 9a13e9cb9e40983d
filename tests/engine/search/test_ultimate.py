"""The search for ultimate: proven values against exhaustive search, budgets, and stopping."""

from functools import cache
from random import Random

import pytest

from engine import CLASSIC, SearchLimits
from engine.rules.base import Mark, winning_plies
from engine.rules.ultimate import ALL_NINE, ULTIMATE, UltimatePosition
from engine.search.ultimate import CHANCES, PLIES, WEIGHTS, UltimateSearch, evaluation
from tests.engine import naive

pytestmark = pytest.mark.slow

Both = tuple[UltimatePosition, naive.Ultimate]
"""A position in both implementations."""


def cells_left(position: UltimatePosition) -> int:
    unfinished = [board for board in range(9) if not position.finished >> board & 1]
    return sum(position.mark_at(9 * board + cell) is None for board in unfinished for cell in range(9))


def random_game(seed: int) -> list[Both]:
    rng, position, game, passed = Random(seed), ULTIMATE.start(), naive.Ultimate(), []
    while not position.is_over:
        passed.append((position, game))
        cell = rng.choice(position.legal_moves)
        position, game = position.play(cell), naive.play_in(game, cell)
    return passed


@cache
def late_positions() -> list[Both]:
    """The first position of each of some games with at most nine cells left."""
    games = ([both for both in random_game(seed) if cells_left(both[0]) <= 9] for seed in range(16))
    return [late[0] for late in games if late]


@cache
def exhaustive(game: naive.Ultimate) -> tuple[int, int | None]:
    """The score for the side to move and the plies to the end, by exhaustive search; None for a draw."""
    if naive.has_ended(game):
        return (-1, 0) if naive.won_by(game) else (0, None)
    after = [exhaustive(naive.play_in(game, cell)) for cell in naive.moves_in(game)]
    best = max(-score for score, _ in after)
    plies = [1 + left for score, left in after if -score == best and left is not None]
    return best, None if not best else min(plies) if best > 0 else max(plies)


def test_what_it_remembers_of_a_game_changes_no_value_whether_it_is_walked_forwards_or_backwards() -> None:
    for way in (1, -1):
        proven = 0
        for seed in range(5):
            search = UltimateSearch(limits=SearchLimits(nodes=3_000))
            for position, game in random_game(seed)[-12:][::way]:
                value = search.value(position)
                if value.result and cells_left(position) < 11:
                    assert (value.result, value.plies) == exhaustive(game), repr(position)
                    proven += 1
        assert proven > 10


def test_near_the_end_its_choices_give_nothing_away_and_change_no_value_that_is_asked_for_later() -> None:
    judged, values = 0, set()
    for seed, (late, told) in enumerate(late_positions()):
        position, game, rng, search = late, told, Random(seed), UltimateSearch()
        while not position.is_over:
            cell = search.best(position)
            assert exhaustive(naive.play_in(game, cell))[0] == -exhaustive(game)[0], repr(position)
            judged += 1
            cell = rng.choice(position.legal_moves)
            position, game = position.play(cell), naive.play_in(game, cell)
        value = search.value(late)
        assert (value.result, value.plies) == exhaustive(told), repr(late)
        assert UltimateSearch().value(late)[:2] == value[:2]
        values.add(value.result)
    assert judged > 40
    assert values == {-1, 0, 1}


def test_no_certain_end_is_further_away_than_there_are_cells() -> None:
    for position, _ in random_game(14)[-12:]:
        choice = UltimateSearch(limits=SearchLimits(nodes=10_000)).choice(position)
        assert (choice.plies or 0) <= cells_left(position), repr(position)


def chances(position: UltimatePosition) -> tuple[list[float], list[float]]:
    """How likely the side to move and its opponent are to win each board."""
    pairs = [CHANCES[key] for key in keys(position)]
    return [mine for mine, _ in pairs], [theirs for _, theirs in pairs]


def keys(position: UltimatePosition) -> list[int]:
    own, other = (position.x, position.o) if position.turn is Mark.X else (position.o, position.x)
    return [(own >> 9 * board & ALL_NINE) << 9 | other >> 9 * board & ALL_NINE for board in range(9)]


def test_what_a_ply_makes_a_position_worth_is_known_before_it() -> None:
    for seed in range(10):
        rng, position = Random(seed), ULTIMATE.start()
        while not position.is_over:
            own, other = before = chances(position)
            cell = rng.choice(position.legal_moves)
            board, place = divmod(cell, 9)
            ply = next(each for each in PLIES[keys(position)[board]] if each.place == place)
            mine, theirs = (WEIGHTS[board](side) for side in before)
            worth = evaluation(*before) + (ply.own - own[board]) * mine - (ply.other - other[board]) * theirs
            position = position.play(cell)
            assert evaluation(*chances(position)) == pytest.approx(-worth)


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
    assert UltimateSearch(limits=SearchLimits(nodes=8), seed=seed).best(position) == 8


def test_other_games_are_refused() -> None:
    with pytest.raises(TypeError, match="plays ultimate, not 3x3x3"):
        UltimateSearch().value(CLASSIC.start())  # type: ignore[arg-type] # as this says


def test_with_no_budget_at_all_it_still_wins_and_blocks_on_the_whole_game() -> None:
    wins = blocks = 0
    for seed in range(16):
        for position, _ in random_game(seed):
            winning = winning_plies(position)
            safe = [cell for cell in position.legal_moves if not winning_plies(position.play(cell))]
            if not winning and len(safe) in (0, len(position.legal_moves)):
                continue
            wins += bool(winning)
            blocks += not winning
            for limits in (SearchLimits(nodes=0), SearchLimits(nodes=1), SearchLimits(seconds=0)):
                assert UltimateSearch(limits=limits, seed=seed).best(position) in (winning or safe)
    assert min(wins, blocks) > 36

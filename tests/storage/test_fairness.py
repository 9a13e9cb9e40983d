"""Which games count for ratings, and how far somebody's circle reaches."""

from __future__ import annotations

from itertools import combinations

import pytest

from engine import Mark
from storage.fairness import FEW, LEAST_POINTS, PER_DAY, PER_PERSON, Circles, counted, is_whole, reach
from storage.game import Termination
from storage.glicko import Rating
from storage.rating_day import Key, Rated, rate_day
from storage.result import Outcome, Result

ANN, BOB, CEM = 1, 2, 3


def result(
    number: int = 1,
    person: int = ANN,
    opponent: int = BOB,
    outcome: Outcome = Outcome.WIN,
    *,
    termination: Termination = Termination.LINE,
    plies: int = 5,
) -> Result:
    """A game between two people on the day that 1970 began."""
    return Result(
        number, person, opponent, None, "3x3x3", None, Mark.X, outcome, termination, plies, "4", 1000 + number
    )


def ring(*people: int) -> dict[int, dict[int, int]]:
    """People who have all played each other."""
    return {one: {other: 3 for other in people if other != one} for one in people}


@pytest.mark.parametrize(
    ("termination", "plies", "counts"),
    [
        (Termination.LINE, 5, "yes"),
        (Termination.FULL_BOARD, 9, "yes"),
        (Termination.RESIGNATION, 5, ""),
        (Termination.TIMEOUT, 2, ""),
        (Termination.RESIGNATION, 6, "yes"),
        (Termination.TIMEOUT, 7, "yes"),
    ],
)
def test_a_game_given_up_within_a_few_moves_counts_for_nothing(
    termination: Termination, plies: int, counts: str
) -> None:
    assert is_whole(result(termination=termination, plies=plies)) is bool(counts)


def test_of_two_people_only_the_first_few_games_of_a_day_count_whoever_plays_x() -> None:
    games = [result(n, *((ANN, BOB) if n % 2 else (BOB, ANN))) for n in range(10)]
    others = [result(20 + n, ANN, CEM) for n in range(2)]
    assert list(counted(games + others)) == games[:PER_DAY] + others


def test_games_that_were_given_up_do_not_use_up_those_that_count() -> None:
    short = [result(n, termination=Termination.RESIGNATION, plies=2) for n in range(5)]
    games = [result(10 + n) for n in range(3)]
    assert list(counted(short + games)) == games


def test_who_plays_nobody_else_has_no_circle() -> None:
    opponents = {ANN: {BOB: 90}, BOB: {ANN: 90}}
    assert Circles(opponents).of(BOB, ANN) == 0


def test_a_ring_has_a_circle_of_its_members_however_often_they_play() -> None:
    opponents = ring(*range(1, 11))
    assert Circles(opponents).of(2, 1) == pytest.approx(8, abs=0.5)


def test_one_game_with_a_stranger_hardly_widens_a_ring() -> None:
    opponents = ring(*range(1, 11))
    world = {
        stranger: {other: 1 for other in range(100, 140) if other != stranger} for stranger in range(100, 140)
    }
    opponents[2][100] = 1
    world[100][2] = 1
    everybody = opponents | world
    assert Circles(everybody).of(2, 1) < 13


def test_a_person_of_a_wide_circle_has_the_people_of_two_games_away() -> None:
    opponents: dict[int, dict[int, int]] = {}
    for one, other in combinations(range(60), 2):
        if (one + other) % 5 == 0 or other - one == 1:
            opponents.setdefault(one, {})[other] = 1
            opponents.setdefault(other, {})[one] = 1
    assert Circles(opponents).of(7, 0) > 14


def test_nobody_is_in_a_circle_of_their_own() -> None:
    star = {1: {2: 5, 3: 5, 9: 1}, 2: {1: 5}, 3: {1: 5}, 9: {1: 1}}
    assert Circles(star).of(1, 9) == 0, "whom they play, play nobody but them"
    assert Circles(star).of(2, 9) == 1


@pytest.mark.parametrize(
    ("circle", "everybody", "points"),
    [
        (0, 2, LEAST_POINTS),
        (9, 10, 9 * PER_PERSON),
        (29, 30, 29 * PER_PERSON),
        (9, 1100, 9 * PER_PERSON),
        (60, 1100, FEW * PER_PERSON),
        (100, 1100, FEW * PER_PERSON),
        (300, 1100, (FEW + 200) * PER_PERSON),
        (300, 100_000, (FEW + 200) * PER_PERSON),
        (60, 500, (FEW + 10) * PER_PERSON),
    ],
)
def test_a_circle_that_a_ring_may_have_gives_few_points_where_many_others_play(
    circle: float, everybody: int, points: float
) -> None:
    """Where few play, all of them count."""
    assert reach(circle, everybody) == points


def test_friends_who_play_nobody_else_see_who_is_ahead_and_come_no_further() -> None:
    games, met = [result(n) for n in range(3)], {ANN: {BOB: 3}, BOB: {ANN: 3}}
    rated = rate_day(0, games, {}, met)
    assert rated[Key(ANN, "")].rating.rating == 1500 + LEAST_POINTS
    assert rated[Key(BOB, "")].rating.rating == 1500 - LEAST_POINTS
    for day in range(1, 60):
        rated = rate_day(day, games, rated, met)
    assert rated[Key(ANN, "")].rating.rating == 1500 + LEAST_POINTS
    assert rated[Key(BOB, "")].rating.rating == 1500 - LEAST_POINTS


def test_nobody_is_moved_further_than_their_opponents_circle_reaches() -> None:
    everybody = range(1, 21)
    games = [result(n, 1, other) for n, other in enumerate(everybody) if other != 1]
    rated = rate_day(0, games, {}, ring(*everybody))
    circle = Circles(ring(*everybody)).of(2, 1)
    assert rated[Key(1, "")].rating.rating == pytest.approx(1500 + reach(circle, len(everybody)))
    assert rated[Key(1, "")].rating.volatility == Rating().volatility, "luck with others moves them no further"
    again = rate_day(1, games, rated, ring(*everybody))
    assert again[Key(1, "")].rating.rating == rated[Key(1, "")].rating.rating


def test_one_game_of_a_wide_circle_opens_no_way_for_those_of_a_ring() -> None:
    """Somebody beats a ring of ten and draws with somebody whom everybody plays."""
    everybody = ring(*range(1, 11)) | ring(*range(100, 160))
    everybody[1][100] = everybody[100][1] = 1
    before = {Key(100, family): Rated(0, Rating(1540, 60), 99) for family in ("", "classic")}
    wide = result(50, 1, 100, Outcome.DRAW)
    games = [result(n, 1, other) for n, other in enumerate(range(2, 11))]
    both = rate_day(1, [*games, wide], before, everybody)[Key(1, "")].rating.rating
    alone = rate_day(1, [wide], before, everybody)[Key(1, "")].rating.rating
    bound = reach(Circles(everybody).of(2, 1), len(everybody))
    assert both <= max(alone, 1500 + bound)


def test_families_of_rules_are_rated_apart_and_together() -> None:
    everybody = ring(*range(1, 41))
    games = [
        result(1, 1, 2),
        result(2, 2, 1)._replace(rules="ultimate"),
        result(3, 1, 3, Outcome.DRAW)._replace(rules="5x5x4"),
    ]
    rated = rate_day(3, games, {}, everybody)
    assert {family: rated[Key(1, family)].games for family in ("", "classic", "ultimate", "bigger")} == {
        "": 3,
        "classic": 1,
        "ultimate": 1,
        "bigger": 1,
    }
    assert rated[Key(1, "classic")].rating.rating > 1500 > rated[Key(1, "ultimate")].rating.rating
    assert rated[Key(1, "")].rating.rating == pytest.approx(1500, abs=1)
    assert Key(3, "classic") not in rated


def test_days_without_games_make_a_rating_less_sure_before_the_next() -> None:
    before = {
        Key(1, family): Rated(0, rate_day(0, [result()], {}, ring(1, 2, 3, 4))[Key(1, "")].rating, 1)
        for family in ("", "classic")
    }
    soon = rate_day(1, [result()], before, ring(1, 2, 3, 4))[Key(1, "")].rating.deviation
    late = rate_day(100, [result()], before, ring(1, 2, 3, 4))[Key(1, "")].rating.deviation
    assert late > soon

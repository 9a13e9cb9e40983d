"""Ratings game by game: which games are rated, whether ratings rank people by strength, and Glicko-2."""

import math
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from random import Random

import pytest

from engine import Mark
from engine.rules.catalogue import family_of
from storage.columns import DAY
from storage.games.game import COMPUTER, GameKind, Side, Termination
from storage.results.glicko import MOST_SETTLED_DAYS, SCALE, Played, Rating, aged, rate, settled_days
from storage.results.ratings import Pair, RatingChanges, RatingKey
from storage.results.result import OVERALL, Ending, Result, may_be_rated
from tests.soak import SOAK
from tests.storage.examples import NEW

ANN, BOB, CEM = 1, 2, 3


def result(
    person: int = ANN,
    opponent: int = BOB,
    outcome: Ending = Ending.WIN,
    *,
    at: int = 0,
    rules: str = "3x3x3",
    termination: Termination = Termination.LINE,
    plies: int = 7,
) -> Result:
    """A game between two people, from the view of X's player."""
    return Result(
        1, person, opponent, None, rules, family_of(rules), None, Mark.X, outcome, termination, plies, at
    )


@pytest.mark.parametrize("termination", [Termination.RESIGNATION, Termination.TIMEOUT])
@pytest.mark.parametrize(
    ("rules", "moves", "winner", "rated"),
    [
        ("3x3x3", "04", Mark.X, False),
        ("3x3x3", "01", Mark.X, True),  # whoever answers a corner beside it is lost
        ("3x3x3", "01", Mark.O, False),  # and whoever gives up a won game isn't
        ("3x3x3", "048", Mark.O, False),
        ("3x3x3", "014", Mark.X, True),
        ("3x3x3", "0481", Mark.O, True),
        ("3x3x3", "0148", Mark.X, True),
        ("3x3x3", "01482", Mark.X, True),
        ("3x3x3", "0482617", Mark.X, True),
        ("3x3x3-misere", "01", Mark.O, True),  # X, who took a corner, is lost
        ("3x3x3-misere", "40", Mark.X, False),
        ("vanishing", "04", Mark.O, False),
        ("5x5x4", "0ab", Mark.X, False),
        ("5x5x4", "0abc", Mark.X, True),
        ("ultimate", "0123", Mark.X, True),
    ],
)
def test_a_game_that_is_given_up_is_rated_once_both_have_moved_twice_or_if_it_was_lost(
    termination: Termination, rules: str, moves: str, winner: Mark, *, rated: bool
) -> None:
    pair = NEW._replace(rules=rules, kind=GameKind.PAIR, x=Side(ANN), o=Side(BOB))
    game = pair._replace(moves=moves, termination=termination, winner=winner)
    assert may_be_rated(game) is rated
    assert not may_be_rated(game._replace(o=Side(COMPUTER)))


def test_of_two_people_only_the_first_three_games_of_a_day_are_rated_whoever_plays_x() -> None:
    changes = RatingChanges({}, {})
    games = [result(*((ANN, BOB) if number % 2 else (BOB, ANN)), at=number) for number in range(4)]
    assert [changes.add(game) for game in games] == [True, True, True, False]
    assert changes.add(result(ANN, CEM)), "other people have their own count"
    assert changes.add(result(at=DAY))
    late = [changes.add(result(at=DAY - 1)) for _ in range(3)]
    assert late == [True, True, False], "a game that comes late belongs to the newest day"
    assert changes.pairs[Pair(BOB, ANN, OVERALL)].games == 3
    assert changes.rating(ANN).opponents == 2
    assert changes.rating(ANN).games == 7


def test_families_of_rules_are_rated_apart_and_together() -> None:
    changes = RatingChanges({}, {})
    for game in (
        result(ANN, BOB),
        result(BOB, ANN, rules="ultimate"),
        result(ANN, CEM, Ending.DRAW, rules="5x5x4"),
    ):
        assert changes.add(game)
    families = ("", "classic", "ultimate", "bigger")
    assert [changes.rating(ANN, family).games for family in families] == [3, 1, 1, 1]
    assert [changes.rating(ANN, family).opponents for family in families] == [2, 1, 1, 1]
    classic, ultimate = (changes.rating(ANN, family).rating.rating for family in ("classic", "ultimate"))
    assert classic > 1500 > ultimate
    assert RatingKey(CEM, "classic") not in changes.ratings


def test_days_without_a_game_make_a_rating_less_certain_and_games_of_a_day_do_not() -> None:
    def deviation(*days: int) -> float:
        changes = RatingChanges({}, {})
        for number, day in enumerate(days):
            changes.add(result(opponent=10 + number, at=day * DAY + number))
        return changes.rating(ANN).rating.deviation

    assert deviation(0, 0) == pytest.approx(deviation(0, 1), abs=1)
    assert deviation(0, 0) < deviation(0, 1) < deviation(0, 400) < 350


def strengths_of(rng: Random, *, evenly: bool) -> Sequence[float]:
    """The strengths of eight friends: evenly spaced, or random."""
    if evenly:
        return [1288, 1355, 1415, 1472, 1528, 1585, 1645, 1712]
    return [rng.gauss(1500, 200) for _ in range(8)]


def expected(one: float, other: float) -> float:
    """The expected points of a player in a game."""
    return 1 / (1 + math.exp((other - one) / SCALE))


@pytest.mark.parametrize("evenly", [True, False])
def test_a_league_is_listed_in_the_order_of_its_strength(*, evenly: bool) -> None:
    """After 40 days, any two people whose expected scores differ by 0.08 are in order, for 99 of 100 seeds."""
    seeds = 100 if SOAK else 1
    wrong: Counter[tuple[int, int]] = Counter()
    for seed in range(seeds):
        rng = Random(seed)
        strengths = strengths_of(rng, evenly=evenly)
        ratings = after_a_league(strengths, rng)
        scores = [sum(expected(one, other) for other in strengths) / 7 - 1 / 14 for one in strengths]
        for one, other in combinations(sorted(range(8), key=scores.__getitem__), 2):
            if scores[other] - scores[one] >= 0.08:
                wrong[one, other] += ratings[other] <= ratings[one]
    assert len(wrong) > 20
    assert max(wrong.values()) <= seeds / 100


def after_a_league(strengths: Sequence[float], rng: Random) -> Sequence[float]:
    """The ratings of people who played each other three times a day for 40 days."""
    changes = RatingChanges({}, {})
    for day in range(40):
        games = list(combinations(range(len(strengths)), 2)) * 3
        rng.shuffle(games)
        for second, (one, other) in enumerate(games):
            chance, luck = expected(strengths[one], strengths[other]), rng.random()
            drawn = 0.3 * min(chance, 1 - chance)
            outcome = (
                Ending.WIN if luck < chance - drawn else Ending.DRAW if luck < chance + drawn else Ending.LOSS
            )
            assert changes.add(result(one + 1, other + 1, outcome, at=day * DAY + second))
    return [changes.rating(number + 1).rating.rating for number in range(len(strengths))]


# Glicko-2 (`storage/results/glicko.py`).


def test_the_example_of_the_paper() -> None:
    """Mark Glickman, "Example of the Glicko-2 system": three games of a player in one period."""
    player = Rating(1500, 200, 0.06)
    games = [
        Played(Rating(1400, 30, 0.06), 1),
        Played(Rating(1550, 100, 0.06), 0),
        Played(Rating(1700, 300, 0.06), 0),
    ]
    rating, deviation, volatility = rate(player, games)
    assert rating == pytest.approx(1464.06, abs=0.01)
    assert deviation == pytest.approx(151.52, abs=0.01)
    assert volatility == pytest.approx(0.05999, abs=0.00001)


def test_a_period_without_games_makes_a_rating_less_sure_and_nothing_else() -> None:
    old = Rating(1700, 80, 0.03)
    assert rate(old, []) == aged(old, 1)
    assert rate(old, []).rating == 1700
    assert 80 < rate(old, []).deviation < 81


def test_a_settled_rating_stays_so_for_as_many_days_as_it_says() -> None:
    assert settled_days(Rating(1700, 60, 0.03)) == MOST_SETTLED_DAYS
    old = Rating(1700, 105, 0.03)
    days = settled_days(old)
    assert 30 < days < 50
    assert aged(old, days).is_settled
    assert not aged(old, days + 1).is_settled
    assert settled_days(Rating()) == 0


def test_nobody_becomes_less_sure_than_a_beginner() -> None:
    assert aged(Rating(), 10_000).deviation == 350


def test_however_many_wins_there_are_the_arithmetic_holds() -> None:
    rating = Rating()
    for _ in range(1000):
        rating = rate(rating, [Played(Rating(3000, 350, 0.3), 1)] * 30)
    assert math.isfinite(rating.rating)
    assert 0 < rating.volatility < 1

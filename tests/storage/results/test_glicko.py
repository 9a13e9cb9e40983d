"""Glicko-2: the example of its paper, and properties of any rating."""

from __future__ import annotations

import math

import pytest

from storage.results.glicko import Played, Rating, aged, rate, settled_days


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
    old = Rating(1700, 60, 0.03)
    days = settled_days(old)
    assert 250 < days < 400
    assert aged(old, days).is_settled
    assert not aged(old, days + 1).is_settled
    assert settled_days(Rating()) == 0


def test_nobody_becomes_less_sure_than_a_beginner() -> None:
    assert aged(Rating(), 10_000).deviation == 350


def test_wins_lift_and_losses_lower_by_the_same() -> None:
    won, lost = rate(Rating(), [Played(Rating(), 1)]), rate(Rating(), [Played(Rating(), 0)])
    assert won.rating - 1500 == pytest.approx(1500 - lost.rating)
    assert won.deviation == pytest.approx(lost.deviation)


def test_however_many_wins_there_are_the_arithmetic_holds() -> None:
    rating = Rating()
    for _ in range(1000):
        rating = rate(rating, [Played(Rating(3000, 350, 0.3), 1)] * 30)
    assert math.isfinite(rating.rating)
    assert 0 < rating.volatility < 1

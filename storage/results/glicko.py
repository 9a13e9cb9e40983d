"""Glicko-2, the rating system: Mark Glickman, "Example of the Glicko-2 system" (2022).

It is written here because it is a page of arithmetic and no library of it is maintained; the paper's example is a
test. Each game is rated by itself, with both players' ratings before it. The rating period is a day: the deviation
grows by the volatility for each whole day between two games, not from game to game.
"""

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

SCALE: Final = 173.7178
CENTRE: Final = 1500.0

WIDEST: Final = 350.0
"""The first deviation, which is also the largest."""

VOLATILITY: Final = 0.03
"""The first volatility. The paper's 0.06 is for periods of weeks; with 0.03 a day, a certain rating (deviation 60)
is as uncertain as a provisional one after a year without a game."""

TAU: Final = 0.5
"""The paper's tau: how much volatilities may change."""

SETTLED: Final = 110.0
"""A rating with a larger deviation is provisional."""

MOST_SETTLED_DAYS: Final = 8 * 7
"""After so many days without a game the most certain rating rests, too: it's provisional until there is one."""

CLOSE_ENOUGH: Final = 1e-6
STEPS: Final = 100


class Rating(NamedTuple):
    """An estimate of somebody's strength, how uncertain it is, and how much it varies."""

    rating: float = CENTRE
    deviation: float = WIDEST
    volatility: float = VOLATILITY

    @property
    def is_settled(self) -> bool:
        return self.deviation <= SETTLED


class Played(NamedTuple):
    """A game: the opponent's rating before it, and 1, ½ or 0 points."""

    opponent: Rating
    points: float


def rate(old: Rating, games: Sequence[Played], days: int = 1) -> Rating:
    """The rating after games, a number of days after the last ones; in the paper's example, one."""
    if not games:
        return aged(old, days)
    mu, phi = (old.rating - CENTRE) / SCALE, old.deviation / SCALE
    inverse = gain = 0.0
    for opponent, points in games:
        width = opponent.deviation / SCALE
        g = 1 / math.sqrt(1 + 3 * width * width / (math.pi * math.pi))
        expected = 1 / (1 + math.exp(-g * (mu - (opponent.rating - CENTRE) / SCALE)))
        inverse += g * g * expected * (1 - expected)
        gain += g * (points - expected)
    variance = 1 / max(inverse, 1e-12)
    volatility = _volatility(old.volatility, phi, variance, variance * gain)
    before = min(phi * phi + days * volatility * volatility, (WIDEST / SCALE) ** 2)
    phi = 1 / math.sqrt(1 / before + 1 / variance)
    mu += phi * phi * gain
    return Rating(mu * SCALE + CENTRE, min(phi * SCALE, WIDEST), volatility)


def aged(rating: Rating, days: int) -> Rating:
    """A rating after days without a game: as high as before, and less certain."""
    phi, change = rating.deviation / SCALE, rating.volatility
    grown = math.sqrt(phi * phi + days * change * change) * SCALE
    return rating._replace(deviation=min(grown, WIDEST))


def settled_days(rating: Rating) -> int:
    """After how many days without a game a rating becomes provisional."""
    room = (SETTLED * SETTLED - rating.deviation * rating.deviation) / (SCALE * SCALE)
    return max(0, min(int(room / (rating.volatility * rating.volatility)), MOST_SETTLED_DAYS))


def _volatility(old: float, phi: float, variance: float, change: float) -> float:
    """The new volatility, by step 5 of the paper (the Illinois algorithm)."""
    a = math.log(old * old)

    def f(x: float) -> float:
        grown = math.exp(x)
        spread = phi * phi + variance + grown
        return grown * (change * change - spread) / (2 * spread * spread) - (x - a) / (TAU * TAU)

    low, high = a, a - TAU
    if change * change > phi * phi + variance:
        high = math.log(change * change - phi * phi - variance)
    else:
        while f(high) < 0:
            high -= TAU
    f_low, f_high = f(low), f(high)
    for _ in range(STEPS):
        if abs(high - low) <= CLOSE_ENOUGH:
            break
        middle = low + (low - high) * f_low / (f_high - f_low)
        f_middle = f(middle)
        if f_middle * f_high <= 0:
            low, f_low = high, f_high
        else:
            f_low /= 2
        high, f_high = middle, f_middle
    return math.exp(low / 2)

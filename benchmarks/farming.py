"""Whether ratings can be farmed: honest people play for some days, and farmers among them play for a rating.

Each farmer is as strong as an honest person at the median. What they come to is held against the 95th percentile
of the honest people who are about as strong. `python -m benchmarks.farming`; the same seed gives the same figures.
"""

from __future__ import annotations

import argparse
import math
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final, NamedTuple

from engine import Mark
from storage.fairness import WINDOW_DAYS, counted
from storage.game import Termination
from storage.glicko import SCALE
from storage.rating_day import ALL_FAMILIES, Key, Rated, rate_day
from storage.result import Outcome, Result

SPREAD: Final = 200.0
"""The standard deviation of people's true strength, in points of rating."""
DRAWS: Final = 0.3
AS_STRONG: Final = 60.0
"""Honest people within so many points of a farmer's true strength are as strong."""


class Deal(NamedTuple):
    """A game that is agreed on: who wins it, whether it is resigned at once."""

    winner: int
    loser: int
    short: bool = False


@dataclass
class World:
    """People, their true strengths, and the ratings that they have come to."""

    strengths: dict[int, float]
    rng: Random
    day: int = 0
    ratings: dict[Key, Rated] = field(default_factory=dict)
    pairs: dict[int, Counter[int]] = field(default_factory=dict)
    last: dict[tuple[int, int], int] = field(default_factory=dict)
    games: int = 0

    def honest(self, one: int, other: int) -> Result:
        """A game that both try to win."""
        gap = (self.strengths[one] - self.strengths[other]) / SCALE
        points = self.rng.random() < 1 / (1 + math.exp(-gap))
        drawn = self.rng.random() < DRAWS * math.exp(-abs(gap))
        return self._result(one, other, Outcome.DRAW if drawn else Outcome.WIN if points else Outcome.LOSS)

    def dealt(self, deal: Deal) -> Result:
        """A game that both have agreed on."""
        return self._result(deal.winner, deal.loser, Outcome.WIN, short=deal.short)

    def close_day(self, games: list[Result]) -> None:
        """Rate a day, as the bot does."""
        rated = list(counted(games))
        for game in rated:
            for one, other in ((game.person, game.opponent), (game.opponent, game.person)):
                self.pairs.setdefault(one, Counter())[other] += 1
                self.last[one, other] = self.day
        late = {
            one: {other: n for other, n in others.items() if self.last[one, other] >= self.day - WINDOW_DAYS}
            for one, others in self.pairs.items()
        }
        self.ratings |= rate_day(self.day, rated, self.ratings, late)
        self.day += 1

    def rating(self, person: int) -> float:
        """Somebody's rating now."""
        return self.ratings[Key(person, ALL_FAMILIES)].rating.rating

    def _result(self, one: int, other: int, outcome: Outcome, *, short: bool = False) -> Result:
        self.games += 1
        values: dict[str, Any] = {"level": None, "rules": "3x3x3", "chat_id": None, "mark": Mark.X, "opening": "0"}
        ended = Termination.RESIGNATION if short else Termination.LINE
        plies = 2 if short else 7
        return Result(
            game_id=self.games,
            person=one,
            opponent=other,
            outcome=outcome,
            termination=ended,
            plies=plies,
            ended_at=self.day * 86400 + self.games % 86400,
            **values,
        )


class Figures(NamedTuple):
    """What came of a strategy."""

    farmer: float
    honest: float
    """The 95th percentile of the honest people who are as strong."""
    median: float
    """Their median."""


def simulate(strategy: str, *, people: int, days: int, seed: int, ring: int = 12) -> Figures:
    """Let honest people and one farmer with their helpers play for some days.

    Args:
        strategy: One of `STRATEGIES`.
        people: How many honest people there are.
        days: For how many days they play, each on about every other.
        seed: Of all chance.
        ring: How many helpers the farmer has.
    """
    rng = Random(seed)
    strengths = {person: rng.gauss(1500, SPREAD) for person in range(1, people + 1)}
    farmer = people + 1
    helpers = list(range(farmer + 1, farmer + 1 + ring))
    strengths |= dict.fromkeys([farmer, *helpers], 1500.0)
    world = World(strengths, rng)
    honest = list(range(1, people + 1))
    for _ in range(days):
        playing = [person for person in honest if rng.random() < 0.5]
        rng.shuffle(playing)
        games = []
        for _round in range(3):
            rng.shuffle(playing)
            games += [world.honest(one, other) for one, other in zip(playing[::2], playing[1::2], strict=False)]
        if strategy != ALONE:  # the farmer plays others too, as well as they can
            games += [world.honest(farmer, rng.choice(honest)) for _game in range(3)]
        games += [world.dealt(deal) for deal in STRATEGIES[strategy](farmer, helpers, rng)]
        if strategy == OPEN:
            games += [world.honest(helper, rng.choice(honest)) for helper in helpers if rng.random() < OPENNESS]
        world.close_day(games)
    alike = sorted(
        world.rating(person)
        for person in honest
        if abs(strengths[person] - 1500) < AS_STRONG and Key(person, ALL_FAMILIES) in world.ratings
    )
    return Figures(world.rating(farmer), alike[int(0.95 * len(alike))], alike[len(alike) // 2])


def _nobody(_farmer: int, _helpers: list[int], _rng: Random) -> list[Deal]:
    return []


def _one_friend(farmer: int, helpers: list[int], _rng: Random) -> list[Deal]:
    """Forty games a day against one friend, who loses them all."""
    return [Deal(farmer, helpers[0])] * 40


def _quick(farmer: int, helpers: list[int], _rng: Random) -> list[Deal]:
    """Games that friends resign after a move each."""
    return [Deal(farmer, helper, short=True) for helper in helpers] * 20


def _ring(farmer: int, helpers: list[int], rng: Random) -> list[Deal]:
    """Accounts that win and lose among each other, and all lose to the farmer."""
    pairs = [rng.sample(helpers, 2) for _ in range(3 * len(helpers))]
    among = [Deal(winner, loser) for winner, loser in pairs]
    return [*among, *[Deal(farmer, helper) for helper in helpers] * 3]


def _layers(farmer: int, helpers: list[int], rng: Random) -> list[Deal]:
    """A ring in which some lift others, and only these lose to the farmer."""
    half = len(helpers) // 2
    upper, lower = helpers[:half], helpers[half:]
    lifts = [Deal(rng.choice(upper), rng.choice(lower)) for _ in range(6 * half)]
    return [*lifts, *[Deal(farmer, helper) for helper in upper] * 3]


ALONE: Final = "a ring whose farmer plays nobody else"
OPEN: Final = "a ring that also plays others"
OPENNESS: Final = 0.2
"""How often a member of such a ring plays somebody else, by day."""

RINGS: Final = {"a ring": _ring, ALONE: _ring, "a ring in layers": _layers, OPEN: _ring}
STRATEGIES: Final = {"playing": _nobody, "one friend": _one_friend, "quick resignations": _quick, **RINGS}
"""What farmers do beside playing; the first does nothing."""


class Run(NamedTuple):
    """A strategy that is simulated."""

    strategy: str
    ring: int
    people: int
    days: int
    seed: int


def figures_of(run: Run) -> Figures:
    """What comes of a run."""
    return simulate(run.strategy, people=run.people, days=run.days, seed=run.seed, ring=run.ring)


def main() -> None:
    """Print what each strategy comes to, by the size of its ring."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.farming", description=__doc__)
    parser.add_argument("--people", type=int, default=1000)
    parser.add_argument("--days", type=int, default=60)
    parser.add_argument("--rings", type=int, nargs="+", default=[12, 30, 60, 100])
    parser.add_argument("--seeds", type=int, default=1)
    arguments = parser.parse_args()
    runs = [
        Run(strategy, ring, arguments.people, arguments.days, seed)
        for strategy in STRATEGIES
        for ring in (arguments.rings if strategy in RINGS else arguments.rings[:1])
        for seed in range(arguments.seeds)
    ]
    print("| strategy | accounts | farmer | honest median | honest 95th percentile |\n|---|---|---|---|---|")
    with ProcessPoolExecutor() as processes:
        for run, found in zip(runs, processes.map(figures_of, runs), strict=True):
            row = f"| {run.strategy} | {run.ring} | {found.farmer:.0f} | {found.median:.0f} | {found.honest:.0f} |"
            print(row, flush=True)


if __name__ == "__main__":
    main()

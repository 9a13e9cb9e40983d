"""How well the levels play on every board: against a player who errs half the time, and against each other.

    python -m benchmarks.engine_levels                              the figures of docs/engine.md
    python -m benchmarks.engine_levels --games 100 --rules 5x5x4    quicker, and on one board
    python -m benchmarks.engine_levels --rules vanishing --mark O   with O alone, where X wins by force

The opponent moves at random half the time and otherwise like the strongest level, with the same budget of nodes. A
score is the share of points over both sides, with its 95 % interval. It is exact, counted over all games, if a
table holds all positions and none comes again. The seeds are the games' numbers, so a run can be repeated.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Iterator
from itertools import pairwise
from random import Random
from typing import Final, NamedTuple

from engine import LEVELS, Level, Limits, Mark, Position, Rules, Strategy, name_of, parse_rules
from engine.cli.audit import Remembered, chances, erring_half
from engine.players.levels import player

Choice = Callable[[Position, Random], int]


class Size(NamedTuple):
    """How many games are played under some rules."""

    nodes: int
    """The nodes that the strongest level searches for a move."""
    against_erring: int
    """Games of each level against the player who errs."""
    against_each_other: int
    """Games of each level against the one below."""


SIZES: Final = {
    "3x3x3": Size(0, 0, 0),
    "3x3x3-misere": Size(0, 0, 0),
    "4x4x4": Size(2_000, 1_200, 200),
    "4x4x3-misere": Size(1_000, 240, 120),
    "5x5x4": Size(2_000, 400, 100),
    "6x6x4": Size(2_000, 400, 100),
    "7x7x5": Size(2_000, 200, 100),
    "8x8x5": Size(2_000, 200, 100),
    "5x5x4-misere": Size(2_000, 120, 60),
    "ultimate": Size(3_000, 240, 40),
    "vanishing": Size(0, 4_000, 1_000),
}
BOTH: Final = tuple(Mark)
HALF: Final = 0.5
CERTAINTY: Final = 0.95
WIDTH: Final = 1.96
"""An interval of that certainty, in standard errors to either side."""


class Score(NamedTuple):
    """The share of points, with its margin of error."""

    mean: float
    spread: float

    def __str__(self) -> str:
        if not self.spread:
            return f"{self.mean:.3f}"
        return f"{self.mean:.3f} ({max(0, self.mean - self.spread):.3f} to {min(1, self.mean + self.spread):.3f})"


def score(rules: Rules, choice: Choice, opponent: Choice, games: int, marks: tuple[Mark, ...]) -> Score:
    """The score of a player who has these marks in turn."""
    points = []
    for game in range(games):
        rng, position = Random(game), rules.start()
        mark = marks[game % len(marks)]
        while position.outcome is None:
            position = position.play((choice if position.turn is mark else opponent)(position, rng))
        winner = position.outcome.winner
        points.append(HALF if winner is None else float(winner is mark))
    mean = sum(points) / games
    variance = sum((each - mean) ** 2 for each in points) / max(1, games - 1)
    # If all games end alike, others still might not (Clopper and Pearson, 1934).
    return Score(mean, WIDTH * math.sqrt(variance / games) or 1 - ((1 - CERTAINTY) / 2) ** (1 / games))


def erring(strategy: Strategy) -> Choice:
    """A player who moves at random half the time."""

    def choose(position: Position, rng: Random) -> int:
        if rng.random() < HALF:
            return rng.choice(position.legal_moves)
        return strategy.choose(position, rng)

    return choose


def exact_score(rules: Rules, strategy: Strategy, opponent: Strategy) -> Score:
    """The score over all games."""
    both = [chances(strategy, opponent, mark, rules).score for mark in Mark]
    return Score(float(sum(both) / 2), 0)


def rows(rules: Rules, size: Size, marks: tuple[Mark, ...]) -> Iterator[tuple[Score, Score | None]]:
    """Each level's scores against the player who errs, and against the level below."""
    if not size.against_erring:
        levels: list[Strategy] = [Remembered(player(level, rules)) for level in Level]
        for weaker, each in zip([None, *levels], levels, strict=False):
            erred = exact_score(rules, each, erring_half(levels[-1]))
            yield erred, None if weaker is None else exact_score(rules, each, weaker)
        return
    levels = list(LEVELS.values())
    levels[-1] = levels[-1].within(Limits(nodes=size.nodes))
    opponent = erring(levels[-1])
    for weaker, each in zip([None, *levels], levels, strict=False):
        erred = score(rules, each.choose, opponent, size.against_erring, marks)
        below = None if weaker is None else weaker.choose
        yield erred, below and score(rules, each.choose, below, size.against_each_other, marks)


def report(rules: Rules, size: Size, marks: tuple[Mark, ...]) -> None:
    """Print the table for some rules, and whether the levels are in order of strength."""
    counted = (
        f"{size.against_erring} and {size.against_each_other} games a level" if size.against_erring else "exact"
    )
    alone = "" if marks == BOTH else f", with {marks[0]} alone"
    print(f"### {rules}{alone}: {counted}\n")
    print("| level | against a player who errs half the time | against the level below |\n| --- | --: | --: |")
    against_erring, lost = [], False
    for level, (erred, below) in zip(Level, rows(rules, size, marks), strict=True):
        against_erring.append(erred)
        lost = lost or (below is not None and below.mean < HALF)
        print(f"| {name_of(level, rules)} | {erred} | {'–' if below is None else below} |", flush=True)
    ordered = all(
        lower.mean + lower.spread < upper.mean - upper.spread for lower, upper in pairwise(against_erring)
    )
    print(f"\nIntervals {'disjoint' if ordered else 'OVERLAP'}; {'A MATCH LOST' if lost else 'no match lost'}.\n")


def main() -> None:
    """Print the tables that the arguments ask for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rules", action="append", help=f"by default {', '.join(SIZES)}")
    parser.add_argument(
        "--games",
        type=int,
        help="games of each level against the player who errs, and half as many against the level below",
    )
    parser.add_argument("--nodes", type=int, help="nodes that the strongest level searches for a move")
    parser.add_argument("--mark", choices=BOTH, help="the mark that a level plays; by default both in turn")
    options = parser.parse_args()
    for text in options.rules or SIZES:
        size = SIZES.get(text, SIZES["5x5x4"])
        if options.games:
            size = Size(size.nodes, options.games, max(2, options.games // 2))
        if options.nodes:
            size = size._replace(nodes=options.nodes)
        report(parse_rules(text), size, BOTH if options.mark is None else (Mark(options.mark),))


if __name__ == "__main__":
    main()

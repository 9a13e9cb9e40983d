"""How well the levels play on every board: against a player who errs half the time, and against each other.

    python -m benchmarks.engine_levels                              the figures of docs/engine.md
    python -m benchmarks.engine_levels --games 100 --rules 5x5x4    quicker, and on one board
    python -m benchmarks.engine_levels --rules vanishing --mark O   with O alone, where X wins by force

The opponent moves at random half the time and otherwise like the strongest level, with the same budget of nodes. A
score is the share of points over both sides, with its 95 % interval. It is exact, counted over all games, if a
table holds all positions and none comes again. The seeds are the games' numbers, so a run can be repeated.
"""

import argparse
import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from random import Random
from typing import NamedTuple, Self

from engine import Level, Mark, Position, Rules, SearchLimits, choose, parse_rules
from engine.cli.audit import chances, strategy
from engine.levels import name_of
from engine.strategies import Chooser, any_cell, slipping

Choice = Callable[[Position, Random], int]


class Size(NamedTuple):
    """How many games are played under some rules; if none, all are counted."""

    nodes: int = 0
    """The nodes that the strongest level searches for a move."""
    against_erring: int = 0
    """Games of each level against the player who errs."""
    against_each_other: int = 0
    """Games of each level against the one below."""


SIZES = {
    "3x3x3": Size(),
    "3x3x3-misere": Size(),
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


class Score(NamedTuple):
    """The share of points, with its margin of error."""

    mean: float
    spread: float = 0

    @classmethod
    def of(cls, points: Sequence[float]) -> Self:
        """The mean of what games, or pairs of games, brought."""
        mean = sum(points) / len(points)
        variance = sum((each - mean) ** 2 for each in points) / max(1, len(points) - 1)
        # If all games end alike, others still might not (Clopper and Pearson, 1934).
        return cls(mean, 1.96 * math.sqrt(variance / len(points)) or 1 - 0.025 ** (1 / len(points)))

    def __str__(self) -> str:
        if not self.spread:
            return f"{self.mean:.3f}"
        return f"{self.mean:.3f} ({max(0, self.mean - self.spread):.3f} to {min(1, self.mean + self.spread):.3f})"


def points_of(position: Position, mark: Mark) -> float:
    """What a game that is over brought to a side."""
    winner = position.outcome and position.outcome.winner
    return 0.5 if winner is None else float(winner is mark)


def score(rules: Rules, choice: Choice, opponent: Choice, games: int, marks: tuple[Mark, ...]) -> Score:
    """The score of a player who has these marks in turn."""
    points = []
    for game in range(games):
        rng, position = Random(game), rules.start()
        mark = marks[game % len(marks)]
        while position.outcome is None:
            position = position.play((choice if position.turn is mark else opponent)(position, rng))
        points.append(points_of(position, mark))
    return Score.of(points)


def exact_score(rules: Rules, player: Chooser, opponent: Chooser) -> Score:
    """The score over all games."""
    return Score(float(sum(chances(player, opponent, mark, rules).score for mark in Mark) / 2))


def rows(rules: Rules, size: Size, marks: tuple[Mark, ...]) -> Iterator[tuple[Score, Score | None]]:
    """Each level's scores against the player who errs, and against the level below."""
    if not size.against_erring:
        levels = [strategy(level) for level in Level]
        for weaker, each in zip([None, *levels], levels, strict=False):
            below = None if weaker is None else exact_score(rules, each, weaker)
            yield exact_score(rules, each, slipping(levels[-1], any_cell, 5)), below
        return
    choices = [partial(choose, level) for level in Level]
    strongest = choices[-1] = partial(choose, Level.STRONGEST, limits=SearchLimits(nodes=size.nodes))

    def erring(position: Position, rng: Random) -> int:
        return rng.choice(position.legal_moves) if rng.random() < 0.5 else strongest(position, rng)

    games = size.against_each_other
    for weaker_choice, choice in zip([None, *choices], choices, strict=False):
        erred = score(rules, choice, erring, size.against_erring, marks)
        yield erred, None if weaker_choice is None else score(rules, choice, weaker_choice, games, marks)


def report(rules: Rules, size: Size, marks: tuple[Mark, ...]) -> None:
    """Print the table for some rules, and whether the levels are in order of strength."""
    played = f"{size.against_erring} and {size.against_each_other} games a level"
    alone = f", with {marks[0]} alone" if len(marks) == 1 else ""
    print(f"### {rules}{alone}: {played if size.against_erring else 'exact'}\n")
    print("| level | against a player who errs half the time | against the level below |\n| --- | --: | --: |")
    against_erring, lost = [], False
    for level, (erred, below) in zip(Level, rows(rules, size, marks), strict=True):
        against_erring.append(erred)
        lost = lost or (below is not None and below.mean < 0.5)
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
        "--games", type=int, help="against the player who errs, twice those against the level below"
    )
    parser.add_argument("--mark", choices=tuple(Mark), help="the mark that a level plays; by default both in turn")
    options = parser.parse_args()
    for text in options.rules or SIZES:
        size = SIZES.get(text, SIZES["5x5x4"])
        if options.games:
            size = Size(size.nodes, options.games, max(2, options.games // 2))
        report(parse_rules(text), size, (Mark(options.mark),) if options.mark else tuple(Mark))


if __name__ == "__main__":
    main()

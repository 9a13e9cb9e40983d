"""Print how every strategy fares on 3 by 3, exactly, as tables in Markdown.

Everything is counted over all games or all positions, so there is no sampling and no seed.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from engine.players.levels import Level, player
from engine.players.strategies import STRATEGIES
from engine.players.strategy import Slipping, Strategy
from engine.rules.base import Mark, Position, Rules
from engine.rules.mnk import CLASSIC, mnk_rules
from engine.search import solved


class Record(NamedTuple):
    """The number of games by their result for the strategy; each sequence of moves is counted once."""

    wins: int
    draws: int
    losses: int


class Chances(NamedTuple):
    """The chances of each result for the strategy; they add up to 1."""

    win: Fraction
    draw: Fraction
    loss: Fraction

    @property
    def score(self) -> Fraction:
        """The average score of a game, with 1 for a win and ½ for a draw."""
        return self.win + self.draw / 2


def record(strategy: Strategy, mark: Mark, rules: Rules = CLASSIC) -> Record:
    """All games that the strategy gets into with this mark: each of its candidates, every reply."""
    anything = STRATEGIES["random"]
    return Record(*map(int, _results(strategy, anything, mark, rules, lambda _: Fraction(1))))


def chances(strategy: Strategy, opponent: Strategy, mark: Mark, rules: Rules = CLASSIC) -> Chances:
    """The exact chances of the strategy with this mark against another; candidates are equally likely."""
    return Chances(*_results(strategy, opponent, mark, rules, lambda choices: Fraction(1, choices)))


def mistakes(strategy: Strategy, positions: set[Position], exact: solved.Solved) -> int:
    """In how many of these positions some candidate does not keep the result."""
    return sum(not set(strategy.candidates(position)) <= set(exact.keeping(position)) for position in positions)


def positions(rules: Rules = CLASSIC) -> set[Position]:
    """All positions that aren't over."""
    return set(_reached(rules, lambda position: position.legal_moves))


def reached(strategy: Strategy, rules: Rules = CLASSIC) -> set[Position]:
    """The positions in which the strategy gets to move, with either mark, over all replies."""
    return {
        position
        for first in (True, False)
        for position in _reached(rules, _against_everything(strategy, first=first))
        if (position.ply % 2 == 0) == first
    }


def _against_everything(strategy: Strategy, *, first: bool) -> Callable[[Position], tuple[int, ...]]:
    def choices(position: Position) -> tuple[int, ...]:
        own = (position.ply % 2 == 0) == first
        return strategy.candidates(position) if own else position.legal_moves

    return choices


def _reached(rules: Rules, choices: Callable[[Position], tuple[int, ...]]) -> Iterator[Position]:
    """The positions that aren't over and that these choices lead to, each once."""
    start = rules.start()
    found, fringe = {start}, [start]
    while fringe:
        position = fringe.pop()
        yield position
        after = {position.play(cell) for cell in choices(position)} - found
        found |= after
        fringe += [each for each in after if not each.is_over]


def _results(
    strategy: Strategy, opponent: Strategy, mark: Mark, rules: Rules, weigh: Callable[[int], Fraction]
) -> list[Fraction]:
    """Wins, draws and losses from the start on, with each choice weighted by the number of choices."""
    known: dict[Position, list[Fraction]] = {}

    def visit(position: Position) -> list[Fraction]:
        if position in known:
            return known[position]
        if position.outcome is not None:
            winner = position.outcome.winner
            results = [Fraction(winner is wanted) for wanted in (mark, None, mark.other)]
        else:
            mover = strategy if position.turn is mark else opponent
            choices = Counter(mover.candidates(position))
            weight = weigh(choices.total())
            children = [[count * part for part in visit(position.play(cell))] for cell, count in choices.items()]
            results = [weight * sum(column, Fraction()) for column in zip(*children, strict=True)]
        known[position] = results
        return results

    return visit(rules.start())


SIDES = ((Mark.X, "first"), (Mark.O, "second"))


class Remembered(Strategy):
    """A strategy whose candidates are computed once for each position."""

    __slots__ = ("_known", "_strategy")

    def __init__(self, strategy: Strategy) -> None:
        super().__init__(strategy.name)
        self._strategy = strategy
        self._known: dict[Position, tuple[int, ...]] = {}

    def candidates(self, position: Position) -> tuple[int, ...]:
        cells = self._known.get(position)
        if cells is None:
            cells = self._known[position] = self._strategy.candidates(position)
        return cells


def erring_half(strategy: Strategy) -> Strategy:
    """A player who plays any cell half of the time, and otherwise as this strategy."""
    return Slipping(strategy, STRATEGIES["random"], 5)


def configure(parser: ArgumentParser) -> None:
    """Add the arguments: the strategies to audit."""
    parser.add_argument(
        "strategies",
        nargs="*",
        metavar="STRATEGY",
        help=f"what to audit; all by default: {', '.join(STRATEGIES)}",
    )


def run(arguments: Namespace) -> int:
    """Print the tables; that of the levels only if no strategies are named.

    The exit status is 2 if a strategy is unknown.
    """
    names: list[str] = arguments.strategies or list(STRATEGIES)
    if unknown := [name for name in names if name not in STRATEGIES]:
        sys.stderr.write(f"There is no strategy {unknown[0]}; there are {', '.join(STRATEGIES)}.\n")
        return 2
    chosen = [Remembered(STRATEGIES[name]) for name in names]
    tables = [
        ("Records: wins, draws and losses over all replies", records(chosen)),
        ("Exact chances: win, draw, loss", odds(chosen)),
        ("Value given away: positions in which some candidate does not keep the result", given_away(chosen)),
        ("The shortest loss: its cells, X's first", losses(chosen)),
    ]
    if not arguments.strategies:
        title = "Levels: the score against a player who errs half the time, as first, as second, and the mean"
        tables.append((title, levels()))
    for title, table in tables:
        sys.stdout.write(f"### {title}\n\n{table}\n")
    return 0


def records(strategies: Sequence[Strategy]) -> str:
    """The number of games by result: each candidate against every reply, each sequence of moves counted once."""
    rows = [
        [each.name, *("/".join(f"{number:,}" for number in record(each, mark)) for mark, _ in SIDES)]
        for each in strategies
    ]
    return markdown(["strategy", *(f"as {side}" for _, side in SIDES)], rows)


def odds(strategies: Sequence[Strategy]) -> str:
    """Chances against a random player and against the strategy `perfect`."""
    opponents = [Remembered(STRATEGIES[name]) for name in ("random", "perfect")]
    head = [f"as {side} against {opponent.name}" for opponent in opponents for _, side in SIDES]
    rows = [
        [each.name]
        + [
            ", ".join(percent(chance) for chance in chances(each, opponent, mark))
            for opponent in opponents
            for mark, _ in SIDES
        ]
        for each in strategies
    ]
    return markdown(["strategy", *head], rows)


def given_away(strategies: Sequence[Strategy]) -> str:
    """Mistakes in all positions, and in those that a strategy gets into by itself."""
    everywhere, exact = positions(), solved.table(CLASSIC)
    rows = []
    for each in strategies:
        own = reached(each)
        counts = [f"{mistakes(each, seen, exact):,} of {len(seen):,}" for seen in (everywhere, own)]
        rows.append([each.name, *counts])
    return markdown(["strategy", "of all positions", "of those it gets into"], rows)


def losses(strategies: Sequence[Strategy]) -> str:
    """For each mark, one of the shortest games that a strategy loses."""
    rows = [[each.name, *(shortest_loss(each, mark) for mark, _ in SIDES)] for each in strategies]
    return markdown(["strategy", *(f"as {side}" for _, side in SIDES)], rows)


def shortest_loss(strategy: Strategy, mark: Mark) -> str:
    """The moves of the first of the shortest games that a strategy loses; a dash if it never loses."""
    fringe: deque[tuple[Position, tuple[int, ...]]] = deque([(CLASSIC.start(), ())])
    while fringe:
        position, moves = fringe.popleft()
        if position.outcome is not None:
            if position.outcome.winner is mark.other:
                return " ".join(map(str, moves))
            continue
        cells = strategy.candidates(position) if position.turn is mark else position.legal_moves
        fringe += [(position.play(cell), (*moves, cell)) for cell in cells]
    return "–"


def levels() -> str:
    """How each level fares, in the ordinary game and in misère, against one who is half perfect, half random."""
    rows = []
    for rules in (CLASSIC, mnk_rules(3, 3, 3, misere=True)):
        opponent = erring_half(Remembered(player(Level.PERFECT, rules)))
        for level in Level:
            strategy = Remembered(player(level, rules))
            scores = [chances(strategy, opponent, mark, rules).score for mark, _ in SIDES]
            rows.append([f"{rules} {level}", *(f"{float(score):.3f}" for score in (*scores, sum(scores) / 2))])
    return markdown(["level", *(f"as {side}" for _, side in SIDES), "mean"], rows)


def percent(chance: Fraction) -> str:
    """A chance in per cent, without decimals if it is 0 or 100."""
    return f"{float(100 * chance):.1f}" if 0 < chance < 1 else f"{100 * int(chance)}"


def markdown(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown whose first column is text and whose others are figures."""
    lines = [head, ["---", *["--:"] * (len(head) - 1)], *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)

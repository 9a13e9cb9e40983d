"""Print how every strategy fares on 3 by 3, exactly, as tables in Markdown.

Everything is counted over all games or all positions, so there is no sampling and no seed.
"""

import sys
from argparse import ArgumentParser, Namespace
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cache, partial
from typing import NamedTuple

from engine.levels import candidates
from engine.rules.base import Mark, Position, Rules
from engine.rules.mnk import CLASSIC
from engine.search import solved
from engine.strategies import STRATEGIES, Chooser, any_cell, strategy_named


class Chances(NamedTuple):
    """The chances of each result for the strategy; they add up to 1."""

    win: Fraction
    draw: Fraction
    loss: Fraction

    @property
    def score(self) -> Fraction:
        """The average score of a game, with 1 for a win and ½ for a draw."""
        return self.win + self.draw / 2


def record(player: Chooser, mark: Mark, rules: Rules = CLASSIC) -> tuple[int, ...]:
    """Wins, draws and losses over all games with this mark: each of a player's candidates, every reply."""
    return tuple(map(int, _results(player, any_cell, mark, rules, lambda _: Fraction(1))))


def chances(player: Chooser, opponent: Chooser, mark: Mark, rules: Rules = CLASSIC) -> Chances:
    """The exact chances of a player with this mark against another; candidates are equally likely."""
    return Chances(*_results(player, opponent, mark, rules, lambda choices: Fraction(1, choices)))


def mistakes(player: Chooser, positions: set[Position]) -> int:
    """In how many of these positions of 3 by 3 some candidate does not keep the result."""
    keeping = solved.table(CLASSIC).keeping
    return sum(not set(player(position)) <= set(keeping(position)) for position in positions)


def positions() -> set[Position]:
    """All positions of 3 by 3 that aren't over."""
    return set(_reached(any_cell))


def reached(player: Chooser) -> set[Position]:
    """The positions of 3 by 3 in which a player gets to move, with either mark, over all replies."""
    return {
        position
        for parity in (0, 1)
        for position in _reached(lambda each: player(each) if each.ply % 2 == parity else each.legal_moves)  # noqa: B023
        if position.ply % 2 == parity
    }


def _reached(choices: Chooser) -> Iterator[Position]:
    """The positions that aren't over and that these choices lead to, each once."""
    start = CLASSIC.start()
    found: set[Position] = {start}
    fringe: list[Position] = [start]
    while fringe:
        position = fringe.pop()
        yield position
        after = {position.play(cell) for cell in choices(position)} - found
        found |= after
        fringe += [each for each in after if not each.is_over]


def _results(
    player: Chooser, opponent: Chooser, mark: Mark, rules: Rules, weigh: Callable[[int], Fraction]
) -> list[Fraction]:
    """Wins, draws and losses from the start on, with each choice weighted by the number of choices."""

    @cache
    def visit(position: Position) -> list[Fraction]:
        if position.outcome is not None:
            return [Fraction(position.outcome.winner is wanted) for wanted in (mark, None, mark.other)]
        choices = Counter((player if position.turn is mark else opponent)(position))
        children = [[count * part for part in visit(position.play(cell))] for cell, count in choices.items()]
        return [weigh(choices.total()) * sum(column, Fraction()) for column in zip(*children, strict=True)]

    return visit(rules.start())


SIDES = ((Mark.X, "first"), (Mark.O, "second"))
OPPOSING = ("random", "perfect")


@cache
def strategy(name: str) -> Chooser:
    """The level or strategy of this name, which is asked once about each position."""
    return cache(partial(candidates, name))


def shortest_loss(player: Chooser, mark: Mark) -> str:
    """The moves of the first of the shortest games that a strategy loses; a dash if it never loses."""
    fringe: deque[tuple[Position, tuple[int, ...]]] = deque([(CLASSIC.start(), ())])
    while fringe:
        position, moves = fringe.popleft()
        if position.outcome is not None:
            if position.outcome.winner is mark.other:
                return " ".join(map(CLASSIC.name_of, moves))
            continue
        cells = player(position) if position.turn is mark else position.legal_moves
        fringe += [(position.play(cell), (*moves, cell)) for cell in cells]
    return "–"


class AuditTable(NamedTuple):
    """One of the tables, with a row for each strategy."""

    title: str
    columns: Sequence[str]
    cells: Callable[[Chooser], Iterable[str]]
    """What stands in a strategy's row."""


TABLES = (
    AuditTable(
        "Records: wins, draws and losses over all replies",
        [f"as {side}" for _, side in SIDES],
        lambda player: ["/".join(f"{number:,}" for number in record(player, mark)) for mark, _ in SIDES],
    ),
    AuditTable(
        "Exact chances: win, draw, loss",
        [f"as {side} against {opponent}" for opponent in OPPOSING for _, side in SIDES],
        lambda player: [
            ", ".join(map(percent, chances(player, strategy(opponent), mark)))
            for opponent in OPPOSING
            for mark, _ in SIDES
        ],
    ),
    AuditTable(
        "Value given away: positions in which some candidate does not keep the result",
        ["of all positions", "of those it gets into"],
        lambda player: [f"{mistakes(player, seen):,} of {len(seen):,}" for seen in (positions(), reached(player))],
    ),
    AuditTable(
        "The shortest loss: its moves, X's first",
        [f"as {side}" for _, side in SIDES],
        lambda player: [shortest_loss(player, mark) for mark, _ in SIDES],
    ),
)


def configure(parser: ArgumentParser) -> None:
    """Add the arguments: the strategies to audit."""
    named = ", ".join(STRATEGIES)
    parser.add_argument("strategies", nargs="*", metavar="STRATEGY", help=f"all by default: {named}")


def run(arguments: Namespace) -> int:
    """Print the tables."""
    names: list[str] = arguments.strategies or list(STRATEGIES)
    lessons = [[name, strategy_named(name).lesson] for name in names]
    sys.stdout.write(f"### What each is good for\n\n{markdown(['strategy', 'what it shows'], lessons, '---')}\n")
    for table in TABLES:
        rows = [[name, *table.cells(strategy(name))] for name in names]
        sys.stdout.write(f"### {table.title}\n\n{markdown(['strategy', *table.columns], rows)}\n")
    return 0


def percent(chance: Fraction) -> str:
    """A chance in per cent, without decimals if it is 0 or 100."""
    return f"{float(100 * chance):.1f}" if 0 < chance < 1 else f"{100 * int(chance)}"


def markdown(head: Sequence[str], rows: Iterable[Sequence[str]], others: str = "--:") -> str:
    """A table in Markdown whose first column is text, and whose others are figures or as `others` says."""
    lines = [head, ["---", *[others] * (len(head) - 1)], *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)

"""How a strategy fares over all games that it can get into: exactly, on boards as small as 3 by 3."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import NamedTuple

from engine.players.strategies import STRATEGIES
from engine.players.strategy import Strategy
from engine.rules.base import Position, Rules
from engine.rules.marks import Mark
from engine.rules.mnk import CLASSIC
from engine.search.exact import Exact


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


def mistakes(strategy: Strategy, positions: set[Position], exact: Exact) -> int:
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

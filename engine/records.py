"""How a strategy fares over all games that it can get into."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from engine.mnk_rules import CLASSIC

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.marks import Mark
    from engine.mnk_rules import MnkPosition
    from engine.strategies import Strategy


class Record(NamedTuple):
    """Games by their result for the strategy, each a distinct sequence of moves."""

    wins: int
    draws: int
    losses: int


class Chances(NamedTuple):
    """How likely each result is for the strategy; they add up to one."""

    win: Fraction
    draw: Fraction
    loss: Fraction


def record(strategy: Strategy, mark: Mark) -> Record:
    """Every 3 by 3 game that the strategy gets into with this mark: each of its candidates, every reply."""
    return Record(*map(int, _results(strategy, mark, lambda _: Fraction(1))))


def chances_against_random(strategy: Strategy, mark: Mark) -> Chances:
    """The exact chances of the strategy with this mark on 3 by 3 against a uniformly random player."""
    return Chances(*_results(strategy, mark, lambda choices: Fraction(1, choices)))


def _results(strategy: Strategy, mark: Mark, weigh: Callable[[int], Fraction]) -> list[Fraction]:
    """Wins, draws and losses from the empty board on, each choice weighed by how many there are."""
    known: dict[MnkPosition, list[Fraction]] = {}

    def visit(position: MnkPosition) -> list[Fraction]:
        if position in known:
            return known[position]
        if position.outcome is not None:
            winner = position.outcome.winner
            results = [Fraction(winner is wanted) for wanted in (mark, None, mark.other)]
        else:
            moves = strategy.candidates(position) if position.turn is mark else position.legal_moves
            weight = weigh(len(moves))
            children = [visit(position.play(cell)) for cell in moves]
            results = [weight * sum(column, Fraction()) for column in zip(*children, strict=True)]
        known[position] = results
        return results

    return visit(CLASSIC.start())

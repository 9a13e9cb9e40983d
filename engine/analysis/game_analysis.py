"""A game as an analysis: a verdict and a reason for each ply, and where something was given away, for every cell.

An analysis is made of names and numbers alone, so that another process can make it and send it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from engine.analysis.verdicts import Verdict, analyse, review, verdict_on
from engine.players.reasons import TELLING, Reason
from engine.players.searching import search
from engine.search.exact import exact
from engine.search.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from engine.analysis.verdicts import Analysis, Review, ReviewedPly
    from engine.rules.base import Position, Rules
    from engine.search.values import Evaluator, Result, Value

NODES: Final = 30_000
"""How many positions a look at a ply takes: 0.3 s at the most where lines are long,"""
NODES_OF_A_CELL: Final = 10_000
"""and one at each cell where something was given away."""


class Choice(NamedTuple):
    """One cell of a position in which something was given away."""

    cell: int
    verdict: Verdict
    reason: Reason


class Step(NamedTuple):
    """One ply of the game."""

    cell: int
    verdict: Verdict
    reason: Reason
    before: Result | None
    """The proven result for who played, as it was before."""
    after: Result | None
    """What was left of it."""
    choices: tuple[Choice, ...] = ()
    """Every legal cell, ascending, where it is proven that the ply gave something away; else none."""

    @property
    def gives_away(self) -> bool:
        """Whether it is proven that the ply gave something away."""
        return self.verdict.gives_away


class GameAnalysis(NamedTuple):
    """A game, ply by ply."""

    steps: tuple[Step, ...]
    turning_point: int | None
    """The last ply (counted from 0) that is proven to have given something away."""
    depth: int | None
    """How many plies the least of the looks ahead went that proved nothing; None where all is proven."""


def analyse_game(rules: Rules, moves: str, seconds: float = 1.0) -> GameAnalysis:
    """Review a game, exactly where there is a table of all positions, else by a search.

    The search looks at so many positions for each ply, so that verdicts are the same wherever the time is enough.

    Args:
        rules: What was played.
        moves: The moves, one character each.
        seconds: What a search may take in all.

    Raises:
        MalformedMoves: A character stands for no cell.
        IllegalMove: One of the moves breaks the rules.
    """
    cells = rules.read_moves(moves)
    table = exact(rules)
    if table is not None:
        reviewed = review(rules, cells, table)
        return _made(rules, reviewed, table)
    looking = search(rules, Limits(NODES, 0.7 * seconds / (len(cells) + 1)))
    reviewed = review(rules, cells, looking)
    mistakes = sum(each.verdict.gives_away for each in reviewed.plies)
    looking.renew(Limits(NODES_OF_A_CELL, 0.3 * seconds / max(1, mistakes * (rules.cells + 1))), 0)
    return _made(rules, reviewed, looking)


def _made(rules: Rules, reviewed: Review, judge: Evaluator) -> GameAnalysis:
    position: Position = rules.start()
    steps = []
    for ply in reviewed.plies:
        step = Step(ply.cell, ply.verdict, ply.reason, ply.before.result, ply.after.result)
        if step.gives_away:
            step = step._replace(choices=tuple(_choices(ply, analyse(position, judge))))
        steps.append(step)
        position = position.play(ply.cell)
    looked = [value for ply in reviewed.plies for value in (ply.before, ply.after) if value.result is None]
    depth = min((value.depth for value in looked), default=None)
    return GameAnalysis(tuple(steps), reviewed.turning_point, depth)


def _choices(ply: ReviewedPly, found: Analysis) -> Iterator[Choice]:
    """Every cell where a ply gave something away; the best are those proven to keep it, if any is found."""
    others = {each.cell: each.value for each in found.cells if each.cell != ply.cell}
    keeping = {cell: value for cell, value in others.items() if value.result is ply.before.result}
    known = {cell: others[cell] for cell in ply.before.line[:1] if cell in others}
    best = _highest(keeping or known or others)
    for cell, value, reason in found.cells:
        if cell == ply.cell:
            yield Choice(cell, ply.verdict, ply.reason)
        elif cell in best:
            yield Choice(cell, Verdict.BEST, reason)
        else:
            verdict = verdict_on(ply.before, value)
            yield Choice(cell, Verdict.GOOD if verdict is Verdict.BEST else verdict, reason)


def _highest(values: Mapping[int, Value]) -> set[int]:
    """The cells that are worth most."""
    highest = max(value.score for value in values.values())
    return {cell for cell, value in values.items() if value.score == highest}


def most_telling(choices: Sequence[Choice]) -> Choice:
    """Of the best of these, the one with most to say for it."""
    best = [choice for choice in choices if choice.verdict is Verdict.BEST]
    return min(best, key=lambda each: TELLING.index(each.reason))


def advice(rules: Rules, moves: str, seconds: float = 1.0) -> Choice:
    """The best cell to play now, and why: exact where there is a table of all positions, else by a search.

    Args:
        rules: What is played.
        moves: The moves so far, one character each.
        seconds: What a search may take in all.

    Raises:
        NoMoveToChoose: The game is over.
    """
    position = rules.replay(moves)
    judge = exact(rules) or search(rules, Limits(seconds=seconds / (len(position.legal_moves) + 1)))
    found = analyse(position, judge)
    return most_telling(
        [Choice(each.cell, Verdict.BEST, each.reason) for each in found.cells if each.cell in found.best]
    )

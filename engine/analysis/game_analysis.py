"""The analysis of a game: a verdict and a reason for each ply and, after a mistake, for every other cell.

It consists of names and numbers alone, so that a worker process can make it and send it back.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from engine.analysis.at_once import reason_at_once
from engine.analysis.verdicts import Analysis, Review, ReviewedPly, Verdict, analyse, review, verdict_on
from engine.errors import NoMoveToChoose
from engine.players.reasons import TELLING, Reason
from engine.players.searching import search
from engine.rules.base import Position, Rules
from engine.search.exact import exact
from engine.search.limits import Limits
from engine.search.values import Evaluator, Result, Value

NODES: Final = 30_000
"""How many positions are searched for each ply, which takes at most 0.3 s where lines are long,"""
NODES_OF_A_CELL: Final = 10_000
"""and for each other cell after a mistake."""


class Choice(NamedTuple):
    """A cell that could have been played instead of a mistake, or the best cell as a hint."""

    cell: int
    verdict: Verdict
    reason: Reason


class Step(NamedTuple):
    """One ply of the game."""

    cell: int
    verdict: Verdict
    reason: Reason
    before: Result | None
    """The result for the side that played, if it was proven, before the ply,"""
    after: Result | None
    """and after it."""
    choices: tuple[Choice, ...] = ()
    """All legal cells, in ascending order, if the ply is a proven mistake; else none."""

    @property
    def gives_away(self) -> bool:
        """Whether the ply is proven to give something away."""
        return self.verdict.gives_away


class GameAnalysis(NamedTuple):
    """A game, ply by ply."""

    steps: tuple[Step, ...]
    turning_point: int | None
    """The last ply (counted from 0) that is proven to give something away; None if there is none."""
    depth: int | None
    """The smallest depth of the searches that proved nothing; None if everything is proven."""


def analyse_game(rules: Rules, moves: str, seconds: float = 1.0) -> GameAnalysis:
    """Analyse a game: exactly if there is a table of all positions, else by a search.

    The search has a fixed number of positions for each ply, so that verdicts are reproducible if there is time
    enough.

    Args:
        rules: The rules of the game.
        moves: The moves, one character each.
        seconds: How long the searches may take in all.

    Raises:
        MalformedMoves: A character is not a cell.
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
    """All cells instead of a mistake. Those that are proven to keep the result are the best, if any are known."""
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
    """The cells of the highest value."""
    highest = max(value.score for value in values.values())
    return {cell for cell, value in values.items() if value.score == highest}


def most_telling(choices: Sequence[Choice]) -> Choice:
    """The best of these with the most telling reason."""
    best = [choice for choice in choices if choice.verdict is Verdict.BEST]
    return min(best, key=lambda each: TELLING.index(each.reason))


def advice(rules: Rules, moves: str, seconds: float = 1.0) -> Choice:
    """The best cell to play now, and why: exact if there is a table of all positions, else by a search.

    Args:
        rules: The rules of the game.
        moves: The moves so far, one character each.
        seconds: How long the search may take.

    Raises:
        NoMoveToChoose: The game is over.
    """
    position = rules.replay(moves)
    if position.is_over:
        raise NoMoveToChoose("The game is over, so there is no move to advise.")
    table = exact(rules)
    if table is None:
        cell = search(rules, Limits(seconds=seconds)).best(position)
        return Choice(cell, Verdict.BEST, reason_at_once(position, cell))
    found = analyse(position, table)
    return most_telling(
        [Choice(each.cell, Verdict.BEST, each.reason) for each in found.cells if each.cell in found.best]
    )

"""What can be said about a position and about a game: values, reasons, principal variation, review.

On 3 by 3 every value is exact. Elsewhere a search proves what it can within its budget; where it proves nothing,
the values say what it expects and how deep it looked.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from engine.analysis.at_once import reason_at_once
from engine.analysis.tactics import can_fork
from engine.errors import NoMoveToChoose
from engine.players.reasons import Reason
from engine.players.searching import evaluator as default_evaluator
from engine.rules.mnk import MnkPosition
from engine.search.values import Result, Value, value_of_outcome

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from engine.rules.base import Position, Rules
    from engine.rules.marks import Mark
    from engine.search.values import Evaluator

NEAR = 0.1
"""By how much two estimates may differ and still be called equal."""
FAR = 0.5
"""From which loss of the estimate on a ply is doubtful, though nothing is proven,"""
DEEP = 4
"""if so many plies at least were looked ahead."""


class CellAnalysis(NamedTuple):
    """What playing one cell is worth, and why."""

    cell: int
    value: Value
    """For the side that plays it."""
    reason: Reason


class Analysis(NamedTuple):
    """What can be said about a position that is not over."""

    cells: tuple[CellAnalysis, ...]
    """Every legal cell, ascending."""
    best: tuple[int, ...]
    """The cells of the highest value, ascending."""
    value: Value
    """The position's own value, for the side to move; its line is the principal variation."""


class Verdict(StrEnum):
    """How well a ply was chosen."""

    BEST = "best"
    """No cell was worth more."""
    GOOD = "good"
    """It keeps the result, though it wins later or loses sooner than need be; or nothing was seen against it."""
    DOUBTFUL = "doubtful"
    """It seems to give something away; that is not proven."""
    MISTAKE = "mistake"
    """It is proven to make a draw of a win."""
    BLUNDER = "blunder"
    """It is proven to make a loss of what was none."""

    @property
    def gives_away(self) -> bool:
        """Whether it is proven that the ply gave something away."""
        return self in (Verdict.MISTAKE, Verdict.BLUNDER)


class ReviewedPly(NamedTuple):
    """One ply of a game, judged."""

    cell: int
    mark: Mark
    verdict: Verdict
    before: Value
    """What the position was worth to who played; its line begins with a best cell."""
    after: Value
    """What was left of that."""
    reason: Reason


class Review(NamedTuple):
    """A game, ply by ply."""

    plies: tuple[ReviewedPly, ...]
    turning_point: int | None
    """The last ply (counted from 0) that is proven to have given something away."""


def analyse(position: Position, evaluator: Evaluator | None = None) -> Analysis:
    """Every legal cell's value and reason.

    Args:
        position: Where somebody is to move.
        evaluator: Values the positions, each cell's and then this one; by default `engine.players.searching`'s.

    Raises:
        NoMoveToChoose: The game is over.
    """
    if position.outcome is not None:
        raise NoMoveToChoose("The game is over, so there is no move to analyse.")
    judge = evaluator or default_evaluator(position.rules)
    values = {cell: _value(judge, position.play(cell)).before(cell) for cell in position.legal_moves}
    value = _of_position(position, values, judge)
    cells = tuple(
        CellAnalysis(cell, each, reason_for(position, cell, value, each)) for cell, each in values.items()
    )
    return Analysis(cells, _best(values, value), value)


def review(rules: Rules, cells: Iterable[int], evaluator: Evaluator | None = None) -> Review:
    """Judge every ply of a game.

    Args:
        rules: What was played.
        cells: The moves, X's first.
        evaluator: Values the positions; by default `engine.players.searching`'s.

    Raises:
        IllegalMove: One of the moves breaks the rules.
    """
    judge = evaluator or default_evaluator(rules)
    positions = [rules.start()]
    moves = tuple(cells)
    for cell in moves:
        positions.append(positions[-1].play(cell))
    # A search that remembers proves what comes first by what came of it.
    values = [_value(judge, position) for position in reversed(positions)][::-1]
    plies = []
    for position, cell, before, reply in zip(positions, moves, values, values[1:], strict=False):
        after = reply.before(cell)
        verdict, reason = verdict_on(before, after), reason_for(position, cell, before, after)
        plies.append(ReviewedPly(cell, position.turn, verdict, before, after, reason))
    mistakes = [ply for ply, each in enumerate(plies) if each.verdict.gives_away]
    return Review(tuple(plies), mistakes[-1] if mistakes else None)


def reason_for(position: Position, cell: int, before: Value, after: Value) -> Reason:
    """The one reason for a cell, given the values of the position and of playing it, for who plays.

    What happens at once is the reason; where that would hide that the ply gives the game's result away, that is.
    """
    at_once = reason_at_once(position, cell)
    if at_once in (Reason.WIN, Reason.ALLOWS_WIN, Reason.COMPLETES_LINE):
        return at_once
    if before.result is Result.WIN and verdict_on(before, after) in (Verdict.MISTAKE, Verdict.DOUBTFUL):
        return Reason.MISSES_WIN
    if after.result is Result.LOSS and not (at_once is Reason.BLOCK and before.result is Result.LOSS):
        return Reason.ALLOWS_FORK if _allows_fork(position.play(cell)) else Reason.LOSES
    return at_once


def _allows_fork(position: Position) -> bool:
    return isinstance(position, MnkPosition) and not position.rules.misere and can_fork(position)


def _of_position(position: Position, values: Mapping[int, Value], judge: Evaluator) -> Value:
    """A position's own value, given those of its cells."""
    best = max(values.values(), key=lambda each: each.score)
    if best.result is Result.WIN or all(each.result is not None for each in values.values()):
        return best
    own = judge.value(position)
    if own.result is not None:
        return own if own.line or best.result is not own.result else own._replace(line=best.line)
    # One cell that draws proves nothing while another may win.
    return best if best.result is None else Value(None, depth=own.depth, line=best.line)


def _best(values: Mapping[int, Value], value: Value) -> tuple[int, ...]:
    """The best of these cells, given what the position is worth."""
    if value.result is not None:
        keeping = [cell for cell, each in values.items() if each.result is value.result]
        found = tuple(cell for cell in keeping if values[cell].score >= value.score) or value.line[:1]
        if found:
            return found
    highest = max(each.score for each in values.values())
    return tuple(cell for cell, each in values.items() if each.score >= highest - NEAR)


def verdict_on(before: Value, after: Value) -> Verdict:
    """How well a ply was chosen, given the values of the position and of playing it, for who plays.

    Only what is proven of both is called a mistake or a blunder. Estimates of different depths differ by
    themselves, so that a ply is doubtful only where both looks went deep enough to be worth telling.
    """
    if before.result is Result.LOSS or after.result is Result.WIN or before.result is after.result is not None:
        return Verdict.BEST if before.result is not after.result or after.score >= before.score else Verdict.GOOD
    if before.result is not None and after.result is not None:
        return Verdict.BLUNDER if after.result is Result.LOSS else Verdict.MISTAKE
    expected, left = (max(-1.0, min(1.0, each.score)) for each in (before, after))
    is_seen = after.result is Result.LOSS or all(
        each.result is not None or each.depth >= DEEP for each in (before, after)
    )
    if is_seen and expected - left > FAR:
        return Verdict.DOUBTFUL
    return Verdict.GOOD


def _value(evaluator: Evaluator, position: Position) -> Value:
    return value_of_outcome(position) or evaluator.value(position)

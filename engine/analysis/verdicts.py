"""Analysis of a position, and review of a game: values, reasons and verdicts.

Values are exact if there is a table of all positions. Otherwise a search proves what it can within its budget;
where it proves nothing, a value is its estimate and the depth that it reached.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import NamedTuple

from engine.analysis.at_once import reason_at_once
from engine.analysis.tactics import can_fork
from engine.errors import NoMoveToChoose
from engine.players.reasons import Reason
from engine.players.searching import evaluator as default_evaluator
from engine.rules.base import Position, Rules
from engine.rules.marks import Mark
from engine.rules.mnk import MnkPosition
from engine.search.values import Evaluator, Result, Value, value_of_outcome

NEAR = 0.1
"""Estimates that differ by no more count as equal."""
FAR = 0.5
"""If the estimate falls by more, a ply is doubtful even though nothing is proven,"""
DEEP = 4
"""provided that the search reached at least this depth."""


class CellAnalysis(NamedTuple):
    """The value of playing a cell, and the reason for or against it."""

    cell: int
    value: Value
    """For the side that plays it."""
    reason: Reason


class Analysis(NamedTuple):
    """The analysis of a position that isn't over."""

    cells: tuple[CellAnalysis, ...]
    """All legal cells, in ascending order."""
    best: tuple[int, ...]
    """The cells of the highest value, in ascending order."""
    value: Value
    """The position's own value, for the side to move; its line is the principal variation."""


class Verdict(StrEnum):
    """How well a ply was chosen."""

    BEST = "best"
    """No cell was better."""
    GOOD = "good"
    """It keeps the result, though it wins later or loses sooner than it could; or nothing was found against it."""
    DOUBTFUL = "doubtful"
    """It seems to give something away, which isn't proven."""
    MISTAKE = "mistake"
    """It is proven to turn a win into a draw."""
    BLUNDER = "blunder"
    """It is proven to turn a win or a draw into a loss."""

    @property
    def gives_away(self) -> bool:
        """Whether the ply is proven to give something away."""
        return self in (Verdict.MISTAKE, Verdict.BLUNDER)


class ReviewedPly(NamedTuple):
    """One ply of a game, judged."""

    cell: int
    mark: Mark
    verdict: Verdict
    before: Value
    """The value of the position for the side that played; its line begins with a best cell."""
    after: Value
    """The value of the ply, for the same side."""
    reason: Reason


class Review(NamedTuple):
    """A game, ply by ply."""

    plies: tuple[ReviewedPly, ...]
    turning_point: int | None
    """The last ply (counted from 0) that is proven to give something away; None if there is none."""


def analyse(position: Position, evaluator: Evaluator | None = None) -> Analysis:
    """The value of each legal cell, and the reason for or against it.

    Args:
        position: A position that isn't over.
        evaluator: Values positions; by default, that of `engine.players.searching`.

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
        rules: The rules of the game.
        cells: The moves, X's first.
        evaluator: Values positions; by default, that of `engine.players.searching`.

    Raises:
        IllegalMove: One of the moves breaks the rules.
    """
    judge = evaluator or default_evaluator(rules)
    positions = [rules.start()]
    moves = tuple(cells)
    for cell in moves:
        positions.append(positions[-1].play(cell))
    # From the end: what a search proves there helps it to prove earlier positions.
    values = [_value(judge, position) for position in reversed(positions)][::-1]
    plies = []
    for position, cell, before, reply in zip(positions, moves, values, values[1:], strict=False):
        after = reply.before(cell)
        verdict, reason = verdict_on(before, after), reason_for(position, cell, before, after)
        plies.append(ReviewedPly(cell, position.turn, verdict, before, after, reason))
    mistakes = [ply for ply, each in enumerate(plies) if each.verdict.gives_away]
    return Review(tuple(plies), mistakes[-1] if mistakes else None)


def reason_for(position: Position, cell: int, before: Value, after: Value) -> Reason:
    """The reason for or against a cell, given the values of the position and of playing it, for the side to move.

    It is what the ply does at once, unless that would hide that the ply gives the game away.
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
    """The value of a position, given the values of its cells."""
    best = max(values.values(), key=lambda each: each.score)
    if best.result is Result.WIN or all(each.result is not None for each in values.values()):
        return best
    own = judge.value(position)
    if own.result is not None:
        return own if own.line or best.result is not own.result else own._replace(line=best.line)
    # A cell that draws proves nothing as long as another may win.
    return best if best.result is None else Value(None, depth=own.depth, line=best.line)


def _best(values: Mapping[int, Value], value: Value) -> tuple[int, ...]:
    """The best of these cells, given the value of the position."""
    if value.result is not None:
        keeping = [cell for cell, each in values.items() if each.result is value.result]
        found = tuple(cell for cell in keeping if values[cell].score >= value.score) or value.line[:1]
        if found:
            return found
    highest = max(each.score for each in values.values())
    return tuple(cell for cell, each in values.items() if each.score >= highest - NEAR)


def verdict_on(before: Value, after: Value) -> Verdict:
    """The verdict on a ply, given the values of the position and of playing it, for the side that plays.

    It is a mistake or a blunder only if both values are proven. Estimates of different depths differ anyway, so a
    ply is doubtful only if both searches went deep enough.
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

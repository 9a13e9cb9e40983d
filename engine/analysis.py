"""What can be said about a position and about a game: values, reasons, principal variation, review.

On 3 by 3 every value is exact. Elsewhere an evaluator says what it sees within its budget, and the values say how
deep that was.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from engine.errors import NoMoveToChoose
from engine.exact import exact
from engine.mnk_rules import MnkPosition
from engine.reasons import Reason
from engine.tactics import can_fork, reason_where_a_line_loses, reason_where_a_line_wins
from engine.ultimate import UltimatePosition
from engine.ultimate_tactics import reason_in_ultimate
from engine.values import Result, value_of_outcome

if TYPE_CHECKING:
    from collections.abc import Iterable

    from engine.marks import Mark
    from engine.rules import Position, Rules
    from engine.values import Evaluator, Value

NEAR = 0.1
"""By how much two estimates may differ and still be called equal."""
FAR = 0.3
"""From which loss of the estimate on a ply has slipped, though nothing is proven."""


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
    """It keeps the result, though it wins later or loses sooner than need be."""
    SLIP = "slip"
    """It gives something away, but does not lose."""
    LOSING = "losing"
    """It makes a loss of what was none."""


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

    @property
    def given_away(self) -> Result | None:
        """The proven result that the ply gave away; None if it kept it or nothing was proven."""
        return self.before.result if self.verdict in (Verdict.SLIP, Verdict.LOSING) else None


class Review(NamedTuple):
    """A game, ply by ply."""

    plies: tuple[ReviewedPly, ...]
    turning_point: int | None
    """The last ply (counted from 0) that gave something away: after it the result never changed again."""


def analyse(position: Position, evaluator: Evaluator | None = None) -> Analysis:
    """Every legal cell's value and reason.

    Args:
        position: Where somebody is to move.
        evaluator: Values the positions; needed on boards that are too big for an exact table.

    Raises:
        NoMoveToChoose: The game is over, or an evaluator is needed.
    """
    if position.outcome is not None:
        raise NoMoveToChoose("The game is over, so there is no move to analyse.")
    judge = _evaluator(position.rules, evaluator)
    values = {cell: _value(judge, position.play(cell)).before(cell) for cell in position.legal_moves}
    value = max(values.values(), key=lambda each: each.score)
    cells = tuple(
        CellAnalysis(cell, each, reason_for(position, cell, value, each)) for cell, each in values.items()
    )
    margin = 0 if value.result is not None else NEAR
    best = tuple(each.cell for each in cells if each.value.score >= value.score - margin)
    return Analysis(cells, best, value)


def review(rules: Rules, cells: Iterable[int], evaluator: Evaluator | None = None) -> Review:
    """Judge every ply of a game.

    Args:
        rules: What was played.
        cells: The moves, X's first.
        evaluator: Values the positions; needed on boards that are too big for an exact table.

    Raises:
        IllegalMove: One of the moves breaks the rules.
        NoMoveToChoose: An evaluator is needed.
    """
    judge = _evaluator(rules, evaluator)
    position = rules.start()
    before = _value(judge, position)
    plies = []
    for cell in cells:
        played = position.play(cell)
        next_value = _value(judge, played)
        after = next_value.before(cell)
        verdict = _verdict(before, after)
        plies.append(
            ReviewedPly(cell, position.turn, verdict, before, after, reason_for(position, cell, before, after))
        )
        position, before = played, next_value
    slips = [ply for ply, each in enumerate(plies) if each.verdict in (Verdict.SLIP, Verdict.LOSING)]
    return Review(tuple(plies), slips[-1] if slips else None)


def reason_for(position: Position, cell: int, before: Value, after: Value) -> Reason:
    """The one reason for a cell, given the values of the position and of playing it, for who plays.

    What happens at once is the reason; where that would hide that the ply gives the game's result away, that is.
    """
    at_once = _at_once(position, cell)
    if at_once in (Reason.WIN, Reason.BLOCK, Reason.ALLOWS_WIN, Reason.COMPLETES_LINE):
        return at_once
    if after.result is Result.LOSS:
        return Reason.ALLOWS_FORK if _allows_fork(position.play(cell)) else Reason.LOSES
    if before.result is Result.WIN and after.result is not Result.WIN:
        return Reason.MISSES_WIN
    return at_once


def _allows_fork(position: Position) -> bool:
    return isinstance(position, MnkPosition) and not position.rules.misere and can_fork(position)


def _at_once(position: Position, cell: int) -> Reason:
    if isinstance(position, MnkPosition):
        if position.rules.misere:
            return reason_where_a_line_loses(position, cell)
        return reason_where_a_line_wins(position, cell)
    if isinstance(position, UltimatePosition):
        return reason_in_ultimate(position, cell)
    return Reason.PREFERENCE


def _verdict(before: Value, after: Value) -> Verdict:
    if after.result is Result.LOSS and before.result is not Result.LOSS:
        return Verdict.LOSING
    if before.result is not None and after.result is not None:
        if after.result < before.result:
            return Verdict.SLIP
        return Verdict.BEST if after.score >= before.score else Verdict.GOOD
    lost = before.score - after.score
    return Verdict.BEST if lost <= NEAR else Verdict.GOOD if lost <= FAR else Verdict.SLIP


def _evaluator(rules: Rules, evaluator: Evaluator | None) -> Evaluator:
    found = evaluator or exact(rules)
    if found is None:
        raise NoMoveToChoose(f"{rules} is too big for an exact table: an evaluator is needed.")
    return found


def _value(evaluator: Evaluator, position: Position) -> Value:
    return value_of_outcome(position) or evaluator.value(position)

"""Games judged ply by ply: a verdict on each, its reason, and what could have been played instead; and advice.

Values are exact if there is a table of all positions. Otherwise a search proves what it can within its budget;
where it proves nothing, a value is its estimate and the depth that it reached. All of it can be pickled, so that a
worker process can make it and send it back.
"""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Final, NamedTuple, cast

from engine.levels import search
from engine.reasons import TELLING, Reason, can_fork, reason_at_once
from engine.rules.base import Position, Rules, running
from engine.rules.mnk import MnkPosition
from engine.search.base import UNPROVEN, Evaluator, GameValue, SearchLimits, Value
from engine.search.solved import solved

FAR: Final = 0.5
"""A ply that loses more of the estimate than this is doubtful, though nothing is proven."""
DEEP: Final = 4
"""Estimates of shallower searches than this judge nothing."""

NODES: Final = 30_000
"""How many positions are searched for each ply of a game, in 0.3 s at most where lines are long."""
NODES_OF_A_CELL: Final = 10_000
"""How many are searched for each cell that could have been played instead of a mistake."""


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


class Choice(NamedTuple):
    """A cell that may be played, or could have been, and what is to be said about it."""

    cell: int
    verdict: Verdict
    reason: Reason
    value: Value = UNPROVEN
    """What it leads to, for the side that plays it."""
    name: str = ""
    """Such as `b2`, which `Position.play` takes."""

    def __repr__(self) -> str:
        return f"Choice({self.name or self.cell!r}, {self.verdict}, {self.reason}, {self.value})"

    def __str__(self) -> str:
        return f"{self.name} ({self.verdict}): {self.value.in_words}. {self.reason.sentence}"


class Step(NamedTuple):
    """One ply of a game, judged."""

    cell: int
    verdict: Verdict
    reason: Reason
    before: Value
    """The value of the position for the side that played."""
    after: Value
    """The value of the ply, for the same side."""
    choices: tuple[Choice, ...] = ()
    """All legal cells, in ascending order, if the ply is a proven mistake; else none."""

    @property
    def gives_away(self) -> bool:
        """Whether the ply is proven to give something away."""
        return self.verdict in (Verdict.MISTAKE, Verdict.BLUNDER)


class GameAnalysis(NamedTuple):
    """A game, ply by ply."""

    steps: tuple[Step, ...]
    turning_point: int | None
    """The last ply (counted from 0) that is proven to give something away; None if there is none."""
    depth: int | None
    """The smallest depth of the searches that proved nothing; None if everything is proven."""


def analyse_game(rules: Rules, moves: str, seconds: float = 1.0) -> GameAnalysis:
    """Analyse a game, given as its moves: exactly if there is a table of all positions, else by a search.

    The search has a fixed number of positions for each ply, so that verdicts are reproducible if there is time
    enough: `seconds` for everything.
    """
    cells = rules.read_moves(moves)
    table = solved(rules)
    if table is not None:
        return _with_choices(rules, review(rules, cells, table), table)
    looking = search(rules, SearchLimits(NODES, 0.7 * seconds / (len(cells) + 1)))
    reviewed = review(rules, cells, looking)
    mistakes = sum(step.gives_away for step in reviewed.steps)
    looking.renew(SearchLimits(NODES_OF_A_CELL, 0.3 * seconds / max(1, mistakes * (rules.cells + 1))), 0)
    return _with_choices(rules, reviewed, looking)


def review(rules: Rules, cells: Sequence[int], judge: Evaluator) -> GameAnalysis:
    """Judge every ply of a game, without the choices there were."""
    positions = [rules.start()]
    for cell in cells:
        positions.append(positions[-1].play(cell))
    # From the end: what a search proves there helps it to prove earlier positions.
    values = [judge.value(position) for position in reversed(positions)][::-1]
    steps = []
    for position, cell, before, reply in zip(positions, cells, values, values[1:], strict=False):
        after = reply.before(cell)
        reason = reason_for(position, cell, before, after)
        steps.append(Step(cell, verdict_on(before, after), reason, before, after))
    mistakes = [ply for ply, step in enumerate(steps) if step.gives_away]
    unproven = [value.depth for step in steps for value in (step.before, step.after) if value.result is None]
    return GameAnalysis(tuple(steps), mistakes[-1] if mistakes else None, min(unproven, default=None))


def _with_choices(rules: Rules, reviewed: GameAnalysis, judge: Evaluator) -> GameAnalysis:
    """The same with the cells that could have been played instead of each mistake."""
    position, steps = rules.start(), []
    for step in reviewed.steps:
        choices = tuple(_choices(position, step.before, judge, step)) if step.gives_away else ()
        steps.append(step._replace(choices=choices))
        position = position.play(step.cell)
    return reviewed._replace(steps=tuple(steps))


def _choices(position: Position, before: Value, judge: Evaluator, played: Step | None = None) -> Iterator[Choice]:
    """All cells, also instead of a mistake. Those that are proven to keep the result are the best, if any are."""
    name_of = position.rules.name_of
    values = {cell: judge.value(position.play(cell)).before(cell) for cell in position.legal_moves}
    if before.result is GameValue.LOSS:  # so all cells lose, also those that nothing else is proven of
        lost = Value(GameValue.LOSS)
        values = {cell: each if each.result else lost._replace(cell=cell) for cell, each in values.items()}
    others = {cell: value for cell, value in values.items() if played is None or cell != played.cell}
    keeping = {cell: value for cell, value in others.items() if before.result in (value.result, None)}
    known = {cell: value for cell, value in others.items() if cell == before.cell}
    hopeful = keeping or known or others
    highest = max(value.score for value in hopeful.values())
    for cell, value in values.items():
        verdict, reason = verdict_on(before, value), reason_for(position, cell, before, value)
        if played is not None and cell == played.cell:
            verdict, reason = played.verdict, played.reason
        elif cell in hopeful and value.score == highest:
            verdict = Verdict.BEST
        elif verdict is Verdict.BEST:
            verdict = Verdict.GOOD
        yield Choice(cell, verdict, reason, value, name_of(cell))


def most_telling(choices: Sequence[Choice]) -> Choice:
    """The best of these with the most telling reason."""
    best = [choice for choice in choices if choice.verdict is Verdict.BEST]
    return min(best, key=lambda each: TELLING.index(each.reason))


def best_move(position: Position, seconds: float = 1.0) -> Choice:
    """The best cell to play, and why: by a table of all positions if there is one, else by a search of so long."""
    if solved(running(position).rules) is not None:
        return analyse(position)[0]
    value = search(position.rules, SearchLimits(seconds=seconds)).choice(position)
    cell = cast("int", value.cell)  # as a choice has one
    return Choice(cell, Verdict.BEST, reason_at_once(position, cell), value, position.rules.name_of(cell))


def analyse(position: Position, seconds: float = 1.0) -> tuple[Choice, ...]:
    """The cells that may be played, the best first: by a table if there is one, else searched, so long in all."""
    table, cells = solved(running(position).rules), position.legal_moves
    judge = table or search(position.rules, SearchLimits(seconds=seconds / (len(cells) + 1)))
    choices = tuple(_choices(position, judge.value(position), judge))
    best = table.perfect(position) if table else [each.cell for each in choices if each.verdict is Verdict.BEST]
    return tuple(
        sorted(choices, key=lambda each: (each.cell not in best, -each.value.score, TELLING.index(each.reason)))
    )


def reason_for(position: Position, cell: int, before: Value, after: Value) -> Reason:
    """The reason for or against a cell, given the values of the position and of playing it, for the side to move.

    It is what the ply does at once, unless that would hide that the ply gives the game away.
    """
    at_once = reason_at_once(position, cell)
    if at_once in (Reason.WIN, Reason.ALLOWS_WIN, Reason.COMPLETES_LINE):
        return at_once
    if before.result is GameValue.WIN and verdict_on(before, after) in (Verdict.MISTAKE, Verdict.DOUBTFUL):
        return Reason.MISSES_WIN
    if after.result is GameValue.LOSS and not (at_once is Reason.BLOCK and before.result is GameValue.LOSS):
        reply = position.play(cell)
        forks = isinstance(reply, MnkPosition) and not reply.rules.misere and can_fork(reply)
        return Reason.ALLOWS_FORK if forks else Reason.LOSES
    return at_once


def verdict_on(before: Value, after: Value) -> Verdict:
    """The verdict on a ply, given the values of the position and of playing it, for the side that plays.

    It is a mistake or a blunder only if both values are proven. Estimates of different depths differ anyway, so a
    ply is doubtful only if both searches went deep enough.
    """
    keeps = before.result is after.result is not None
    if keeps or before.result is GameValue.LOSS or after.result is GameValue.WIN:
        return Verdict.BEST if before.result is not after.result or after.score >= before.score else Verdict.GOOD
    if before.result is not None and after.result is not None:
        return Verdict.BLUNDER if after.result is GameValue.LOSS else Verdict.MISTAKE
    expected, left = (max(-1.0, min(1.0, each.score)) for each in (before, after))
    is_seen = after.result is GameValue.LOSS or all(
        each.result is not None or each.depth >= DEEP for each in (before, after)
    )
    if is_seen and expected - left > FAR:
        return Verdict.DOUBTFUL
    return Verdict.GOOD

"""A game as a lesson: a verdict and a reason for each ply, and where something was given away, for every cell.

A lesson is made of names and numbers alone, so that another process can make it and write it as JSON.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from engine.analysis import Verdict, analyse, review, verdict_on
from engine.exact import exact
from engine.levels import Level
from engine.limits import Limits
from engine.reasons import TELLING, Reason
from engine.searching import NODES_OF_A_VALUE, nodes_of, search
from engine.values import Result

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.analysis import Analysis, Review, ReviewedPly
    from engine.rules import Position, Rules
    from engine.values import Evaluator

SLIPS: Final = frozenset({Verdict.SLIP, Verdict.LOSING})
"""The verdicts on plies that give something away."""

NODES_SHARE: Final = 1 / 3
"""Of the positions that the strongest level looks at for a choice, so many are for a ply's verdict, and of these
so many for that of each cell where something was given away."""


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
    """Every legal cell, ascending, where the ply gave something away, one of the others best; else none."""

    @property
    def is_slip(self) -> bool:
        """Whether the ply gave something away."""
        return self.verdict in SLIPS


class Lesson(NamedTuple):
    """A game, ply by ply."""

    steps: tuple[Step, ...]
    turning_point: int | None
    """The last ply (counted from 0) that gave something away."""
    depth: int | None
    """How many plies the least of the looks ahead went that proved nothing; None where all is proven."""


def lesson(rules: Rules, moves: str, seconds: float = 1.0) -> Lesson:
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
    nodes = round(NODES_SHARE * (nodes_of(Level.PERFECT, rules) or NODES_OF_A_VALUE))
    looking = search(rules, Limits(nodes, seconds / 2 / (len(cells) + 1)))
    reviewed = review(rules, cells, looking)
    slips = sum(each.verdict in SLIPS for each in reviewed.plies)
    looking.renew(Limits(round(NODES_SHARE * nodes), seconds / 2 / max(1, slips * (rules.cells + 1))), 0)
    return _made(rules, reviewed, looking)


def read_lesson(written: Sequence[Any]) -> Lesson:
    """The lesson that `json` has written as lists, and read again."""
    steps, turning_point, depth = written
    return Lesson(tuple(_read_step(each) for each in steps), turning_point, depth)


def _read_step(written: Sequence[Any]) -> Step:
    cell, verdict, reason, before, after, choices = written
    return Step(
        cell,
        Verdict(verdict),
        Reason(reason),
        None if before is None else Result(before),
        None if after is None else Result(after),
        tuple(Choice(other, Verdict(its), Reason(why)) for other, its, why in choices),
    )


def _made(rules: Rules, reviewed: Review, judge: Evaluator) -> Lesson:
    position: Position = rules.start()
    steps = []
    for ply in reviewed.plies:
        step = Step(ply.cell, ply.verdict, ply.reason, ply.before.result, ply.after.result)
        steps.append(_with_choices(step, ply, analyse(position, judge)) if step.is_slip else step)
        position = position.play(ply.cell)
    slips = [ply for ply, step in enumerate(steps) if step.is_slip]
    looked = [value for ply in reviewed.plies for value in (ply.before, ply.after) if value.result is None]
    return Lesson(tuple(steps), slips[-1] if slips else None, min((value.depth for value in looked), default=None))


def _with_choices(step: Step, ply: ReviewedPly, found: Analysis) -> Step:
    """A slip with every cell's verdict. The look at each cell may see none that is better: then it was no slip.

    What is proven stands, though: another cell was better, even if this look does not find it again.
    """
    others = {each.cell: each.value for each in found.cells if each.cell != step.cell}
    best = set(found.best) & others.keys() or set(ply.before.line[:1]) & others.keys()
    if not best and ply.given_away is None:
        return step._replace(verdict=Verdict.BEST)
    best = best or {max(others, key=lambda cell: others[cell].score)}
    choices = []
    for cell, value, reason in found.cells:
        if cell == step.cell:
            choices.append(Choice(cell, step.verdict, step.reason))
        else:
            verdict = Verdict.BEST if cell in best else verdict_on(found.value, value)
            choices.append(Choice(cell, verdict, reason))
    return step._replace(choices=tuple(choices))


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

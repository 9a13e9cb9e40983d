"""What workers can be asked, by name: pure functions, of the engine or drawing, from values of JSON to one."""

from __future__ import annotations

import base64
from random import Random
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from engine import Limits, best, parse_rules
from engine.lessons import advice, lesson
from engine.searching import nodes_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from engine import Reason
    from engine.lessons import Lesson


def best_cell(rules: str, moves: str, level: str, seed: int, seconds: float) -> int:
    """The cell that a level plays.

    Args:
        rules: What is played, as `Rules.text` has it.
        moves: The moves so far, one character each.
        level: The name of a level or a strategy.
        seed: Chooses among equals.
        seconds: What it may take at most. The level takes no more than what it is measured with.
    """
    limits = Limits(nodes_of(level, parse_rules(rules)), seconds)
    return best(rules, moves, level, Random(seed), limits)  # noqa: S311 - games are no secrets


def lesson_of(rules: str, moves: str, seconds: float) -> Lesson:
    """A finished game, looked back on; JSON makes lists of it, which `engine.lessons.read_lesson` reads."""
    return lesson(parse_rules(rules), moves, seconds)


def best_advice(rules: str, moves: str, seconds: float) -> tuple[int, Reason]:
    """The best cell to play now, and why."""
    found = advice(parse_rules(rules), moves, seconds)
    return found.cell, found.reason


def results_chart(
    weeks: Sequence[tuple[int, int, int]], monday: int, curve: Sequence[tuple[int, float]], seconds: float
) -> str:
    """The picture of somebody's results; see `bot.thinking.charts`, which is loaded when the first is drawn."""
    from bot.thinking import charts  # noqa: PLC0415 - whoever only thinks needs no pictures

    return charts.results_chart(weeks, monday, curve, seconds)


def replay(seconds: float, *, moving: bool, **scene: Any) -> str:  # noqa: ANN401 - what `Scene` has
    """A finished game as an animation or as a still of its end, in base64; see `bot.thinking.drawing.replays`.

    Args:
        seconds: What it may take; it takes far less.
        moving: Whether it is to be the animation.
        scene: The fields of `Scene`.
    """
    from bot.thinking.drawing import replays  # noqa: PLC0415 - likewise

    del seconds
    drawn = replays.Scene(**scene)
    return base64.b64encode(replays.animation(drawn) if moving else replays.still(drawn)).decode()


JOBS: Final[Mapping[str, Callable[..., Any]]] = MappingProxyType(
    {
        "best": best_cell,
        "lesson": lesson_of,
        "advice": best_advice,
        "results chart": results_chart,
        "replay": replay,
    }
)
"""Every question by its name. A job names its arguments, and `seconds` is always among them."""

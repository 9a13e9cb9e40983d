"""Milestones, as values: rare achievements that are told once, and how a game counts towards them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine import Level
from storage.results.result import Outcome, Result

UNBEATEN, GAMES, PUZZLES = "unbeaten", "games", "puzzles"
GOALS: Final[Mapping[str, int]] = {**dict.fromkeys(Level, 1), UNBEATEN: 10, GAMES: 100, PUZZLES: 7}
"""By milestone, the count that reaches it: wins against a level, games in a row without a loss, games in all, and
puzzles in a row."""


def after(counts: Mapping[str, int], result: Result) -> dict[str, int]:
    """The counts that a game changes; one that has reached its goal stays there."""
    new = {GAMES: counts.get(GAMES, 0) + 1, UNBEATEN: counts.get(UNBEATEN, 0) + 1}
    if result.outcome is Outcome.LOSS:
        new[UNBEATEN] = 0
    if result.outcome is Outcome.WIN and result.level is not None and result.level in GOALS:
        new[result.level] = 1
    return {name: count for name, count in new.items() if counts.get(name, 0) < GOALS[name]}

"""The contents of the picture of a person's results."""

from __future__ import annotations

import time

from bot.features.stats import weeks_of
from engine import Mark
from storage.games.game import Termination
from storage.results.result import Outcome, Result

WEEK = 7 * 86400


def result(outcome: Outcome, ended_at: int) -> Result:
    return Result(1, 7, 0, "easy", "3x3x3", None, Mark.X, outcome, Termination.LINE, 7, "4", ended_at)


def test_games_are_gathered_by_week_from_the_first_with_one() -> None:
    now = int(time.time())
    found = [
        result(Outcome.WIN, now),
        result(Outcome.LOSS, now - 2 * WEEK),
        result(Outcome.WIN, now - 2 * WEEK),
        result(Outcome.DRAW, now - 2 * WEEK),
    ]
    assert weeks_of(found, now) == [(1, 1, 1), (0, 0, 0), (1, 0, 0)]
    assert weeks_of([], now) == [(0, 0, 0)]
    assert len(weeks_of([*found, result(Outcome.WIN, now - 300 * WEEK)], now)) == 26

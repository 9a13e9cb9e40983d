"""Jobs that worker processes do for the bot."""

import pickle
import time

import pytest

from bot.workers import jobs
from engine import Level, parse_rules


@pytest.mark.parametrize("rules", ["3x3x3", "3x3x3-misere", "5x5x4", "4x4x4-misere", "ultimate"])
def test_a_cell_for_every_level_by_all_rules(rules: str) -> None:
    start = parse_rules(rules).start()
    position = start.play(start.legal_moves[0])
    moves = position.rules.moves_text([start.legal_moves[0]])
    for level in Level:
        assert jobs.best_cell(rules, moves, level, 1, 0.2) in position.legal_moves


def test_an_analysis_and_advice_come_back_from_another_process_as_they_are() -> None:
    analysis, advice = jobs.analysis_of("3x3x3", "0142", 1), jobs.best_advice("3x3x3", "0142", 1)
    assert pickle.loads(pickle.dumps((analysis, advice))) == (analysis, advice)  # noqa: S301 - its own


def test_a_level_takes_no_longer_than_it_may() -> None:
    began = time.process_time()
    jobs.best_cell("8x8x5", "", "perfect", 1, 0.05)
    assert time.process_time() - began < 0.5


def test_the_strongest_searches_no_longer_than_what_it_is_measured_with() -> None:
    """It would use any time it's given."""
    began = time.process_time()
    jobs.best_cell("6x6x4", "", "perfect", 1, 60)
    assert time.process_time() - began < 10

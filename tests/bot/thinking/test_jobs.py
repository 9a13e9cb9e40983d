"""What workers can be asked."""

from __future__ import annotations

import json
import time

import pytest

from bot.thinking.jobs import JOBS
from engine import Level, parse_rules


@pytest.mark.parametrize("rules", ["3x3x3", "3x3x3-misere", "5x5x4", "4x4x4-misere", "ultimate"])
@pytest.mark.parametrize("level", list(Level))
def test_a_cell_for_every_level_by_all_rules(rules: str, level: Level) -> None:
    position = parse_rules(rules).start()
    position = position.play(position.legal_moves[0])
    moves = position.rules.moves_text([position.rules.start().legal_moves[0]])
    cell = JOBS["best"](rules=rules, moves=moves, level=level, seed=1, seconds=1.5)
    assert cell in position.legal_moves
    assert json.loads(json.dumps(cell)) == cell


def test_a_level_takes_no_longer_than_it_may() -> None:
    began = time.monotonic()
    JOBS["best"](rules="8x8x5", moves="", level="strongest", seed=1, seconds=0.05)
    assert time.monotonic() - began < 0.5


def test_the_strongest_thinks_no_longer_than_what_it_is_measured_with() -> None:
    """It would spend whatever it may."""
    began = time.monotonic()
    JOBS["best"](rules="6x6x4", moves="", level="strongest", seed=1, seconds=60)
    assert time.monotonic() - began < 10

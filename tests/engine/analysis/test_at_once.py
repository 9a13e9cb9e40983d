"""Choosing a cell by its reason alone, without a search."""

from __future__ import annotations

from random import Random

import pytest

from engine import parse_rules
from engine.analysis.at_once import cell_at_once
from engine.errors import NoMoveToChoose
from engine.rules.catalogue import MENU


@pytest.mark.parametrize("text", MENU)
def test_by_any_rules_a_game_comes_to_its_end_by_it(text: str) -> None:
    rng, position = Random(1), parse_rules(text).start()
    while not position.is_over:
        position = position.play(cell_at_once(position, rng))
    with pytest.raises(NoMoveToChoose):
        cell_at_once(position, rng)


def test_it_wins_and_blocks() -> None:
    rules = parse_rules("5x5x4")
    assert cell_at_once(rules.start().play(0).play(5).play(1).play(6).play(2).play(7), Random(1)) == 3
    assert cell_at_once(rules.start().play(0).play(5).play(1).play(12).play(2), Random(1)) == 3

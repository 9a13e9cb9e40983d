"""Reasons by what a ply does at once, and choosing a cell by them alone, without a search."""

from random import Random

import pytest

from engine import Reason, parse_rules
from engine.reasons import cell_at_once, reason_at_once
from engine.rules.base import NoMoveToChoose
from engine.rules.catalogue import MENU


@pytest.mark.parametrize(
    ("rules", "cells", "cell", "reason"),
    [
        ("ultimate", (), 40, Reason.CENTRE),
        ("ultimate", (), 0, Reason.CORNER),
        ("ultimate", (), 1, Reason.PREFERENCE),
        ("ultimate", (36, 4, 37, 13), 38, Reason.WIN_BOARD),
        ("ultimate", (17, 73, 13), 37, Reason.ALLOWS_BOARD),
        ("ultimate", (61, 67, 43, 70), 64, Reason.BLOCK_BOARD),
        ("ultimate", (6, 61, 69, 60, 55, 13, 42, 62), 78, Reason.FREE_CHOICE),
        ("vanishing", (), 4, Reason.CENTRE),
        ("vanishing", (), 0, Reason.CORNER),
        ("vanishing", (), 1, Reason.PREFERENCE),
        ("vanishing", (0, 4, 1, 8), 2, Reason.WIN),
        ("vanishing", (0, 4, 1), 8, Reason.ALLOWS_WIN),
        ("vanishing", (0, 4, 1), 2, Reason.BLOCK),
        ("vanishing", (0, 4), 1, Reason.THREAT),
        ("4x3x3", (), 5, Reason.CENTRE),
        ("5x5x4", (6, 0, 7, 1, 8), 12, Reason.ALLOWS_WIN),
        ("3x3x3", (0, 4, 8), 2, Reason.BLOCK_FORK),
        ("4x4x4-misere", (), 0, Reason.PREFERENCE),
        ("3x3x3-misere", (0, 4, 1, 3), 2, Reason.COMPLETES_LINE),
        ("3x3x3-misere", (0, 4, 1, 3, 5, 8, 7), 6, Reason.TRAP),
        ("3x3x3-misere", (0, 1, 3, 8), 7, Reason.SAFE),
    ],
)
def test_a_ply_has_one_reason(rules: str, cells: tuple[int, ...], cell: int, reason: Reason) -> None:
    assert reason_at_once(parse_rules(rules).after(cells), cell) is reason


@pytest.mark.parametrize("text", MENU)
def test_by_any_rules_a_game_comes_to_its_end_by_reasons_alone(text: str) -> None:
    rng, position = Random(1), parse_rules(text).start()
    while not position.is_over:
        position = position.play(cell_at_once(position, rng))
    with pytest.raises(NoMoveToChoose):
        cell_at_once(position, rng)


@pytest.mark.parametrize("cells", [(0, 5, 1, 6, 2, 7), (0, 5, 1, 12, 2)], ids=["wins", "blocks"])
def test_it_wins_and_blocks(cells: tuple[int, ...]) -> None:
    assert cell_at_once(parse_rules("5x5x4").after(cells), Random(1)) == 3

"""Analyses: what a review says about each ply, and about each cell where something was given away."""

from __future__ import annotations

import time

import pytest

from engine import CLASSIC, EngineError, Position, Reason, parse_rules
from engine.analysis import game_analysis
from engine.analysis.game_analysis import Choice, Verdict, advice, analyse_game, most_telling
from engine.search.values import Result


def test_a_slip_has_all_cells_with_what_speaks_for_or_against_them() -> None:
    """X at 0, and O takes the opposite corner: only the centre would have held."""
    found = analyse_game(CLASSIC, "0863214")
    assert found.turning_point == 1
    assert found.depth is None, "all is proven"
    slip = found.steps[1]
    assert slip.gives_away
    assert (slip.before.result, slip.after.result) == (Result.DRAW, Result.LOSS)
    assert [choice.cell for choice in slip.choices] == list(range(1, 9))
    assert [choice for choice in slip.choices if choice.verdict is Verdict.BEST] == [
        Choice(4, Verdict.BEST, Reason.CENTRE)
    ]
    assert [step.choices for step in found.steps if not step.gives_away] == [()] * 6


@pytest.mark.parametrize("rules", ["5x5x4", "8x8x5", "4x4x4-misere", "ultimate"])
def test_elsewhere_a_search_looks_as_far_as_its_time_allows_and_says_so(rules: str) -> None:
    position = parse_rules(rules).start()
    cells = []
    while position.ply < 7:
        cells.append(position.legal_moves[position.ply % len(position.legal_moves)])
        position = position.play(cells[-1])
    moves = position.rules.moves_text(cells)
    found = analyse_game(position.rules, moves, 0.2)
    assert [step.cell for step in found.steps] == cells
    assert found.depth is not None
    for step in found.steps:
        assert bool(step.choices) is step.gives_away
        if step.gives_away:
            assert any(choice.verdict is Verdict.BEST for choice in step.choices)
            assert next(choice.verdict for choice in step.choices if choice.cell == step.cell) is step.verdict


def test_with_enough_time_an_analysis_is_always_the_same() -> None:
    """Ten plies on 5 by 5: two processes reach the same verdicts, however fast each is."""
    rules = parse_rules("5x5x4")
    moves = rules.moves_text([12, 0, 6, 24, 18, 1, 11, 2, 3, 13])
    assert analyse_game(rules, moves, 60) == analyse_game(rules, moves, 120)


def test_of_equal_cells_the_one_with_most_to_say_for_it_is_named() -> None:
    best, good = Verdict.BEST, Verdict.GOOD
    choices = [Choice(1, best, Reason.LINE), Choice(5, best, Reason.FORK), Choice(7, good, Reason.WIN)]
    assert most_telling(choices) == Choice(5, best, Reason.FORK)


@pytest.mark.parametrize(
    ("rules", "moves", "cell", "why"),
    [
        ("3x3x3", "0314", 2, Reason.WIN),
        ("5x5x4", "0A1B2", 3, Reason.BLOCK),
        ("ultimate", "c", None, None),
        ("3x3x3-misere", "", 4, Reason.CENTRE),
    ],
)
def test_advice_is_a_best_cell_with_its_reason(
    rules: str, moves: str, cell: int | None, why: Reason | None
) -> None:
    found = advice(parse_rules(rules), moves, 0.2)
    assert found.cell in parse_rules(rules).replay(moves).legal_moves
    assert cell is None or (found.cell, found.reason) == (cell, why)


def test_advice_on_a_big_board_keeps_to_its_time() -> None:
    began = time.process_time()
    advice(parse_rules("8x8x6"), "", 0.3)
    assert time.process_time() - began < 0.7


class Found:
    """A search that finds a cell but proves no value."""

    def best(self, position: Position) -> int:
        """The last cell."""
        return position.legal_moves[-1]


def test_advice_spends_its_time_on_one_search_instead_of_one_for_each_cell(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(game_analysis, "search", lambda *_: Found())
    assert advice(parse_rules("5x5x4"), "").cell == 24


def test_nobody_is_advised_after_the_end() -> None:
    with pytest.raises(EngineError, match="The game is over"):
        advice(parse_rules("5x5x4"), "0A1B2C3")

"""Hints: a best cell, and the reason that holds for it."""

from __future__ import annotations

import pytest

from bot.game.hints import Hint, Why, hint
from bot.game.refusals import Refusal
from engine import STRATEGIES
from storage.game import replay
from tests.bot.games import computer_game, drawn, game_of_two


@pytest.mark.parametrize(
    ("board", "cell", "why"),
    [
        (("XX.", "OO.", "..."), 2, Why.WIN),
        (("OO.", "X..", "X.."), 2, Why.BLOCK),
        (("X..", ".O.", "..X"), None, Why.BEST),
    ],
)
def test_a_hint_says_why(board: tuple[str, str, str], cell: int | None, why: Why) -> None:
    found = hint(computer_game(drawn(*board)))
    assert isinstance(found, Hint)
    assert found.why is why
    assert cell in (None, found.cell)


def test_a_hint_is_always_a_best_cell() -> None:
    """In every position that a person with X can meet in the first six plies."""
    seen = set()

    def meet(moves: str) -> None:
        position = replay("3x3x3", moves)
        if position.outcome is not None or len(moves) > 6 or position in seen:
            return
        seen.add(position)
        found = hint(computer_game(moves))
        assert isinstance(found, Hint)
        assert found.cell in STRATEGIES["perfect"].candidates(position)
        for cell in position.legal_moves:
            meet(moves + str(cell))

    meet("")
    assert len(seen) > 1000


def test_there_are_no_hints_between_people() -> None:
    assert hint(game_of_two()) is Refusal.COMPUTER_ONLY

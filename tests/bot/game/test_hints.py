"""Hints: a best cell, and a true reason for it."""

from __future__ import annotations

from itertools import permutations

import pytest

from bot.game.analysis import Hint, hint
from bot.game.attempt import Refusal
from engine import STRATEGIES, Reason
from storage.games.game import replay
from tests.bot.games import computer_game, drawn, game_of_two
from tests.two.model import LINES


@pytest.mark.parametrize(
    ("board", "cell", "why"),
    [
        (("XX.", "OO.", "..."), 2, Reason.WIN),
        (("X.O", ".O.", "..X"), 6, Reason.FORK),  # it blocks, too
        (("X..", ".O.", "O.X"), 2, Reason.FORK),
        (("XOX", "O..", "..."), 4, Reason.FORK),
        (("...", ".O.", "..X"), 5, Reason.THREAT),
    ],
)
def test_a_hint_names_the_best_cell_and_why(board: tuple[str, str, str], cell: int, why: Reason) -> None:
    assert hint(computer_game(drawn(*board))) == Hint(cell, why)


def test_the_reason_of_a_hint_is_true_wherever_the_fifth_move_is_due() -> None:
    for first, second, third, fourth in permutations(range(9), 4):
        crosses, rings = {first, third}, {second, fourth}
        found = hint(computer_game(f"{first}{second}{third}{fourth}"))
        assert isinstance(found, Hint)
        cell, why = found
        assert cell not in crosses | rings
        threats = [line for line in LINES if len(crosses & set(line)) == 2 and not rings & set(line)]
        dangers = [line for line in LINES if len(rings & set(line)) == 2 and not crosses & set(line)]
        after = [line for line in LINES if len((crosses | {cell}) & set(line)) == 2 and not rings & set(line)]
        assert (why is Reason.WIN) is bool(threats)
        if why is Reason.WIN:
            assert any(cell in line for line in threats)
        elif why is Reason.BLOCK:
            assert any(cell in line for line in dangers)
        else:
            assert not dangers or why in (Reason.ALLOWS_WIN, Reason.FORK)
            assert (why is Reason.FORK) is (len(after) >= 2)


def test_a_hint_is_always_a_best_cell() -> None:
    """In every position that a person playing X can meet in the first six plies."""
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

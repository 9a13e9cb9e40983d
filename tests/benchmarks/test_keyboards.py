"""How the load generator reads a board."""

import random
from typing import Any

from benchmarks.keyboards import choose_any, choose_in_game, is_board, is_over

RNG = random.Random(1)


def keyboard(drawn: str, *below: str) -> list[list[dict[str, Any]]]:
    labels = {"X": "❌", "O": "⭕", ".": "·"}
    rows = [
        [{"text": labels[mark], "callback_data": f"{row}{column}"} for column, mark in enumerate(marks)]
        for row, marks in enumerate(drawn.split("/"))
    ]
    return [*rows, [{"text": name, "callback_data": name} for name in below]]


def test_a_player_taps_empty_cells_only() -> None:
    board = keyboard("XO./.X./O..", "resign")
    assert {choose_in_game(board, RNG) for _ in range(200)} == {"02", "10", "12", "21", "22"}


def test_a_line_ends_the_board() -> None:
    assert is_over(keyboard("XXX/OO./..."))
    assert is_over(keyboard("XO./OX./..X"))
    assert not is_over(keyboard("XXO/OO./X.."))


def test_a_full_board_ends_without_a_line() -> None:
    assert is_over(keyboard("XOX/XOO/OXX"))


def test_a_finished_board_is_left_by_its_first_button_below() -> None:
    assert choose_in_game(keyboard("XXX/OO./...", "again", "swap"), RNG) == "again"


def test_without_a_button_below_only_a_new_game_helps() -> None:
    assert choose_in_game(keyboard("XXX/OO./...")[:3], RNG) is None


def test_a_bare_board_may_be_tapped_anywhere() -> None:
    assert len({choose_any(keyboard("XXX/XXX/XXX"), RNG) for _ in range(200)}) == 9


def test_a_menu_is_no_board() -> None:
    assert not is_board([[{"text": "easy", "callback_data": "e"}, {"text": "hard", "callback_data": "h"}]])

"""How marks look."""

from __future__ import annotations

import json

import pytest

from bot.boards.board import board_view
from bot.boards.view import THEMES, marks_in, marks_of
from engine import Mark
from tests.bot.games import ANN, asking, board_in, game_of_two

NO_LONGER = "pink"


@pytest.mark.parametrize("theme", THEMES)
def test_the_two_marks_and_an_empty_cell_differ_and_none_is_blank(theme: str) -> None:
    marks = list(THEMES[theme].values())
    assert len({mark.strip() for mark in marks} - {""}) == 3
    assert len(theme) <= 8, "it fits its column"


def test_no_mark_is_in_two_themes() -> None:
    assert len({THEMES[theme][mark] for theme in THEMES for mark in Mark}) == 2 * len(THEMES)


@pytest.mark.parametrize("theme", [None, NO_LONGER])
def test_without_a_choice_or_with_an_outdated_one_the_default_marks_are_used(theme: str | None) -> None:
    assert marks_of(theme)[Mark.X] == "❌"


def test_a_board_shows_its_look_in_the_cells_and_in_the_words() -> None:
    board = board_in(ANN.id, viewer=ANN.id, theme="shapes")
    view = board_view(game_of_two("40", **asking("takeback:O")), board, "oxo")
    rows = json.loads(view.keyboard or "")["inline_keyboard"]
    assert ["".join(cell["text"] for cell in row) for row in rows[:3]] == ["●··", "·▲·", "···"]
    assert "▲ You" in view.text
    assert "take back ●" in view.text
    assert "❌" not in view.text


def test_words_about_a_board_use_its_marks() -> None:
    board = board_in(ANN.id, theme="shapes")
    assert marks_in((board_in(theme="sky"), board), ANN.id)[Mark.X] == "▲"
    assert marks_in((board._replace(as_text=True),), ANN.id)[Mark.X] == "X"
    assert marks_in((board._replace(leaving=True),), ANN.id)[Mark.X] == "❌"

"""The parts that messages are made of, and how marks look."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.boards.board import board_view
from bot.boards.buttons import Invite, OnGame, write
from bot.boards.translations import texts
from bot.boards.view import THEMES, button, coded, compact, keyboard, marks_in, marks_of, quoted
from bot.game.actions import Move
from engine import Mark
from tests.bot.games import ANN, asking, board_in, game_of_two
from tests.bot.reading import cells

SHAPES = board_in(ANN.id, viewer=ANN.id, theme="shapes")


@given(st.text())
def test_a_quoted_word_is_text_and_no_markup(word: str) -> None:
    inside = quoted(word).removeprefix("<code>").removesuffix("</code>")
    assert inside
    assert not set("<>\"'") & set(inside)


def test_words_to_copy_are_set_apart() -> None:
    assert coded(("me", "bot"), texts("en")) == "<code>me</code>, <code>bot</code>"
    assert coded(("me", "bot"), texts("zh-hans")) == "<code>me</code>、<code>bot</code>"


def test_a_keyboard_is_json_without_spaces() -> None:
    made = keyboard([[button("A", Invite()), button("B", OnGame(7, Move(0, 1)), "danger")]])
    a = {"text": "A", "callback_data": write(Invite())}
    b = {"text": "B", "callback_data": write(OnGame(7, Move(0, 1))), "style": "danger"}
    assert json.loads(made) == {"inline_keyboard": [[a, b]]}
    assert made == compact(json.loads(made))
    assert " " not in made


@pytest.mark.parametrize("theme", THEMES)
def test_the_two_marks_and_an_empty_cell_differ_and_none_is_blank(theme: str) -> None:
    assert THEMES[theme].keys() == {*Mark, None}
    assert len({mark.strip() for mark in THEMES[theme].values()} - {""}) == 3
    assert len(theme) <= 8, "it fits its column"


def test_no_mark_is_in_two_themes() -> None:
    assert len({THEMES[theme][mark] for theme in THEMES for mark in Mark}) == 2 * len(THEMES)


def test_words_about_a_board_use_its_marks_and_the_default_without_a_choice_or_with_an_outdated_one() -> None:
    assert marks_in((board_in(theme="sky"), SHAPES), ANN.id)[Mark.X] == "▲"
    assert marks_in((SHAPES._replace(as_text=True),), ANN.id)[Mark.X] == "X"
    assert marks_in((SHAPES._replace(leaving=True),), ANN.id)[Mark.X] == "❌"
    assert marks_of(None) == marks_of("pink") == THEMES["classic"]


def test_a_board_shows_its_look_in_the_cells_and_in_the_words() -> None:
    view = board_view(game_of_two("40", **asking("takeback:O")), SHAPES, "oxo")
    assert cells(view.keyboard) == "●·· ·▲· ···"
    assert "▲ You" in view.text
    assert "take back ●" in view.text
    assert "❌" not in view.text

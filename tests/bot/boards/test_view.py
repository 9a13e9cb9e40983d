"""The parts that messages are made of."""

from __future__ import annotations

import html
import json

from hypothesis import given
from hypothesis import strategies as st

from bot.boards.buttons import Invite, OnGame, write
from bot.boards.translations import texts
from bot.boards.view import MARKS, button, coded, compact, keyboard, quoted
from bot.game.actions import Move
from engine import Mark


@given(st.text())
def test_a_quoted_word_is_text_and_no_markup(word: str) -> None:
    inside = quoted(word).removeprefix("<code>").removesuffix("</code>")
    assert inside
    assert not set("<>\"'") & set(inside)
    assert html.unescape(inside)


def test_words_to_copy_are_set_apart() -> None:
    assert coded(("me", "bot"), texts("en")) == "<code>me</code>, <code>bot</code>"
    assert coded(("me", "bot"), texts("zh-hans")) == "<code>me</code>、<code>bot</code>"


def test_a_keyboard_is_json_without_spaces() -> None:
    made = keyboard([[button("A", Invite()), button("B", OnGame(7, Move(0, 1)), "danger")]])
    assert made == compact(json.loads(made))
    assert json.loads(made)["inline_keyboard"] == [
        [
            {"text": "A", "callback_data": write(Invite())},
            {"text": "B", "callback_data": write(OnGame(7, Move(0, 1))), "style": "danger"},
        ]
    ]


def test_every_mark_and_the_empty_cell_has_a_label_that_shows() -> None:
    assert set(MARKS) == {*Mark, None}
    assert all(label.strip() for label in MARKS.values())

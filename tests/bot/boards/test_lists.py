"""Games in a list: each line identifies its game, and its button brings up the board."""

from __future__ import annotations

import json

import pytest

from bot.boards.buttons import OnGame, read
from bot.boards.lists import ago, games_list, line_of, number_shown
from bot.boards.translations import texts
from bot.game.actions import Bring
from tests.bot.games import ANN, BO, NOW, computer_game, game_of_two

T, ZH = texts("en"), texts("zh")


def plain(text: str) -> str:
    """A text without the isolates around names."""
    return text.translate({0x2068: None, 0x2069: None})


def test_a_line_says_whose_turn_it_is_number_opponent_and_time() -> None:
    late = NOW + 300
    assert line_of(computer_game("40", level="hard"), T, ANN.id, late) == "👉 #7 · OXO (hard) · 5 min ago"
    assert plain(line_of(game_of_two("4"), T, ANN.id, late)) == "⏳ #7 · 小波 · 5 min ago"
    assert plain(line_of(game_of_two("4"), ZH, BO.id, late)) == "👉 #7 · Ann · 5 分钟前"
    assert plain(line_of(game_of_two(rules="5x5x4"), T, ANN.id, late)) == "👉 #7 · 5×5 · 小波 · 5 min ago"


def test_a_long_name_is_cut_where_a_phone_would_cut_what_matters() -> None:
    for name, shown in (
        ("Bartholomew Cornelius Fitzgerald", "Bartholomew Cornelius F…"),
        ("小波" * 20, "小波小波小波小波小波小…"),
        ("Bartholomew Corneliu\U0001f469\u200d\U0001f680 Fitz", "Bartholomew Corneliu…"),
    ):
        line = plain(line_of(game_of_two("4", names={BO.id: name}), T, ANN.id, NOW))
        assert line == f"⏳ #7 · {shown}"


def test_a_line_is_plain_text() -> None:
    """It's a button's label (D18)."""
    game = game_of_two("40", names={ANN.id: "<b>&\u202e"})
    assert plain(line_of(game, T, BO.id, NOW)).startswith("⏳ #7 · <b>& · ")


def test_numbers_stay_short() -> None:
    assert number_shown(game_of_two()._replace(id=123_456_789), T) == "#789"


def test_a_number_keeps_its_sign_before_it_among_arabic_letters() -> None:
    """After Arabic letters, digits would move the sign to their other side (UAX #9, W2 and W5)."""
    assert number_shown(game_of_two(), texts("ar")) == "\u200e#7"


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (-3, "just now"),
        (59, "just now"),
        (60, "1 min ago"),
        (3599, "59 min ago"),
        (3600, "1 h ago"),
        (86399, "23 h ago"),
        (86400, "1 day ago"),
        (3 * 86400, "3 days ago"),
    ],
)
def test_how_long_ago_is_told_in_few_letters(seconds: int, words: str) -> None:
    assert ago(seconds, T) == words


def test_each_line_is_a_button_that_brings_its_board() -> None:
    games = [game_of_two("4"), computer_game("40")._replace(id=8)]
    view = games_list("Which?", games, ANN.id, NOW, T)
    rows = json.loads(view.keyboard or "")["inline_keyboard"]
    assert view.text == "Which?\n👉 your turn, ⏳ their turn"
    assert [read(button["callback_data"]) for (button,) in rows] == [
        OnGame(7, Bring()),
        OnGame(8, Bring()),
    ]

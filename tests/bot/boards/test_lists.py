"""Games in a list: each line identifies its game, and its button brings up the board."""

from __future__ import annotations

import pytest

from bot.boards.buttons import OnGame
from bot.boards.lists import ago, games_list, line_of, number_shown
from bot.boards.translations import texts
from bot.game.actions import Bring
from storage.games.game import Game
from tests.bot.games import ANN, BO, NOW, computer_game, game_of_two
from tests.bot.reading import carried, plain

T, ZH = texts("en"), texts("zh")


@pytest.mark.parametrize(
    ("game", "person", "line"),
    [
        (computer_game("40", level="hard"), ANN.id, "👉 #7 · OXO (hard) · 5 min ago"),
        (game_of_two("4"), ANN.id, "⏳ #7 · 小波 · 5 min ago"),
        (game_of_two("4"), BO.id, "👉 #7 · Ann · 5 min ago"),
        (game_of_two(rules="5x5x4"), ANN.id, "👉 #7 · 5×5 · 小波 · 5 min ago"),
        (game_of_two("40", names={ANN.id: "<b>&\u202e"}), BO.id, "⏳ #7 · <b>& · 5 min ago"),
    ],
)
def test_a_line_says_as_plain_text_whose_turn_it_is_number_opponent_and_time(
    game: Game, person: int, line: str
) -> None:
    """It's a button's label (D18)."""
    assert plain(line_of(game, T, person, NOW + 300)) == line
    assert line_of(game, ZH, person, NOW + 300).endswith(" · 5 分钟前")


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Bartholomew Cornelius Fitzgerald", "Bartholomew Cornelius F…"),
        ("小波" * 20, "小波小波小波小波小波小…"),
        ("Bartholomew Corneliu\U0001f469\u200d\U0001f680 Fitz", "Bartholomew Corneliu…"),
    ],
)
def test_a_long_name_is_cut_where_a_phone_would_cut_what_matters(name: str, shown: str) -> None:
    assert plain(line_of(game_of_two("4", names={BO.id: name}), T, ANN.id, NOW)) == f"⏳ #7 · {shown}"


def test_numbers_stay_short_and_keep_their_sign_before_them_among_arabic_letters() -> None:
    """After Arabic letters, digits would move the sign to their other side (UAX #9, W2 and W5)."""
    game = game_of_two()._replace(id=123_456_789)
    assert (number_shown(game, T), number_shown(game, texts("ar"))) == ("#789", "\u200e#789")


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        *((-3, "just now"), (59, "just now"), (60, "1 min ago"), (3599, "59 min ago"), (3600, "1 h ago")),
        *((86399, "23 h ago"), (86400, "1 day ago"), (3 * 86400, "3 days ago")),
    ],
)
def test_how_long_ago_is_told_in_few_letters(seconds: int, words: str) -> None:
    assert ago(seconds, T) == words


def test_each_line_is_a_button_that_brings_its_board() -> None:
    view = games_list("Which?", [game_of_two("4"), computer_game("40")._replace(id=8)], ANN.id, NOW, T)
    assert view.text == "Which?\n👉 your turn, ⏳ their turn"
    assert carried(view.keyboard) == [OnGame(7, Bring()), OnGame(8, Bring())]

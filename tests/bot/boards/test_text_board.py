"""Boards drawn in text."""

from __future__ import annotations

import re

import pytest

from bot.boards.board import drawing
from bot.boards.renderers import render
from storage.games.game import Game, Termination
from tests.bot.games import ANN, BO, asking, board_in, computer_game, game_of_two, open_challenge

HERS = board_in(ANN.id, viewer=ANN.id, as_text=True)
HIS = HERS._replace(chat_id=BO.id, viewer=BO.id, language="zh")
HALL = board_in(as_text=True)


def text_of(game: Game, board: object = HERS) -> str:
    """The text of a board, without markup and isolates."""
    view = render(game, board, "oxo_bot")  # type: ignore[arg-type] # a board
    return re.sub("<[^>]*>", "", view.text).translate({0x2068: None, 0x2069: None})


def test_an_empty_cell_shows_what_one_types_to_play_it() -> None:
    assert drawing(game_of_two("40").position).splitlines() == [
        "   a  b  c",
        "1  O  b1 c1",
        "2  a2 X  c2",
        "3  a3 b3 c3",
    ]


def test_a_bigger_board_is_drawn_alike() -> None:
    lines = drawing(game_of_two(rules="5x4x4").position).splitlines()
    assert lines[0] == "   a  b  c  d  e"
    assert lines[4] == "4  a4 b4 c4 d4 e4"


def test_a_mark_that_is_about_to_go_is_a_small_letter_and_named() -> None:
    game = game_of_two("408217", rules="vanishing")
    assert drawing(game.position).splitlines()[1:3] == ["1  O  X  O", "2  a2 x  c2"]
    assert "centre" in text_of(game).splitlines()[1]


@pytest.mark.parametrize(
    ("game", "expected"),
    [
        (computer_game("40"), "OXO: top left. Your turn."),
        (computer_game(""), "Your turn."),
        (game_of_two("4"), "You: centre. 小波's turn."),
        (game_of_two("40"), "小波: top left. Your turn."),
        (game_of_two("03142"), "You: top right. 🎉 You win! Three in a row, well played."),
    ],
)
def test_the_last_move_is_said_first_and_then_what_is_to_be_done(game: Game, expected: str) -> None:
    assert text_of(game).splitlines()[0] == expected


def test_its_words_speak_of_letters_as_its_drawing_does() -> None:
    assert text_of(game_of_two("03142"), HALL).splitlines()[0].startswith("Ann: top right. 🏆 X Ann wins.")
    assert "Ann plays X and moves first." in text_of(open_challenge(), HALL)


def test_in_chinese_as_one_writes_it() -> None:
    assert text_of(game_of_two("4"), HIS).splitlines()[0] == "Ann：中间。轮到你了。"
    assert "写出格子就能走：a1、1 或左上。" in text_of(game_of_two("4"), HIS)


def test_in_private_there_are_no_buttons_and_in_a_group_others_may_tap() -> None:
    assert render(game_of_two(), HERS, "oxo_bot").keyboard is None
    assert '"X"' in (render(game_of_two("4"), HALL, "oxo_bot").keyboard or "")
    assert render(open_challenge(link="t"), HERS, "oxo_bot").keyboard is None


@pytest.mark.parametrize(
    ("game", "commands"),
    [
        (computer_game(""), "/hint, /resign"),
        (computer_game("40"), "/undo, /hint, /resign"),
        (computer_game("4", first=False), "/hint, /resign"),
        (game_of_two("40"), "/undo, /resign"),
        (game_of_two("40", **asking("takeback:O")), "/yes, /no, /resign"),
        (game_of_two("40", **asking("takeback:X")), "/cancel, /resign"),
        (game_of_two("40", **asking("resign:X")), "/yes, /no"),
        (game_of_two("40", **asking("resign:O")), "/resign"),
        (game_of_two("40", **asking("resign both:O")), "/yes, /no"),
        (game_of_two("03142"), "/rematch, /review, /share"),
        (game_of_two("03142", **asking("rematch:O")), "/yes, /no"),
        (computer_game("03142"), "/again, /swap, /review, /share"),
        (open_challenge(link="t"), "/cancel"),
    ],
)
def test_what_can_be_done_is_said_as_commands(game: Game, commands: str) -> None:
    assert text_of(game).splitlines()[-1] == commands


def test_a_challenge_in_a_group_says_how_it_is_answered() -> None:
    assert text_of(open_challenge(), HALL).endswith("/accept, /cancel")
    assert text_of(open_challenge(rival=BO), HALL).endswith("/accept, /decline, /cancel")
    assert "/" not in text_of(open_challenge(termination=Termination.EXPIRED), HALL)


def test_the_hint_of_what_to_write_names_a_free_cell() -> None:
    assert "b2, 5 or centre" in text_of(game_of_two())
    assert "b1, 2 or top middle" in text_of(game_of_two("40"))
    assert "Type a cell" not in text_of(game_of_two("4")), "it is not her turn"

"""Boards drawn in text."""

from __future__ import annotations

import pytest

from bot.boards.board import drawing
from bot.boards.renderers import render
from storage.games.game import Game, Termination
from storage.games.record import Board
from tests.bot.games import ANN, BO, asking, board_in, computer_game, game_of_two, open_challenge
from tests.bot.reading import bare, labels

HERS = board_in(ANN.id, viewer=ANN.id, as_text=True)
HIS = HERS._replace(chat_id=BO.id, viewer=BO.id, language="zh")
HALL = board_in(as_text=True)


def lines(game: Game, board: Board = HERS) -> list[str]:
    """The lines of a board, without markup and isolates."""
    return bare(render(game, board, "oxo_bot").text).splitlines()


def test_an_empty_cell_shows_what_one_types_to_play_it() -> None:
    drawn = drawing(game_of_two("40").position).splitlines()
    assert drawn == ["   a  b  c", "1  O  b1 c1", "2  a2 X  c2", "3  a3 b3 c3"]
    bigger = drawing(game_of_two(rules="5x4x4").position).splitlines()
    assert (bigger[0], bigger[4]) == ("   a  b  c  d  e", "4  a4 b4 c4 d4 e4")


def test_a_mark_that_is_about_to_go_is_a_small_letter_and_named() -> None:
    game = game_of_two("408217", rules="vanishing")
    assert drawing(game.position).splitlines()[1:3] == ["1  O  X  O", "2  a2 x  c2"]
    assert "centre" in lines(game)[1]


@pytest.mark.parametrize(
    ("game", "board", "first"),
    [
        (computer_game("40"), HERS, "OXO: top left. Your turn."),
        (computer_game(""), HERS, "Your turn."),
        (game_of_two("4"), HERS, "You: centre. 小波's turn."),
        (game_of_two("40"), HERS, "小波: top left. Your turn."),
        (game_of_two("03142"), HERS, "You: top right. 🎉 You win! Three in a row, well played."),
        (game_of_two("03142"), HALL, "Ann: top right. 🏆 X Ann wins. Three in a row, well played."),
        (game_of_two("4"), HIS, "Ann：中间。轮到你了。"),
    ],
)
def test_the_last_move_is_said_first_and_then_what_is_to_be_done(game: Game, board: Board, first: str) -> None:
    assert lines(game, board)[0] == first


@pytest.mark.parametrize(
    ("game", "board", "commands"),
    [
        (computer_game(""), HERS, "/hint, /resign"),
        (computer_game("40"), HERS, "/undo, /hint, /resign"),
        (computer_game("4", first=False), HERS, "/hint, /resign"),
        (game_of_two("40"), HERS, "/undo, /resign"),
        (game_of_two("40", **asking("takeback:O")), HERS, "/yes, /no, /resign"),
        (game_of_two("40", **asking("takeback:X")), HERS, "/cancel, /resign"),
        (game_of_two("40", **asking("resign:X")), HERS, "/yes, /no"),
        (game_of_two("40", **asking("resign:O")), HERS, "/resign"),
        (game_of_two("40", **asking("resign both:O")), HERS, "/yes, /no"),
        (game_of_two("03142"), HERS, "/rematch, /review, /share"),
        (game_of_two("03142", **asking("rematch:O")), HERS, "/yes, /no"),
        (computer_game("03142"), HERS, "/again, /swap, /review, /share"),
        (open_challenge(link="t"), HERS, "/cancel"),
        (open_challenge(), HALL, "/accept, /cancel"),
        (open_challenge(rival=BO), HALL, "/accept, /decline, /cancel"),
    ],
)
def test_what_can_be_done_is_said_as_commands(game: Game, board: Board, commands: str) -> None:
    assert lines(game, board)[-1] == commands


def test_a_challenge_speaks_of_letters_and_at_its_end_of_no_commands() -> None:
    assert "Ann plays X and moves first." in lines(open_challenge(), HALL)
    assert "/" not in "".join(lines(open_challenge(termination=Termination.EXPIRED), HALL))


def test_in_private_there_are_no_buttons_and_in_a_group_others_may_tap() -> None:
    for game in (game_of_two(), open_challenge(link="t")):
        assert render(game, HERS, "oxo_bot").keyboard is None
    assert labels(render(game_of_two("4"), HALL, "oxo_bot").keyboard)[1][1] == "X"


@pytest.mark.parametrize(
    ("game", "board", "told"),
    [
        (game_of_two(), HERS, ["Type a cell to play it: b2, 5 or centre."]),
        (game_of_two("40"), HERS, ["Type a cell to play it: b1, 2 or top middle."]),
        (game_of_two("4"), HIS, ["写出格子就能走：a1、1 或左上。"]),
        (game_of_two("4"), HERS, []),
    ],
)
def test_the_hint_of_what_to_write_names_a_free_cell(game: Game, board: Board, told: list[str]) -> None:
    assert [line for line in lines(game, board) if line.startswith(("Type a cell", "写出格子"))] == told

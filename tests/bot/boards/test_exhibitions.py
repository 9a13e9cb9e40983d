"""The text and buttons of a game that the computer plays against itself."""

from __future__ import annotations

import json

from bot.boards.board import board_view, text_board_view
from bot.game.actions import GoFaster, Stop
from bot.game.attempt import Refusal
from storage.games.game import Game, Termination
from storage.games.record import Board
from tests.bot.games import ANN, board_in, done, drawn, refused, watched_game


def text_of(game: Game, board: Board | None = None) -> str:
    """The message of a game in the group, without the isolates around names."""
    return board_view(game, board or board_in(), "oxo_bot").text.translate({0x2068: None, 0x2069: None})


def rows_of(game: Game, board: Board | None = None) -> list[list[str]]:
    """The labels below the cells."""
    keyboard = board_view(game, board or board_in(), "oxo_bot").keyboard or "{}"
    return [[button["text"] for button in row] for row in json.loads(keyboard)["inline_keyboard"][3:]]


def test_it_says_whose_turn_it_is_and_who_plays_what() -> None:
    lines = text_of(watched_game("4", x="perfect", o="open-lines")).split("\n")
    assert lines == ["<b>🟡 open-lines to move.</b> I'm playing myself.", "", "❌ perfect   🟡 open-lines   #7"]


def test_the_last_move_is_marked_and_everybody_can_have_it_faster() -> None:
    game = watched_game("408")
    cells = [
        b
        for row in json.loads(board_view(game, board_in(), "").keyboard or "")["inline_keyboard"][:3]
        for b in row
    ]
    assert [cell for cell, button in enumerate(cells) if "style" in button] == [8]
    assert rows_of(game._replace(chat_id=ANN.id)) == [["Faster", "Stop"]]


def test_in_a_group_nobody_is_offered_a_pace_that_they_are_refused() -> None:
    game = watched_game("408")
    assert refused(game, GoFaster()) is Refusal.GROUPS_ARE_SLOW
    assert rows_of(game) == [["Stop"]]
    text = text_board_view(game, board_in(), "").text
    assert "/stop" in text
    assert "/faster" not in text


def test_at_the_end_it_says_who_won_and_in_how_many_moves() -> None:
    won = watched_game(drawn("XXX", "OO.", "..."))
    assert text_of(won).split("\n")[0] == "🏆 <b>❌ perfect wins.</b> 5 moves."
    assert "Score" not in text_of(won)
    assert rows_of(won) == [["Again", "Play the winner"], ["Review", "Share"]]
    drawn_game = watched_game(drawn("XOX", "XXO", "OXO"))
    assert "Draw" in text_of(drawn_game)
    assert "9 moves." in text_of(drawn_game)
    assert rows_of(drawn_game) == [["Again"], ["Review", "Share"]]
    assert rows_of(won._replace(next_game=8)) == [["Review", "Share"]]


def test_it_says_who_stopped_it() -> None:
    stopped = done(watched_game("4"), Stop(), ANN)
    assert text_of(stopped).split("\n")[0] == "⏹ <b>Stopped</b> by Ann. 1 move."
    closed = watched_game("4")._replace(termination=Termination.EXPIRED)
    assert text_of(closed).split("\n")[0] == "⏹ <b>Stopped.</b> 1 move."


def test_it_speaks_chinese() -> None:
    text = text_of(watched_game("4", o="open-lines"), board_in(language="zh-hans"))
    assert text.split("\n") == ["<b>轮到 🟡 开放线。</b>我和自己下。", "", "❌ 完美   🟡 开放线   #7"]


def test_the_text_board_says_the_last_move_first_and_names_the_commands() -> None:
    alone = watched_game("4")._replace(chat_id=ANN.id)
    view = text_board_view(alone, board_in(viewer=ANN.id, as_text=True), "oxo_bot")
    assert view.text.split("\n")[0] == "X perfect: centre. <b>O random to move.</b> I'm playing myself."
    assert view.text.split("\n")[-1] == "/faster, /stop"
    assert view.keyboard is None
    over = text_board_view(watched_game(drawn("XXX", "OO.", "...")), board_in(viewer=ANN.id, as_text=True), "")
    assert over.text.split("\n")[-1] == "/again, /play_winner, /review, /share"

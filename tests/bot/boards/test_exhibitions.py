"""The text and buttons of a game that the computer plays against itself."""

from __future__ import annotations

import pytest

from bot.boards.board import board_view, text_board_view
from bot.boards.view import View
from bot.game.actions import Stop
from storage.games.game import Game, Termination
from storage.games.record import Board
from tests.bot.games import ANN, board_in, done, drawn, watched_game
from tests.bot.reading import colours, labels, plain

WON = watched_game(drawn("XXX", "OO.", "..."))
DRAWN = watched_game(drawn("XOX", "XXO", "OXO"))
RUNNING = watched_game("408")
ALONE = RUNNING._replace(chat_id=ANN.id)


def view_of(game: Game, board: Board | None = None) -> View:
    """The message of a game in the group."""
    return board_view(game, board or board_in(), "oxo_bot")


def in_text(game: Game) -> list[str]:
    """The lines of a game's message in text."""
    return text_board_view(game, board_in(viewer=ANN.id, as_text=True), "oxo_bot").text.split("\n")


def test_it_says_whose_turn_it_is_and_who_plays_what_in_the_chats_language() -> None:
    game = watched_game("4", x="perfect", o="open-lines")
    assert plain(view_of(game).text).split("\n") == [
        *("<b>🟡 open-lines to move.</b> I'm playing myself.", "", "❌ perfect   🟡 open-lines   #7")
    ]
    chinese = plain(view_of(game, board_in(language="zh-hans")).text)
    assert chinese.split("\n") == ["<b>轮到 🟡 开放线。</b>我和自己下。", "", "❌ 完美   🟡 开放线   #7"]


def test_the_last_move_is_marked() -> None:
    assert colours(view_of(RUNNING).keyboard) == ["...", "...", "..p"]


@pytest.mark.parametrize(
    ("game", "below", "commands"),
    [
        (ALONE, [["Faster", "Stop"]], "/faster, /stop"),
        (RUNNING, [["Stop"]], "/stop"),
        (WON, [["Again", "Play the winner"], ["Review", "Share"]], "/again, /play_winner, /review, /share"),
        (DRAWN, [["Again"], ["Review", "Share"]], "/again, /review, /share"),
        (WON._replace(next_game=8), [["Review", "Share"]], "/review, /share"),
    ],
    ids=["alone", "in a group", "won", "drawn", "followed"],
)
def test_what_can_be_done_is_below_and_named_in_text_and_groups_are_offered_no_pace(
    game: Game, below: list[list[str]], commands: str
) -> None:
    assert labels(view_of(game).keyboard)[3:] == below
    assert in_text(game)[-1] == commands


@pytest.mark.parametrize(
    ("game", "first"),
    [
        (WON, "🏆 <b>❌ perfect wins.</b> 5 moves."),
        (DRAWN, "🤝 <b>Draw.</b> The board is full and nobody has a line. 9 moves."),
        (done(watched_game("4"), Stop(), ANN), "⏹ <b>Stopped</b> by Ann. 1 move."),
        (watched_game("4")._replace(termination=Termination.EXPIRED), "⏹ <b>Stopped.</b> 1 move."),
    ],
    ids=["won", "drawn", "stopped", "closed"],
)
def test_at_the_end_it_says_how_it_ended_and_after_how_many_moves(game: Game, first: str) -> None:
    text = plain(view_of(game).text)
    assert text.split("\n")[0] == first
    assert "Score" not in text


def test_the_text_board_says_the_last_move_first() -> None:
    assert in_text(ALONE)[0] == "X perfect: bottom right. <b>O random to move.</b> I'm playing myself."

"""The message of a game, as each viewer reads it."""

from __future__ import annotations

import pytest

from bot.boards.board import board_view, farewell, opponent, reminder, state_line
from bot.boards.players import Viewer
from bot.boards.translations import texts
from bot.boards.wording import duration
from engine import Mark
from storage.games.game import Game, Termination
from tests.bot.games import ANN, BO, asking, board_in, computer_game, drawn, game_of_two, open_challenge

T = texts("en")
X_WON = drawn("XXX", "OO.", "...")
O_WON = drawn("XX.", "OOO", "X..")
DRAWN = drawn("XOX", "XOO", "OXX")


def read(game: Game, viewer: int | None = None, language: str = "en") -> str:
    """A game's text without the isolates around names."""
    text = board_view(game, board_in(viewer=viewer, language=language), "oxo_bot").text
    return text.translate({0x2068: None, 0x2069: None})


@pytest.mark.parametrize(
    ("game", "viewer", "words"),
    [
        (computer_game("40"), ANN.id, "<b>Your turn.</b> Tap a cell.\n\n❌ You   🟡 OXO (medium)   #7"),
        (game_of_two("4"), ANN.id, f'<b>🟡 <a href="tg://user?id={BO.id}">小波</a>\'s turn.</b>'),
        (game_of_two("4"), BO.id, "<b>Your turn.</b> Tap a cell.\n\n❌ Ann   🟡 You   #7"),
        (game_of_two("4"), None, "❌ Ann   🟡 小波"),
        (computer_game("40"), None, f'<a href="tg://user?id={ANN.id}">Ann</a>, your turn.</b> Tap a cell.'),
    ],
)
def test_it_says_who_plays_and_whose_turn_it_is(game: Game, viewer: int | None, words: str) -> None:
    assert words in read(game, viewer)


@pytest.mark.parametrize(
    ("game", "viewer", "words"),
    [
        (game_of_two(X_WON), ANN.id, "🎉 <b>You win!</b> Three in a row, well played."),
        (game_of_two(X_WON), BO.id, "💔 <b>❌ Ann wins.</b> Three in a row, well played."),
        (game_of_two(X_WON), None, "🏆 <b>❌ Ann wins.</b> Three in a row, well played."),
        (computer_game(X_WON), None, "🎉 <b>You win, Ann!</b> Three in a row, well played."),
        (computer_game(O_WON), ANN.id, "💔 <b>I win this time.</b> Three in a row. Good game!"),
        (game_of_two(DRAWN), None, "🤝 <b>Draw.</b> The board is full and nobody has a line."),
    ],
)
def test_it_says_how_it_ended_on_the_board(game: Game, viewer: int | None, words: str) -> None:
    assert words in read(game, viewer)
    assert state_line(game, Viewer(viewer, T)).translate({0x2068: None, 0x2069: None}) == words


@pytest.mark.parametrize(
    ("termination", "by_viewer", "by_other"),
    [
        (Termination.RESIGNATION, "You resigned.", "小波 resigned."),
        (Termination.TIMEOUT, "You ran out of time.", "小波 ran out of time."),
    ],
)
def test_it_says_how_it_ended_next_to_the_board(termination: Termination, by_viewer: str, by_other: str) -> None:
    game = game_of_two("40")._replace(termination=termination, winner=Mark.X)
    assert by_viewer in read(game, BO.id)
    assert by_other in read(game, ANN.id)
    assert by_other in read(game)


@pytest.mark.parametrize("game", [computer_game("40"), game_of_two("40")])
def test_what_was_closed_has_no_winner(game: Game) -> None:
    assert "I closed this game" in read(game._replace(termination=Termination.EXPIRED))


@pytest.mark.parametrize(
    ("offer", "viewer", "words"),
    [
        ("resign:X", ANN.id, "🏳 Do you really want to resign?"),
        ("resign:X", None, "🏳 Ann, do you really want to resign?"),
        ("resign:X", BO.id, "🏳 Ann is thinking about resigning."),
    ],
)
def test_a_question_is_shown_below_whose_turn_it_is(offer: str, viewer: int | None, words: str) -> None:
    turn, asked, empty, _ = read(game_of_two("40", **asking(offer)), viewer).split("\n")
    assert "turn" in turn
    assert (asked, empty) == (words, "")


def test_the_score_is_told_once_there_is_one() -> None:
    assert "Score" not in read(game_of_two("40"))
    counted = game_of_two(X_WON, x_wins=1, o_wins=2, draws=3)
    assert read(counted).endswith("\nScore: Ann 2 – 2 小波, 3 draws"), "with this game's win"
    assert "1 – 2 小波, 4 draws" in read(game_of_two(DRAWN, x_wins=1, o_wins=2, draws=3))
    assert read(counted, BO.id).endswith("Score: You 2 – 2 Ann, 3 draws"), "one's own number comes first"
    assert read(counted, BO.id, "zh").endswith("比分：你 2 – 2 Ann、平局 3")


def test_somebody_who_waited_for_a_move_that_did_not_come_is_mentioned_in_a_group() -> None:
    lost = game_of_two("4", termination=Termination.TIMEOUT, winner=Mark.X)
    assert f'❌ <a href="tg://user?id={ANN.id}">Ann</a> wins.' in read(lost)
    assert "tg://" not in read(lost, BO.id)


def test_a_score_has_no_zeros_beside_the_wins() -> None:
    assert read(game_of_two(X_WON)).endswith("Score: Ann 1 – 0 小波")
    assert read(game_of_two(DRAWN)).endswith("Score: 1 draw")


@pytest.mark.parametrize(
    ("game", "viewer", "score"),
    [
        (computer_game(X_WON), ANN.id, "Score: You 1 – 0 OXO"),
        (computer_game("40")._replace(x_wins=2, o_wins=1), ANN.id, "Score: You 2 – 1 OXO"),
        (computer_game("4", first=False)._replace(x_wins=1, o_wins=2), ANN.id, "Score: You 2 – 1 OXO"),
        (computer_game("4", first=False)._replace(x_wins=1, o_wins=2), None, "Score: Ann 2 – 1 OXO"),
    ],
)
def test_games_against_the_computer_are_counted_too(game: Game, viewer: int | None, score: str) -> None:
    assert score in read(game, viewer).splitlines()


def test_a_finished_game_shows_what_it_made_of_the_ratings() -> None:
    rated = game_of_two(X_WON)._replace(x_rating="1500", x_rated="1512", o_rating="1500", o_rated="1488?")
    assert read(rated).endswith("Rating: Ann 1500 → 1512, 小波 1500 → 1488?")
    assert read(rated, BO.id).endswith("Rating: Ann 1500 → 1512, You 1500 → 1488?")
    assert read(rated._replace(x_rating=None, x_rated=None)).endswith("Rating: 小波 1500 → 1488?"), (
        "Ann hides hers"
    )
    assert "Rating" not in read(game_of_two(X_WON)), "it is not rated"


def test_a_milestone_is_told_to_the_person_who_reached_it_and_in_a_group_to_all() -> None:
    told = game_of_two(X_WON)._replace(x_reached="hard games", o_reached="unbeaten")
    assert read(told, ANN.id).endswith("🏅 First win against OXO (hard)\n🏅 A hundred games played")
    assert "hundred" not in read(told, BO.id)
    assert read(told).splitlines()[-3:] == [
        "🏅 Ann · First win against OXO (hard)",
        "🏅 Ann · A hundred games played",
        "🏅 小波 · Ten games in a row without a loss",
    ]


@pytest.mark.parametrize(
    ("game", "words"),
    [
        (computer_game("403")._replace(takebacks=1), "A move was taken back, so this game doesn't count."),
        (game_of_two("403")._replace(takebacks=1), "A move was taken back, so this game doesn't count."),
        (game_of_two("4"), "It ended before both players had moved, so it doesn't count."),
    ],
)
def test_a_game_that_does_not_count_says_so_and_the_score_leaves_it_out(game: Game, words: str) -> None:
    resigned = game._replace(termination=Termination.RESIGNATION, winner=Mark.O, x_wins=2, o_wins=1)
    assert read(resigned).split("\n")[-2].endswith(" 2 – 1 OXO" if game.is_against_computer else " 2 – 1 小波")
    assert read(resigned).endswith(words)
    assert words not in read(game)
    counted = resigned._replace(takebacks=0, moves="403")
    assert " 2 – 2 " in read(counted)


def test_a_message_of_inline_mode_has_no_number_since_no_list_names_it() -> None:
    inline = board_in()._replace(chat_id=None, inline_message_id="x")
    assert "#" not in board_view(game_of_two("40"), inline, "oxo_bot").text
    assert "#" in board_view(game_of_two("40"), board_in(), "oxo_bot").text


def test_it_says_that_time_runs_out_once_somebody_was_reminded_of_this_ply() -> None:
    assert "⏰" in read(game_of_two("40", reminded=2))
    assert "⏰" not in read(game_of_two("401", reminded=2))
    assert "⏰" not in read(game_of_two(X_WON, reminded=5))


def test_names_are_text_and_no_markup() -> None:
    game = game_of_two("40", names={ANN.id: "<b>&\u202e", BO.id: "\u200b"})
    assert "&lt;b&gt;&amp;" in read(game)
    assert "🟡 Player" in read(game)


def test_a_challenge_by_link_shows_its_link_only_to_the_challenger() -> None:
    game = open_challenge(link="abc", chat_id=ANN.id)
    assert "https://t.me/oxo_bot?start=abc" in read(game, ANN.id)
    assert "start=abc" not in read(game)


def test_it_speaks_the_boards_language() -> None:
    assert "轮到你了" in read(computer_game("40"), ANN.id, "zh-hans")
    assert "Your turn" in read(computer_game("40"), ANN.id, "xx")
    assert "移到" in farewell(board_in(language="zh-hans")).text
    assert farewell(board_in()).keyboard is None


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (-5, "1 second"),
        (0, "1 second"),
        (4, "4 seconds"),
        (89, "89 seconds"),
        (90, "2 minutes"),
        (60 * 30, "30 minutes"),
        (5399, "90 minutes"),
        (5400, "2 hours"),
        (18 * 3600, "18 hours"),
    ],
)
def test_a_time_has_the_unit_that_fits_it(seconds: int, words: str) -> None:
    assert duration(seconds, T) == words


def test_a_reminder_mentions_the_player_to_move_and_the_time_left() -> None:
    text = reminder(game_of_two("4"), 4, T)
    assert f'<a href="tg://user?id={BO.id}">' in text
    assert "4 seconds left, or you lose on time" in text


def test_an_opponent_is_named() -> None:
    assert opponent(computer_game("40"), ANN.id, T) == "OXO"
    assert "小波" in opponent(game_of_two("40"), ANN.id, T)
    assert "Ann" in opponent(game_of_two("40"), BO.id, T)

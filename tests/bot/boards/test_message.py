"""The message of a game, as each viewer reads it."""

from __future__ import annotations

import pytest

from bot.boards.board import board_view, farewell, opponent, reminder
from bot.boards.translations import texts
from bot.boards.wording import duration
from engine import Mark
from storage.games.game import Game, Termination
from tests.bot.games import ANN, BO, asking, board_in, computer_game, drawn, game_of_two, open_challenge
from tests.bot.reading import plain

T = texts("en")
X_WON = drawn("XXX", "OO.", "...")
O_WON = drawn("XX.", "OOO", "X..")
DRAWN = drawn("XOX", "XOO", "OXX")
ANN_LINKED = f'<a href="tg://user?id={ANN.id}">Ann</a>'
BO_LINKED = f'<a href="tg://user?id={BO.id}">小波</a>'


def read(game: Game, viewer: int | None = None, language: str = "en") -> str:
    """A game's text without the isolates around names."""
    return plain(board_view(game, board_in(viewer=viewer, language=language), "oxo_bot").text)


@pytest.mark.parametrize(
    ("game", "viewer", "words"),
    [
        (computer_game("40"), ANN.id, "<b>Your turn.</b> Tap a cell.\n\n❌ You   🟡 OXO (medium)   #7"),
        (game_of_two("4"), ANN.id, f"<b>🟡 {BO_LINKED}'s turn.</b>"),
        (game_of_two("4"), BO.id, "<b>Your turn.</b> Tap a cell.\n\n❌ Ann   🟡 You   #7"),
        (game_of_two("4"), None, "❌ Ann   🟡 小波"),
        (computer_game("40"), None, f"{ANN_LINKED}, your turn.</b> Tap a cell."),
    ],
)
def test_it_says_who_plays_and_whose_turn_it_is(game: Game, viewer: int | None, words: str) -> None:
    assert words in read(game, viewer)


def over(game: Game, why: Termination = Termination.LINE, winner: Mark = Mark.X, rules: str = "3x3x3") -> Game:
    """A game that has ended like this."""
    return game._replace(rules=rules, termination=why, winner=winner)


TWO, ALONE = game_of_two("40"), computer_game("40")


@pytest.mark.parametrize(
    ("game", "viewer", "words"),
    [
        (game_of_two(X_WON), ANN.id, "🎉 <b>You win!</b> Three in a row, well played."),
        (game_of_two(X_WON), BO.id, "💔 <b>❌ Ann wins.</b> Three in a row, well played."),
        (game_of_two(X_WON), None, "🏆 <b>❌ Ann wins.</b> Three in a row, well played."),
        (computer_game(X_WON), None, "🎉 <b>You win, Ann!</b> Three in a row, well played."),
        (computer_game(O_WON), ANN.id, "💔 <b>I win this time.</b> Three in a row. Good game!"),
        (game_of_two(DRAWN), None, "🤝 <b>Draw.</b> The board is full and nobody has a line."),
        (over(game_of_two(), rules="6x6x5"), ANN.id, "🎉 <b>You win!</b> Five in a row, well played."),
        (over(game_of_two(), rules="ultimate"), ANN.id, "🎉 <b>You win!</b> Three boards in a row, well played."),
        (
            over(computer_game(""), rules="3x3x3-misere"),
            ANN.id,
            "🎉 <b>You win!</b> Three in a row: in misère, that loses.",
        ),
        (
            over(computer_game(""), winner=Mark.O, rules="4x4x3-misere"),
            ANN.id,
            "💔 <b>I win this time.</b> Three in a row: in misère, that loses.",
        ),
        (over(TWO, Termination.RESIGNATION), BO.id, "💔 <b>❌ Ann wins.</b> You resigned."),
        (over(TWO, Termination.RESIGNATION), ANN.id, "🎉 <b>You win!</b> 小波 resigned."),
        (over(TWO, Termination.TIMEOUT), BO.id, "💔 <b>❌ Ann wins.</b> You ran out of time."),
        (over(TWO, Termination.TIMEOUT), ANN.id, "🎉 <b>You win!</b> 小波 ran out of time."),
        (over(TWO, Termination.TIMEOUT), None, f"🏆 <b>❌ {ANN_LINKED} wins.</b> 小波 ran out of time."),
        (over(TWO, Termination.EXPIRED), None, "💤 I closed this game: nobody moved for a long time."),
        (over(ALONE, Termination.EXPIRED), None, "💤 I closed this game: nobody moved for a long time."),
    ],
)
def test_it_says_first_how_it_ended(game: Game, viewer: int | None, words: str) -> None:
    """Who wins because the other didn't move may not be looking, and is mentioned in a group."""
    assert read(game, viewer).split("\n")[0] == words


@pytest.mark.parametrize(
    ("moves", "offer", "viewer", "words"),
    [
        ("40", "takeback:X", ANN.id, "↩️ You asked to take back ❌ centre. Waiting for 小波…"),
        ("40", "takeback:X", BO.id, "↩️ Ann asks to take back ❌ centre. OK with you?"),
        ("40", "takeback:O", None, f"↩️ 小波 asks to take back 🟡 top left. {ANN_LINKED}, OK with you?"),
        ("40", "resign:X", ANN.id, "🏳 Do you really want to resign?"),
        ("40", "resign:X", None, "🏳 Ann, do you really want to resign?"),
        ("40", "resign:X", BO.id, "🏳 Ann is thinking about resigning."),
        ("40", "declined takeback:X", ANN.id, "↩️ 小波 declined the takeback: the move stands."),
        ("40", "declined takeback:X", BO.id, "↩️ You declined the takeback: the move stands."),
        ("40", "declined takeback:X", None, f"↩️ 小波 declined {ANN_LINKED}'s takeback: the move stands."),
        (X_WON, "rematch:O", BO.id, "🔁 You asked for a rematch. Waiting for Ann…"),
        (X_WON, "rematch:O", ANN.id, "🔁 小波 wants a rematch. OK with you?"),
        (X_WON, "rematch:O", None, f"🔁 小波 wants a rematch. {ANN_LINKED}, OK with you?"),
        (X_WON, "declined rematch:O", BO.id, "🔁 Ann declined the rematch."),
        (X_WON, "declined rematch:O", ANN.id, "🔁 You declined the rematch."),
        (X_WON, "declined rematch:O", None, f"🔁 Ann declined {BO_LINKED}'s rematch."),
    ],
)
def test_a_question_is_below_and_names_who_asks_and_who_answers(
    moves: str, offer: str, viewer: int | None, words: str
) -> None:
    """In a group, the player who is asked or has waited for the answer is mentioned."""
    game = game_of_two(moves, **asking(offer))
    assert read(game, viewer).split("\n")[1:3] == [words, ""]


COUNTED = game_of_two(X_WON, x_wins=1, o_wins=2, draws=3)
SECOND = computer_game("4", first=False)._replace(x_wins=1, o_wins=2)


@pytest.mark.parametrize(
    ("game", "viewer", "score"),
    [
        (game_of_two("40"), None, []),
        (COUNTED, None, ["Score: Ann 2 – 2 小波, 3 draws"]),
        (COUNTED, BO.id, ["Score: You 2 – 2 Ann, 3 draws"]),
        (game_of_two(DRAWN, x_wins=1, o_wins=2, draws=3), None, ["Score: Ann 1 – 2 小波, 4 draws"]),
        (game_of_two(X_WON), None, ["Score: Ann 1 – 0 小波"]),
        (game_of_two(DRAWN), None, ["Score: 1 draw"]),
        (computer_game(X_WON), ANN.id, ["Score: You 1 – 0 OXO"]),
        (computer_game("40")._replace(x_wins=2, o_wins=1), ANN.id, ["Score: You 2 – 1 OXO"]),
        (SECOND, ANN.id, ["Score: You 2 – 1 OXO"]),
        (SECOND, None, ["Score: Ann 2 – 1 OXO"]),
    ],
)
def test_the_score_has_this_games_result_ones_own_number_first_and_no_zeros(
    game: Game, viewer: int | None, score: list[str]
) -> None:
    assert [line for line in read(game, viewer).splitlines() if line.startswith("Score")] == score


def test_a_finished_game_shows_what_it_made_of_the_ratings() -> None:
    rated = game_of_two(X_WON)._replace(x_rating="1500", x_rated="1512", o_rating="1500", o_rated="1488?")
    assert read(rated).endswith("Rating: Ann 1500 → 1512, 小波 1500 → 1488?")
    assert read(rated, BO.id).endswith("Rating: Ann 1500 → 1512, You 1500 → 1488?")
    hers_hidden = rated._replace(x_rating=None, x_rated=None)
    assert read(hers_hidden).endswith("Rating: 小波 1500 → 1488?")
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
    ("game", "other", "words"),
    [
        (computer_game("403")._replace(takebacks=1), "OXO", "A move was taken back, so this game doesn't count."),
        (game_of_two("403")._replace(takebacks=1), "小波", "A move was taken back, so this game doesn't count."),
        (game_of_two("4"), "小波", "It ended before both players had moved, so it doesn't count."),
    ],
)
def test_a_game_that_does_not_count_says_so_and_the_score_leaves_it_out(
    game: Game, other: str, words: str
) -> None:
    resigned = game._replace(termination=Termination.RESIGNATION, winner=Mark.O, x_wins=2, o_wins=1)
    assert read(resigned).endswith(f" 2 – 1 {other}\n{words}")
    assert words not in read(game)
    assert " 2 – 2 " in read(resigned._replace(takebacks=0, moves="403"))


def test_a_message_of_inline_mode_has_no_number_since_no_list_names_it() -> None:
    inline = board_in()._replace(chat_id=None, inline_message_id="x")
    assert "#" not in board_view(game_of_two("40"), inline, "oxo_bot").text


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


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (-5, "1 second"),
        (4, "4 seconds"),
        (89, "89 seconds"),
        (90, "2 minutes"),
        (5399, "90 minutes"),
        (5400, "2 hours"),
        (18 * 3600, "18 hours"),
    ],
)
def test_a_time_has_the_unit_that_fits_it(seconds: int, words: str) -> None:
    assert duration(seconds, T) == words


def test_a_reminder_mentions_the_player_to_move_and_the_time_left() -> None:
    assert plain(reminder(game_of_two("4"), 4, T)).startswith(
        f"⏰ {BO_LINKED}, it's your move. 4 seconds left, or"
    )


def test_an_opponent_is_named() -> None:
    assert opponent(computer_game("40"), ANN.id, T) == "OXO"
    assert [plain(opponent(game_of_two("40"), who, T)) for who in (ANN.id, BO.id)] == ["小波", "Ann"]

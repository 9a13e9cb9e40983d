"""The message of a game, as each viewer reads it: with buttons, or drawn in text."""

from typing import Any, Final

import pytest

from bot.boards.board import drawing, farewell, opponent, rating_line
from bot.boards.players import Scene, scene_of
from bot.boards.wording import duration
from bot.game.attempt import State
from bot.language import speaking
from engine import Mark
from storage.games.boards import TAKEN_OVER
from storage.games.game import BY_THE_RULES, Game, Limits, Termination
from storage.games.record import Board
from tests.bot.games import (
    ANN,
    BO,
    EXAMPLES,
    NOW,
    asking,
    board_in,
    computer_game,
    drawn,
    game_of_two,
    open_challenge,
    scored,
)
from tests.bot.reading import bare, cells, keyboard_of, lines, plain

HALL, HERS, HIS = board_in(), board_in(ANN.id, viewer=ANN.id), board_in(BO.id, viewer=BO.id)
ANN_LINKED = f'<a href="tg://user?id={ANN.id}">Ann</a>'
NOT_RATED = "Then the game won't be rated."
BO_LINKED = f'<a href="tg://user?id={BO.id}">小波</a>'
X_WON = drawn("XXX", "OO.", "...")
O_WON = drawn("XX.", "OOO", "X..")
DRAWN = drawn("XOX", "XOO", "OXX")
TWO, ALONE, TWO_WON, FRESH = game_of_two("40"), computer_game("40"), game_of_two(X_WON), computer_game("")


UNSEEN: Final = frozenset[str]()
"""What a board takes over from its chat's choices although its message looks the same."""


def test_what_a_board_takes_over_from_its_chat_reaches_its_message() -> None:
    for name in TAKEN_OVER:
        another: Any = True if getattr(HALL, name) is False else "sky"
        chosen = HALL._replace(**{name: another})
        assert (scene_of(TWO, chosen) == scene_of(TWO, HALL)) == (name in UNSEEN), (
            f"{name} has to be a field of `Scene`, too, or in UNSEEN"
        )


def in_text(game: Game, board: Board = HERS) -> list[str]:
    return [bare(line) for line in lines(game, board._replace(as_text=True))]


@pytest.mark.parametrize(
    ("game", "board", "first", "playing"),
    [
        (ALONE, HERS, "<b>Your turn.</b> Tap a cell.", "❌ You   🟡 OXO (medium)"),
        (ALONE, HALL, f"<b>{ANN_LINKED}, your turn.</b> Tap a cell.", "❌ Ann   🟡 OXO (medium)"),
        (game_of_two("4"), HERS, f"<b>🟡 {BO_LINKED}'s turn.</b>", "❌ You   🟡 小波"),
        (game_of_two("4"), HIS, "<b>Your turn.</b> Tap a cell.", "❌ Ann   🟡 You"),
        (game_of_two("4"), HALL, f"<b>🟡 {BO_LINKED}'s turn.</b>", "❌ Ann   🟡 小波"),
        (TWO, HERS._replace(chat_id=None), "<b>Your turn.</b> Tap a cell.", "❌ You   🟡 小波"),
        (EXAMPLES[State.THINKING], HERS, "🤖 <b>OXO is thinking…</b>", "❌ You   🟡 OXO (medium)"),
        (ALONE, HERS._replace(language="zh"), "<b>轮到你了。</b>点一个格子。", "❌ 你   🟡 OXO（中等）"),
        (ALONE, HERS._replace(language="xx"), "<b>Your turn.</b> Tap a cell.", "❌ You   🟡 OXO (medium)"),
    ],
)
def test_it_says_whose_turn_it_is_and_who_plays_and_the_number_that_a_list_has(
    game: Game, board: Board, first: str, playing: str
) -> None:
    found = lines(game, board)
    assert (found[0], found[-1]) == (first, playing)


def over(game: Game, why: Termination = Termination.LINE, winner: Mark = Mark.X, rules: str = "3x3x3") -> Game:
    return game._replace(rules=rules, termination=why, winner=winner)


RESIGNED, LATE = over(TWO, Termination.RESIGNATION), over(TWO, Termination.TIMEOUT)
CLOSED = over(TWO, Termination.EXPIRED)._replace(winner=None)
MISERE = "made three in a row: in misère, that loses."


@pytest.mark.parametrize(
    ("game", "board", "words"),
    [
        (TWO_WON, HERS, "🎉 <b>You win!</b> Three in a row, well played."),
        (TWO_WON, HIS, "💔 <b>❌ Ann wins.</b> Three in a row, well played."),
        (TWO_WON, HALL, "<b>🏆 ❌ Ann wins</b> · 5 moves"),
        (computer_game(X_WON), HALL, "<b>🏆 ❌ Ann wins</b> · 5 moves"),
        (scored(TWO_WON, 1, 0), HALL, "<b>🏆 ❌ Ann wins</b> · 5 moves"),
        (TWO_WON._replace(next_game=8), HERS, "<b>🏆 ❌ Ann wins</b> · 5 moves"),
        (computer_game(O_WON), HERS, "💔 <b>I win this time.</b> Three in a row. Good game!"),
        (game_of_two(DRAWN), HALL, "<b>🤝 A draw</b> · 9 moves"),
        (game_of_two(DRAWN), HERS, "🤝 <b>Draw.</b> The board is full and nobody has a line."),
        (over(game_of_two(), rules="6x6x5"), HERS, "🎉 <b>You win!</b> Five in a row, well played."),
        (over(game_of_two(), rules="ultimate"), HERS, "🎉 <b>You win!</b> Three boards in a row, well played."),
        (over(FRESH, rules="3x3x3-misere"), HERS, f"🎉 <b>You win!</b> OXO {MISERE}"),
        (over(FRESH, winner=Mark.O, rules="4x4x3-misere"), HERS, f"💔 <b>I win this time.</b> You {MISERE}"),
        (RESIGNED, HIS, "💔 <b>❌ Ann wins.</b> You resigned."),
        (RESIGNED, HERS, "🎉 <b>You win!</b> 小波 resigned."),
        (LATE, HIS, "💔 <b>❌ Ann wins.</b> You ran out of time."),
        (LATE, HERS, "🎉 <b>You win!</b> 小波 ran out of time."),
        (LATE, HALL, f"🏆 <b>❌ {ANN_LINKED} wins.</b> 小波 ran out of time."),
        (over(TWO, Termination.AGREEMENT)._replace(winner=None), HIS, "🤝 <b>Draw</b> by agreement."),
        (over(TWO, Termination.AGREEMENT)._replace(winner=None), HALL, "🤝 <b>Draw</b> by agreement."),
        (CLOSED, HALL, "💤 I closed this game: nobody moved for a long time."),
        (
            CLOSED._replace(termination=Termination.CANCELLED),
            HERS,
            "💤 The message with this game is gone, so I closed it without a result.",
        ),
    ],
)
def test_it_says_first_how_it_ended(game: Game, board: Board, words: str) -> None:
    """Who wins because the other didn't move may not be looking, and is mentioned in a group."""
    assert lines(game, board)[0] == words


@pytest.mark.parametrize(
    ("moves", "offer", "board", "words"),
    [
        ("40", "takeback:X", HERS, f"↩️ You asked to undo ❌ centre. {NOT_RATED} Waiting for 小波…"),
        ("40", "takeback:X", HIS, f"↩️ Ann asks to undo ❌ centre. {NOT_RATED} OK with you?"),
        (
            "40",
            "takeback:O",
            HALL,
            f"↩️ 小波 asks to undo 🟡 top left. {NOT_RATED} {ANN_LINKED}, OK with you?",
        ),
        ("40", "draw:X", HERS, "🤝 You offered a draw. Waiting for 小波…"),
        ("40", "draw:X", HIS, "🤝 Ann offers a draw. OK with you?"),
        ("40", "declined draw:X", HERS, "🤝 小波 said no: the game goes on."),
        ("40", "declined draw:X", HIS, "🤝 You said no: the game goes on."),
        ("40", "resign:X", HERS, "🏳 Do you really want to resign?"),
        ("40", "resign:X", HALL, "🏳 Ann, do you really want to resign?"),
        ("40", "resign:X", HIS, "🏳 Ann is thinking about resigning."),
        ("40", "declined takeback:X", HERS, "↩️ 小波 said no: the move stands."),
        ("40", "declined takeback:X", HIS, "↩️ You said no: the move stands."),
        ("40", "declined takeback:X", HALL, "↩️ 小波 said no: the move stands."),
        (X_WON, "rematch:O", HIS, "🔁 You asked for a rematch. Waiting for Ann…"),
        (X_WON, "rematch:O", HERS, "🔁 小波 wants a rematch. OK with you?"),
        (X_WON, "rematch:O", HALL, f"🔁 小波 wants a rematch. {ANN_LINKED}, OK with you?"),
        (X_WON, "declined rematch:O", HIS, "🔁 Ann declined the rematch."),
        (X_WON, "declined rematch:O", HERS, "🔁 You declined the rematch."),
        (X_WON, "declined rematch:O", HALL, f"🔁 Ann declined {BO_LINKED}'s rematch."),
    ],
)
def test_a_question_is_below_and_names_who_asks_and_who_answers(
    moves: str, offer: str, board: Board, words: str
) -> None:
    """In a group, the player who is asked or has waited for the answer is mentioned."""
    assert lines(game_of_two(moves, **asking(offer)), board)[1:3] == [words, ""]


COUNTED = scored(game_of_two(X_WON, draws=3), 1, 2)
SECOND = scored(computer_game("4", first=False), 1, 2)
WINNER, LOSER = TWO_WON.x, TWO_WON.o
RATED = TWO_WON._replace(
    x=WINNER._replace(rating="1500", rated="1512"), o=LOSER._replace(rating="1500", rated="1488?")
)
REACHED = TWO_WON._replace(x=WINNER._replace(reached="hard games"), o=LOSER._replace(reached="unbeaten"))
TAKEN_BACK = "A move was undone, so this game doesn't count."
FROM_THE_MIDDLE = "It started in the middle of a game, so it doesn't count."
IN_CUP = "This game counts in the cup, but not in your stats."
MILESTONES = [
    *("🏅 Ann · First win against OXO (hard)", "🏅 Ann · A hundred games played"),
    "🏅 小波 · Ten games in a row without a loss",
]


def resigned(game: Game, takebacks: int = 0) -> Game:
    after = scored(game, 2, 1)._replace(takebacks=takebacks)
    return over(after, Termination.RESIGNATION, Mark.O)


LOST_TWICE = resigned(computer_game("403", level="easy"))._replace(next_level="beginner")


@pytest.mark.parametrize(
    ("game", "board", "told"),
    [
        (TWO, HALL, []),
        (TWO_WON, HALL, []),
        (COUNTED, HALL, ["Score: Ann 2 – 2 小波, 3 draws"]),
        (COUNTED, HIS, ["Score: You 2 – 2 Ann, 3 draws"]),
        (scored(game_of_two(DRAWN, draws=3), 1, 2), HALL, ["Score: Ann 1 – 2 小波, 4 draws"]),
        (game_of_two(DRAWN), HALL, []),
        (computer_game(X_WON), HERS, []),
        (computer_game(X_WON)._replace(time_limits=Limits.PRACTICE), HERS, [FROM_THE_MIDDLE]),
        (scored(ALONE, 2, 1), HERS, ["Score: You 2 – 1 OXO"]),
        (SECOND, HERS, ["Score: You 2 – 1 OXO"]),
        (SECOND, HALL, ["Score: Ann 2 – 1 OXO"]),
        (RATED, HALL, ["▲ Ann 1512 (+12)"]),
        (RATED, HIS, ["▲ Ann 1512 (+12)"]),
        (RATED.with_side(Mark.X, rated="1500"), HIS, ["▬ Ann 1500 (+0)"]),
        (RATED._replace(x=WINNER), HALL, []),
        (RATED.with_side(Mark.O, rated="1488"), HIS, ["▲ Ann 1512 (+12)", "▼ You 1488 (-12)"]),
        (resigned(game_of_two("403")), HALL, ["Score: Ann 2 – 2 小波"]),
        (resigned(game_of_two("403"), takebacks=1), HALL, ["Score: Ann 2 – 1 小波", TAKEN_BACK]),
        (resigned(computer_game("403"), takebacks=1), HALL, ["Score: Ann 2 – 1 OXO", TAKEN_BACK]),
        (resigned(game_of_two("4")), HALL, ["Score: Ann 2 – 1 小波"]),
        (over(game_of_two("", time_limits=Limits.CUP), Termination.TIMEOUT, Mark.O), HALL, [IN_CUP]),
        (LOST_TWICE, HERS, ["Score: You 2 – 2 OXO", "🟩⬜⬜⬜⬜ Next: beginner"]),
        (
            LOST_TWICE._replace(next_level="hard"),
            HALL,
            ["Score: Ann 2 – 2 OXO", "🟩🟩🟩🟩⬜ Level up! Next: hard"],
        ),
        (REACHED, HIS, ["🏅 Ten games in a row without a loss"]),
        (REACHED, HALL, MILESTONES),
    ],
)
def test_last_come_the_score_the_ratings_or_why_it_does_not_count_and_milestones(
    game: Game, board: Board, told: list[str]
) -> None:
    """One's own number comes first. Who hides has no rating, and only a group is told others' milestones."""
    found = lines(game, board)
    score = [line for line in told if line.startswith("Score: ")]
    if score and game.is_over and board is HALL and game.termination in BY_THE_RULES:
        assert found[1] == score[0].removeprefix("Score: "), "a folded board has it in its second line"
        told = told[1:]
    assert found[len(found) - len(told) :] == told
    assert sum("Score: " in line for line in found) == len([line for line in told if "Score: " in line])


def test_it_says_that_time_runs_out_once_somebody_was_reminded_of_this_ply() -> None:
    for moves, reminded, told in (("4", 2, False), ("40", 2, True), ("401", 2, False), (X_WON, 5, False)):
        assert any("⏰" in line for line in lines(game_of_two(moves, reminded=reminded), HALL)) == told


def test_it_says_who_was_nudged_until_they_move_but_not_to_somebody_who_has_blocked_who_did_it() -> None:
    def said(viewer: int | None, **values: object) -> list[str]:
        game = game_of_two("4", nudged_at=NOW + 1, **values)
        return [line for line in lines(game, board_in(viewer=viewer)) if line.startswith("👋")]

    assert said(ANN.id) == said(ANN.id, hushed=True) == ["👋 You nudged 小波."]
    assert said(BO.id) == ["👋 Ann is waiting for your move."]
    assert said(None) == ['👋 <a href="tg://user?id=102">小波</a>, Ann is waiting for your move.']
    assert said(BO.id, hushed=True) == said(None, moved_at=NOW + 2) == []


def test_a_challenge_by_link_shows_its_link_only_to_the_challenger_and_a_name_is_no_markup() -> None:
    game = open_challenge(link="abc", chat_id=ANN.id)
    shown = ["https://t.me/oxo_bot?start=abc" in lines(game, board) for board in (HERS, HIS, HALL)]
    assert shown == [True, False, False]
    game = game_of_two("40", names={ANN.id: "<b>&\u202e", BO.id: "\u200b"})
    assert lines(game, HALL)[-1] == "❌ &lt;b&gt;&amp;   🟡 Player"


def test_what_becomes_of_a_board_that_has_moved_is_in_its_language() -> None:
    assert "moved down" in farewell(HALL).text
    assert "移到" in farewell(HALL._replace(language="zh-hans")).text


def test_a_time_has_the_unit_that_fits_it() -> None:
    told = {-5: "1 second", 4: "4 seconds", 89: "89 seconds", 90: "2 minutes", 5399: "90 minutes"}
    told |= {5400: "2 hours", 18 * 3600: "18 hours"}
    assert {seconds: duration(seconds) for seconds in told} == told


def test_an_opponent_is_named() -> None:
    assert opponent(ALONE, ANN.id) == "OXO"
    assert [plain(opponent(TWO, who)) for who in (ANN.id, BO.id)] == ["小波", "Ann"]


def test_an_empty_cell_shows_what_one_types_and_a_mark_that_is_about_to_go_is_a_small_letter_and_named() -> None:
    assert drawing(TWO.position).split("\n") == ["   a  b  c", "1  O  b1 c1", "2  a2 X  c2", "3  a3 b3 c3"]
    bigger = drawing(game_of_two(rules="5x4x4").position).split("\n")
    assert (bigger[0], bigger[4]) == ("   a  b  c  d  e", "4  a4 b4 c4 d4 e4")
    vanishing = game_of_two("408217", rules="vanishing")
    assert drawing(vanishing.position).split("\n")[1:3] == ["1  o  X  O", "2  a2 x  c2"]
    assert "⏳ Vanishes next: x centre, o top left" in in_text(vanishing)


IN_GROUPS = "Here, send it in reply to this message, or after /move."


@pytest.mark.parametrize(
    ("game", "board", "first", "hint"),
    [
        (ALONE, HERS, "OXO: top left. Your turn.", "Type a cell to play it: b1, 2 or top middle."),
        (FRESH, HERS, "Your turn.", "Type a cell to play it: b2, 5 or centre."),
        (FRESH, HALL, "Ann's turn.", f"Type a cell to play it: b2 or 5. {IN_GROUPS}"),
        (game_of_two("4"), HERS, "You: centre. 小波's turn.", None),
        (TWO, HERS, "小波: top left. Your turn.", "Type a cell to play it: b1, 2 or top middle."),
        (game_of_two("03142"), HERS, "You: top right. 🎉 You win! Three in a row, well played.", None),
        (game_of_two("03142"), HALL, "Ann: top right. 🏆 X Ann wins. Three in a row, well played.", None),
        (game_of_two("4"), HIS._replace(language="zh"), "Ann：中间。轮到你了。", "输入格子就能走：a1、1 或左上。"),
    ],
)
def test_in_text_the_last_move_is_said_first_then_what_is_to_be_done_and_how_with_a_free_cell(
    game: Game, board: Board, first: str, hint: str | None
) -> None:
    said = in_text(game, board)
    assert said[0] == first
    assert [line for line in said if line.startswith(("Type a cell", "输入格子"))] == ([hint] if hint else [])


@pytest.mark.parametrize(
    ("game", "board", "commands"),
    [
        (FRESH, HERS, "/hint, /resign"),
        (ALONE, HERS, "/undo, /hint, /resign"),
        (computer_game("4", first=False), HERS, "/hint, /resign"),
        (TWO, HERS, "/undo, /resign"),
        (game_of_two("40", **asking("takeback:O")), HERS, "/yes, /no, /resign"),
        (game_of_two("40", **asking("takeback:X")), HERS, "/cancel, /resign"),
        (game_of_two("40", **asking("resign:X")), HERS, "/yes, /no"),
        (game_of_two("40", **asking("resign:O")), HERS, "/resign"),
        (game_of_two("40", **asking("resign both:O")), HERS, "/yes, /no"),
        (game_of_two("03142"), HERS, "/rematch, /review, /share, /ourgames"),
        (game_of_two("03142", **asking("rematch:O")), HERS, "/yes, /no, /rematch, /review, /share, /ourgames"),
        (computer_game("03142"), HERS, "/again, /review, /share"),
        (open_challenge(link="t"), HERS, "/cancel"),
        (open_challenge(), HALL, "/accept, /cancel"),
        (open_challenge(rival=BO), HALL, "/accept, /decline, /cancel"),
    ],
)
def test_in_text_what_can_be_done_is_said_as_commands(game: Game, board: Board, commands: str) -> None:
    assert in_text(game, board)[-1] == commands
    assert "Ann plays X and moves first." in in_text(open_challenge(), HALL)
    assert "/" not in "".join(in_text(open_challenge(termination=Termination.EXPIRED), HALL))


def test_in_text_there_are_no_buttons_in_private_but_in_a_group_others_may_tap() -> None:
    for game in (game_of_two(), open_challenge(link="t")):
        assert keyboard_of(game, HERS._replace(as_text=True)) is None
    assert cells(keyboard_of(game_of_two("4"), HALL._replace(as_text=True))) == "··· ·X· ···"


def test_from_right_to_left_a_rating_line_has_that_direction_and_keeps_name_and_figures_apart() -> None:
    for name in ("Ann", "علي"):
        rated = RATED._replace(names={ANN.id: name, BO.id: "小波"}, o=LOSER)
        with speaking("ar"):
            said = rating_line(Scene(rated)) or ""
        assert said == f"\u200f\u2068▲\u2069 \u2068\u2068{name}\u2069\u2069 \u20681512 (+12)\u2069"

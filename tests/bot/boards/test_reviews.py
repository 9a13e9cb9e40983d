"""Reviews as people see them: the comment on each move, and where the buttons are."""

from itertools import product
from typing import Final

import pytest

from bot.boards.buttons import OnGame, read
from bot.boards.reviews import Mover, in_favour, reason_against, verdict_sentence
from bot.boards.view import Query
from bot.game.actions import Action
from bot.game.analysis import learn
from bot.game.attempt import Player
from bot.game.pages import LeaveReview, LookBack, Review, ReviewMode, ShowBest, ShowSharing, TryAgain, TryCell
from bot.language import is_right_to_left
from engine import Mark, Reason
from engine.reviews import GameAnalysis, Step, Verdict
from engine.search.base import GameValue, Value
from storage.games.game import Game, Termination
from storage.games.record import Board
from tests.bot.games import ANN, BO, CEM, asking, board_in, computer_game, game_of_two, watched_game
from tests.bot.reading import below, buttons, carried, cells, colours, height, keyboard_of, lines

SLIPPED = game_of_two("0863214")
"""Bo's second ply gave a draw away: the centre alone would have held."""
BIG = game_of_two()._replace(rules="6x6x4", moves="01", termination=Termination.RESIGNATION)


def page(ply: int, mode: ReviewMode = ReviewMode.LOOK, cell: int | None = None, *, reviewer: Player = BO) -> Board:
    return board_in(page=Review(mode, ply, cell, reviewer.id).page)


STEPPER = "‹ | › | ✕"
TURNING, HERE = "⚡ Turning point | ⋯", "Play from here | ⋯"
FINDS = "Find a better move | ⋯"
BLUNDER = "💥 <b>Blunder: this could have been a draw.</b> Now Ann can force a win."
VERDICTS = [
    ("❌ Ann: top left.", "⭐ <b>Best:</b> corners are strong."),
    ("🟡 小波: bottom right.", f"{BLUNDER} This was the turning point."),
    ("❌ Ann: bottom left.", "⭐ <b>Best:</b> it threatens a line."),
    ("🟡 小波: middle left.", "⭐ <b>Best:</b> it blocks a line."),
    ("❌ Ann: top right.", "⭐ <b>Best:</b> it makes two threats."),
    ("🟡 小波: top middle.", "⭐ <b>Best:</b> the game was already lost."),
    ("❌ Ann: centre.", "⭐ <b>Best:</b> it completes the line."),
]


def test_each_side_of_a_game_that_the_computer_played_against_itself_is_called_by_its_level() -> None:
    watched = watched_game("0863214", termination=Termination.LINE, winner=Mark.X)
    assert lines(watched, page(0))[0] == "🔎 <b>Review.</b> 🏆 <b>❌ Perfect wins.</b> 7 moves."
    assert lines(watched, page(1))[0] == "🔎 <b>Move 1 of 7.</b> ❌ Perfect: top left."
    assert lines(watched, page(2))[:2] == [
        "🔎 <b>Move 2 of 7.</b> 🟡 Random: bottom right.",
        f"{BLUNDER.replace('Ann', 'Perfect')} This was the turning point.",
    ]


@pytest.mark.parametrize("ply", range(1, 8))
def test_each_move_has_its_board_its_verdict_and_one_reason(ply: int) -> None:
    moved, verdict = VERDICTS[ply - 1]
    assert lines(SLIPPED, page(ply))[:2] == [f"🔎 <b>Move {ply} of 7.</b> {moved}", verdict]
    marks = cells(keyboard_of(SLIPPED, page(ply))).replace(" ", "")
    assert [cell for cell in range(9) if marks[cell] != "·"] == sorted(map(int, SLIPPED.moves[:ply]))


def test_a_game_without_a_slip_says_so_and_has_nothing_to_try() -> None:
    even = game_of_two("108435672")
    assert "✨ No mistakes on either side." in lines(even, page(0))
    assert below(keyboard_of(even, page(4))) == [HERE, STEPPER]


ASKED = SLIPPED._replace(**asking("rematch:X"))
TO_SHARE = ["Send | ‹ Back", "Animation | Picture | Our games"]
INLINE = page(2, reviewer=ANN)._replace(chat_id=None, inline_message_id="i")


@pytest.mark.parametrize(
    ("game", "board", "rows"),
    [
        (SLIPPED, board_in(), ["Rematch | Send | 🔎"]),
        (SLIPPED, page(0), [TURNING, STEPPER]),
        *((SLIPPED, page(ply), [HERE, STEPPER]) for ply in (1, 3, 4, 5, 6)),
        (SLIPPED, page(7), [TURNING, STEPPER]),
        (SLIPPED, page(2), [FINDS, STEPPER]),
        (SLIPPED, page(2, reviewer=ANN), [HERE, STEPPER]),
        (SLIPPED, page(1, ReviewMode.TRY), ["✕", "Show me"]),
        (SLIPPED, page(1, ReviewMode.MISSED, 2), ["✕", "Show me"]),
        (SLIPPED, page(1, ReviewMode.FOUND, 4), ["Play it out", "✕"]),
        (SLIPPED, page(1, ReviewMode.ANSWER, 4), ["Play it out", "✕"]),
        (SLIPPED, page(3, ReviewMode.SHARE), TO_SHARE),
        (
            SLIPPED,
            page(3, ReviewMode.SHARE)._replace(aside=True, viewer=CEM.id),
            [TO_SHARE[0], "Animation | Picture"],
        ),
        (computer_game("03142"), page(3, ReviewMode.SHARE), [TO_SHARE[0], "Animation | Picture"]),
        (SLIPPED, INLINE, ["« | ⋯", STEPPER]),
        (SLIPPED, INLINE._replace(shows="look:0"), [TURNING, STEPPER]),
        (ASKED, page(2), [FINDS, STEPPER]),
    ],
)
def test_a_review_has_two_rows_on_each_page_and_only_who_slipped_may_try_again(
    game: Game, board: Board, rows: list[str]
) -> None:
    """While somebody looks for a better move there are two controls; what else there is to do is on a page."""
    assert below(keyboard_of(game, board)) == rows
    assert any("wants a rematch" in line for line in lines(game, board)) == (game is ASKED)


@pytest.mark.parametrize(("ply", "plies"), [(0, (7, 1)), (3, (2, 4)), (7, (6, 0))])
def test_the_stepper_goes_round_and_cells_are_no_moves(ply: int, plies: tuple[int, ...]) -> None:
    does = carried(keyboard_of(SLIPPED, page(ply)))
    assert does[:9] == [OnGame(7, TryCell(ply, cell)) for cell in range(9)]
    assert does[11:] == [*(OnGame(7, LookBack(to)) for to in plies), OnGame(7, LeaveReview())]


PAGES = (
    page(2),
    *(page(1, mode, 4) for mode in (ReviewMode.TRY, ReviewMode.FOUND)),
    page(2, ReviewMode.SHARE),
)


def test_a_second_tap_at_the_same_place_leads_back_or_does_nothing_for_good() -> None:
    """Whether a client keeps the top or the bottom of the keyboard in place."""
    harmless = (LeaveReview, LookBack, ShowSharing, TryAgain, Query)
    opening = [(board_in(), LookBack(0), page(2)), *((page(2), TryAgain(2), each) for each in PAGES[1:2])]
    opening += [(page(2), ShowSharing(2), page(2, ReviewMode.SHARE))]
    opening += [(page(1, ReviewMode.TRY), ShowBest(1), page(1, ReviewMode.ANSWER, 4))]
    for before, action, after in opening:
        rows, then = (_rows_below(board) for board in (before, after))
        number, at = next((n, row.index(action)) for n, row in enumerate(rows) if action in row)
        sixths = range(at * 6 // len(rows[number]), (at + 1) * 6 // len(rows[number]))
        for row in (then[number], then[number - len(rows)]):
            assert {type(row[sixth * len(row) // 6]) for sixth in sixths} <= {*harmless}, (action, row)


def _rows_below(board: Board) -> list[list[Action | Query]]:
    keyboard = keyboard_of(SLIPPED, board)
    return [
        [found.action if isinstance(found := read(key.get("callback_data")), OnGame) else Query("") for key in row]
        for row in buttons(keyboard)[height(keyboard) :]
    ]


def test_a_better_cell_is_asked_for_refused_found_and_shown() -> None:
    question = "🤔 <b>Which cell is better?</b> Played: bottom right."
    assert lines(SLIPPED, page(1, ReviewMode.TRY))[0] == question
    assert cells(keyboard_of(SLIPPED, page(1, ReviewMode.TRY))) == "❌·· ··· ···"
    assert lines(SLIPPED, page(1, ReviewMode.MISSED, 2))[:2] == ["✖️ top right: Ann can force a win.", question]
    found = page(1, ReviewMode.FOUND, 4)
    assert lines(SLIPPED, found)[0] == "🎉 <b>Well spotted!</b> The centre is strong."
    assert cells(keyboard_of(SLIPPED, found)) == "❌·· ·🟡· ···"
    assert colours(keyboard_of(SLIPPED, found)) == "... .s. ..."
    assert lines(SLIPPED, page(1, ReviewMode.ANSWER, 4))[0].startswith("💡 <b>A better move: centre</b>")


def test_in_text_it_is_words_alone_and_says_the_commands() -> None:
    own = page(2)._replace(viewer=BO.id, as_text=True)
    assert keyboard_of(SLIPPED, own) is None
    assert lines(SLIPPED, own)[-1] == "/next, /back, /try, /fromhere, /leave"
    assert "1  X  b1 c1" in lines(SLIPPED, own)
    missed = page(1, ReviewMode.MISSED, 2)._replace(viewer=BO.id, as_text=True)
    assert lines(SLIPPED, missed)[-1] == "/next, /back, /try 5, /answer, /fromhere, /leave"


def test_what_takes_a_search_is_looked_at_first() -> None:
    assert lines(BIG, page(2, reviewer=ANN))[1] == "Analysing this game…"


@pytest.mark.parametrize(
    ("depth", "tag", "said"),
    [
        (None, "en", "✨ No mistakes on either side."),
        (4, "en", "I looked 4 moves ahead."),
        (0, "en", ""),
        (4, "zh-hans", "向前看了 4 步。"),
    ],
)
def test_it_says_how_far_it_has_looked_where_nothing_is_proven(depth: int | None, tag: str, said: str) -> None:
    big = BIG._replace(moves="02")
    step = Step(0, Verdict.BEST, Reason.SAFE, Value(None), Value(None))
    learn(big, GameAnalysis((step, step), None, depth))
    assert lines(big, page(0)._replace(language=tag))[1] == said


MOVERS: Final = (Mover("小波", is_reader=True), Mover("OXO"), Mover(None))
"""A reader who moved, somebody else, and the reader's opponent."""


def test_a_page_of_a_running_game_is_no_review() -> None:
    assert "Review" not in "".join(lines(computer_game("40"), page(2)))


@pytest.mark.usefixtures("tag")
def test_there_is_a_sentence_for_every_verdict_with_every_reason() -> None:
    for verdict, reason, before, after in product(Verdict, Reason, [*GameValue, None], [*GameValue, None]):
        for mover in MOVERS:
            sentence = verdict_sentence(Step(4, verdict, reason, Value(before), Value(after)), mover)
            assert "{" not in sentence
            assert "None" not in sentence
            assert sentence.count("<b>") == 1
    for reason, mover in product(Reason, MOVERS):
        assert in_favour(reason, mover)
        for verdict in (Verdict.DOUBTFUL, Verdict.MISTAKE, Verdict.BLUNDER):
            assert reason_against(reason, verdict, mover)


def test_one_steps_through_a_game_as_one_reads(tag: str) -> None:
    """From right to left, "back" is on the right; each arrow points towards its button's side."""
    shown = keyboard_of(SLIPPED, page(2)._replace(language=tag))
    is_mirrored = is_right_to_left()
    assert below(shown)[1].replace("\u200e", "") == STEPPER
    plies = [
        each.action.at
        for each in carried(shown)[11:13]
        if isinstance(each, OnGame) and isinstance(each.action, LookBack)
    ]
    assert plies == sorted((1, 3), reverse=is_mirrored)

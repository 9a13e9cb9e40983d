"""Reviews as people see them: the comment on each move, and where the buttons are."""

from itertools import product
from typing import Final

import pytest

from bot.boards.buttons import OnGame
from bot.boards.reviews import Mover, in_favour, reason_against, verdict_sentence
from bot.game.analysis import learn
from bot.game.attempt import Player
from bot.game.pages import LeaveReview, LookBack, Review, ReviewMode, TryCell
from bot.language import is_right_to_left
from engine import Mark, Reason
from engine.reviews import GameAnalysis, Step, Verdict
from engine.search.base import GameValue, Value
from storage.games.game import Game, Termination
from storage.games.record import Board
from tests.bot.games import ANN, BO, CEM, asking, board_in, computer_game, game_of_two, watched_game
from tests.bot.reading import below, carried, cells, colours, keyboard_of, lines

SLIPPED = game_of_two("0863214")
"""Bo's second ply gave a draw away: the centre alone would have held."""
BIG = game_of_two()._replace(rules="6x6x4", moves="01", termination=Termination.RESIGNATION)


def page(ply: int, mode: ReviewMode = ReviewMode.LOOK, cell: int | None = None, *, reviewer: Player = BO) -> Board:
    return board_in(page=Review(mode, ply, cell, reviewer.id).page)


STEPPER = "✕ | « | ‹ | › | »"
TURNING = "⚡ Turning point"
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
    assert below(keyboard_of(even, page(4))) == ["Rematch", STEPPER, HERE]


HERE, THERE = "Play from here", "✓ Turning point"
FINDS = f"Find a better move | {THERE}"
AGAIN = "Rematch | Play the winner"
ASKED = SLIPPED._replace(**asking("rematch:X"))


@pytest.mark.parametrize(
    ("game", "board", "rows"),
    [
        (SLIPPED, board_in(), [AGAIN, "Review | Share | Our games"]),
        *((SLIPPED, page(ply), [AGAIN, STEPPER, TURNING, HERE]) for ply in (0, 1, 3, 4, 5, 6, 7)),
        (SLIPPED, page(2), [AGAIN, STEPPER, FINDS, HERE]),
        (SLIPPED, page(2, reviewer=ANN), [AGAIN, STEPPER, THERE, HERE]),
        (SLIPPED, page(2, reviewer=CEM), [AGAIN, STEPPER, THERE, HERE]),
        (SLIPPED, page(1, ReviewMode.MISSED, 2), [AGAIN, STEPPER, f"Show me | {TURNING}", HERE]),
        (SLIPPED, page(2)._replace(aside=True, viewer=CEM.id), [STEPPER, THERE, HERE]),
        (ASKED, page(2), [AGAIN, STEPPER, FINDS, HERE, "Accept | Decline"]),
    ],
)
def test_the_buttons_of_a_review_keep_their_places_and_only_who_slipped_may_try_again(
    game: Game, board: Board, rows: list[str]
) -> None:
    """The exit is where the button that opened it was; a new game stays first, but isn't in one's own review."""
    assert below(keyboard_of(game, board)) == rows
    assert any("wants a rematch" in line for line in lines(game, board)) == (game is ASKED)


@pytest.mark.parametrize(("ply", "plies"), [(0, (0, 0, 1, 7)), (3, (0, 2, 4, 7)), (7, (0, 6, 7, 7))])
def test_the_stepper_names_the_ply_that_it_leads_to_and_cells_are_no_moves(
    ply: int, plies: tuple[int, ...]
) -> None:
    does = carried(keyboard_of(SLIPPED, page(ply)))
    assert does[:9] == [OnGame(7, TryCell(ply, cell)) for cell in range(9)]
    assert does[11:16] == [OnGame(7, LeaveReview()), *(OnGame(7, LookBack(to)) for to in plies)]


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
    assert below(shown)[1].replace("\u200e", "") == ("« | ‹ | › | » | ✕" if is_mirrored else STEPPER)
    steps = carried(shown)[11:16]
    plies = [step.action.at for step in steps if isinstance(step, OnGame) and isinstance(step.action, LookBack)]
    assert plies == sorted((0, 1, 3, 7), reverse=is_mirrored)

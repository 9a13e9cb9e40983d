"""Reviews as people see them: the comment on each move, and where the buttons are."""

from __future__ import annotations

import json
from itertools import product
from typing import Any

import pytest

from bot.boards.buttons import OnGame, read
from bot.boards.renderers import render
from bot.boards.reviews import reason_against, reason_for, verdict_sentence
from bot.boards.translations import LANGUAGES, is_right_to_left, texts
from bot.game.actions import LeaveReview, LookBack, TryCell
from bot.game.analysis import learn
from bot.game.pages import Review
from engine import Reason
from engine.analysis.game_analysis import Choice, GameAnalysis, Step, Verdict
from engine.search.values import Result, Value
from storage.games.game import Game, Termination
from storage.games.record import Board
from storage.games.record import ReviewMode as Mode
from tests.bot.games import ANN, BO, CEM, asking, board_in, computer_game, game_of_two

SLIPPED = game_of_two("0863214")
"""Bo's second ply gave a draw away: the centre alone would have held."""


def board_of(review: Review, **values: Any) -> Board:  # noqa: ANN401 - a board's field
    return board_in(page=review.page, **values)


def read_text(game: Game, board: Board) -> str:
    return render(game, board, "oxo_bot").text.translate({0x2068: None, 0x2069: None})


def rows_of(game: Game, board: Board) -> list[list[dict[str, str]]]:
    keyboard = json.loads(render(game, board, "oxo_bot").keyboard or "")
    found: list[list[dict[str, str]]] = keyboard["inline_keyboard"]
    return found


def labels(game: Game, board: Board) -> list[list[str]]:
    return [[button["text"] for button in row] for row in rows_of(game, board)]


def look(ply: int, reviewer: int | None = BO.id) -> Review:
    return Review(Mode.LOOK, ply, reviewer=reviewer)


BLUNDER = "💥 <b>Blunder: this could have been a draw.</b> Now the opponent can force a win."
STEPPER = ["✕", "«", "‹", "›", "»"]


def test_the_start_says_how_the_game_ended_and_which_move_turned_it() -> None:
    text = read_text(SLIPPED, board_of(look(0)))
    assert text.splitlines()[:3] == [
        "🔎 <b>Review.</b> 🏆 <b>❌ Ann wins.</b> Three in a row, well played.",
        "⚡ <b>Turning point: move 2.</b>",
        "",
    ]


def test_each_move_has_its_board_its_verdict_and_one_reason() -> None:
    said = [read_text(SLIPPED, board_of(look(ply))).splitlines()[:2] for ply in range(1, 8)]
    assert said == [
        ["🔎 <b>Move 1 of 7.</b> ❌ Ann: top left.", "⭐ <b>Best:</b> corners are strong cells."],
        [
            "🔎 <b>Move 2 of 7.</b> 🟡 小波: bottom right.",
            f"{BLUNDER} This was the turning point.",
        ],
        ["🔎 <b>Move 3 of 7.</b> ❌ Ann: bottom left.", "⭐ <b>Best:</b> it threatens a line."],
        ["🔎 <b>Move 4 of 7.</b> 🟡 小波: middle left.", "⭐ <b>Best:</b> it blocks a line."],
        ["🔎 <b>Move 5 of 7.</b> ❌ Ann: top right.", "⭐ <b>Best:</b> it makes two threats."],
        ["🔎 <b>Move 6 of 7.</b> 🟡 小波: top middle.", "⭐ <b>Best:</b> the game was already lost."],
        ["🔎 <b>Move 7 of 7.</b> ❌ Ann: centre.", "⭐ <b>Best:</b> it completes the line."],
    ]
    assert [row[:3] for row in labels(SLIPPED, board_of(look(3)))[:3]] == [
        ["❌", "·", "·"],
        ["·", "·", "·"],
        ["❌", "·", "🟡"],
    ]


def test_a_game_without_a_slip_says_so_and_has_nothing_to_try() -> None:
    even = game_of_two("108435672")
    assert "✨ No mistakes on either side." in read_text(even, board_of(look(0))).splitlines()
    assert labels(even, board_of(look(4)))[3:] == [["Rematch"], STEPPER]


def test_the_buttons_of_a_review_keep_their_places() -> None:
    """The exit is where the button that opened it was; the button for a new game stays first."""
    for ply in range(8):
        rows = labels(SLIPPED, board_of(look(ply)))[3:]
        chances = ["Try again", "⚡ Turning point"] if ply == 2 else ["⚡ Turning point"]
        assert rows == [["Rematch", "Play the winner"], STEPPER, chances]
    assert labels(SLIPPED, board_in())[3:] == [["Rematch", "Play the winner"], ["Review", "Share"]]
    asked = SLIPPED._replace(**asking("rematch:X"))
    assert labels(asked, board_of(look(2)))[3:] == [
        ["Rematch", "Play the winner"],
        STEPPER,
        ["Try again", "⚡ Turning point"],
        ["Accept", "Decline"],
    ]
    assert "wants a rematch" in read_text(asked, board_of(look(2)))


def test_the_stepper_names_the_ply_that_it_leads_to() -> None:
    def targets(ply: int) -> list[object]:
        return [read(button["callback_data"]) for button in rows_of(SLIPPED, board_of(look(ply)))[4]]

    def step(*plies: int) -> list[OnGame]:
        return [OnGame(7, LookBack(ply)) for ply in plies]

    assert targets(3) == [OnGame(7, LeaveReview()), *step(0, 2, 4, 7)]
    assert targets(0) == [OnGame(7, LeaveReview()), *step(0, 0, 1, 7)]
    assert targets(7) == [OnGame(7, LeaveReview()), *step(0, 6, 7, 7)]


def test_the_cells_of_a_review_are_no_moves() -> None:
    cells = [read(each["callback_data"]) for row in rows_of(SLIPPED, board_of(look(3)))[:3] for each in row]
    assert cells == [OnGame(7, TryCell(3, cell)) for cell in range(9)]


@pytest.mark.parametrize("person", [ANN, CEM], ids=["the other", "a bystander"])
def test_only_the_player_who_made_the_mistake_may_try_again(person: object) -> None:
    board = board_of(look(2, person.id))  # type: ignore[attr-defined] # a player
    assert labels(SLIPPED, board)[5] == ["⚡ Turning point"]


def test_a_better_cell_is_asked_for_refused_found_and_shown() -> None:
    def page(mode: Mode, cell: int | None = None) -> Board:
        return board_of(Review(mode, 1, cell, BO.id))

    assert read_text(SLIPPED, page(Mode.TRY)).startswith("🤔 <b>Which cell is better than bottom right?</b>")
    assert labels(SLIPPED, page(Mode.TRY))[:3] == [["❌", "·", "·"], ["·", "·", "·"], ["·", "·", "·"]]
    missed = read_text(SLIPPED, page(Mode.MISSED, 2)).splitlines()
    assert missed[:2] == [
        "✖️ Not top right: the opponent can force a win.",
        "🤔 <b>Which cell is better than bottom right?</b>",
    ]
    assert labels(SLIPPED, page(Mode.MISSED, 2))[5] == ["Show me", "⚡ Turning point"]
    found = page(Mode.FOUND, 4)
    assert read_text(SLIPPED, found).startswith("🎉 <b>Well spotted! centre:</b> the centre is a strong cell.")
    assert rows_of(SLIPPED, found)[1][1] == {"text": "🟡", "callback_data": "2c:7:2:4", "style": "success"}
    assert read_text(SLIPPED, page(Mode.ANSWER, 4)).startswith("💡 <b>A better move was centre:</b>")


def test_a_review_of_ones_own_offers_no_other_game() -> None:
    aside = board_of(Review(Mode.LOOK, 2), aside=True, viewer=CEM.id)
    assert labels(SLIPPED, aside)[3:] == [STEPPER, ["⚡ Turning point"]]


def test_in_text_it_is_words_alone_and_says_the_commands() -> None:
    own = board_of(Review(Mode.LOOK, 2), viewer=BO.id, as_text=True)
    view = render(SLIPPED, own, "oxo_bot")
    assert view.keyboard is None
    assert view.text.splitlines()[-1] == "/next, /back, /try, /leave"
    assert "1  X  b1 c1" in view.text
    missed = board_of(Review(Mode.MISSED, 1, 2), viewer=BO.id, as_text=True)
    assert render(SLIPPED, missed, "oxo_bot").text.splitlines()[-1] == "/next, /back, /try 5, /answer, /leave"


def test_what_takes_a_search_is_looked_at_first() -> None:
    big = game_of_two()._replace(rules="6x6x4", moves="01", termination=Termination.RESIGNATION)
    text = read_text(big, board_of(look(2, ANN.id)))
    assert text.splitlines()[1] == "Analysing this game…"


@pytest.mark.parametrize(
    ("depth", "tag", "said"),
    [
        (None, "en", []),
        (4, "en", ["Checked 4 moves ahead."]),
        (0, "en", []),
        (4, "zh-hans", ["向前看了 4 步。"]),
    ],
)
def test_it_says_how_far_it_has_looked_where_nothing_is_proven(
    depth: int | None, tag: str, said: list[str]
) -> None:
    big = game_of_two()._replace(rules="6x6x4", moves="02", termination=Termination.RESIGNATION)
    step = Step(0, Verdict.BEST, Reason.SAFE, Value(None), Value(None))
    learn(big, GameAnalysis((step, step), None, depth))
    text = read_text(big, board_of(look(0), language=tag))
    assert [line for line in text.splitlines() if "ahead" in line or "向前看" in line] == said


def test_a_page_of_a_running_game_is_no_review() -> None:
    assert "Review" not in read_text(computer_game("40"), board_of(look(2)))


@pytest.mark.parametrize("tag", LANGUAGES)
def test_there_is_a_sentence_for_every_verdict_with_every_reason(tag: str) -> None:
    t = texts(tag)
    for verdict, reason, before, after in product(Verdict, Reason, [*Result, None], [*Result, None]):
        sentence = verdict_sentence(Step(4, verdict, reason, Value(before), Value(after)), t)
        assert "{" not in sentence
        assert sentence.count("<b>") == 1
    for reason in Reason:
        assert reason_for(Choice(4, Verdict.BEST, reason), t)
        for verdict in (Verdict.DOUBTFUL, Verdict.MISTAKE, Verdict.BLUNDER):
            assert reason_against(reason, verdict, t)


@pytest.mark.parametrize("tag", LANGUAGES)
def test_one_steps_through_a_game_as_one_reads(tag: str) -> None:
    """From right to left, "back" is on the right; each arrow points towards its button's side."""
    rows = rows_of(SLIPPED, board_of(Review(Mode.LOOK, 2), language=tag))
    row = next(row for row in rows if {"✕", "‹"} <= {button["text"].strip("\u200e") for button in row})
    assert [button["text"].strip("\u200e") for button in row if button["text"] != "✕"] == ["«", "‹", "›", "»"]
    steps = [read(button["callback_data"]) for button in row]
    plies = [step.action.ply for step in steps if isinstance(step, OnGame) and isinstance(step.action, LookBack)]
    assert plies == sorted(plies, reverse=is_right_to_left(texts(tag)))
    assert (row[0]["text"] == "✕") is not is_right_to_left(texts(tag))

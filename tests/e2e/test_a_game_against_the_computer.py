"""A person plays the computer: start, taps, answers, the result, and what comes after."""

from __future__ import annotations

import pytest

from engine import Mark
from playground.people import Person
from tests.people import (
    CROSS,
    DRAW,
    EMPTY,
    LOSS,
    RING,
    WIN,
    boards_in,
    data_of,
    play_to,
    position_of,
    steer,
    styles_of,
    tap_cell,
)
from tests.world import World

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_newgame_replies_with_one_message_that_holds_the_board(shared: World, ann: Person) -> None:
    board = await ann.ask("/newgame")
    await shared.has_answered(ann.private, ann)
    assert board.labels[:3] == [[EMPTY] * 3] * 3
    assert all(EMPTY.strip())
    assert "Your turn" in board.text
    assert "easy" in board.text
    assert board.text.index(f"{CROSS} You") < board.text.index(f"{RING} OXO")
    assert len(shared.sent(ann.private)) == 2, "the board, and the menu at the end"


async def test_a_tap_is_one_edit_with_the_computers_answer_and_one_answer(shared: World, ann: Person) -> None:
    board = await ann.ask("/newgame")
    tap = ann.press(board, data_of(board, 4))
    await board.changed()
    assert (await tap.answer).text is None
    await shared.has_answered(ann.private, ann)
    position = position_of(board)
    assert position.ply == 2
    assert position.mark_at(4) is Mark.X
    assert len(shared.edits(board)) == 1
    answers = shared.playground.calls_of("answerCallbackQuery")
    assert [call.ok for call in answers if call.parameters["callback_query_id"] == tap.id] == [True]


@pytest.mark.parametrize(
    ("wanted", "level", "first"),
    [
        (WIN, "easy", "me"),
        (LOSS, "perfect", "me"),
        (DRAW, "perfect", "bot"),
    ],
)
async def test_the_end_is_announced_in_the_message_itself(
    shared: World, ann: Person, wanted: str, level: str, first: str
) -> None:
    board = await ann.ask(f"/newgame {level} {first}")
    position = await play_to(wanted, ann, board, level)
    assert wanted in board.text
    assert sum(words in board.text for words in (WIN, LOSS, DRAW)) == 1
    assert "turn" not in board.text
    assert len(board.text.splitlines()[0]) > len(wanted) + 10, "with a sentence"
    assert position.outcome is not None
    line = {cell for line in position.outcome.lines for cell in line}
    styles = styles_of(board)
    colour = "primary" if LOSS in board.text else "success"
    assert styles == dict.fromkeys(line, colour), "only the line stands out"
    assert board.labels[3:] == [["Play again", "Swap sides"], ["Review", "Share"]]
    await shared.has_answered(ann.private, ann)
    assert len(shared.sent(ann.private)) == 2, "nothing but the board, and the menu at the end"


@pytest.mark.parametrize(("label", "mark"), [("Play again", Mark.X), ("Swap sides", Mark.O)])
async def test_the_next_game_is_a_new_message_and_the_finished_board_stays(
    shared: World, ann: Person, label: str, mark: Mark
) -> None:
    board = await ann.ask("/newgame easy me")
    await play_to(WIN, ann, board, "easy")
    finished = position_of(board)
    again = str(board.button(label)["callback_data"])
    answer = await ann.tap(board, data=again)
    assert answer.text is None
    following = await ann.private.wait_for(after=board)
    assert position_of(following).ply == (0 if mark is Mark.X else 1)
    assert "easy" in following.text
    assert "Your turn" in following.text
    await board.until(lambda message: message.labels[3:] == [["Review", "Share"]])
    assert position_of(board) == finished
    assert WIN in board.text

    await tap_cell(ann, following, position_of(following).legal_moves[0])
    assert position_of(following).turn is mark
    assert position_of(board) == finished
    sent = len(shared.sent(ann.private))
    late = await ann.tap(board, data=again)
    assert late.text, "the second request for another game is told where it is"
    await shared.has_answered(ann.private, ann)
    assert len(shared.sent(ann.private)) == sent + 1, "only the menu at the end"


async def test_several_boards_in_a_chat_are_games_of_their_own(ann: Person) -> None:
    boards = [await ann.ask(f"/newgame {words}") for words in ("easy", "perfect bot", "hard")]
    await tap_cell(ann, boards[2], 8)
    await tap_cell(ann, boards[0], 0)
    cell = steer(position_of(boards[1]), "perfect", DRAW)
    assert cell is not None
    await tap_cell(ann, boards[1], cell)
    assert [position_of(board).ply for board in boards] == [2, 3, 2]
    assert position_of(boards[0]).mark_at(0) is Mark.X
    assert position_of(boards[2]).mark_at(8) is Mark.X
    await play_to(WIN, ann, boards[0], "easy")
    assert [position_of(board).is_over for board in boards] == [True, False, False]
    await play_to(DRAW, ann, boards[1], "perfect")
    assert DRAW in boards[1].text
    assert WIN in boards[0].text


async def test_the_buttons_under_a_fresh_board_change_it_in_place_for_this_game_alone(
    shared: World, ann: Person
) -> None:
    board = await ann.ask("/newgame medium me")
    assert "Difficulty: medium" in board.labels[3][0]
    await ann.tap(board, row=3, column=0)
    await board.until(lambda message: "OXO (hard)" in message.text)
    await ann.tap(board, "First: Me")
    await board.until(lambda message: position_of(message).ply == 1)
    assert f"{CROSS} OXO" in board.text
    assert f"{RING} You" in board.text
    await ann.tap(board, row=3, column=0)
    await board.until(lambda message: "OXO (perfect)" in message.text)
    assert position_of(board).ply == 1, "a level can still be chosen: the person has not moved"
    await ann.tap(board, "First: OXO")
    await board.until(lambda message: position_of(message).ply == 0)
    await shared.has_answered(ann.private, ann)
    assert len(shared.sent(ann.private)) == 2, "all in one message"
    assert "Difficulty: adaptive" in str((await ann.ask("/newgame")).labels)


async def test_two_losses_in_a_row_lead_to_the_level_below_and_the_board_says_so(
    shared: World, ann: Person
) -> None:
    board = await ann.ask("/newgame adaptive me")
    assert "OXO (easy)" in board.text
    for game in range(2):
        await tap_cell(ann, board, 4)
        for label in ("Resign", "Yes, resign"):
            await ann.tap(board, label)
            await board.changed()
        assert ("Next level: beginner" in board.text) is (game == 1)
        await ann.tap(board, "Play again")
        await shared.has_answered(ann.private, ann)
        board = list(boards_in(ann.private))[-1]
    assert "OXO (beginner)" in board.text

"""A person plays the computer: start, taps, answers, the result, and what comes after."""

from __future__ import annotations

import pytest

from bot.boards.players import DIFFICULTIES
from engine import CLASSIC, LEVELS, Level, Mark, Position
from playground.groups import Group
from playground.people import Person
from tests.people import (
    CROSS,
    DRAW,
    EMPTY,
    LOSS,
    RING,
    WIN,
    begun,
    boards_in,
    data_of,
    play_to,
    position_of,
    put,
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
    assert board.text.index(CROSS) < board.text.index(RING)
    assert len(shared.sent(ann.private)) == 2, "the board, and the menu at the end"


async def test_the_person_is_crosses_when_moving_first_and_noughts_when_not(ann: Person) -> None:
    first, second = await ann.ask("/newgame me"), await ann.ask("/newgame bot")
    assert f"{CROSS} You" in first.text
    assert f"{RING} OXO" in first.text
    assert f"{CROSS} OXO" in second.text
    assert f"{RING} You" in second.text
    assert position_of(first).ply == 0
    assert position_of(second).ply == 1


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


async def test_only_the_last_move_of_each_side_is_highlighted(ann: Person) -> None:
    board = await ann.ask("/newgame perfect me")
    assert styles_of(board) == {}
    await tap_cell(ann, board, 4)
    before = position_of(board)
    assert set(styles_of(board)) == {cell for cell in range(9) if before.mark_at(cell)}
    cell = steer(before, "perfect", DRAW)
    assert cell is not None
    await tap_cell(ann, board, cell)
    after = position_of(board)
    assert set(styles_of(board)) == {cell for cell in range(9) if after.mark_at(cell) != before.mark_at(cell)}


@pytest.mark.parametrize("first", ["me", "bot"])
@pytest.mark.parametrize("level", LEVELS)
async def test_each_level_plays_as_its_strategy_does(ann: Person, level: Level, first: str) -> None:
    board = await ann.ask(f"/newgame {level} {first}")
    mark = Mark.X if first == "me" else Mark.O
    assert level in board.text
    position: Position = CLASSIC.start()
    if mark is Mark.O:
        assert added(position, position_of(board)) in LEVELS[level].candidates(position)
    while (position := position_of(board)).outcome is None:
        assert position.turn is mark
        mine = LEVELS[Level.PERFECT].candidates(position)[0]
        await tap_cell(ann, board, mine)
        position = position.play(mine)
        if position.outcome is None:
            assert added(position, position_of(board)) in LEVELS[level].candidates(position)
    assert any(words in board.text for words in (WIN, DRAW)), "perfect play does not lose"
    assert level in board.text


def added(before: Position, after: Position) -> int:
    """The one cell that a mark was put on."""
    (cell,) = (cell for cell in before.legal_moves if after.mark_at(cell))
    assert before.play(cell) == after
    return cell


@pytest.mark.parametrize(
    ("wanted", "level", "first"),
    [
        (WIN, "easy", "me"),
        (WIN, "easy", "bot"),
        (WIN, "medium", "me"),
        (LOSS, "perfect", "me"),
        (LOSS, "perfect", "bot"),
        (DRAW, "perfect", "me"),
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


async def test_two_lines_completed_together_are_both_highlighted(ann: Person, bo: Person, group: Group) -> None:
    board = await begun(ann, bo, group)
    for ply, cell in enumerate((0, 1, 8, 3, 2, 5, 6, 7, 4)):
        await put((ann, bo)[ply % 2], board, cell)
    styles = styles_of(board)
    assert {cell for cell in styles if styles[cell] == "success"} == {0, 8, 4, 2, 6}


async def test_a_finished_board_stays_readable_and_takes_no_further_moves(shared: World, ann: Person) -> None:
    board = await ann.ask("/newgame easy")
    await play_to(WIN, ann, board, "easy")
    labels, text, edits = board.labels, board.text, len(shared.edits(board))
    for cell in range(9):
        answer = await ann.tap(board, row=cell // 3, column=cell % 3)
        assert "over" in (answer.text or "")
    await shared.has_answered(ann.private, ann)
    assert (board.labels, board.text) == (labels, text)
    assert not [call for call in shared.edits(board)[edits:] if call.ok], "nothing was changed"


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


async def test_two_fast_taps_on_play_again_start_one_game(shared: World, ann: Person) -> None:
    board = await ann.ask("/newgame easy me")
    await play_to(WIN, ann, board, "easy")
    data = str(board.button("Play again")["callback_data"])
    one, two = ann.press(board, data), ann.press(board, data)
    answers = [(await tap.answer).text for tap in (one, two)]
    assert answers.count(None) == 1
    await shared.has_answered(ann.private, ann)
    assert len(boards_in(ann.private)) == 2


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


async def test_the_buttons_under_a_fresh_board_change_it_in_place(shared: World, ann: Person) -> None:
    board = await ann.ask("/newgame medium me")
    ((level,), (first,)) = board.labels[3:5]
    assert "medium" in level
    seen = ["medium"]
    for _ in DIFFICULTIES:
        answer = await ann.tap(board, row=3, column=0)
        assert answer.text is None
        await board.changed()
        (chosen,) = (name for name in DIFFICULTIES if name in board.labels[3][0])
        assert f"OXO ({'easy' if chosen == 'adaptive' else chosen})" in board.text, "where a newcomer begins"
        seen.append(chosen)
    assert seen[-1] == "medium"
    assert set(seen) == set(DIFFICULTIES), "every one can be reached"

    await ann.tap(board, row=4, column=0)
    await board.changed()
    assert position_of(board).ply == 1
    assert f"{CROSS} OXO" in board.text
    assert board.labels[4][0] != first
    await ann.tap(board, row=3, column=0)
    await board.changed()
    assert position_of(board).ply == 1, "a level can still be chosen: the person has not moved"
    await ann.tap(board, row=4, column=0)
    await board.changed()
    assert position_of(board).ply == 0
    assert board.labels[4][0] == first
    await shared.has_answered(ann.private, ann)
    assert len(shared.sent(ann.private)) == 2, "all in one message"


async def test_the_buttons_of_a_fresh_board_go_with_the_first_move(ann: Person) -> None:
    board = await ann.ask("/newgame medium me")
    level, first = (str(row[0]["callback_data"]) for row in board.keyboard[3:5])
    await tap_cell(ann, board, 4)
    assert board.labels[3:] == [["Undo", "Hint", "Resign"]]
    position = position_of(board)
    for data in (level, first):
        answer = await ann.tap(board, data=data)
        assert "begun" in (answer.text or "")
    assert position_of(board) == position


async def test_the_choice_on_a_fresh_board_is_for_this_game_alone(ann: Person) -> None:
    board = await ann.ask("/newgame")
    assert board.labels[3][0] == "Difficulty: adaptive"
    await ann.tap(board, row=3, column=0)
    await board.changed()
    assert board.labels[3][0] == "Difficulty: beginner"
    following = await ann.ask("/newgame")
    assert "easy" in following.text


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

"""Reviews and hints that worker processes search for, across a kill of the bot and on bigger boards."""

from __future__ import annotations

from tests.e2e.test_reviews import lines, lost, pressed
from tests.people import position_of, styles_of, tap_cell
from tests.world import World


async def test_a_review_in_the_middle_of_a_kill(oxo: World) -> None:
    ann = oxo.playground.people["ann"]
    board = await lost(ann)
    await pressed(ann, board, "Review")
    await pressed(ann, board, "«")
    for _ in range(3):
        await pressed(ann, board, "›")
    oxo.kill()
    board.seen = board.revision
    tap = ann.press(board, str(board.keyboard[4][3]["callback_data"]))
    await oxo.serve()
    await board.until(lambda message: position_of(message).ply == 4)
    await tap.answer
    await pressed(ann, board, "›")
    assert lines(board)[1].startswith("💥")
    await pressed(ann, board, "Try again")
    oxo.kill()
    await oxo.serve()
    await tap_cell(ann, board, 6)
    assert lines(board)[0].startswith("🎉")


async def test_a_bigger_board_is_looked_at_elsewhere_and_then_judged(oxo: World) -> None:
    ann = oxo.playground.people["ann"]
    board = await lost(ann)
    oxo.sql("UPDATE games SET rules = '4x4x4', moves = '05A3F', termination = 'resignation', winner = 'X'")
    await ann.tap(board, "Review")
    await board.until(lambda message: "Analysing this game…" in message.text)
    assert [len(row) for row in board.labels[:4]] == [4] * 4
    await board.until(lambda message: "Analysing" not in message.text, within=60)
    await pressed(ann, board, "›")
    assert "Move 1 of 5" in board.text
    assert "Best" in board.text


async def test_a_hint_on_a_bigger_board_comes_from_elsewhere(oxo: World) -> None:
    ann = oxo.playground.people["ann"]
    board = await ann.ask("/newgame easy me")
    await tap_cell(ann, board, 4)
    oxo.sql("UPDATE games SET rules = '5x5x4', moves = '0A1B2C'")
    board.seen = board.revision
    answer = await ann.tap(board, "Hint", within=60)
    assert answer.text == "💡 Play row 1, column 4: it wins."
    await board.changed()
    assert styles_of(board) != {}
    assert board.keyboard[0][3]["style"] == "success"

"""A hint is shown in a toast and marked on the board, until the board next changes."""

from __future__ import annotations

from engine import Level, candidates
from tests.people import position_of, styles_of, tap_cell
from tests.world import World


async def test_a_hint_marks_its_cell_once(oxo: World) -> None:
    ann = oxo.playground.people["ann"]
    board = await ann.ask("/newgame medium me")
    await tap_cell(ann, board, 4)
    position, before = position_of(board), styles_of(board)
    board.seen = board.revision
    answer = await ann.tap(board, "Hint")
    assert answer.text is not None
    assert answer.text.startswith("💡")
    await board.changed()
    (marked,) = styles_of(board).keys() - before.keys()
    assert marked in candidates(Level.PERFECT, position)
    assert position_of(board) == position
    await tap_cell(ann, board, next(cell for cell in position.legal_moves if cell != marked))
    after = position_of(board)
    assert after.ply == position.ply + 2
    assert after.outcome is not None or after.mark_at(marked) or marked not in styles_of(board)


async def test_a_hint_on_a_bigger_board_comes_from_a_worker_process(oxo: World) -> None:
    ann = oxo.playground.people["ann"]
    board = await ann.ask("/newgame easy me")
    await tap_cell(ann, board, 4)
    oxo.sql("UPDATE games SET rules = '5x5x4', moves = '0A1B2C'")
    board.seen = board.revision
    answer = await ann.tap(board, "Hint", within=60)
    assert answer.text == "💡 Play row 1, column 4: it wins."
    await board.changed()
    assert board.keyboard[0][3]["style"] == "success"

"""A person plays the computer: start, tap, answer, result."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from conftest import Oxo

CROSS, RING, EMPTY = "❌", "⭕", "·"


async def test_newgame_replies_with_one_message_that_holds_the_board(oxo: Oxo) -> None:
    board = await oxo.newgame()
    assert board.labels[:3] == [[EMPTY] * 3] * 3
    assert "Your turn" in board.text
    assert "medium" in board.text
    assert board.text.index(CROSS) < board.text.index(RING)


async def test_a_tap_is_one_edit_with_the_computers_answer_and_one_answer(oxo: Oxo) -> None:
    board = await oxo.newgame()
    ann = oxo.playground.people["ann"]
    oxo.playground.calls.clear()
    answer = await ann.tap(board, row=1, column=1)
    await board.changed()
    assert answer.text is None
    cells = [label for row in board.labels[:3] for label in row]
    assert cells[4] == CROSS
    assert cells.count(RING) == 1
    assert len(oxo.playground.calls_of("editMessageText")) == 1
    assert len(oxo.playground.calls_of("answerCallbackQuery")) == 1

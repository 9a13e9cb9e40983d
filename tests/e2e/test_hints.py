"""A hint is shown in a toast and marked on the board, until the board next changes."""

from __future__ import annotations

import pytest

from engine import LEVELS, Level
from playground.people import Person
from tests.people import position_of, styles_of, tap_cell

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_a_hint_marks_its_cell_once(ann: Person) -> None:
    board = await ann.ask("/newgame medium me")
    await tap_cell(ann, board, 4)
    position, before = position_of(board), styles_of(board)
    board.seen = board.revision
    answer = await ann.tap(board, "Hint")
    assert answer.text is not None
    assert answer.text.startswith("💡")
    await board.changed()
    (marked,) = styles_of(board).keys() - before.keys()
    assert marked in LEVELS[Level.PERFECT].candidates(position)
    assert position_of(board) == position
    await tap_cell(ann, board, next(cell for cell in position.legal_moves if cell != marked))
    after = position_of(board)
    assert after.ply == position.ply + 2
    assert after.outcome is not None or after.mark_at(marked) or marked not in styles_of(board)

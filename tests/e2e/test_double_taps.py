"""Double taps in ultimate: what has come up under the finger meanwhile is not played."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from bot.handlers.double_taps import DOUBLE_SECONDS
from bot.views.buttons import Cell, Turn, read

if TYPE_CHECKING:
    from playground.messages import Message
    from playground.people import Person
    from tests.e2e.driver import Oxo

SOON = "Another board has just come up"


@pytest.fixture
def ann(oxo: Oxo) -> Person:
    """Ann, of the test's own playground."""
    return oxo.playground.people["ann"]


def under(board: Message, row: int, column: int) -> Cell | Turn:
    """What lies under a finger."""
    found = read(str(board.keyboard[row][column]["callback_data"]))
    assert isinstance(found, Cell | Turn)
    return found


async def test_the_second_tap_plays_no_cell_of_the_board_that_the_first_has_opened(ann: Person) -> None:
    board = await ann.ask("/newgame ultimate beginner me")
    assert isinstance(under(board, 1, 1), Turn)
    assert (await ann.tap(board, row=1, column=1)).text is None
    await board.until(lambda shown: isinstance(under(shown, 1, 1), Cell))
    assert SOON in ((await ann.tap(board, row=1, column=1)).text or "")
    assert under(board, 1, 1).ply == 0, "nothing was played"
    await asyncio.sleep(DOUBLE_SECONDS)  # she looks
    assert (await ann.tap(board, row=1, column=1)).text is None
    await board.until(lambda shown: under(shown, 1, 1).ply == 2)


async def test_nor_one_of_the_board_that_an_answer_at_once_has_sent_her_to(ann: Person) -> None:
    board = await ann.ask("/newgame ultimate beginner me")
    await ann.tap(board, row=1, column=1)
    await board.until(lambda shown: isinstance(under(shown, 0, 0), Cell))
    await asyncio.sleep(DOUBLE_SECONDS)
    assert (await ann.tap(board, row=0, column=0)).text is None
    await board.until(lambda shown: under(shown, 0, 0).ply == 2)
    if isinstance(under(board, 0, 0), Cell):
        assert SOON in ((await ann.tap(board, row=0, column=0)).text or "")
        assert under(board, 0, 0).ply == 2

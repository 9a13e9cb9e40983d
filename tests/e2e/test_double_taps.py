"""Double taps in ultimate: the cell that appears under the finger meanwhile isn't played."""

from __future__ import annotations

import asyncio

import pytest

from bot.context.services import DOUBLE_SECONDS
from bot.game.actions import Move, ShowRegion
from playground.messages import Message
from playground.people import Person
from tests.carried import action_of
from tests.world import World

SOON = "A different board just came up"


@pytest.fixture
def ann(oxo: World) -> Person:
    """Ann, in the test's own playground."""
    return oxo.playground.people["ann"]


def under(board: Message, row: int, column: int) -> Move | ShowRegion:
    """The data of the button under a finger."""
    found = action_of(board.keyboard[row][column])
    assert isinstance(found, Move | ShowRegion)
    return found


async def test_the_second_tap_plays_no_cell_of_the_board_that_the_first_has_opened(ann: Person) -> None:
    board = await ann.ask("/newgame ultimate beginner me")
    assert isinstance(under(board, 1, 1), ShowRegion)
    assert (await ann.tap(board, row=1, column=1)).text is None
    await board.until(lambda shown: isinstance(under(shown, 1, 1), Move))
    assert SOON in ((await ann.tap(board, row=1, column=1)).text or "")
    assert under(board, 1, 1).ply == 0, "nothing was played"
    await asyncio.sleep(DOUBLE_SECONDS)  # she looks
    assert (await ann.tap(board, row=1, column=1)).text is None
    await board.until(lambda shown: under(shown, 1, 1).ply == 2)


async def test_nor_one_of_the_board_that_an_immediate_answer_has_sent_her_to(ann: Person) -> None:
    board = await ann.ask("/newgame ultimate beginner me")
    await ann.tap(board, row=1, column=1)
    await board.until(lambda shown: isinstance(under(shown, 0, 0), Move))
    await asyncio.sleep(DOUBLE_SECONDS)
    assert (await ann.tap(board, row=0, column=0)).text is None
    await board.until(lambda shown: under(shown, 0, 0).ply == 2)
    if isinstance(under(board, 0, 0), Move):
        assert SOON in ((await ann.tap(board, row=0, column=0)).text or "")
        assert under(board, 0, 0).ply == 2

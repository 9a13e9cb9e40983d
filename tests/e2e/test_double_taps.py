"""Double taps in ultimate: the cell that appears under the finger meanwhile isn't played."""

from __future__ import annotations

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


async def test_the_second_tap_plays_no_cell_of_the_board_that_the_first_has_opened(
    oxo: World, ann: Person
) -> None:
    board = await ann.ask("/newgame ultimate beginner me")
    assert isinstance(under(board, 1, 1), ShowRegion)
    assert (await ann.tap(board, row=1, column=1)).text is None
    await board.until(lambda shown: isinstance(under(shown, 1, 1), Move))
    assert SOON in ((await ann.tap(board, row=1, column=1)).text or "")
    assert under(board, 1, 1).ply == 0, "nothing was played"
    await oxo.skip(DOUBLE_SECONDS)  # she looks
    assert (await ann.tap(board, row=1, column=1)).text is None
    await board.until(lambda shown: under(shown, 1, 1).ply == 2)

"""Each chat's requests are handled in order, also those that waited for the bot (D4)."""

from __future__ import annotations

import pytest

from tests.boards import board as position_with
from tests.people import begun, data_of, is_board, plain, position_of, put
from tests.world import World


async def test_commands_that_waited_for_the_bot_are_done_in_the_order_in_which_they_were_given(oxo: World) -> None:
    ann, bo = oxo.playground.people["ann"], oxo.playground.people["bo"]
    group = oxo.playground.groups["noughts"]
    for is_killed in (False, True):
        board = await begun(ann, bo, group, "me")
        if is_killed:
            oxo.kill()
        await oxo.stop()
        for ply, cell in enumerate((5, 1, 9, 2)):
            own = await (bo if ply % 2 else ann).say(f"/move {cell}", in_=group, reply_to=board)
        await oxo.serve()
        # The board has moved down to their messages.
        below = await group.wait_for(
            lambda message: is_board(message) and position_of(message).ply == 4, after=own
        )
        assert position_of(below) == position_with("OO./.X./..X")


@pytest.mark.parametrize("settings", [{"MOVE_TTL": "9s"}])
async def test_a_move_that_was_made_in_time_while_the_bot_was_away_is_not_lost_on_time(oxo: World) -> None:
    ann, bo, cem = (oxo.playground.people[name] for name in ("ann", "bo", "cem"))
    group = oxo.playground.groups["noughts"]
    board = await begun(ann, bo, group, "me")
    await oxo.skip(7)
    await group.wait_for(lambda message: "it's your move" in message.text, after=board)
    oxo.kill()
    ann.press(board, data_of(board, 4))
    await oxo.skip(4)  # past the deadline
    for _ in range(150):  # so many that handling them takes a while
        await cem.say("/move 1", in_=group, reply_to=board)
    await oxo.serve()
    await oxo.until(lambda: position_of(board).ply == 1)
    assert "ran out of time" not in plain(board)
    await put(bo, board, 0)

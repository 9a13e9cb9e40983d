"""A move made in time counts, even if its update arrives after the deadline."""

from __future__ import annotations

import asyncio
from pathlib import Path

from playground import Playground
from tests.faults.crowd import is_board
from tests.people import plain
from tests.processes import Processes, until


async def test_a_move_in_time_counts_though_updates_come_in_late_by_polling(
    sqlite_url: str, tmp_path: Path
) -> None:
    async with (
        Playground() as playground,
        Processes(playground, tmp_path, sqlite_url, settings={"MOVE_TTL": "8s"}) as rig,
    ):
        assert rig.processes
        ann, bo, group = playground.people["ann"], playground.people["bo"], playground.groups["noughts"]
        board = await ann.ask("/challenge me", in_=group)
        await bo.tap(board, "Accept")
        await board.until(is_board)
        fault = playground.faults.add(kind="5xx", method="getUpdates")
        await bo.say("/hm", in_=bo.private)  # ends the wait of the fetch under way
        await until(lambda: fault.struck > 0)
        ann.press(board, str(board.keyboard[0][0]["callback_data"]))
        await asyncio.sleep(9)  # past the deadline
        assert "ran out" not in board.text
        playground.faults.clear()
        # Once updates come in, Ann's move counts, and Bo's deadline fires as soon as it is due.
        await board.until(lambda shown: "ran out" in shown.text, within=60)
        assert "小波 ran out of time" in plain(board)

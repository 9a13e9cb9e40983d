"""A signal ends the bot within ten seconds, whatever Telegram does; nothing it accepted is lost."""

from __future__ import annotations

from typing import Any

import pytest

from playground.people import Person
from tests.people import data_of, position_of
from tests.processes import Processes

FAULTS: dict[str, dict[str, Any]] = {
    "asks to wait long": {"kind": "429", "retry_after": 12},
    "fails": {"kind": "5xx", "status": 502},
    "hangs": {"kind": "delay", "delay": 40},
    "breaks off before": {"kind": "drop_before"},
    "breaks off after": {"kind": "drop_after"},
}
"""What Telegram asks to wait, and how long it hangs, is longer than the ten seconds that a stop may take."""


@pytest.fixture
def ann(process: Processes) -> Person:
    """Ann, in the test's own playground."""
    return process.playground.people["ann"]


@pytest.mark.parametrize(
    "polls", [pytest.param(False, marks=pytest.mark.soak, id="calls"), pytest.param(True, id="calls and polls")]
)
@pytest.mark.parametrize("fault", FAULTS)
async def test_a_signal_ends_the_bot_in_time_while_telegram(
    process: Processes,
    ann: Person,
    fault: str,
    polls: bool,  # noqa: FBT001 - pytest hands it over
) -> None:
    board = await ann.ask("/newgame medium")
    struck = process.playground.faults.add(**FAULTS[fault])
    for cell in (4, 0, 8):
        ann.press(board, data_of(board, cell))
    await process.playground.telegram.changes.until(lambda: struck.struck or None, 60, lambda: "a call that fails")
    if polls:
        process.playground.faults.add(**FAULTS[fault], method="getUpdates")
    assert await process.stop() == 0, "within the ten seconds that `stop` allows"
    process.playground.faults.clear()
    await process.start()
    await board.until(lambda message: position_of(message).ply == 2, within=60)
    assert "Traceback" not in process.logged()

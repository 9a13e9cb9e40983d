"""The log: whatever fails, neither the token nor anything of people is in it, and each line of JSON is JSON."""

import json
from typing import Final

import pytest

from playground.faults import Kind
from tests.people import data_of
from tests.processes import Processes

KINDS: Final[tuple[Kind, ...]] = ("5xx", "429", "drop_before", "drop_after")


@pytest.fixture
def settings() -> dict[str, str]:
    """Everything is logged."""
    return {"LOG_LEVEL": "debug", "LOG_FORMAT": "JSON"}


async def test_no_secret_is_ever_logged_whatever_fails(process: Processes) -> None:
    playground = process.playground
    ann = playground.people["ann"]
    board = await ann.ask("/newgame easy")
    for kind in KINDS:
        for method in ("editMessageText", "answerCallbackQuery"):
            playground.faults.add(kind=kind, method=method, times=1, retry_after=1)
    playground.faults.add(kind="5xx", method="getUpdates", times=1)
    playground.faults.add(kind="drop_before", method="getUpdates", times=1)
    playground.faults.add(kind="429", method="sendMessage", times=1, retry_after=1)
    ann.press(board, data_of(board, 4))
    await board.until(lambda message: message.revision > 0, within=60)
    for said in ("/newgame nightmare", "mumbling to myself"):
        await ann.ask(said)
    playground.faults.clear()
    await playground.stop()
    await playground.start()
    await process.has_answered(ann.private, ann)
    assert await process.stop() == 0
    log = process.logged()
    for secret in (playground.token.partition(":")[2], "nightmare", "mumbling", "Ann", "小波"):
        assert secret not in log
    lines = [json.loads(line) for line in log.splitlines()]
    assert {"DEBUG", "WARNING"} <= {line["level"] for line in lines}
    assert all({"time", "level", "logger", "message"} <= line.keys() for line in lines)
    assert "Traceback" not in log

"""The log: whatever fails, the token is never in it, and each line of the JSON format is JSON."""

from __future__ import annotations

import json
from typing import Final

import pytest

from playground.faults import Kind
from tests.people import WIN, data_of, play_to
from tests.processes import Processes

KINDS: Final[tuple[Kind, ...]] = ("5xx", "429", "drop_before", "drop_after")


@pytest.fixture(params=[("DEBUG", "text"), ("debug", "JSON")])
def settings(request: pytest.FixtureRequest) -> dict[str, str]:
    """Each logging level that matters, in both formats."""
    level, style = request.param
    return {"LOG_LEVEL": level, "LOG_FORMAT": style}


async def test_the_token_is_never_logged_whatever_fails(process: Processes, settings: dict[str, str]) -> None:
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
    await ann.ask("/newgame easy")
    playground.faults.clear()
    await play_to(WIN, ann, await ann.ask("/newgame easy"), "easy")
    await playground.stop()
    await playground.start()
    await process.has_answered(ann.private, ann)
    assert await process.stop() == 0
    log = process.logged()
    secret = playground.token.partition(":")[2]
    assert secret not in log
    assert playground.token not in log
    assert "小波" not in log
    if settings["LOG_FORMAT"].lower() == "json":
        lines = [json.loads(line) for line in log.splitlines()]
        assert all({"time", "level", "logger", "message"} <= line.keys() for line in lines)
    assert "Traceback" not in log


async def test_what_people_say_and_are_called_is_not_logged(process: Processes) -> None:
    ann = process.playground.people["ann"]
    for said in ("/start", "/newgame nightmare", "mumbling to myself"):
        await ann.ask(said)
    assert await process.stop() == 0
    for private in ("nightmare", "mumbling", "Ann"):
        assert private not in process.logged()

"""The bot ends and starts again: killed, stopped, without Telegram; games and choices survive."""

from __future__ import annotations

import asyncio
import hashlib
import signal
import sqlite3
from contextlib import closing
from typing import Final

import pytest

from bot.boards.translations import LANGUAGES
from bot.introduction import CODE
from playground.people import Person
from playground.profile import KINDS
from playground.telegram import Call
from tests.people import DRAW, EMPTY, WIN, boards_in, data_of, is_chinese, play_to, position_of, tap_cell
from tests.processes import Processes

CODES: Final = ("", *(code for code in LANGUAGES if code != "en" and len(code) == CODE))
"""The languages that Telegram is told something in."""


@pytest.fixture
def ann(process: Processes) -> Person:
    """Ann, in the test's own playground."""
    return process.playground.people["ann"]


async def test_a_game_goes_on_after_a_power_cut(process: Processes, ann: Person) -> None:
    board = await ann.ask("/newgame perfect")
    await tap_cell(ann, board, 4)
    before = position_of(board)
    await process.kill()
    await process.start()
    await tap_cell(ann, board, before.legal_moves[0])
    assert position_of(board).ply == 4
    assert all(position_of(board).mark_at(cell) for cell in range(9) if before.mark_at(cell))
    await process.kill()
    tap = ann.press(board, data_of(board, position_of(board).legal_moves[0]))
    await process.start()
    assert (await asyncio.wait_for(tap.answer, 60)).text is None, "the tap waited for the bot"
    await board.changed()
    assert position_of(board).ply >= 5


async def test_a_move_that_was_stored_but_not_shown_shows_after_the_restart(
    process: Processes, ann: Person
) -> None:
    board = await ann.ask("/newgame medium")
    fault = process.playground.faults.add(kind="drop_before", method="editMessageText")
    answer = await ann.tap(board, row=1, column=1)
    assert answer.text is None
    await process.kill()
    assert board.labels[1][1] == EMPTY
    process.playground.faults.remove(fault)
    with sqlite3.connect(process.database) as connection:
        connection.execute("UPDATE boards SET look_at = 0")
    connection.close()
    await process.start()
    await board.until(lambda message: message.revision > 0)
    assert position_of(board).ply == 2


async def test_a_bot_that_is_renamed_while_it_runs_answers_by_its_new_name(
    process: Processes, ann: Person
) -> None:
    """Its host may do that in BotFather at any time. Telegram delivers commands for the new name from then on."""
    group = process.playground.add_group("Names", [ann])
    process.playground.bot.username = "renamed_oxo_bot"
    board = await ann.ask("/newgame@renamed_oxo_bot easy", in_=group)
    assert "OXO (easy)" in board.text
    assert "https://t.me/renamed_oxo_bot?start=" in (await ann.ask("/challenge")).text
    calls = len(process.playground.calls_of("getMe"))
    for _ in range(3):
        await ann.say("/newgame@another_bot")
    assert "Levels" in (await ann.ask("/newgame@renamed_oxo_bot nonsense")).text
    assert len(process.playground.calls_of("getMe")) == calls, "not each time that somebody calls another bot"


async def test_choices_survive_a_power_cut(process: Processes, ann: Person) -> None:
    await ann.ask("/difficulty perfect")
    await ann.ask("/first bot")
    await process.kill()
    await process.start()
    said = await ann.say("/newgame")
    # An update that was answered but not confirmed to Telegram before the kill is answered once more.
    board = await ann.private.wait_for(lambda message: message in boards_in(ann.private), after=said)
    assert "perfect" in board.text
    assert position_of(board).ply == 1
    menus = [await ann.ask("/difficulty"), await ann.ask("/first")]
    marked = [[label for row in menu.labels for label in row if "✓" in label] for menu in menus]
    assert [len(labels) for labels in marked] == [1, 1]
    assert "perfect" in marked[0][0]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_ends_the_bot_cleanly(process: Processes, ann: Person, number: signal.Signals) -> None:
    board = await ann.ask("/newgame easy")
    await play_to(WIN, ann, board, "easy")
    assert await process.stop(number) == 0
    assert "Traceback" not in process.logged()
    assert "ERROR" not in process.logged()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_in_the_middle_of_a_tap_lets_it_be_finished(
    process: Processes, ann: Person, number: signal.Signals
) -> None:
    board = await ann.ask("/newgame medium")
    faults = process.playground.faults
    faults.add(kind="delay", method="editMessageText", delay=0.7)
    slow = faults.add(kind="delay", method="answerCallbackQuery", delay=0.5)
    tap = ann.press(board, data_of(board, 4))
    await process.playground.telegram.changes.until(
        lambda: slow.struck or None, 60, lambda: "the answer to go out"
    )
    assert await process.stop(number) == 0
    assert (await asyncio.wait_for(tap.answer, 60)).text is None
    assert position_of(board).ply == 2
    faults.clear()
    await process.start()
    await tap_cell(ann, board, position_of(board).legal_moves[0])


async def test_what_people_send_meanwhile_is_answered_after_the_restart(process: Processes, ann: Person) -> None:
    assert await process.stop() == 0
    said = await ann.say("/newgame hard")
    await process.start()
    board = await ann.private.wait_for(after=said)
    assert "hard" in board.text
    await process.stop()
    await process.start()
    await process.has_answered(ann.private, ann)
    assert len(boards_in(ann.private)) == 1, "handled updates are not handled again"


async def test_telegram_goes_away_and_comes_back(process: Processes, ann: Person) -> None:
    board = await ann.ask("/newgame perfect")
    await process.playground.stop()
    tap = ann.press(board, data_of(board, 4))
    await process.playground.start()
    assert (await asyncio.wait_for(tap.answer, 60)).text is None
    await board.until(lambda message: message.revision > 0)
    await play_to(DRAW, ann, board, "perfect")
    assert "Traceback" not in process.logged()


async def says(process: Processes, words: str) -> None:
    """Wait until the bot has logged something."""
    async with asyncio.timeout(60):
        while words not in process.logged():  # noqa: ASYNC110 - a log file tells no one that it grew
            await asyncio.sleep(0.05)


async def test_a_signal_ends_a_bot_that_waits_for_telegram(process: Processes) -> None:
    assert await process.stop() == 0
    await process.playground.stop()
    await process.start(ready=False)
    await says(process, "Can't reach Telegram")
    assert await process.stop() == 0
    assert "Traceback" not in process.logged()


@pytest.mark.parametrize("result", [b"null", b"{}"])
async def test_a_start_waits_while_something_in_between_makes_up_results(
    process: Processes, ann: Person, result: bytes
) -> None:
    assert await process.stop() == 0
    for method in ("getMe", "getWebhookInfo", "getMyShortDescription"):
        body = b'{"ok":true,"result":%b}' % result
        process.playground.faults.add(kind="answer_before", method=method, status=200, body=body, times=1)
    await process.start(introduces=True)
    assert "Your turn" in (await ann.ask("/newgame")).text
    why = "HTTP 200, and no answer of Telegram's"
    await says(process, f"Couldn't set the bot's short description: {why}")
    assert f"Can't reach Telegram: {why}" in process.logged()
    assert "Traceback" not in process.logged()


async def introduced(process: Processes, skip: int = 0) -> None:
    """Wait until a start has checked the last of the bot's descriptions."""

    def is_last(call: Call) -> bool:
        return call.parameters.get("language_code") == CODES[-1] and call.ok is not None

    await process.playground.called("getMyDescription", is_last, within=60, skip=skip)


async def test_every_start_sets_descriptions_that_are_empty_or_were_ours(process: Processes) -> None:
    shown = process.playground.world.descriptions
    await process.stop()
    await process.start(introduces=True)
    await introduced(process)
    await process.playground.called(
        "setMyDescription", lambda call: call.parameters.get("language_code") == CODES[-1]
    )
    assert process.playground.calls_of("setMyName") == [], "the name is the host's, or --set-up's"
    ours = shown.get("description", "zh")
    assert is_chinese(ours)
    await process.stop()
    with closing(sqlite3.connect(process.database)) as database, database:
        own_text = f"own {hashlib.sha256(b'an earlier release').hexdigest()[:12]}"
        database.execute("INSERT INTO progress (name, value) VALUES (?, 0)", (own_text,))
    shown.set("description", "an earlier release", "zh")
    shown.set("description", "written by the host", "")
    before, told = len(process.playground.calls), len(process.playground.calls_of("setMyDescription"))
    await process.start(introduces=True)
    await introduced(process, skip=before)
    await process.playground.called("setMyDescription", skip=before)
    await process.stop()
    assert shown.get("description", "zh") == ours
    assert shown.get("description", "") == "written by the host"
    assert len(process.playground.calls_of("setMyDescription")) == told + 1, "what's already right isn't set again"


async def test_set_up_tells_telegram_who_the_bot_is_once(process: Processes) -> None:
    told = ("setMyName", "setMyShortDescription", "setMyDescription")
    await process.stop()
    shown = process.playground.world.descriptions
    for kind in KINDS:
        for code in CODES:
            shown.set(kind, "written by the host", code)
    earlier = len(process.playground.calls)
    for _ in range(2):
        await process.start("--set-up", ready=False)
        assert await process.ended() == 0
    for method in told:
        calls = [call for call in process.playground.calls[earlier:] if call.method == method]
        assert [(call.parameters.get("language_code"), call.ok) for call in calls] == [
            (code, True) for code in CODES
        ]
    for kind in KINDS:
        assert shown.get(kind, "").isascii() is (kind == "short_description")
        assert is_chinese(shown.get(kind, "zh"))

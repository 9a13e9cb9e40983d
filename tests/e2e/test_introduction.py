"""Telegram is told what the bot is: what has changed, whatever it refuses or puts off, and once."""

from __future__ import annotations

import asyncio
import hashlib
import sqlite3
from contextlib import closing
from typing import Final

import pytest

from playground.errors import bad_request
from playground.faults import Kind as FaultKind
from playground.profile import Kind
from playground.telegram import Call
from tests.e2e.test_lifetime import CODES, introduced, says
from tests.processes import Processes

TEXTS: Final[tuple[Kind, ...]] = ("description", "short_description")
SCOPES = ("default", "all_private_chats", "all_group_chats")


def language_of(call: Call) -> str:
    return str(call.parameters.get("language_code") or "")


def told(process: Processes, skip: int = 0) -> list[tuple[str, str]]:
    """What was set, with the languages, by calls that succeeded."""
    calls = process.playground.calls[skip:]
    return [(call.method, language_of(call)) for call in calls if call.method.startswith("setMy") and call.ok]


def missing(process: Processes) -> list[tuple[str, str]]:
    """The menus that Telegram doesn't have."""
    commands = process.playground.world.commands
    return [(scope, code) for scope in SCOPES for code in CODES if not commands.get({"type": scope}, code)]


async def until_told(process: Processes) -> None:
    """Wait until all menus and descriptions are set, and the last is noted."""
    shown = process.playground.world.descriptions
    async with asyncio.timeout(60):
        while missing(process) or not all(shown.get(kind, code) for kind in TEXTS for code in CODES):  # noqa: ASYNC110
            await asyncio.sleep(0.05)


async def start_again(process: Processes) -> list[tuple[str, str]]:
    """Start and stop the bot; what it set."""
    before = len(process.playground.calls)
    await process.start(introduces=True)
    await introduced(process, skip=before)
    assert await process.stop() == 0
    return told(process, before)


async def test_a_second_start_sets_nothing_and_another_only_what_has_changed(process: Processes) -> None:
    await process.stop()
    before = len(process.playground.calls)
    await process.start(introduces=True)
    await until_told(process)
    await process.stop()
    assert len(told(process, before)) == len(set(CODES)) * (len(SCOPES) + len(TEXTS))
    assert await start_again(process) == []
    with closing(sqlite3.connect(process.database)) as database, database:
        for scope in SCOPES:
            place = f"{process.playground.bot.id} {scope} zh"
            name = f"set {hashlib.sha256(place.encode()).hexdigest()[:12]}"
            assert database.execute("UPDATE progress SET value = 1 WHERE name = ?", (name,)).rowcount == 1
    assert await start_again(process) == 3 * [("setMyCommands", "zh")]
    assert await start_again(process) == []


@pytest.mark.parametrize("kind", ["429", "drop_before", "5xx"])
@pytest.mark.parametrize("method", ["setMyCommands", "getMyDescription", "setMyDescription"])
async def test_what_is_put_off_is_made_up_for_and_loses_nothing_else(
    process: Processes, kind: FaultKind, method: str
) -> None:
    await process.stop()
    process.playground.faults.add(kind=kind, method=method, times=3)
    await process.start(introduces=True)
    await until_told(process)
    assert "Couldn't set the bot's" in process.logged()


async def test_a_long_pause_holds_up_neither_the_rest_nor_people_nor_a_stop(process: Processes) -> None:
    await process.stop()
    ann, shown = process.playground.people["ann"], process.playground.world.descriptions
    put_off = process.playground.faults.add(kind="429", method="setMyCommands", retry_after=600)
    await process.start(introduces=True)
    assert "Your turn" in (await ann.ask("/newgame")).text
    await introduced(process)
    await process.playground.called("setMyDescription", lambda call: language_of(call) == CODES[-1])
    assert all(shown.get(kind, code) for kind in TEXTS for code in CODES)
    assert len(missing(process)) == put_off.struck == len(SCOPES) * len(CODES), "each was tried once"
    assert process.logged().count("Couldn't set the bot's commands") == 1
    assert await process.stop() == 0
    process.playground.faults.clear()
    assert {method for method, _ in await start_again(process)} == {"setMyCommands"}
    assert not missing(process)


async def test_what_is_refused_is_left_until_the_next_start(process: Processes) -> None:
    await process.stop()
    error = bad_request("BOT_COMMAND_DESCRIPTION_INVALID")
    refused = process.playground.faults.add(kind="error", method="setMyCommands", error=error, times=1)
    assert len(await start_again(process)) >= 4 * len(CODES)
    await says(process, "Couldn't set the bot's commands: ")
    assert missing(process) == [("default", "")]
    assert refused.struck == 1
    assert ("setMyCommands", "") in await start_again(process)
    assert not missing(process)


async def test_set_up_tells_the_rest_and_fails_if_anything_is_refused(process: Processes) -> None:
    await process.stop()
    process.playground.faults.add(kind="429", method="setMyCommands", retry_after=600, times=1)
    await process.start("--set-up", ready=False)
    assert await process.ended() == 1
    assert missing(process) == [("default", "")]
    assert len(told(process)) == 6 * len(CODES) - 1
    assert process.logged().endswith("Telegram didn't accept the commands and descriptions; the log says why.\n")


async def test_what_a_killed_bot_left_out_is_set_at_the_next_start(process: Processes) -> None:
    await process.stop()
    process.playground.faults.add(kind="delay", method="setMyCommands", delay=0.05)
    await process.start(introduces=True)
    await process.playground.called("setMyCommands", lambda _: len(told(process)) >= 12, within=60)
    await process.kill()
    assert missing(process)
    process.playground.faults.clear()
    made_up_for = await start_again(process)
    assert not missing(process)
    commands = [language for method, language in made_up_for if method == "setMyCommands"]
    assert len(commands) < len(SCOPES) * len(CODES)

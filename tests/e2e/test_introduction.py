"""Telegram is told what the bot is: what has changed, whatever it refuses or puts off, and once."""

import asyncio
import hashlib
from typing import Final

import pytest

from bot.context.feature import Menus
from bot.dispatch import FEATURES
from bot.introduction import CODE, read_last
from bot.language import LANGUAGES
from playground.errors import bad_request
from playground.faults import FaultKind
from playground.people import Person
from tests.people import is_chinese
from tests.processes import Processes
from tests.world import World

CODES: Final = ("", *(code for code in LANGUAGES if code != "en" and len(code) == CODE))
"""The languages that Telegram is told something in."""
TEXTS: Final = ("description", "short_description")
SCOPES: Final = ("default", "all_private_chats", "all_group_chats")
EVERYTHING: Final = len(CODES) * (len(SCOPES) + len(TEXTS))
"""How much is to be set."""


@pytest.fixture
async def stopped(oxo: World) -> World:
    """A world whose bot has stopped, and never told Telegram what it is."""
    await oxo.stop()
    return oxo


def told(oxo: World | Processes, skip: int = 0) -> list[tuple[str, str]]:
    """What was set, with the languages, by calls that succeeded."""
    set_ = [call for call in oxo.playground.calls[skip:] if call.method.startswith("setMy") and call.ok]
    return [(call.method, str(call.parameters.get("language_code") or "")) for call in set_]


def missing(oxo: World | Processes) -> list[tuple[str, str]]:
    """The menus that Telegram doesn't have."""
    commands = oxo.playground.world.commands
    return [(scope, code) for scope in SCOPES for code in CODES if not commands.get((scope, code))]


async def introduced(oxo: World, seconds: float = 0) -> list[tuple[str, str]]:
    """Start a bot, and let it say what it can in so many seconds; what it set."""
    before = len(oxo.playground.calls)
    await oxo.serve(introduces=True)
    await oxo.still()
    await oxo.pass_by(seconds)
    return told(oxo, before)


async def test_the_first_start_tells_everything_the_next_nothing_and_another_what_has_changed(
    stopped: World,
) -> None:
    """A description is set where it was empty, and left where the host has written another."""
    assert len(await introduced(stopped)) == EVERYTHING
    commands, shown = stopped.playground.world.commands, stopped.playground.world.descriptions
    for scope, menu in zip(SCOPES, (Menus.PRIVATE, Menus.PRIVATE, Menus.GROUPS), strict=True):
        for code in ("", "zh"):
            registered = {entry["command"]: entry["description"] for entry in commands[scope, code]}
            assert list(registered) == [command.name for command in FEATURES.menu(menu)]
            assert is_chinese(" ".join(registered.values())) is (code == "zh"), "some are translated"
    assert is_chinese(shown["description"]["zh"])
    assert stopped.playground.calls_of("setMyName") == [], "the name is the host's, or --set-up's"
    await stopped.stop()
    catalogues = read_last.cache_info().misses
    assert await introduced(stopped) == []
    assert read_last.cache_info().misses == catalogues, "no language is read that nobody speaks"
    await stopped.stop()
    for scope in SCOPES:
        place = f"{stopped.playground.bot.id} {scope} zh"
        name = hashlib.sha256(place.encode()).hexdigest()[:12]
        stopped.sql(f"UPDATE progress SET value = 1 WHERE name = 'set {name}'")  # noqa: S608 - our own words
    ours = shown["description"].pop("zh")
    shown["description"][""] = "written by the host"
    assert sorted(await introduced(stopped)) == [*3 * [("setMyCommands", "zh")], ("setMyDescription", "zh")]
    assert (shown["description"]["zh"], shown["description"][""]) == (ours, "written by the host")


@pytest.mark.parametrize(
    ("kind", "method"),
    [("429", "setMyCommands"), ("drop_before", "getMyDescription"), ("5xx", "setMyDescription")],
)
async def test_what_is_put_off_is_made_up_for_and_loses_nothing_else(
    stopped: World, kind: FaultKind, method: str
) -> None:
    put_off = stopped.playground.faults.add(kind=kind, method=method, times=3)
    assert len(await introduced(stopped, seconds=8)) == EVERYTHING
    assert put_off.struck == 3
    assert "Couldn't set the bot's" in stopped.logged()


async def test_a_long_pause_holds_up_neither_the_rest_nor_people_nor_a_stop(stopped: World, ann: Person) -> None:
    put_off = stopped.playground.faults.add(kind="429", method="setMyCommands", retry_after=600)
    assert len(await introduced(stopped)) == len(CODES) * len(TEXTS)
    assert "Your turn" in (await ann.ask("/newgame")).text
    assert len(missing(stopped)) == put_off.struck == len(SCOPES) * len(CODES), "each was tried once"
    assert stopped.logged().count("Couldn't set the bot's commands") == 1
    await stopped.stop()
    stopped.playground.faults.clear()
    assert {method for method, _ in await introduced(stopped)} == {"setMyCommands"}
    assert not missing(stopped)


async def test_what_is_refused_is_left_until_the_next_start(stopped: World) -> None:
    error = bad_request("BOT_COMMAND_DESCRIPTION_INVALID")
    refused = stopped.playground.faults.add(kind="error", method="setMyCommands", error=error, times=1)
    await introduced(stopped, seconds=5)
    assert "Couldn't set the bot's commands: " in stopped.logged()
    assert missing(stopped) == [("default", CODES[1])]
    assert refused.struck == 1
    await stopped.stop()
    assert await introduced(stopped) == [("setMyCommands", CODES[1])]


@pytest.mark.parametrize("result", [b"null", b"{}"])
async def test_a_start_waits_while_something_in_between_makes_up_results(
    stopped: World, ann: Person, result: bytes
) -> None:
    for method in ("getMe", "getWebhookInfo", "getMyShortDescription"):
        body = b'{"ok":true,"result":%b}' % result
        stopped.playground.faults.add(kind="answer_before", method=method, status=200, body=body, times=1)
    start = asyncio.ensure_future(introduced(stopped, seconds=3))
    while not start.done():
        await stopped.skip(0.5)
    await start
    assert "Your turn" in (await ann.ask("/newgame")).text
    why = "HTTP 200, and no answer of Telegram's"
    assert f"Couldn't set the bot's short description: {why}" in stopped.logged()
    assert f"Can't reach Telegram: {why}" in stopped.logged()
    assert "Traceback" not in stopped.logged()


async def test_set_up_tells_telegram_everything_whatever_the_host_has_written_and_fails_if_any_is_refused(
    process: Processes,
) -> None:
    shown = process.playground.world.descriptions
    for texts in shown.values():
        texts.update(dict.fromkeys(CODES, "written by the host"))
    process.playground.faults.add(kind="429", method="setMyCommands", retry_after=600, times=1)
    await process.start("--set-up", ready=False)
    assert await process.ended() == 1
    assert missing(process) == [("default", CODES[1])]
    assert len(told(process)) == 6 * len(CODES) - 1
    assert process.logged().endswith("Telegram didn't accept the commands and descriptions; the log says why.\n")
    for kind, texts in shown.items():
        assert texts[""].isascii() is (kind == "short_description")
        assert is_chinese(texts["zh"])
    await process.start("--set-up", ready=False)
    assert await process.ended() == 0
    assert not missing(process)

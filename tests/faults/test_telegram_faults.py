"""Telegram refuses, breaks off, hangs, or is down: what was committed is shown in the end, all by itself."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from playground import Playground
from playground.errors import bad_request, forbidden
from playground.faults import Fault
from tests.faults.crowd import (
    BOARDS,
    Ledger,
    Player,
    crowd,
    free_tap,
    judge,
    lagging_boards,
    settled,
    spare_boards,
    stuck,
    wrong_boards,
)
from tests.figures import Figures
from tests.processes import Processes, until
from tests.soak import SOAK

METHODS = ("sendMessage", "editMessageText", "answerCallbackQuery", "getUpdates")
FAULTS: dict[str, dict[str, Any]] = {
    "429": {"kind": "429"},
    "500": {"kind": "5xx", "status": 500},
    "502": {"kind": "5xx", "status": 502},
    "dropped before": {"kind": "drop_before"},
    "dropped after": {"kind": "drop_after"},
    "delayed": {"kind": "delay", "delay": 0.2},
}
TAPS = 500 if SOAK else 150


async def taps(players: list[Player], ledger: Ledger, number: int) -> None:
    """Let people play until this many taps were made."""
    stop = asyncio.Event()
    target = ledger.taps + number
    playing = asyncio.gather(*(player.play(stop) for player in players))
    async with asyncio.timeout(600):
        await ledger.reached(target)
    stop.set()
    await playing


@pytest.mark.soak  # the test below has all of them at once
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", FAULTS)
async def test_each_fault_alone_on_each_method_loses_nothing(
    name: str, sqlite_url: str, tmp_path: Path, figures: Figures
) -> None:
    ledger = Ledger()
    async with Playground(seed=3) as playground, Processes(playground, tmp_path, sqlite_url) as rig:
        players = crowd(playground, 20, ledger, seed=2, boards=BOARDS)
        for method in METHODS:
            fault = playground.faults.add(method=method, share=0.2, **FAULTS[name])
            await taps(players, ledger, TAPS)
            figures.runs += 1
            figures.faults += fault.struck
            playground.faults.clear()
        await judge(rig, players, ledger, figures)
    assert not figures.amiss


@pytest.mark.timeout(600 if SOAK else 300)
@pytest.mark.parametrize("webhook", [False, True], ids=["polling", "webhook"])
async def test_all_faults_together_lose_nothing(
    *, webhook: bool, sqlite_url: str, tmp_path: Path, figures: Figures
) -> None:
    ledger = Ledger()
    faults: list[Fault] = []
    async with (
        Playground(seed=4) as playground,
        Processes(playground, tmp_path, sqlite_url, webhook=webhook) as rig,
    ):
        players = crowd(playground, 20, ledger, seed=3, boards=BOARDS)
        share = 0.2 / len(FAULTS)
        for method in METHODS:
            faults += [playground.faults.add(method=method, share=share, **fault) for fault in FAULTS.values()]
        faults += [
            playground.faults.add(kind="duplicate", share=0.2, delay=0.3),
            playground.faults.add(kind="reorder", share=0.2, delay=0.3),
        ]
        await taps(players, ledger, TAPS)
        figures.runs = 1
        figures.faults = sum(fault.struck for fault in faults)
        playground.faults.clear()
        await judge(rig, players, ledger, figures)
    assert not figures.amiss


@pytest.mark.timeout(900 if SOAK else 300)
async def test_boards_become_right_after_telegram_was_away(
    sqlite_url: str, tmp_path: Path, figures: Figures
) -> None:
    away = 300 if SOAK else 3
    ledger = Ledger()
    async with Playground() as playground, Processes(playground, tmp_path, sqlite_url) as rig:
        players = crowd(playground, 20, ledger, seed=5, boards=BOARDS)
        await taps(players, ledger, 100)
        fault = playground.faults.add(kind="drop_before", method="editMessageText")
        await taps(players, ledger, 20)  # these are committed but not shown
        lagging = len(wrong_boards(rig))
        await playground.stop()
        playground.faults.clear()
        # Meanwhile, people's requests wait at Telegram.
        await asyncio.gather(*(player.begin() for player in players))
        await asyncio.sleep(away)
        await playground.start()
        figures.runs, figures.faults = 1, fault.struck + 1
        await judge(rig, players, ledger, figures)
        assert lagging > 0
        warnings = [line for line in rig.logged().splitlines() if "cannot be" in line]
        assert len(warnings) <= 6, "an outage is a line or two, not one for every message"
    assert not figures.amiss


async def test_a_deleted_board_is_sent_again_once(sqlite_url: str, tmp_path: Path) -> None:
    ledger = Ledger()
    async with Playground() as playground, Processes(playground, tmp_path, sqlite_url) as rig:
        (player,) = crowd(playground, 1, ledger, seed=6)
        await player.begin()
        board = player.board
        fault = playground.faults.add(kind="drop_before", method="editMessageText")
        await player.tap(board)
        player.person.delete(board)
        playground.faults.remove(fault)
        playground.calls.clear()
        wrong, _ = await settled(rig)
        assert not wrong
        assert len(playground.calls_of("sendMessage")) == 1
        assert not await stuck(rig, [player])


async def test_of_two_boards_the_one_that_is_tapped_stays(sqlite_url: str, tmp_path: Path) -> None:
    ledger = Ledger()
    async with Playground() as playground, Processes(playground, tmp_path, sqlite_url) as rig:
        (player,) = crowd(playground, 1, ledger, seed=6)
        # The first board arrives, but the bot doesn't learn of it and sends a second, whose confirmation is slow.
        playground.faults.add(kind="drop_after", method="sendMessage", times=1)
        playground.faults.add(kind="delay", method="sendMessage", times=1, delay=1)
        await player.begin()
        first = player.board
        await until(lambda: len(playground.calls_of("sendMessage")) == 2)
        assert await player.press(first, free_tap(first))
        wrong, _ = await settled(rig)
        assert not wrong
        ((_, boards),) = rig.records().values()
        assert [board.message_id for board in boards] == [first.id]
        await playground.called("deleteMessage")
        assert not spare_boards(rig)
        assert not await stuck(rig, [player])


REFUSALS = (
    forbidden("bot was blocked by the user"),
    forbidden("bot was kicked from the supergroup chat"),
    forbidden("user is deactivated"),
    bad_request("not enough rights to send text messages to the chat"),
    bad_request("have no write access to the chat"),
    bad_request("CHAT_WRITE_FORBIDDEN"),
    bad_request("TOPIC_CLOSED"),
    bad_request("chat not found"),
    bad_request("message can't be edited"),
)


async def test_a_chat_that_takes_nothing_is_left_alone_and_its_game_is_kept(
    sqlite_url: str, tmp_path: Path
) -> None:
    ledger = Ledger()
    async with Playground() as playground, Processes(playground, tmp_path, sqlite_url) as rig:
        players = crowd(playground, len(REFUSALS), ledger, seed=6)
        for player in players:
            await player.begin()
        struck = []
        for player, refusal in zip(players, REFUSALS, strict=True):
            chat = player.chat
            edits = playground.faults.add(kind="error", method="editMessageText", chat=chat, error=refusal)
            sends = playground.faults.add(kind="error", method="sendMessage", chat=chat, error=refusal)
            await player.press(player.board, free_tap(player.board))
            struck.append((refusal.description, edits, sends))
        # All are given up, so the sweep never looks at them again.
        await until(lambda: not lagging_boards(rig))
        for description, edits, sends in struck:
            assert (edits.struck, sends.struck) in {(1, 0), (1, 1)}, description
        playground.faults.clear()
        assert "Traceback" not in rig.logged()
        assert sum(game.ply for game in rig.games().values()) >= len(ledger.accepted)

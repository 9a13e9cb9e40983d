"""Updates that come twice, late, out of order, too fast or elsewhere take effect once, and delay nobody."""

from __future__ import annotations

import asyncio
import random
import signal
import statistics
import time
from pathlib import Path

import psutil
import pytest

from bot.boards import buttons
from playground import Playground
from tests.faults.crowd import BOARDS, Ledger, Player, crowd, free_tap, judge, settled, taps_on
from tests.figures import Figures
from tests.processes import Processes
from tests.soak import SOAK

TAPS = 2500 if SOAK else 100


async def play(players: list[Player], ledger: Ledger, taps: int) -> None:
    """Let people play until this many taps were made."""
    stop = asyncio.Event()
    target = ledger.taps + taps
    playing = asyncio.gather(*(player.play(stop, pause=0.02) for player in players))
    async with asyncio.timeout(600):
        await ledger.reached(target)
    stop.set()
    await playing


@pytest.mark.timeout(900 if SOAK else 300)
@pytest.mark.parametrize("webhook", [False, True], ids=["polling", "webhook"])
async def test_every_update_twice_and_out_of_order_has_one_effect(
    *, webhook: bool, sqlite_url: str, tmp_path: Path, figures: Figures
) -> None:
    ledger = Ledger()
    async with (
        Playground(seed=5) as playground,
        Processes(playground, tmp_path, sqlite_url, webhook=webhook) as rig,
    ):
        players = crowd(playground, 20, ledger, seed=11, boards=BOARDS)
        late = playground.faults.add(kind="reorder", share=0.3, delay=0.15)
        twice = playground.faults.add(kind="duplicate", delay=0.05)
        await play(players, ledger, TAPS)
        playground.faults.clear()
        figures.runs, figures.faults = 1, late.struck + twice.struck
        await judge(rig, players, ledger, figures)
        commands = sum(
            "/newgame" in message.text for player in players for message in player.chat.messages.values()
        )
        assert len(rig.games()) == commands, "each command made one game"
    assert not figures.amiss


@pytest.mark.timeout(900 if SOAK else 300)
async def test_two_bots_on_one_database_keep_the_order_and_restart_without_loss(
    postgres_url: str, tmp_path: Path, figures: Figures
) -> None:
    ledger = Ledger()
    async with (
        Playground(seed=6) as playground,
        Processes(playground, tmp_path, postgres_url, webhook=True, replicas=2) as rig,
    ):
        players = crowd(playground, 20, ledger, seed=12, boards=BOARDS)
        twice = playground.faults.add(kind="duplicate", share=0.5, delay=0.1)
        late = playground.faults.add(kind="reorder", share=0.2, delay=0.1)
        stop = asyncio.Event()
        playing = asyncio.gather(*(player.play(stop, pause=0.02) for player in players))
        async with asyncio.timeout(600):
            for how in (signal.SIGTERM, signal.SIGKILL) * (5 if SOAK else 1):
                for number in range(2):
                    await ledger.reached(ledger.taps + TAPS // 10)
                    await rig.end(how, number)
                    figures.moves_lost += ledger.look(rig.games())
                    await rig.start(number=number)
                    figures.runs += 1
            await ledger.reached(max(TAPS, ledger.taps + 20))
        stop.set()
        await playing
        playground.faults.clear()
        figures.faults = twice.struck + late.struck + figures.runs
        await judge(rig, players, ledger, figures)
        for number in range(2):
            assert _counted(await rig.get("metrics", number)) > 0, "both handled updates"
    assert "Traceback" not in rig.logged()
    assert not figures.amiss


def _counted(metrics: str) -> float:
    lines = [line for line in metrics.splitlines() if line.startswith("oxo_updates_total")]
    return sum(float(line.rsplit(" ", 1)[1]) for line in lines)


async def test_two_players_and_a_stranger_hammer_all_cells_together(
    postgres_url: str, tmp_path: Path, figures: Figures
) -> None:
    ledger = Ledger()
    chance = random.Random(8)
    games = 40 if SOAK else 2
    async with (
        Playground() as playground,
        Processes(playground, tmp_path, postgres_url, webhook=True, replicas=2) as rig,
    ):
        group = playground.groups["noughts"]
        three = [Player(playground.people[name], group, ledger, 1) for name in ("ann", "bo", "cem")]
        ann, bo, cem = three
        for _ in range(games):
            own = await ann.person.say(f"/challenge@{playground.bot.username}", in_=group)
            board = await group.wait_for(lambda message: "Accept" in str(message.labels), after=own)
            await bo.person.tap(board, "Accept")
            await board.until(lambda message: bool(taps_on(message)))
            while free := [tap for tap, label in taps_on(board) if label == "·"]:
                presses = [(player, tap) for player in three for tap, _ in taps_on(board)]
                chance.shuffle(presses)
                answers = await asyncio.gather(*(player.press(board, tap) for player, tap in presses))
                assert sum(answers) <= 2, "at most one move of each player"
                assert not any(
                    answer for answer, (player, _) in zip(answers, presses, strict=True) if player is cem
                )
                await settled(rig)
                if not taps_on(board) or len([tap for tap, label in taps_on(board) if label == "·"]) == len(free):
                    break
            figures.runs += 1
        await judge(rig, [], ledger, figures)
        stored = rig.games()
        assert len(stored) == games
        assert all(game.is_over for game in stored.values())
    assert "set aside" not in rig.logged()
    assert not figures.amiss


@pytest.mark.timeout(120)
async def test_a_flood_of_taps_slows_nobody_else_and_fills_no_memory(
    sqlite_url: str, tmp_path: Path, figures: Figures
) -> None:
    ledger = Ledger()
    seconds = 60 if SOAK else 6
    async with (
        Playground() as playground,
        Processes(playground, tmp_path, sqlite_url, settings={"EDITS_PER_MINUTE": ""}) as rig,
    ):
        playground.flood.enabled = True
        # All but one stay within Telegram's burst for a chat, so nobody waits for their own chat.
        flooder, *others = crowd(playground, 13, ledger, seed=13)
        for player in (flooder, *others):
            await player.begin()
        calm = [await _seconds_to_show(player) for player in others]
        process = rig.processes[0]
        assert process is not None
        before = psutil.Process(process.pid).memory_info().rss
        flood = asyncio.create_task(_flood(flooder, seconds))
        hindered = []
        for round_ in range(3):
            await asyncio.sleep(seconds / 4)
            hindered += [await _seconds_to_show(player) for player in others[round_::3]]
        taps = await flood
        grown = psutil.Process(process.pid).memory_info().rss - before
        wrong, figures.most_seconds_to_settle = await settled(rig)
        figures.runs, figures.taps, figures.boards_wrong = 1, ledger.taps + taps, len(wrong)
        figures.moves_lost = ledger.look(rig.games())
        assert taps >= 40 * seconds
        assert grown < 16 * 2**20
        assert statistics.median(hindered) < statistics.median(calm) + 0.25
        assert max(hindered) < 1.5
    assert not figures.amiss


async def _flood(player: Player, seconds: float) -> int:
    """Tap fifty times a second, without waiting for anything."""
    started, taps = time.monotonic(), 0
    while time.monotonic() - started < seconds:
        for tap, _ in taps_on(player.board)[:5]:
            player.person.press(player.board, buttons.write(tap.button))
            taps += 1
        await asyncio.sleep(max(0.0, started + taps / 50 - time.monotonic()))
    return taps


async def _seconds_to_show(player: Player) -> float:
    """How long a tap takes until the board shows it."""
    started = time.perf_counter()
    tap = free_tap(player.board)
    await player.press(player.board, tap)
    await player.board.until(lambda message: tap not in [offered for offered, _ in taps_on(message)])
    return time.perf_counter() - started

"""SIGKILL at random moments while twenty people play: nothing is lost, and every board recovers by itself."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest

from playground import Playground
from tests.faults.crowd import BOARDS, Ledger, crowd, judge, settled, stuck
from tests.figures import Figures
from tests.processes import Processes
from tests.soak import SOAK

KILLS = 30 if SOAK else 3
SETTLE_EACH = SOAK


@pytest.mark.timeout(3600 if SOAK else 300)
@pytest.mark.parametrize(
    ("database", "webhook"),
    [
        pytest.param("sqlite_url", False, id="sqlite-polling"),
        pytest.param("postgres_url", True, id="postgresql-webhook", marks=pytest.mark.postgresql),
        pytest.param("sqlite_url", True, id="sqlite-webhook", marks=pytest.mark.soak),
        pytest.param("postgres_url", False, id="postgresql-polling", marks=pytest.mark.soak),
    ],
)
async def test_a_killed_bot_loses_nothing(
    request: pytest.FixtureRequest, *, database: str, webhook: bool, tmp_path: Path, figures: Figures
) -> None:
    database_url = request.getfixturevalue(database)
    ledger = Ledger()
    chance = random.Random(7)
    async with Playground() as playground, Processes(playground, tmp_path, database_url, webhook=webhook) as rig:
        players = crowd(playground, 20, ledger, seed=1, boards=BOARDS)
        stop = asyncio.Event()
        playing = asyncio.gather(*(player.play(stop, pause=0.02) for player in players))
        for kill in range(KILLS):
            await asyncio.sleep(chance.uniform(0.1, 0.8))
            await rig.end()
            figures.runs += 1
            figures.moves_lost += ledger.look(rig.games())
            await rig.start()
            if SETTLE_EACH or kill == KILLS - 1:
                stop.set()
                await playing
                wrong, seconds = await settled(rig)
                figures.boards_wrong += len(wrong)
                figures.most_seconds_to_settle = max(figures.most_seconds_to_settle, seconds)
                figures.games_stuck += len(await stuck(rig, players, most=20))
                stop.clear()
                if kill < KILLS - 1:
                    playing = asyncio.gather(*(player.play(stop, pause=0.02) for player in players))
        figures.faults = figures.runs
        await judge(rig, players, ledger, figures)
    assert not figures.amiss

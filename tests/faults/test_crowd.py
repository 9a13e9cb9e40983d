"""Twenty people play while processes die, Telegram fails and updates come twice: nothing is lost or done twice."""

import asyncio
import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

import psycopg
import pytest
from psycopg import sql
from sqlalchemy import make_url

from playground import Playground
from tests.conftest import SERVER
from tests.faults.crowd import BOARDS, Ledger, crowd, judge
from tests.figures import Figures
from tests.processes import Processes
from tests.soak import SOAK

Fault = dict[str, Any]

METHODS: Final = ("sendMessage", "editMessageText", "answerCallbackQuery", "getUpdates")
FAULTS: Final[dict[str, Fault]] = {
    "429": {"kind": "429"},
    "500": {"kind": "5xx", "status": 500},
    "502": {"kind": "5xx", "status": 502},
    "dropped before": {"kind": "drop_before"},
    "dropped after": {"kind": "drop_after"},
    "delayed": {"kind": "delay", "delay": 0.2},
}
TAPS: Final = 2000 if SOAK else 80
TWICE: Final[tuple[Fault, ...]] = (
    {"kind": "duplicate", "share": 0.5, "delay": 0.05},
    {"kind": "reorder", "share": 0.3, "delay": 0.15},
)
ORPHANS: Final = re.compile(
    r"Traceback [^\n]+\n  File \"<string>\"[^\n]+\n(  [^\n]*\n)+EOFError: Ran out of input\n"
)
"""What Python says in a worker process whose bot is killed before it has told it what to do."""


def everywhere(*faults: Fault) -> tuple[Fault, ...]:
    """These faults on every method, so that a fifth of its calls meet one."""
    share = 0.2 / len(faults)
    return tuple({"method": method, "share": share, **fault} for method in METHODS for fault in faults)


class Trouble(NamedTuple):
    """What happens while people play."""

    database: str = "sqlite_url"
    webhook: bool = False
    replicas: int = 1
    ends: tuple[signal.Signals, ...] = ()
    """How one process after the other is ended and started again."""
    faults: tuple[Fault, ...] = ()


TROUBLES: Final = {
    "two bots are stopped and killed and updates come twice": Trouble(
        database="postgres_url",
        webhook=True,
        replicas=2,
        ends=(signal.SIGTERM, signal.SIGKILL)
        + (signal.SIGKILL, signal.SIGTERM, signal.SIGKILL) * (10 if SOAK else 0),
        faults=TWICE,
    ),
    "Telegram fails and updates come twice": Trouble(faults=(*everywhere(*FAULTS.values()), *TWICE)),
}


@pytest.mark.timeout(3600 if SOAK else 300)
@pytest.mark.parametrize("trouble", TROUBLES.values(), ids=TROUBLES)
async def test_nothing_is_lost_or_done_twice_while(
    trouble: Trouble, request: pytest.FixtureRequest, tmp_path: Path, figures: Figures
) -> None:
    ledger = Ledger()
    database_url: str = request.getfixturevalue(trouble.database)
    async with (
        Playground(seed=4) as playground,
        Processes(playground, tmp_path, database_url, webhook=trouble.webhook, replicas=trouble.replicas) as rig,
    ):
        players = crowd(playground, 20, ledger, seed=3, boards=BOARDS)
        for each in trouble.faults:
            playground.faults.add(**each)
        stop = asyncio.Event()
        playing = asyncio.gather(*(player.play(stop, pause=0.02) for player in players))
        async with asyncio.timeout(1800 if SOAK else 240):
            for turn, how in enumerate(trouble.ends):
                number = turn % trouble.replicas
                await ledger.reached(ledger.taps + 15)
                await rig.end(how, number)
                figures.moves_lost += ledger.look(rig.games())
                await rig.start(number=number)
            await ledger.reached(max(TAPS, ledger.taps + 20))
        stop.set()
        await playing
        playground.faults.clear()
        await judge(rig, players, ledger, figures)
        asked = [message for player in players for message in player.chat.messages.values()]
        commands = sum(not message.from_bot and "/newgame" in message.text for message in asked)
        assert len(rig.games()) == commands, "each command made one game"
    logged = ORPHANS.sub("", rig.logged()) if signal.SIGKILL in trouble.ends else rig.logged()
    assert "Traceback" not in logged
    assert not figures.amiss


@contextmanager
def refused_connections(url: str) -> Iterator[None]:
    """Simulates a server restart for one database: sessions end, and no new ones start for a while."""
    name = make_url(url).database or ""
    with psycopg.connect(SERVER, autocommit=True) as admin:
        admin.execute(sql.SQL("ALTER DATABASE {} ALLOW_CONNECTIONS false").format(sql.Identifier(name)))
        admin.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [name])
        try:
            yield
        finally:
            admin.execute(sql.SQL("ALTER DATABASE {} ALLOW_CONNECTIONS true").format(sql.Identifier(name)))


@pytest.mark.timeout(300)
async def test_a_restart_of_postgresql_in_mid_game_loses_nothing(
    postgres_url: str, tmp_path: Path, figures: Figures
) -> None:
    ledger = Ledger()
    async with Playground() as playground, Processes(playground, tmp_path, postgres_url) as rig:
        players = crowd(playground, 20, ledger, seed=21)
        stop = asyncio.Event()
        playing = asyncio.gather(*(player.play(stop, pause=0.05) for player in players))
        restarts = (0.5, 6) * 5 if SOAK else (0.5,)  # the longer one is longer than anybody waits
        for seconds in restarts:
            await ledger.reached(ledger.taps + 20)
            rig.engine.dispose()
            with refused_connections(postgres_url):
                await asyncio.sleep(seconds)
            await rig.ready()
            figures.moves_lost += ledger.look(rig.games())
        stop.set()
        await playing
        await judge(rig, players, ledger, figures)
    assert not figures.amiss
    log = rig.logged()
    assert "Traceback" not in log, log[log.find("Traceback") :][:5000]
    assert log.count("The database cannot be used") == log.count("The database can be used again") <= len(restarts)

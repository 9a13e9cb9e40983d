"""The database is locked, cut off, full or gone: people get a sentence, the log a line, nothing is half done."""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import psycopg
import pytest
from psycopg import sql
from sqlalchemy import make_url

from bot.boards import buttons
from playground import Playground
from tests.conftest import SERVER
from tests.faults.crowd import Ledger, crowd, free_tap, judge, moved_on, settled, stuck
from tests.figures import Figures
from tests.processes import Processes
from tests.soak import SOAK

HOLD = """
import sqlite3, sys, time
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("BEGIN EXCLUSIVE")
print("locked", flush=True)
time.sleep(float(sys.argv[2]))
connection.execute("ROLLBACK")
"""
SENTENCE = "Something's wrong on my side"


def file_of(url: str) -> Path:
    """The file of a SQLite URL."""
    return Path(make_url(url).database or "")


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
        for seconds in (0.5, 2, 8) * (5 if SOAK else 1):  # the last one is longer than anybody waits
            await asyncio.sleep(1)
            rig.engine.dispose()
            with refused_connections(postgres_url):
                await asyncio.sleep(seconds)
            figures.runs += 1
            await rig.ready()
            figures.moves_lost += ledger.look(rig.games())
        stop.set()
        await playing
        figures.faults = figures.runs
        await judge(rig, players, ledger, figures)
    assert not figures.amiss
    log = rig.logged()
    assert "Traceback" not in log, log[log.find("Traceback") :][:5000]
    assert log.count("The database cannot be used") == log.count("The database can be used again") <= figures.runs


@contextmanager
def read_only(url: str) -> Iterator[None]:
    """Simulates a standby server before its promotion: it accepts connections, but no writes."""
    name = sql.Identifier(make_url(url).database or "")
    with psycopg.connect(SERVER, autocommit=True) as admin:
        admin.execute(sql.SQL("ALTER DATABASE {} SET default_transaction_read_only TO on").format(name))
        _end_sessions(admin, url)
        try:
            yield
        finally:
            admin.execute(sql.SQL("ALTER DATABASE {} RESET default_transaction_read_only").format(name))
            _end_sessions(admin, url)


def _end_sessions(admin: psycopg.Connection[object], url: str) -> None:
    name = make_url(url).database
    admin.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [name])


@pytest.mark.timeout(300)
async def test_after_a_time_without_writes_the_sweep_goes_on_and_it_was_logged_once(
    postgres_url: str, tmp_path: Path
) -> None:
    ledger = Ledger()
    async with Playground() as playground, Processes(playground, tmp_path, postgres_url) as rig:
        (player,) = crowd(playground, 1, ledger, seed=24)
        await player.begin()
        await settled(rig)
        rig.engine.dispose()
        with read_only(postgres_url):
            tap = free_tap(player.board)
            answer = await player.person.tap(player.board, data=buttons.write(tap.button), within=60)
            assert SENTENCE in (answer.text or "")
            await asyncio.sleep(3)
        # Only the sweep repairs anything lost from here on.
        fault = playground.faults.add(kind="drop_before", method="editMessageText", times=5)
        assert await player.press(player.board, free_tap(player.board), patience=20)
        wrong, _ = await settled(rig)
        assert not wrong
        assert fault.struck
        assert not await stuck(rig, [player])
    log = rig.logged()
    assert "Traceback" not in log
    assert log.count("The database cannot be used") == log.count("The database can be used again") == 1


@pytest.mark.timeout(300)
async def test_a_sqlite_file_that_another_process_locks_for_five_seconds_makes_people_wait(
    sqlite_url: str, tmp_path: Path, figures: Figures
) -> None:
    ledger = Ledger()
    async with Playground() as playground, Processes(playground, tmp_path, sqlite_url) as rig:
        players = crowd(playground, 20, ledger, seed=22)
        for player in players:
            await player.begin()
        for _ in range(5 if SOAK else 1):
            lock = await asyncio.create_subprocess_exec(
                sys.executable, "-c", HOLD, str(file_of(sqlite_url)), "5", stdout=subprocess.PIPE
            )
            assert lock.stdout is not None
            await lock.stdout.readline()
            pressed = [player.press(player.board, free_tap(player.board), patience=20) for player in players]
            assert all(await asyncio.gather(*pressed)), "every move was taken"
            await lock.wait()
            figures.runs += 1
            await settled(rig)
            for player in players:
                await player.begin()
        figures.faults = figures.runs
        await judge(rig, players, ledger, figures)
    assert "The database cannot be used" not in rig.logged()
    assert not figures.amiss


@pytest.mark.parametrize("how", ["vanished", "damaged"])
async def test_a_database_that_is_gone_gives_people_a_sentence_and_the_host_a_line(
    how: str, sqlite_url: str, tmp_path: Path
) -> None:
    ledger = Ledger()
    file = file_of(sqlite_url)
    async with Playground() as playground, Processes(playground, tmp_path, sqlite_url) as rig:
        (player,) = crowd(playground, 1, ledger, seed=23)
        await player.begin()
        await settled(rig)
        before = rig.games()
        rig.engine.dispose()
        kept = file.with_name("kept.db")
        if how == "vanished":
            file.rename(kept)
        else:
            with sqlite3.connect(file) as connection:
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            connection.close()
            shutil.copy(file, kept)
            with file.open("r+b") as damaged:
                damaged.write(os.urandom(64 * 1024))
        for _ in range(3):
            tap = free_tap(player.board)
            answer = await player.person.tap(player.board, data=buttons.write(tap.button), within=60)
            assert SENTENCE in (answer.text or "")
            assert answer.show_alert
        if how == "vanished":
            kept.rename(file)
        else:
            shutil.copyfile(kept, file)
            for suffix in ("-wal", "-shm"):
                file.with_name(file.name + suffix).unlink(missing_ok=True)
        assert rig.games() == before
        rig.engine.dispose()
        if how == "vanished":
            assert not await stuck(rig, [player])
    log = rig.logged()
    assert "Traceback" not in log
    assert log.count("ERROR") == 1


@pytest.mark.skipif(
    shutil.which("prlimit") is None, reason="There is no prlimit. On Debian: apt install util-linux"
)
async def test_a_full_disk_stores_nothing_by_halves(sqlite_url: str, tmp_path: Path) -> None:
    ledger = Ledger()
    async with Playground() as playground, Processes(playground, tmp_path, sqlite_url) as rig:
        players = crowd(playground, 4, ledger, seed=24)
        for player in players:
            await player.begin()
        await settled(rig)
        await rig.end()
        rig.engine.dispose()
        # The bot's files can't grow any more, which SQLite sees as a full disk.
        await rig.start(ready=False, limit=40 * 1024)
        async with asyncio.timeout(60):
            for player in players * 9:
                tap = free_tap(player.board)
                answer = await player.person.tap(player.board, data=buttons.write(tap.button), within=60)
                if answer.text is not None:
                    break
                await player.board.until(partial(moved_on, tap))
        assert SENTENCE in (answer.text or "")
        stored = rig.games()[tap.game_id]
        assert stored.ply == tap.ply
        await rig.end()
        rig.engine.dispose()
        await rig.start()
        wrong, _ = await settled(rig)
        assert not wrong
        assert not await stuck(rig, players)
    assert "Traceback" not in rig.logged()

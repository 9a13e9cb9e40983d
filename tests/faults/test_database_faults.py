"""The database is gone or its disk full: people get a sentence, the log a line, nothing is half done."""

import asyncio
import os
import shutil
import sqlite3
from functools import partial
from pathlib import Path
from typing import Final

import pytest
from sqlalchemy import make_url

from bot.boards import buttons
from playground import Playground
from tests.faults.crowd import Ledger, crowd, free_tap, moved_on, settled, stuck
from tests.processes import Processes
from tests.world import Room

SENTENCE: Final = "Something's wrong on my side"


def damage(file: Path) -> None:
    with sqlite3.connect(file) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    shutil.copy(file, file.with_name("kept.db"))
    with file.open("r+b") as damaged:
        damaged.write(os.urandom(64 * 1024))


@pytest.mark.parametrize("how", ["vanished", "damaged"])
async def test_a_database_that_is_gone_gives_people_a_sentence_and_the_host_a_line(
    how: str, room: Room, sqlite_url: str
) -> None:
    file = Path(make_url(sqlite_url).database or "")
    board = await room.said(room.ann, "/newgame easy me", room.group)
    await room.house.quiet()
    if how == "vanished":
        room.house.vanish()
    else:
        room.house.engine.dispose()
        damage(file)
    for _ in range(3):
        tap = room.ann.press(board, str(board.keyboard[0][0]["callback_data"]))
        (queued,) = room.house.mail
        room.house.mail.clear()
        await room.bot.poll(queued)
        answer = await tap.answer
        assert SENTENCE in (answer.text or "")
        assert answer.show_alert
    log = room.house.logged()
    assert "Traceback" not in log
    assert log.count("ERROR") == 1
    if how == "vanished":
        room.house.reappear()
        assert await room.put(room.ann, board, 0) is None
    else:
        shutil.copyfile(file.with_name("kept.db"), file)
        for suffix in ("-wal", "-shm"):
            file.with_name(file.name + suffix).unlink(missing_ok=True)
    assert [len(moves) for moves in room.moves()] == [2 if how == "vanished" else 0]


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
        wrong = await settled(rig)
        assert not wrong
        assert not await stuck(rig, players)
    assert "Traceback" not in rig.logged()

"""`python -m storage`, while the bot is running and when something is wrong."""

import asyncio
import errno
import os
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import insert

from playground import Playground
from storage import maintenance
from storage.database import connect, parse_url, vacuum
from storage.errors import StorageError
from storage.games import games
from storage.games.record import Record
from storage.maintenance import back_up
from storage.people import chats
from storage.schema import GAMES
from tests import starts
from tests.faults.crowd import Ledger, crowd
from tests.processes import Processes
from tests.soak import SOAK


async def command(*words: str, **settings: str) -> tuple[int, str, str]:
    return await starts.run("storage", *words, folder=Path(), environment={**os.environ, **settings})


def unfinished(folder: Path) -> list[Path]:
    return list(folder.glob(".*.part"))


async def test_a_copy_taken_while_people_play_is_whole(sqlite_url: str, tmp_path: Path) -> None:
    ledger = Ledger()
    async with Playground() as playground, Processes(playground, tmp_path, sqlite_url) as rig:
        players = crowd(playground, 10, ledger, seed=41)
        stop = asyncio.Event()
        playing = asyncio.gather(*(player.play(stop) for player in players))
        await ledger.reached(30)
        for number in range(3 if SOAK else 1):
            before = rig.games()
            copy = tmp_path / f"copy {number}.db"
            code, out, err = await command("backup", str(copy), DATABASE_URL=sqlite_url)
            assert (code, err) == (0, "")
            assert str(copy) in out
            code, out, _ = await command("check", DATABASE_URL=f"sqlite:///{copy}")
            assert code == 0
            assert "0 cannot be read" in out
            engine = connect(parse_url(f"sqlite:///{copy}"), create=False)
            with engine.connect() as connection:
                copied = games.load_many(connection, before)
            engine.dispose()
            for game_id, game in before.items():
                found = copied[game_id]
                assert isinstance(found, Record)
                assert found.game.moves.startswith(game.moves)
        stop.set()
        await playing
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert not unfinished(tmp_path)


def test_nothing_is_overwritten_and_nothing_half_done_is_left(sqlite_url: str, tmp_path: Path) -> None:
    url, taken = parse_url(sqlite_url), tmp_path / "taken.db"
    taken.write_text("mine")
    with pytest.raises(StorageError, match=rf"^{taken} exists already, and nothing is overwritten\.$"):
        back_up(url, taken)
    assert taken.read_text() == "mine"
    (tmp_path / "oxo.db").write_bytes(b"no database at all" * 1000)
    with pytest.raises(StorageError, match="file is not a database"):
        back_up(url, tmp_path / "copy.db")
    assert not (tmp_path / "copy.db").exists()
    assert not unfinished(tmp_path)
    with pytest.raises(StorageError, match="pg_dump"):
        back_up(parse_url("postgresql://oxo@postgres/oxo"), tmp_path / "copy.db")


@pytest.mark.parametrize("code", [errno.EPERM, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK])
def test_a_disk_without_hard_links_takes_a_backup_too(
    sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    def refuse(*_paths: object) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, "link", refuse)
    url, target = parse_url(sqlite_url), tmp_path / "copies" / "copy.db"
    target.parent.mkdir()
    assert back_up(url, target) == target.stat().st_size > 0
    whole = target.read_bytes()
    with pytest.raises(StorageError, match="exists already"):
        back_up(url, target)
    assert target.read_bytes() == whole

    late = target.with_name("late.db")

    def appear(*_paths: object) -> None:
        late.write_text("somebody else's")
        refuse()

    monkeypatch.setattr(os, "link", appear)
    with pytest.raises(StorageError, match="exists already"):
        back_up(url, late)
    assert late.read_text() == "somebody else's"
    assert {file.name for file in target.parent.iterdir()} == {"copy.db", "late.db"}


async def test_check_names_each_game_that_cannot_be_read(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = connect(parse_url(database_url))
    row = {
        "chat_id": 1, "rules": "3x3x3", "kind": "solo", "x_seat": 1, "o_seat": 0, "o_level": "easy",
        "version": 1, "created_at": 1, "changed_at": 1, "moved_at": 1,
        "x_wins": 0, "o_wins": 0, "draws": 0,
    }  # fmt: skip
    wrong = {3: "00", 1500: "0z", 2400: "012345678", 2500: "031425"}
    with engine.begin() as connection:
        chats.load_or_add(connection, 1)
        connection.execute(
            insert(GAMES), [{**row, "id": number, "moves": wrong.get(number, "04")} for number in range(1, 2501)]
        )
    code, out, err = await command("check", DATABASE_URL=database_url)
    assert (code, out) == (1, "2,500 games were replayed; 4 cannot be read.\n")
    assert [int(line.split()[1]) for line in err.splitlines()] == sorted(wrong)
    monkeypatch.setattr(maintenance, "BATCH_ROWS", 7)
    found = [error.game_id for error in maintenance.corrupt_games(engine) if not isinstance(error, int)]
    assert found == sorted(wrong), "whatever the size of a batch"
    with engine.begin() as connection:
        connection.execute(GAMES.delete().where(GAMES.c.id.in_(wrong)))
        assert maintenance.count_games(connection) == {"running": 2496, "over": 3, "lagging": 0}
    engine.dispose()


async def test_vacuum_says_when_somebody_still_reads_what_was_deleted(
    sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("storage.database.BUSY_SECONDS", 0.1)
    with closing(sqlite3.connect(tmp_path / "oxo.db")) as reader:
        reader.execute("BEGIN")
        assert reader.execute("SELECT count(*) FROM games").fetchone() == (0,)
        with pytest.raises(StorageError, match="still reading its old state"):
            vacuum(parse_url(sqlite_url))
    code, out, err = await command("vacuum", DATABASE_URL=sqlite_url)
    assert (code, err) == (0, "")
    assert "no deleted data" in out

"""/forget: asks first; then nothing of the person is left, and those who played with them keep everything."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest
from sqlalchemy import insert, select

from playground.groups import Group
from playground.messages import Message
from playground.people import Person
from storage.database import connect, parse_url
from storage.maintenance import back_up
from storage.privacy import forgotten
from storage.schema import ERASURES, FORGOTTEN, GAMES, METADATA, PROGRESS
from tests.people import begun, data_of, is_board, plain, played, pressed, put
from tests.processes import Processes, until

ASKED, BEGUN, DONE = "Delete all your data?", "I'm deleting your data", "your data is deleted"
NAME, USERNAME = "Zyxelmina", "zyxelmina_q"
WITHIN: Final = 60.0


@pytest.fixture(params=["sqlite", "postgresql"])
def settings(request: pytest.FixtureRequest) -> dict[str, str]:
    """Both databases, logging at every level."""
    every = {"LOG_LEVEL": "DEBUG"}
    if request.param == "sqlite":
        return every
    return {**every, "DATABASE_URL": request.getfixturevalue("postgres_url"), "FORGOTTEN_FILE": "list.forgotten"}


class Crowd:
    """Somebody who will be forgotten, and who plays with them."""

    def __init__(self, process: Processes) -> None:
        self.zyx = process.playground.add_person(NAME, username=USERNAME, started=True)
        self.bo = process.playground.add_person("Bo", started=True)
        self.group: Group = process.playground.add_group("The Noughts", [self.zyx, self.bo])


def rows_of(process: Processes) -> list[tuple[str, str]]:
    """Every value of every row, with the name of its column."""
    engine = connect(parse_url(process.settings["DATABASE_URL"]), create=False)
    with engine.connect() as connection:
        rows = [
            (f"{table.name}.{name}", str(value))
            for table in METADATA.sorted_tables
            for row in connection.execute(select(table)).mappings()
            for name, value in row.items()
        ]
    engine.dispose()
    return rows


def left_of(process: Processes, person: Person) -> list[str]:
    """Where traces of somebody are left: columns, files with their bytes, the log included."""
    telling = (str(person.id), NAME.lower(), USERNAME)
    found = [name for name, value in rows_of(process) if any(part in value.lower() for part in telling)]
    number = person.id.to_bytes((person.id.bit_length() + 7) // 8)
    patterns = [number, *(part.encode() for part in (*telling, NAME))]
    files = [path for path in process.folder.rglob("*") if path.is_file()]
    found += [path.name for path in files if any(part in path.read_bytes() for part in patterns)]
    return sorted(set(found))


async def ended(process: Processes) -> None:
    """Wait, about a second, until nobody is being forgotten any more and the write-ahead log is empty."""
    engine = connect(parse_url(process.settings["DATABASE_URL"]), create=False)
    async with asyncio.timeout(WITHIN):
        while True:
            with engine.connect() as connection:
                waits = connection.execute(select(ERASURES.c.stage)).first()
                log = connection.execute(select(PROGRESS.c.value).where(PROGRESS.c.name == "empty log")).first()
            if waits is None and log is None:
                break
            await asyncio.sleep(0.2)  # looks into the database from outside, as there is no event to await
    engine.dispose()


async def a_life(crowd: Crowd) -> tuple[Message, Message, Message]:
    """Games of all kinds, choices, results; returns the running boards: in the group, and both private ones."""
    zyx, bo, group = crowd.zyx, crowd.bo, crowd.group
    await zyx.ask("/settings hidden on")
    await zyx.ask("/settings hidden off")
    await zyx.ask("/difficulty easy")
    await played(zyx, bo, await begun(zyx, bo, group), (0, 3, 1, 4, 2))
    board = await zyx.ask("/newgame easy")
    await zyx.tap(board, data=data_of(board, 0))
    await board.until(lambda message: message.labels[0][0] != "·")
    await pressed(zyx, board, "Resign")
    await pressed(zyx, board, "Yes, resign")
    await zyx.ask("/stats", in_=group)
    await bo.ask("/top", in_=group)
    await zyx.ask("/newgame", in_=group)
    await bo.ask(f"/newgame @{USERNAME}", in_=group)
    running = await begun(zyx, bo, group)
    await put(zyx, running, 4)
    await put(bo, running, 0)
    link = await zyx.ask("/challenge")
    address = next(line for line in link.text.splitlines() if line.startswith("https://"))
    theirs = await bo.ask(f"/start {address.rpartition('=')[2]}")
    own = await zyx.private.wait_for(is_board, after=link)
    return running, own, theirs


async def test_nothing_is_left_of_a_forgotten_person_and_others_keep_their_games(process: Processes) -> None:
    crowd = Crowd(process)
    zyx, bo, group = crowd.zyx, crowd.bo, crowd.group
    running, own, theirs = await a_life(crowd)
    assert len(left_of(process, zyx)) > 8
    question = await zyx.ask("/forget")
    assert ASKED in question.text
    await pressed(zyx, question, "Yes, delete it")
    assert BEGUN in question.text
    await zyx.private.wait_for(lambda message: DONE in message.text, within=WITHIN)
    await ended(process)
    assert left_of(process, zyx) == [], "from this word on, a search finds nothing"
    await running.until(lambda message: "gave up" in message.text)
    assert "Bo wins" in plain(running)
    await theirs.until(lambda message: "You win" in message.text)
    assert "Somebody who left" in plain(theirs)
    await own.until(lambda message: "you deleted your data" in message.text)
    for board in [m for m in group.messages.values() if m.from_bot and NAME in m.text and is_board(m)]:
        await board.until(lambda message: NAME not in message.text)
    assert (await zyx.tap(own, data="2m:1:0:0")).text
    await ended(process)
    assert left_of(process, zyx) == []
    assert "1 won, 0 drawn, 1 lost" in (await bo.ask("/stats", in_=group)).text
    assert await process.stop() == 0
    assert left_of(process, zyx) == []


@pytest.mark.parametrize("settings", ["sqlite"], indirect=True)
async def test_a_bot_that_is_killed_in_the_middle_goes_on_at_its_next_start(process: Processes) -> None:
    crowd = Crowd(process)
    zyx = crowd.zyx
    board = await begun(zyx, crowd.bo, crowd.group)
    engine = connect(parse_url(process.settings["DATABASE_URL"]), create=False)
    row = {"rules": "3x3x3", "x_seat": zyx.id, "o_seat": crowd.bo.id, "termination": "timeout", "winner": "X"}
    row |= {"created_at": 1, "changed_at": 1, "version": 1}
    with engine.begin() as connection:
        connection.execute(insert(GAMES), [row] * 5000)
    await zyx.ask("/forget")
    said = await zyx.say("/forget yes")
    await zyx.private.wait_for(lambda message: BEGUN in message.text, after=said)
    await process.kill()
    with engine.connect() as connection:
        assert connection.execute(select(ERASURES.c.stage)).scalars().all() == ["going"]
    engine.dispose()
    await process.start()
    await zyx.private.wait_for(lambda message: DONE in message.text, after=said, within=WITHIN)
    await ended(process)
    assert left_of(process, zyx) == []
    await board.until(lambda message: "Bo wins" in plain(message))


@pytest.mark.parametrize("settings", ["sqlite"], indirect=True)
async def test_a_yes_that_was_noted_in_the_list_alone_when_the_bot_was_killed_is_carried_out(
    process: Processes,
) -> None:
    """The next start forgets them before their answer is delivered again."""
    zyx = Crowd(process).zyx
    await zyx.ask("/newgame easy")
    await zyx.ask("/forget")
    await until(lambda: not process.playground.world.updates.pending())
    await process.kill()
    engine = connect(parse_url(process.settings["DATABASE_URL"]), create=False)
    with engine.begin() as connection:
        entry = forgotten.entry_of(connection, zyx.id, int(time.time()))
    engine.dispose()
    forgotten.Journal(Path(f"{process.database}.forgotten")).add([entry])
    said = await zyx.say("/forget yes")
    await process.start()
    answer = await zyx.private.wait_for(after=said)
    assert DONE in answer.text
    await ended(process)
    assert left_of(process, zyx) == []


@pytest.mark.parametrize("settings", ["sqlite"], indirect=True)
async def test_it_is_asked_once_more_and_answered_by_words_too(process: Processes) -> None:
    zyx, group = (crowd := Crowd(process)).zyx, crowd.group
    board = await zyx.ask("/newgame easy")
    assert ASKED in (await zyx.ask("/forget yes")).text, "they haven't been asked yet"
    assert "Nothing has changed" in (await zyx.ask("/forget no")).text
    question = await zyx.ask("/forget")
    await zyx.ask("/forget no")
    assert "too old" in ((await zyx.tap(question, "Yes, delete it")).text or "")
    assert "private chat" in (await zyx.ask("/forget", in_=group)).text
    assert is_board(board)
    await zyx.ask("/forget")
    assert BEGUN in (await zyx.ask("/forget yes")).text
    await zyx.private.wait_for(lambda message: DONE in message.text, within=WITHIN)
    await ended(process)
    assert left_of(process, zyx) == []
    assert "/newgame" in (await zyx.ask("/games")).text
    assert "No finished games yet" in (await zyx.ask("/stats")).text
    await ended(process)
    assert left_of(process, zyx) == [], "looking on doesn't bring them back"
    await zyx.ask("/newgame easy")
    assert left_of(process, zyx), "starting something does"


@pytest.mark.parametrize("settings", ["sqlite"], indirect=True)
async def test_somebody_only_named_by_others_is_forgotten_too(process: Processes) -> None:
    crowd = Crowd(process)
    challenge = await crowd.bo.ask(f"/newgame @{USERNAME}", in_=crowd.group)
    assert left_of(process, crowd.zyx)
    await crowd.zyx.ask("/forget")
    await crowd.zyx.ask("/forget yes")
    await crowd.zyx.private.wait_for(lambda message: DONE in message.text, within=WITHIN)
    await ended(process)
    assert left_of(process, crowd.zyx) == []
    await challenge.until(lambda message: USERNAME not in message.text)


@pytest.mark.parametrize("settings", ["sqlite"], indirect=True)
async def test_it_is_not_done_while_somebody_still_reads_what_was(process: Processes) -> None:
    """Until then SQLite's write-ahead log cannot be emptied."""
    zyx = Crowd(process).zyx
    await zyx.ask("/newgame easy")
    await zyx.ask("/forget")
    with closing(sqlite3.connect(str(parse_url(process.settings["DATABASE_URL"]).database))) as reader:
        reader.execute("BEGIN")
        assert reader.execute("SELECT count(*) FROM games").fetchone() == (1,)
        said = await zyx.say("/forget yes")
        with pytest.raises(TimeoutError):
            await zyx.private.wait_for(lambda message: DONE in message.text, after=said, within=4)
    await zyx.private.wait_for(lambda message: DONE in message.text, after=said, within=WITHIN)
    await ended(process)
    assert left_of(process, zyx) == []


@pytest.mark.parametrize("settings", ["sqlite"], indirect=True)
async def test_an_inline_offer_of_a_forgotten_person_starts_nothing(process: Processes) -> None:
    crowd = Crowd(process)
    zyx, bo, group = crowd.zyx, crowd.bo, crowd.group
    process.playground.bot.inline_feedback = False
    results = await zyx.inline("")
    offer = zyx.choose(results[0], in_=group)
    await zyx.ask("/forget")
    await zyx.ask("/forget yes")
    await zyx.private.wait_for(lambda message: DONE in message.text, within=WITHIN)
    await bo.tap(offer, "Accept")
    await ended(process)
    assert left_of(process, zyx) == []


async def test_a_forgotten_person_stays_so_when_a_backup_is_restored(process: Processes, tmp_path: Path) -> None:
    crowd = Crowd(process)
    zyx, bo = crowd.zyx, crowd.bo
    board = await begun(zyx, bo, crowd.group)
    url = parse_url(process.settings["DATABASE_URL"])
    backup = await copied(process, tmp_path)
    await zyx.ask("/forget")
    await zyx.ask("/forget yes")
    await zyx.private.wait_for(lambda message: DONE in message.text, within=WITHIN)
    await ended(process)
    assert await process.stop() == 0
    await restored(process, backup)
    await _run("rm", str(backup))
    assert left_of(process, zyx), "the backup has them"
    await process.start()
    await process.has_answered(bo.private, bo)
    await ended(process)
    assert left_of(process, zyx) == []
    assert "people again" in process.logged()
    assert NAME not in board.text
    engine = connect(url, create=False)
    with engine.connect() as connection:
        assert len(connection.execute(select(FORGOTTEN)).all()) == 1
    engine.dispose()
    await zyx.ask("/newgame easy")
    await process.stop()
    await process.start()
    await process.has_answered(zyx.private, zyx)
    assert left_of(process, zyx), "somebody who has come back is not forgotten by the next start"


async def copied(process: Processes, folder: Path) -> Path:
    """A backup of the database, made while the bot runs."""
    url = parse_url(process.settings["DATABASE_URL"])
    backup = folder.parent / f"{folder.name}.backup"
    if url.get_backend_name() == "sqlite":
        back_up(url, backup)
    else:
        await _run("pg_dump", "--format=custom", f"--file={backup}", process.settings["DATABASE_URL"])
    return backup


async def restored(process: Processes, backup: Path) -> None:
    """Replace the database with a backup, as docs/hosting.md says, while the bot is stopped."""
    url = parse_url(process.settings["DATABASE_URL"])
    if url.get_backend_name() == "sqlite":
        path = str(url.database)
        await _run("rm", "-f", f"{path}-wal", f"{path}-shm")
        await _run("cp", str(backup), path)
    else:
        await _run(
            "pg_restore", "--clean", "--if-exists", f"--dbname={process.settings['DATABASE_URL']}", str(backup)
        )


async def _run(*command: str) -> None:
    process = await asyncio.create_subprocess_exec(*command)
    assert await process.wait() == 0

"""/forget: asks first; then nothing of the person is left, and those who played with them keep everything."""

import asyncio
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import select

from bot.game.pages import Share
from playground.chats import Message
from playground.groups import Group
from playground.people import Person
from storage.privacy import forgotten
from storage.schema import METADATA
from tests.backups import copied, restored
from tests.people import begun, data_of, film, given_up, is_board, led, plain, played, pressed, put, tap_cell
from tests.world import World

ASKED, BEGUN, DONE = "Delete all your data?", "I'm deleting your data", "your data is deleted"
NAME, USERNAME = "Zyxelmina", "zyxelmina_q"

on_each_database = pytest.mark.parametrize("settings", ["sqlite", "postgresql"], indirect=True)


@pytest.fixture
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> dict[str, str]:
    """SQLite, unless a test asks for both databases; the list of those who are forgotten is beside it."""
    own = {"FORGOTTEN_FILE": str(tmp_path / "oxo.db.forgotten")}
    if getattr(request, "param", "sqlite") == "sqlite":
        return own
    return {**own, "DATABASE_URL": request.getfixturevalue("postgres_url")}


@pytest.fixture
def zyx(oxo: World) -> Person:
    """Somebody who will be forgotten."""
    return oxo.playground.add_person(NAME, username=USERNAME, started=True)


@pytest.fixture
def bo(oxo: World) -> Person:
    """Somebody who plays with them."""
    return oxo.playground.add_person("Bo", started=True)


@pytest.fixture
def group(oxo: World, zyx: Person, bo: Person) -> Group:
    return oxo.playground.add_group("The Noughts", [zyx, bo])


def left_of(oxo: World, person: Person, folder: Path) -> list[str]:
    """Where traces of somebody are left: columns, files with their bytes, the log included."""
    telling = (str(person.id), NAME.lower(), USERNAME)
    with oxo.engine.connect() as connection:
        values = [
            (f"{table.name}.{name}", str(value))
            for table in METADATA.sorted_tables
            for row in connection.execute(select(table)).mappings()
            for name, value in row.items()
        ]
    values.append(("the log", oxo.logged()))
    found = [name for name, value in values if any(part in value.lower() for part in telling)]
    number = person.id.to_bytes((person.id.bit_length() + 7) // 8)
    patterns = [number, *(part.encode() for part in (*telling, NAME))]
    files = [path for path in folder.rglob("*") if path.is_file()]
    found += [path.name for path in files if any(part in path.read_bytes() for part in patterns)]
    return sorted(set(found))


async def ended(oxo: World) -> None:
    """Let time pass until nobody is being forgotten any more and the write-ahead log is empty."""
    await oxo.until(lambda: oxo.value("SELECT count(*) FROM erasures") == 0)
    await oxo.until(lambda: oxo.value("SELECT count(*) FROM progress WHERE name = 'empty log'") == 0)
    await oxo.skip(1)  # that it was said is noted a moment later


def is_told(person: Person) -> bool:
    """Whether somebody was told that their data are deleted."""
    return any(DONE in message.text for message in person.private.messages.values())


async def forget(oxo: World, person: Person) -> None:
    """Let somebody be forgotten, and told so."""
    await oxo.forgets(person)
    await ended(oxo)


async def a_life(zyx: Person, bo: Person, group: Group) -> tuple[Message, Message, Message]:
    """Games of all kinds, choices, results; returns the running boards: in the group, and both private ones."""
    await zyx.ask("/settings hidden on")
    await zyx.ask("/settings hidden off")
    await zyx.ask("/difficulty easy")
    await zyx.ask("/puzzle 1")
    await played(zyx, bo, await begun(zyx, bo, group), (0, 3, 1, 4, 2))
    board = await zyx.ask("/newgame easy")
    await tap_cell(zyx, board, 0)
    await given_up(zyx, board)
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


@on_each_database
async def test_nothing_is_left_of_a_forgotten_person_and_others_keep_their_games(
    oxo: World, zyx: Person, bo: Person, group: Group, tmp_path: Path
) -> None:
    running, own, theirs = await a_life(zyx, bo, group)
    assert len(left_of(oxo, zyx, tmp_path)) > 8
    tapped = data_of(running, 0)
    question = await zyx.ask("/forget")
    assert ASKED in question.text
    await pressed(zyx, question, "Yes, delete it")
    assert BEGUN in question.text
    await oxo.until(lambda: is_told(zyx))
    await ended(oxo)
    assert left_of(oxo, zyx, tmp_path) == [], "from this word on, a search finds nothing"
    await running.until(lambda message: "The other player left" in message.text)
    assert "Bo wins" in plain(running)
    await theirs.until(lambda message: "You win" in message.text)
    assert "Somebody who left" in plain(theirs)
    await own.until(lambda message: "you deleted your data" in message.text)
    await oxo.skip(1)
    for board in [m for m in group.messages.values() if m.from_bot and NAME in m.text and is_board(m)]:
        await board.until(lambda message: NAME not in message.text)
    assert (await zyx.tap(own, data=tapped)).text
    assert "no game in progress" in (await zyx.ask("/games")).text
    assert "No finished games yet" in (await zyx.ask("/stats")).text
    await ended(oxo)
    assert left_of(oxo, zyx, tmp_path) == [], "looking on doesn't bring them back"
    assert "1 win, 0 draws, 1 loss" in (await bo.ask("/stats", in_=group)).text
    await oxo.stop()
    assert left_of(oxo, zyx, tmp_path) == []
    await oxo.serve()
    await zyx.ask("/newgame easy")
    assert left_of(oxo, zyx, tmp_path), "starting something does"


async def test_a_yes_that_was_noted_in_the_list_alone_when_the_bot_was_killed_is_carried_out(
    oxo: World, zyx: Person, tmp_path: Path
) -> None:
    """The next start forgets them before their answer is delivered again."""
    await zyx.ask("/newgame easy")
    await zyx.ask("/forget")
    await oxo.stop()
    with oxo.engine.begin() as connection:
        entry = forgotten.entry_of(connection, zyx.id, int(time.time()))
    forgotten.Journal(tmp_path / "oxo.db.forgotten").add([entry])
    said = await zyx.say("/forget yes")
    await oxo.serve()
    answer = await zyx.private.wait_for(after=said)
    assert DONE in answer.text
    await ended(oxo)
    assert left_of(oxo, zyx, tmp_path) == []


async def test_it_is_asked_once_more_and_answered_by_words_too(zyx: Person, group: Group) -> None:
    assert ASKED in (await zyx.ask("/forget yes")).text, "they haven't been asked yet"
    assert "Nothing has changed" in (await zyx.ask("/forget no")).text
    question = await zyx.ask("/forget")
    await zyx.ask("/forget no")
    assert "too old" in ((await zyx.tap(question, "Yes, delete it")).text or "")
    assert "private chat" in (await zyx.ask("/forget", in_=group)).text
    await zyx.ask("/newgame easy")
    await zyx.ask("/forget")
    assert BEGUN in (await zyx.ask("/forget yes")).text


async def test_somebody_only_named_by_others_is_forgotten_too(
    oxo: World, zyx: Person, bo: Person, group: Group, tmp_path: Path
) -> None:
    challenge = await bo.ask(f"/newgame @{USERNAME}", in_=group)
    assert left_of(oxo, zyx, tmp_path)
    await forget(oxo, zyx)
    assert left_of(oxo, zyx, tmp_path) == []
    await challenge.until(lambda message: USERNAME not in message.text)


async def test_it_is_not_done_while_somebody_still_reads_what_was(
    oxo: World, zyx: Person, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until then SQLite's write-ahead log cannot be emptied."""
    monkeypatch.setattr("storage.database.BUSY_SECONDS", 0.1)
    await zyx.ask("/newgame easy")
    await zyx.ask("/forget")
    with closing(sqlite3.connect(str(oxo.url.database))) as reader:
        reader.execute("BEGIN")
        assert reader.execute("SELECT count(*) FROM games").fetchone() == (1,)
        said = await zyx.say("/forget yes")
        await zyx.private.wait_for(lambda message: BEGUN in message.text, after=said)
        await oxo.pass_by(10, step=2)
        assert not is_told(zyx)
    await oxo.until(lambda: is_told(zyx))
    await ended(oxo)
    assert left_of(oxo, zyx, tmp_path) == []


async def test_an_inline_offer_of_a_forgotten_person_starts_nothing(
    oxo: World, zyx: Person, bo: Person, group: Group, tmp_path: Path
) -> None:
    oxo.playground.bot.inline_feedback = False
    results = await zyx.inline("")
    offer = zyx.choose(results[0], in_=group)
    await forget(oxo, zyx)
    await bo.tap(offer, "Accept")
    await ended(oxo)
    assert left_of(oxo, zyx, tmp_path) == []


@on_each_database
async def test_a_forgotten_person_stays_so_when_a_backup_is_restored(
    oxo: World, zyx: Person, bo: Person, group: Group, tmp_path: Path
) -> None:
    board = await begun(zyx, bo, group)
    backup = tmp_path.with_name(f"{tmp_path.name}.backup")
    await asyncio.to_thread(copied, oxo.url, backup)
    await forget(oxo, zyx)
    await oxo.stop()
    oxo.engine.dispose()
    restored(oxo.url, backup)
    backup.unlink()
    assert left_of(oxo, zyx, tmp_path), "the backup has them"
    await oxo.serve()
    await oxo.has_answered(bo.private, bo)
    await ended(oxo)
    assert left_of(oxo, zyx, tmp_path) == []
    assert "people again" in oxo.logged()
    assert NAME not in board.text
    assert oxo.value("SELECT count(*) FROM forgotten") == 1
    await zyx.ask("/newgame easy")
    await oxo.stop()
    await oxo.serve()
    await oxo.has_answered(zyx.private, zyx)
    assert left_of(oxo, zyx, tmp_path), "somebody who has come back is not forgotten by the next start"


async def test_no_picture_with_the_name_is_sent_again(oxo: World, zyx: Person, bo: Person, group: Group) -> None:
    """Telegram keeps what was sent, so the bot forgets where: shared again, the game is drawn without the name."""
    board = await played(zyx, bo, await begun(zyx, bo, group), (0, 3, 1, 4, 2))
    cem = oxo.joins("Cem", group)

    async def shared(person: Person) -> bool:
        """Whether the picture was uploaded for somebody, rather than sent by its id."""
        await film(person.private, person.start(await led(person, board, Share())))
        (call,) = [call for call in oxo.playground.calls_of("sendAnimation", chat=person.private) if call.ok]
        return str(call.parameters["animation"]).endswith("bytes")

    assert await shared(cem)
    dan = oxo.joins("Dan", group)
    assert not await shared(dan)
    await forget(oxo, zyx)
    assert oxo.value("SELECT count(*) FROM replays") == 0
    eve = oxo.joins("Eve", group)
    assert await shared(eve), "drawn again"
    assert (await bo.tap(board, data="ours:1")).text

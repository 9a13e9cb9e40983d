"""A database as an earlier release left it: the newest goes on with its games, on SQLite and PostgreSQL.

`python -m tools.dumps` makes the files.
"""

import re
import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any, Final

import psycopg
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import ColumnElement, Engine, Table, select, text, update

from benchmarks.cups import ended
from bot.game.cups import gone_on, with_ended
from engine import Mark
from playground import Playground
from playground.people import Person
from storage.clock import UP
from storage.database import connect, parse_url
from storage.errors import StorageUnavailable
from storage.games.game import LEFT
from storage.indexes import INDEXED
from storage.maintenance import corrupt_games
from storage.migrate import HEAD, SCRIPTS, migrate, revision
from storage.people import cups
from storage.people.person import CupStage
from storage.schema import (
    BOARDS,
    CUP_GAMES,
    CUP_PLAYERS,
    CUPS,
    GAMES,
    MESSAGES,
    METADATA,
    MILESTONES,
    OUTBOX,
    PAIRS,
    PROGRESS,
    RATING_DAYS,
    RATINGS,
    RESULTS,
)
from tests.backups import copied, restored
from tests.conftest import postgresql_database
from tests.people import is_over, plain
from tests.processes import Processes
from tests.storage.people_everywhere import found_in_rows

DUMPS = sorted(Path(__file__).with_name("releases").glob("*.sql"))

pytestmark = pytest.mark.slow


PARAMS: Final = [
    pytest.param(dump, id=dump.stem, marks=pytest.mark.postgresql if "postgresql" in dump.stem else ())
    for dump in DUMPS
]
of_1_0 = pytest.mark.parametrize(
    "left", [each for each in PARAMS if str(each.id).startswith("1.0.")], indirect=True
)
"""What a revision has done that later releases have behind them."""


@pytest.fixture(params=PARAMS)
def left(request: pytest.FixtureRequest, new_sqlite_url: str) -> Iterator[str]:
    """The URL of a database with what a file says."""
    dump: Path = request.param
    if ".sqlite" in dump.name:
        with closing(sqlite3.connect(parse_url(new_sqlite_url).database or "")) as connection:
            connection.executescript(dump.read_text())
        yield new_sqlite_url
        return
    request.getfixturevalue("postgres_server")
    with postgresql_database() as url:
        with psycopg.connect(url) as server:
            server.execute(dump.read_text().encode())
        yield url


def test_each_release_has_left_both_databases() -> None:
    kinds = [dump.stem.rpartition(".")[::2] for dump in DUMPS]
    assert kinds
    assert {(release, kind) for release, _ in kinds for kind in ("sqlite", "postgresql")} == set(kinds)


def test_it_becomes_one_with_the_newest_schema_and_every_game_can_be_read(left: str) -> None:
    migrate(parse_url(left))
    engine = connect(parse_url(left))
    with engine.connect() as connection:
        assert revision(connection) == HEAD
        assert compare_metadata(MigrationContext.configure(connection), INDEXED) == []
    assert numbered(engine) in (NUMBERED, set())  # the latter on PostgreSQL
    assert all(isinstance(found, int) for found in corrupt_games(engine))
    engine.dispose()


@of_1_0
def test_it_can_be_upgraded_again_after_the_way_back(left: str, tmp_path: Path) -> None:
    url, backup = parse_url(left), tmp_path / "backup"
    copied(url, backup)
    migrate(url)
    restored(url, backup)
    assert migrate(url) == "0040"
    assert migrate(url) == HEAD


DEE: Final = 5_000_000_004
GONE: Final = LEFT - 77
"""A lasting pseudonym, as 1.0.0 gave one to whoever was forgotten."""


@of_1_0
def test_a_lasting_pseudonym_becomes_another_alias_in_each_game_and_cup_and_leaves_nothing_else(left: str) -> None:
    engine = connect(parse_url(left))
    with engine.begin() as connection:
        changes: tuple[tuple[Table, ColumnElement[bool], dict[str, Any]], ...] = (
            (GAMES, GAMES.c.id.in_((12, 16)), {"o_seat": GONE, "next_game": 13}),
            (GAMES, GAMES.c.id == 11, {"x_seat": GONE, "ended_by": GONE}),
            (GAMES, GAMES.c.id == 13, {"ended_by": GONE}),
            (RESULTS, RESULTS.c.mark == Mark.O, {"person": GONE}),
            (RESULTS, RESULTS.c.opponent == DEE, {"opponent": GONE}),
            (CUP_PLAYERS, CUP_PLAYERS.c.number == 2, {"person": GONE}),
            (CUP_GAMES, CUP_GAMES.c.number == 0, {"o": 2, "game_id": 16, "result": "x"}),
            (CUP_GAMES, CUP_GAMES.c.number == 2, {"x": 1, "o": 0, "game_id": 17, "result": None}),
            (PAIRS, PAIRS.c.opponent == DEE, {"opponent": GONE}),
            *(
                (each, each.c.person == DEE, {"person": GONE})
                for each in (RATINGS, RATING_DAYS, PAIRS, MILESTONES)
            ),
        )
        for table, where, values in changes:
            connection.execute(update(table).where(where).values(values))
        others = connection.execute(select(RATINGS).where(RATINGS.c.person > 0)).all()
    migrate(parse_url(left))
    with engine.connect() as connection:
        assert found_in_rows(connection, GONE) == []
        assert connection.execute(select(RATINGS)).all() == others, "the ratings of others stay as they are"
        seats = select(GAMES.c.x_seat, GAMES.c.o_seat, GAMES.c.ended_by, GAMES.c.next_game)
        of = {number: connection.execute(seats.where(GAMES.c.id == number)).one() for number in (11, 12, 13, 15)}
        assert of[11][0] == of[11][2] == LEFT - 1 - 3 * 11
        assert (of[12][1], of[12][3]) == (LEFT - 2 - 3 * 12, None), "not even to the next game"
        assert (of[13][2], of[15][1]) == (LEFT - 3 - 3 * 13, LEFT - 2 - 3 * 15)
        assert connection.execute(select(RESULTS.c.opponent).where(RESULTS.c.game_id == 12)).all() == [
            (of[12][1],)
        ]
        assert {row.game_id for row in connection.execute(select(CUP_GAMES))} == {None, 17}
        person = select(CUP_PLAYERS.c.person).where(CUP_PLAYERS.c.number == 2)
        assert connection.execute(person).scalar() == LEFT - 3
    engine.dispose()


@of_1_0
def test_what_a_message_replies_to_has_a_column_of_its_own(left: str) -> None:
    engine, kept = connect(parse_url(left)), {}
    with engine.begin() as connection:
        for table in (BOARDS, CUPS):
            ids = connection.execute(select(table.c.id)).scalars().all()
            kept[table] = {ids[0]: (None, 77)} | dict.fromkeys(ids[1:], (5, None))
            connection.execute(update(table).values(thread_id=5))
            connection.execute(update(table).where(table.c.id == ids[0]).values(thread_id=-77))
    migrate(parse_url(left))
    with engine.connect() as connection:
        for table, expected in kept.items():
            found = connection.execute(select(table.c.id, table.c.thread_id, table.c.reply_to))
            assert {row.id: (row.thread_id, row.reply_to) for row in found} == expected
    engine.dispose()


def test_a_cup_that_was_under_way_is_played_to_its_end(left: str) -> None:
    migrate(parse_url(left))
    engine, rng, now = connect(parse_url(left)), Random(1), int(time.time())
    with engine.begin() as connection:
        assert cups.waiting(connection, now) == [1]
        state = cups.load(connection, 1)
        assert state is not None
        while state.cup.stage is CupStage.RUNNING:
            games = (each._replace(game_id=each.game_id or 1000 + each.number) for each in state.games)
            state = state._replace(games=tuple(games))
            over = {each.game_id or 0: ended(Mark.X) for each in state.games if each.result is None}
            state = gone_on(with_ended(state, over), rng, state.cup.created_at)
        cups.save(connection, state)
        assert cups.champions(connection, state.cup.chat_id)
    engine.dispose()


NUMBERED = {table.name for table in METADATA.sorted_tables if table.dialect_options["sqlite"]["autoincrement"]}


def numbered(engine: Engine) -> set[str]:
    """The tables of a SQLite file in which no id is ever given twice."""
    if engine.dialect.name != "sqlite":
        return set()
    with engine.connect() as connection:
        found = "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%'"
        return set(connection.execute(text(found)).scalars())


@pytest.fixture
def next_release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A revision of a release to come, to be written."""
    scripts = tmp_path / "migrations"
    shutil.copytree(SCRIPTS, scripts)
    monkeypatch.setattr("storage.migrate.SCRIPTS", scripts)
    monkeypatch.setattr("storage.migrate.HEAD", "9998")
    return scripts / "versions" / "9998_next.py"


REVISION = f"""
from alembic import op
revision, down_revision, branch_labels, depends_on = "9998", "{HEAD}", None, None
def upgrade():
    with op.batch_alter_table("games") as games:
        games.drop_column("told")
"""


def games_of(engine: Engine) -> list[int]:
    with engine.connect() as connection:
        return list(connection.execute(text("SELECT id FROM games ORDER BY id")).scalars())


@pytest.mark.parametrize("kept", [3, 0])
@pytest.mark.parametrize("left", [dump for dump in DUMPS if ".sqlite" in dump.name], indirect=True)
def test_a_table_that_is_rebuilt_never_gives_the_id_of_a_deleted_row_again(
    left: str, next_release: Path, kept: int
) -> None:
    next_release.write_text(REVISION)
    engine = connect(parse_url(left))
    last = games_of(engine)[-1]
    with engine.begin() as connection:
        connection.execute(text("UPDATE games SET next_game = NULL"))
        for table in (BOARDS, MESSAGES, OUTBOX):
            connection.execute(table.delete())
        connection.execute(text("DELETE FROM games WHERE id > :kept"), {"kept": kept})
    migrate(parse_url(left))
    assert numbered(engine) == NUMBERED
    new = "INSERT INTO games (rules, kind, x_seat, o_seat) VALUES ('3x3x3', 'solo', 1, 0)"
    with engine.begin() as connection:
        connection.execute(text(new))
    assert games_of(engine)[-1] > last
    engine.dispose()


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        ("op.execute('DELETE FROM games WHERE id = (SELECT game_id FROM boards)')", "rows of boards would refer"),
        ("op.execute('DROP TABLE nowhere')", "no such table"),
    ],
)
@pytest.mark.parametrize("left", [dump for dump in DUMPS if ".sqlite" in dump.name], indirect=True)
def test_an_upgrade_that_fails_has_changed_nothing(left: str, next_release: Path, fault: str, told: str) -> None:
    next_release.write_text(f"{REVISION}    {fault}\n")
    file = parse_url(left).database or ""
    with closing(sqlite3.connect(file)) as connection:
        before = list(connection.iterdump())
    with pytest.raises(StorageUnavailable, match=told):
        migrate(parse_url(left))
    with closing(sqlite3.connect(file)) as connection:
        assert list(connection.iterdump()) == before


async def test_people_go_on_with_their_games(left: str, tmp_path: Path) -> None:
    migrate(parse_url(left))
    engine = connect(parse_url(left))
    with engine.begin() as connection:  # as if the upgrade had taken a moment
        connection.execute(update(PROGRESS).where(PROGRESS.c.name == UP).values(value=int(time.time())))
    engine.dispose()
    async with Playground() as playground, Processes(playground, tmp_path, left):
        ann, group = playground.people["ann"], playground.groups["noughts"]
        asked = await ann.say("/board")
        menu = await ann.private.wait_for(lambda each: "perfect" in str(each.labels), after=asked)
        perfect = next(row[0] for row in menu.labels if "perfect" in row[0])
        await ann.tap(menu, perfect)
        board = await ann.private.wait_for(after=menu)
        before = await counted(ann)
        while not is_over(board):
            row, column = next((r, c) for r in range(3) for c in range(3) if board.labels[r][c] == "·")
            await ann.tap(board, row=row, column=column)
            await board.changed()
        assert await counted(ann) == before + 1
        assert "Ann" in plain(await ann.ask("/top", in_=group))


async def counted(person: Person) -> int:
    """How many games somebody's results are made of."""
    asked = await person.say("/stats")
    answer = await person.private.wait_for(lambda each: "Games: " in each.text, after=asked)  # a cup goes on, too
    found = re.search(r"Games: (\d+) wins?, (\d+) draws?, (\d+) loss", plain(answer))
    assert found is not None
    return sum(map(int, found.groups()))

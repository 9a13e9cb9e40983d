"""The schema: built from scratch, equal to the declared tables, and safe when many bots start at once."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

import alembic.command
import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import URL, Connection, Engine, column, insert, inspect, select, text
from sqlalchemy import table as lightweight_table

from bot.features.matchmaking import service
from bot.game.states import Question, declined_in, question_of
from bot.game.time_limits import TimeLimits
from engine import Mark
from storage import database
from storage.database import connect, parse_url
from storage.errors import StorageUnavailable
from storage.games import games, replays, versions
from storage.games.board import WHOLE, Page, ReviewMode
from storage.games.game import ADMINISTRATOR, LEFT, GameKind, Offer, Termination
from storage.games.replays import Key
from storage.indexes import INDEXES
from storage.migrate import HEAD, SCRIPTS, migrate, revision
from storage.people import chats, matchmaking, people, waits
from storage.people.chats import Chat
from storage.people.wait import Wait
from storage.results import milestones, rating_changes, ratings, rebuild
from storage.schema import BOARDS, CHATS, GAMES, METADATA
from tests import forks
from tests.soak import SOAK
from tests.storage.examples import HOME, put

pytestmark = pytest.mark.slow

WAITING = "Waiting for the database: database is locked\n"
"""What a migration says that another holds up for seconds."""


EARLIER = sorted(each.revision for each in ScriptDirectory(str(SCRIPTS)).walk_revisions() if each.revision != HEAD)


def since(first: str, last: str = "9999", *, step: int = 1) -> pytest.MarkDecorator:
    """A test's `empty_url` and `earlier`: releases on SQLite, their ends on PostgreSQL; `make soak` tries all."""
    releases = [number for number in EARLIER if first <= number < last]
    ends = (releases[0], releases[-1])
    chosen = {"sqlite": (*releases[:-1:step], releases[-1]), "postgresql": ends}
    cases = [(kind, each) for kind in chosen for each in (releases if SOAK else chosen[kind])]
    return pytest.mark.parametrize(("empty_url", "earlier"), cases, indirect=["empty_url"])


FLAT = (
    (
        "INSERT INTO games (chat_id, geometry, moves, x_seat, o_seat, x_name, level, termination, winner, version,"
        " shown, created_at, changed_at, sweep_at)"
        " VALUES (5, '3x3x3', :moves, 7, 0, 'Ann', 'hard', :termination, :winner, 3, 3, 1000, 1000, 1000)"
    ),
)
WITH_BOARDS = (
    (
        "INSERT INTO games (chat_id, rules, moves, x_seat, o_seat, x_name, o_level, termination, winner, version,"
        " created_at, changed_at)"
        " VALUES (5, '3x3x3', :moves, 7, 0, 'Ann', 'hard', :termination, :winner, 3, 1000, 1000)"
    ),
    (
        "INSERT INTO boards (game_id, chat_id, wanted, shown, look_at, claims)"
        " SELECT id, 5, 3, 3, 1000, 0 FROM games WHERE moves = :moves"
    ),
)
WITHOUT_NAMES = (WITH_BOARDS[0].replace("x_name, ", "").replace("'Ann', ", ""), WITH_BOARDS[1])
STORED = {"0001": FLAT, "0003": WITH_BOARDS, "0018": WITHOUT_NAMES}
"""How releases stored a game that is shown in its chat: by the first schema of each way, until the next."""

DELETED = ("DELETE FROM boards WHERE id = 3", "DELETE FROM games WHERE id = 3")
DELETED_BY_0012 = {
    "sqlite": (
        *DELETED,
        "INSERT INTO games (id, termination, created_at, changed_at, version) VALUES (3, 'cancelled', 1, 1, 1)",
        "INSERT INTO boards (id, game_id, wanted, shown, look_at, claims) VALUES (3, 3, 1, 1, 0, 0)",
    ),
    "postgresql": DELETED,
}
"""How the release with that schema deleted the third game: an empty row kept the highest id on SQLite."""


def upgrade(connection: Connection, revision: str) -> None:
    """Bring an empty database to the schema of an earlier release."""
    config = Config()
    config.set_main_option("script_location", str(SCRIPTS))
    config.attributes["connection"] = connection
    alembic.command.upgrade(config, revision)


async def command(database_url: str, folder: Path) -> tuple[int, str, str]:
    """`python -m storage migrate`, to its end."""
    settings = {**os.environ, "DATABASE_URL": database_url}
    order = forks.Order(module="storage", arguments=["migrate"], folder=str(folder), environment=settings)
    return await forks.run(order)


def test_an_empty_database_gets_the_newest_schema(empty_url: str) -> None:
    url = parse_url(empty_url)
    assert migrate(url) is None
    assert migrate(url) == HEAD


@since("0001", step=5)
def test_a_database_of_an_earlier_release_keeps_its_games(empty_url: str, earlier: str) -> None:
    url = parse_url(empty_url)
    engine = connect(url)
    with engine.begin() as connection:
        upgrade(connection, earlier)
        connection.execute(text("INSERT INTO chats (id, level) VALUES (5, 'hard')"))
        connection.execute(text("INSERT INTO people (id, name) VALUES (7, 'Ann')"))
        for moves, termination in (("04", None), ("02468", "line")):
            row = {"moves": moves, "termination": termination, "winner": termination and "X"}
            for statement in STORED[max(first for first in STORED if first <= earlier)]:
                connection.execute(text(statement), row)
    assert migrate(url) == earlier
    with engine.begin() as connection:
        (running, boards), (finished, _) = games.load(connection, 1), games.load(connection, 2)
        assert chats.load(connection, 5) == Chat(5, "hard")
    engine.dispose()
    assert (running.chat_id, running.x_seat, running.moves, running.version) == (5, 7, "04", 3)
    assert (running.rules, running.x_level, running.o_level) == ("3x3x3", None, "hard")
    assert (finished.moves, finished.termination, finished.winner) == ("02468", Termination.LINE, Mark.X)
    assert [(board.chat_id, board.message_id, board.wanted, board.shown) for board in boards] == [(5, None, 3, 3)]


def test_ids_that_were_used_before_an_upgrade_are_never_given_again(empty_url: str) -> None:
    url = parse_url(empty_url)
    engine = connect(url)
    with engine.begin() as connection:
        upgrade(connection, "0012")
        connection.execute(text("INSERT INTO chats (id) VALUES (5)"))
        for moves in ("04", "02468", "0"):
            for statement in WITH_BOARDS:
                connection.execute(text(statement), {"moves": moves, "termination": None, "winner": None})
        for statement in DELETED_BY_0012[connection.dialect.name]:
            connection.execute(text(statement))
    migrate(url)
    with engine.begin() as connection:
        kept = {
            table: connection.execute(select(table.c.id).order_by(table.c.id)).scalars().all()
            for table in (GAMES, BOARDS)
        }
        game, (board,) = put(connection, HOME)
        broken = (
            connection.dialect.name == "sqlite" and connection.exec_driver_sql("PRAGMA foreign_key_check").all()
        )
    engine.dispose()
    assert kept == {GAMES: [1, 2], BOARDS: [1, 2]}
    assert (game.id, board.id) == (4, 4)
    assert not broken


def test_no_picture_that_shows_names_is_sent_after_an_upgrade(empty_url: str) -> None:
    url = parse_url(empty_url)
    engine = connect(url)
    with engine.begin() as connection:
        upgrade(connection, "0012")
        connection.execute(text("INSERT INTO replays VALUES (1, 'still', 'classic', 'en', 'a digest', 'a file')"))
    migrate(url)
    with engine.begin() as connection:
        assert replays.find(connection, Key(1, "still", "classic")) is None
        replays.keep(connection, Key(1, "still", "classic"), "c")
    engine.dispose()


def test_a_seat_that_an_earlier_release_offered_in_a_running_game_is_no_longer_offered(empty_url: str) -> None:
    url = parse_url(empty_url)
    engine = connect(url)
    with engine.begin() as connection:
        upgrade(connection, "0014")
        connection.execute(text("INSERT INTO chats (id) VALUES (5)"))
        for statement in WITH_BOARDS:
            connection.execute(text(statement), {"moves": "04", "termination": None, "winner": None})
        connection.execute(text("UPDATE games SET offer = 'free O', watched = 2"))
    migrate(url)
    with engine.begin() as connection:
        (lagging,), _ = versions.claim_lagging(connection, now=2**40, limit=9)
        game = games.load(connection, 1).game
    engine.dispose()
    assert (game.offer, game.watched, game.is_over) == (None, 2, False)
    assert lagging[0].game_id == 1, "its board is shown again without the button"


SHOWN = {
    None: WHOLE,
    "4:3": Page(region=4, opened_version=3),
    "rules:2": Page(choosing=True, opened_version=2),
    "r0500": Page(review=ReviewMode.LOOK, review_ply=5),
    "w0104g": Page(review=ReviewMode.MISSED, review_ply=1, review_cell=4, reviewer=16),
    "T030018ce53un18g": Page(review=ReviewMode.TRY, review_ply=3, reviewer=2**52),
}
"""What boards showed, by the page that earlier releases kept, the last of them for one person's review alone."""


@since("0005", "0019", step=4)
def test_what_was_asked_or_declined_and_what_boards_show_is_as_before_an_upgrade(
    empty_url: str, earlier: str
) -> None:
    url = parse_url(empty_url)
    engine = connect(url)
    offers = (None, "takeback:X", "resign:O", "rematch:O", "declined takeback:X", "declined rematch:O")
    times = {"created_at": 1, "changed_at": 1, "version": 3}
    with engine.begin() as connection:
        upgrade(connection, earlier)
        for number, offer in enumerate(offers, 1):
            game = {"rules": "3x3x3", "x_seat": 7, "o_seat": 8 if number > 1 else None, "offer": offer, **times}
            insert_into(connection, "games", game)
        for page in SHOWN:
            board = {"game_id": 1, "wanted": 1, "shown": 1, "look_at": 0, "claims": 0, "page": page}
            insert_into(connection, "boards", board)
    migrate(url)
    with engine.connect() as connection:
        found = [games.load(connection, number) for number in range(1, len(offers) + 1)]
    engine.dispose()
    asked = [question_of(record.game) for record in found]
    declined = [declined_in(record.game) for record in found]
    takeback, rematch = Question(Offer.TAKEBACK, Mark.X), Question(Offer.REMATCH, Mark.O)
    assert asked == [None, takeback, Question(Offer.RESIGN, Mark.O), rematch, None, None]
    assert declined == [None, None, None, None, takeback, rematch]
    assert [record.game.kind for record in found] == [GameKind.CHALLENGE, *[GameKind.PAIR] * 5]
    assert [board.page for board in found[0].boards] == list(SHOWN.values())
    assert [board.aside for board in found[0].boards] == [False] * 5 + [True]


@since("0010", "0022", step=4)
def test_people_who_wait_keep_their_place_and_two_who_met_play_on(empty_url: str, earlier: str) -> None:
    url = parse_url(empty_url)
    engine = connect(url)
    row: dict[str, Any] = {"rules": "3x3x3", "changed_at": 1, "version": 3, "kind": "challenge"}
    games_of: dict[int, dict[str, Any]] = {
        1: {"x_seat": 7, "chat_id": 7, "token": "play:20:any:secret", "created_at": 50, "due_at": 650},
        2: {"x_seat": 8, "chat_id": 8, "token": "play:::other", "created_at": 60, "due_at": 660, "reminded": 0},
        3: {"x_seat": 9, "chat_id": 9, "token": "play:5::third", "created_at": 70, "termination": "cancelled"},
        4: {"x_seat": 9, "chat_id": 9, "token": "play:5::fourth", "created_at": 70, "termination": "expired"},
        5: {"x_seat": 5, "o_seat": 6, "chat_id": 5, "token": "play:7::met", "created_at": 9, "kind": "pair"},
        6: {"x_seat": 5, "o_seat": 0, "chat_id": 5, "token": "aLink", "created_at": 9, "kind": "solo"},
        7: {"x_seat": 5, "o_seat": 6, "token": "5:aN0nce", "created_at": 9, "kind": "pair", "next_game": 4},
    }
    with engine.begin() as connection:
        upgrade(connection, earlier)
        for person in (5, 6, 7, 8, 9):
            connection.execute(insert(CHATS).values(id=person))
            insert_into(connection, "people", {"id": person, "name": f"P{person}"})
        for number, values in games_of.items():
            game = {**row, **values, "id": number}
            if earlier < "0019":
                del game["kind"]
            insert_into(connection, "games", game)
            person, shown = values["x_seat"], 0 if number == 3 else 1
            board = {"game_id": number, "chat_id": person, "viewer": person, "message_id": 100 + number}
            times = {"wanted": 1, "shown": shown, "look_at": 0, "claims": 0}
            insert_into(connection, "boards", board | times)
        connection.execute(text("INSERT INTO messages (chat_id, message_id, game_id) VALUES (9, 50, 4)"))
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT setval('games_id_seq', 7)"))
    migrate(url)
    with engine.begin() as connection:
        ann, bo = (matchmaking.waiting_of(connection, person) for person in (7, 8))
        assert ann is not None
        assert bo is not None
        assert ann.wait == Wait(1, 7, "3x3x3", any_rules=True, told=20, since=50, due_at=650, changed_at=1)
        assert (bo.wait.person, bo.wait.any_rules, bo.wait.told, bo.wait.asked) == (8, False, None, True)
        assert [(board.message_id, board.is_lagging) for board in ann.boards] == [(101, True)], (
            "it has new buttons"
        )
        assert waits.load_many(connection, [3, 4]).keys() == {3}, "whose end is still to be shown"
        assert games.load_many(connection, [1, 2, 3, 4]) == {}
        met, solo, inline = (games.load(connection, number).game for number in (5, 6, 7))
        assert [game.time_limits for game in (met, solo, inline)] == ["strangers", "usual", "usual"]
        assert (solo.link, inline.link) == ("aLink", None)
        assert (inline.inline_person, inline.inline_offer, inline.next_game) == (5, "aN0nce", None)
        lagging, _ = versions.claim_lagging(connection, now=2**40, limit=9)
        assert sorted(board.wait_id or 0 for board, _ in lagging) == [1, 2, 3]
        bo = waits.load_many(connection, [2])[2]
        there = bo.wait._replace(changed_at=70)
        service.wait_on(connection, bo, wait=there, limits=TimeLimits(), again=False)
        service.meet(connection, rng=Random(1), limits=TimeLimits(), now=70)
        (number,) = matchmaking.playing_of(connection, 7)
        begun = games.load(connection, number)
        assert (number, begun.game.rules, {begun.game.x_seat, begun.game.o_seat}) == (8, "3x3x3", {7, 8})
        assert {board.message_id for board in begun.boards} == {101, 102, None}
        new = matchmaking.begin(connection, ann.wait._replace(person=9), [])
        assert new.wait.id == 4, "no number is used twice"
    engine.dispose()


def test_games_that_were_played_before_are_numbered_and_wait_to_be_rated(empty_url: str) -> None:
    url = parse_url(empty_url)
    engine = connect(url)
    row = (
        "INSERT INTO results"
        " (game_id, person, opponent, level, rules, mark, outcome, termination, plies, ended_at)"
        " VALUES (:game, :one, :other, :level, '3x3x3', :mark, :outcome, :how, :plies, :at)"
    )
    played = ((1, 8, "line", 5, 300), (2, 8, "timeout", 5, 100), (3, 9, "timeout", 6, 200), (4, 0, "line", 5, 50))
    with engine.begin() as connection:
        upgrade(connection, "0012")
        connection.execute(text("INSERT INTO progress (name, value) VALUES ('rated', 20000), ('salt', 7)"))
        for game, other, how, plies, at in played:
            same = {"game": game, "how": how, "plies": plies, "at": at, "level": None if other else "easy"}
            connection.execute(text(row), {**same, "one": 7, "other": other, "mark": "X", "outcome": "win"})
            if other:
                connection.execute(text(row), {**same, "one": other, "other": 7, "mark": "O", "outcome": "loss"})
    migrate(url)
    with engine.begin() as connection:
        numbers = connection.execute(text("SELECT game_id, person, number FROM results ORDER BY game_id, person"))
        found = [tuple(each) for each in numbers]
        progress = {each.name: each.value for each in connection.execute(text("SELECT * FROM progress"))}
        assert rebuild.catch_up(connection) == 2
        assert ratings.load(connection, [7])[rating_changes.Key(7, "")].games == 2
        assert milestones.of_person(connection, 7) == {"easy": 50}
        counted = connection.execute(text("SELECT progress FROM milestones WHERE person = 7 ORDER BY name"))
        assert counted.scalars().all() == [1, 4], "easy, games"
    engine.dispose()
    assert found == [(1, 7, 2), (1, 8, 2), (2, 7, None), (2, 8, None), (3, 7, 1), (3, 9, 1), (4, 7, None)]
    assert progress == {"numbered": 2, "rated": 0, "salt": 7}


def insert_into(connection: Connection, table: str, row: dict[str, Any]) -> None:
    """Store a row of an old schema."""
    connection.execute(insert(lightweight_table(table, *map(column, row))).values(row))


def test_names_in_games_become_rows_of_people(empty_url: str) -> None:
    """Everybody who had a name in a game still has one; the games themselves identify people by id."""
    left = LEFT - 5
    known = [(7, "Ann", "ann"), (8, "", None), (10, "Bo Z", "bo_z"), (11, "Cem", None), (12, "Dan", None)]
    old: list[dict[str, Any]] = [
        {"x_seat": 7, "x_name": "Annie", "o_seat": 9, "o_name": "Flo"},
        {"x_seat": 9, "x_name": "Flora", "o_seat": 8, "o_name": "Eva"},
        {"x_seat": 7, "x_name": "Ann", "rival_name": "@Bo_Z"},
        {"x_seat": 7, "x_name": "Ann", "rival_name": "@Nobody_Yet"},
        {"o_seat": 9, "o_name": "Flora", "rival_name": "@nobody_yet"},
        {"x_seat": 7, "x_name": "Ann", "rival_name": "Hal", "termination": "declined"},
        {"x_seat": 7, "x_name": "Ann", "rival_id": 13, "rival_name": "Ida"},
        {"x_seat": 7, "x_name": "Ann", "ended_by": "Ann", "termination": "cancelled"},
        {"x_seat": 7, "x_name": "Ann", "ended_by": "Cem", "termination": "cancelled"},
        {"x_seat": 7, "x_name": "Ann", "ended_by": "Who?", "termination": "cancelled"},
        {"o_seat": left, "ended_by": "", "termination": "cancelled"},
        {"x_seat": 0, "o_seat": 0, "host": 12, "ended_by": "Dan", "termination": "cancelled"},
    ]
    url = parse_url(empty_url)
    engine = connect(url)
    with engine.begin() as connection:
        upgrade(connection, "0012")
        for person, name, username in known:
            insert_into(connection, "people", {"id": person, "name": name, "username": username})
        for game in old:
            row = {"rules": "3x3x3", "created_at": 1, "changed_at": 1, "version": 1, **game}
            insert_into(connection, "games", row)
        row = {"names": "[]", "at": 1, "alias": left, "cursor": 5}
        for person, stage in ((14, "seeking"), (15, "going"), (left, "late")):
            insert_into(connection, "erasures", {**row, "person": person, "stage": stage})
    migrate(url)
    with engine.connect() as connection:
        found = [games.load(connection, number + 1).game for number in range(len(old))]
        erasures = connection.execute(text("SELECT person, stage, cursor FROM erasures")).all()
        assert people.find_username(connection, "nobody_yet") is None
    engine.dispose()
    assert [(game.name(Mark.X), game.name(Mark.O)) for game in found[:2]] == [("Ann", "Flora"), ("Flora", "Eva")]
    assert [game.name_of(game.rival_id) for game in found[2:7]] == [
        "Bo Z",
        "@Nobody_Yet",
        "@Nobody_Yet",
        "Hal",
        "Ida",
    ]
    assert [found[2].rival_id, found[6].rival_id] == [10, 13]
    assert found[3].rival_id == found[4].rival_id
    assert [game.ended_by for game in found[7:]] == [7, 11, ADMINISTRATOR, left, 12]
    assert erasures == [(14, "going", 0), (15, "going", 0)]


def test_the_newest_schema_is_that_of_the_newest_migration() -> None:
    assert ScriptDirectory(str(SCRIPTS)).get_current_head() == HEAD


def test_the_migrations_make_the_tables_that_are_declared(engine: Engine) -> None:
    with engine.begin() as connection:
        context = MigrationContext.configure(
            connection, opts={"compare_type": True, "compare_server_default": True}
        )
        assert INDEXES
        assert compare_metadata(context, METADATA) == []


def test_every_constraint_is_named_as_it_is_declared(engine: Engine) -> None:
    with engine.begin() as connection:
        inspector = inspect(connection)
        nameless = {  # SQLAlchemy does not name a key with AUTOINCREMENT
            table.primary_key.name
            for table in METADATA.tables.values()
            if connection.dialect.name == "sqlite" and table.dialect_options["sqlite"]["autoincrement"]
        }
        found = {
            *(inspector.get_pk_constraint(table)["name"] for table in METADATA.tables),
            *(key["name"] for table in METADATA.tables for key in inspector.get_foreign_keys(table)),
            *(key["name"] for table in METADATA.tables for key in inspector.get_unique_constraints(table)),
        }
    declared = {constraint.name for table in METADATA.tables.values() for constraint in table.constraints}
    assert found - {None} == declared - nameless


def test_threads_that_start_together_migrate_once(empty_url: str) -> None:
    url = parse_url(empty_url)
    with ThreadPoolExecutor(6) as threads:
        before = list(threads.map(lambda _: migrate(url), range(6)))
    assert sorted(before, key=str) == [*[HEAD] * 5, None]


async def test_processes_that_start_together_migrate_once(empty_url: str, tmp_path: Path) -> None:
    said = await asyncio.gather(*(command(empty_url, tmp_path) for _ in range(3)))
    assert sorted((out, err.replace(WAITING, ""), code) for code, out, err in said) == [
        (f"The database is at schema {HEAD}.\n", "", 0),
        (f"The database is at schema {HEAD}.\n", "", 0),
        (f"The database was upgraded to schema {HEAD}.\n", "", 0),
    ]


def test_a_migration_by_hand_waits_for_another_that_takes_long(new_sqlite_url: str) -> None:
    url = parse_url(new_sqlite_url)

    class Release(logging.Handler):
        """Ends the other migration as soon as this one says that it's waiting."""

        def emit(self, record: logging.LogRecord) -> None:
            assert record.getMessage() == WAITING.strip()
            other.rollback()

    with closing(sqlite3.connect(url.database or "", isolation_level=None)) as other:
        other.execute("PRAGMA journal_mode=WAL")
        other.execute("BEGIN IMMEDIATE")
        logger, release = logging.getLogger("storage.migrate"), Release()
        logger.addHandler(release)
        try:
            with patch.object(database, "BUSY_SECONDS", 0.1):
                assert migrate(url, patience=0) is None
        finally:
            logger.removeHandler(release)


def test_a_database_of_a_newer_release_is_refused_and_left_alone(url: URL, engine: Engine) -> None:
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(StorageUnavailable, match=r"another release \(9999\)") as refusal:
        migrate(url)
    assert "\n" not in str(refusal.value)
    with engine.begin() as connection:
        assert revision(connection) == "9999"


def test_a_database_out_of_reach_is_named_without_its_password() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # nothing listens there
        port = taken.getsockname()[1]
        with pytest.raises(StorageUnavailable) as refusal:
            migrate(parse_url(f"postgresql://ann:sesame@127.0.0.1:{port}/oxo"), patience=0)
    assert str(port) in str(refusal.value)
    assert "sesame" not in str(refusal.value)


async def test_the_command_tells_in_one_line_why_it_cannot(tmp_path: Path) -> None:
    file = tmp_path / "oxo.db"
    file.write_text("This is no database, however long one looks at it. " * 20)
    code, out, err = await command(f"sqlite:///{file}", tmp_path)
    assert (code, out) == (1, "")
    assert err == "The database cannot be used: file is not a database\n"

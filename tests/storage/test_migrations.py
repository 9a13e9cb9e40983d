"""The schema: made from nothing, equal to the tables that are declared, safe when many start at once."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import alembic.command
import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import inspect, text

from engine import Mark
from storage import chats, games
from storage.chats import Chat
from storage.database import connect, parse_url
from storage.errors import StorageUnavailable
from storage.game import Termination
from storage.indexes import INDEXES
from storage.migrate import HEAD, SCRIPTS, migrate, revision
from storage.schema import METADATA

if TYPE_CHECKING:
    from pathlib import Path

    from sqlalchemy import URL, Connection, Engine


EARLIER = [script.revision for script in ScriptDirectory(str(SCRIPTS)).walk_revisions() if script.revision != HEAD]

FLAT = (
    (
        "INSERT INTO games (chat_id, geometry, moves, x_seat, o_seat, x_name, level, termination, winner, version,"
        " shown, created_at, changed_at, sweep_at)"
        " VALUES (5, '3x3x3', :moves, 7, 0, 'Ann', 'hard', :termination, :winner, 3, 3, 1000, 1000, 1000)"
    ),
)
BOARDS = (
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
STORED = {"0001": FLAT, "0003": BOARDS}
"""How releases stored a game that is shown in its chat: by the first schema of each way, until the next."""


def upgrade(connection: Connection, revision: str) -> None:
    """Bring an empty database to the schema of an earlier release."""
    config = Config()
    config.set_main_option("script_location", str(SCRIPTS))
    config.attributes["connection"] = connection
    alembic.command.upgrade(config, revision)


def command(database_url: str, folder: Path) -> subprocess.Popen[str]:
    """`python -m storage migrate`, started."""
    return subprocess.Popen(
        [sys.executable, "-m", "storage", "migrate"],
        cwd=folder,
        env={**os.environ, "DATABASE_URL": database_url},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_an_empty_database_gets_the_newest_schema(empty_url: str) -> None:
    url = parse_url(empty_url)
    assert migrate(url) is None
    assert migrate(url) == HEAD


@pytest.mark.parametrize("earlier", EARLIER)
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
        found = {
            *(inspector.get_pk_constraint(table)["name"] for table in METADATA.tables),
            *(key["name"] for table in METADATA.tables for key in inspector.get_foreign_keys(table)),
            *(key["name"] for table in METADATA.tables for key in inspector.get_unique_constraints(table)),
        }
    assert found == {constraint.name for table in METADATA.tables.values() for constraint in table.constraints}


def test_threads_that_start_at_once_migrate_once(empty_url: str) -> None:
    url = parse_url(empty_url)
    with ThreadPoolExecutor(6) as threads:
        before = list(threads.map(lambda _: migrate(url), range(6)))
    assert sorted(before, key=str) == [*[HEAD] * 5, None]


def test_processes_that_start_at_once_migrate_once(empty_url: str, tmp_path: Path) -> None:
    started = [command(empty_url, tmp_path) for _ in range(3)]
    said = [(process.communicate(timeout=60), process.returncode) for process in started]
    assert sorted(said) == [
        ((f"The database is at schema {HEAD}.\n", ""), 0),
        ((f"The database is at schema {HEAD}.\n", ""), 0),
        ((f"The database was brought to schema {HEAD}.\n", ""), 0),
    ]


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
        taken.bind(("127.0.0.1", 0))  # nobody listens there
        port = taken.getsockname()[1]
        with pytest.raises(StorageUnavailable) as refusal:
            migrate(parse_url(f"postgresql://ann:sesame@127.0.0.1:{port}/oxo"), patience=0)
    assert str(port) in str(refusal.value)
    assert "sesame" not in str(refusal.value)


def test_the_command_tells_in_one_line_why_it_cannot(tmp_path: Path) -> None:
    file = tmp_path / "oxo.db"
    file.write_text("This is no database, however long one looks at it. " * 20)
    process = command(f"sqlite:///{file}", tmp_path)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (1, "")
    assert err == "The database cannot be used: file is not a database\n"

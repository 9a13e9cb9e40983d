"""A database with games in progress is upgraded to separate rows for boards, and every game goes on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import alembic.command
import pytest
from alembic.config import Config
from sqlalchemy import URL, Engine, text

from engine import Mark
from storage import audit
from storage.database import connect, parse_url
from storage.errors import CorruptGame
from storage.games import boards, games, lookups, versions
from storage.games.board import Board
from storage.games.game import COMPUTER
from storage.games.record import Record
from storage.migrate import SCRIPTS, migrate
from storage.people import chats, people, preferences
from storage.people.chats import Chat
from storage.people.person import Person
from storage.store import Store
from tests.storage.examples import kind_of, play, read

CONTENT = Path(__file__).with_name("games_of_0002.sql")

ANN, BOB, CEM = 4503599627370495, 7000000007, 81
GROUP, BASIC = -1002147483648, -4100200300

RENAMED = {"geometry": "rules", "taken": "seen_updates"}
OF_BOARDS = {
    "thread_id",
    "message_id",
    "inline_message_id",
    "guest_chat_id",
    "guest_message_id",
    "guest_language",
    "language",
    "shown",
    "sweep_at",
}


class Shown(NamedTuple):
    """A board: where it is, for whom, and which version it shows."""

    chat: int | str | None
    thread: int | None
    message: int | None
    viewer: int | None
    language: str | None
    wanted: int
    shown: int


EXPECTED = {
    # Challenges: in a topic; by link, one of them just accepted and being sent again; inline; lost.
    1: [Shown(GROUP, 3, 901, None, "en", 1, 1)],
    7: [Shown(BOB, None, 907, BOB, "zh-hans", 1, 1)],
    6: [Shown(CEM, None, None, CEM, "de", 2, 0), Shown(ANN, None, None, ANN, "en", 2, 0)],
    8: [Shown("AgAAAInlineOpen", None, None, None, "en", 1, 1)],
    25: [Shown(GROUP, None, None, None, "de", 1, 0)],
    # Against the computer: it moved first; never sent, in a topic; the last move is not shown; inline; large.
    2: [Shown(ANN, None, 902, ANN, "en", 2, 2)],
    3: [Shown(GROUP, 4, None, None, "zh-hans", 1, 0)],
    4: [Shown(CEM, None, 904, CEM, "de", 2, 1)],
    9: [Shown("AgAAAInlineRunning", None, None, None, "zh-hans", 2, 2)],
    24: [Shown(CEM, None, 924, CEM, "de", 1, 1)],
    # By link, each with two boards: running and reminded; finished, and its next game; lost on time.
    5: [Shown(ANN, None, 1905, ANN, "en", 5, 5), Shown(BOB, None, 2905, BOB, "zh-hans", 5, 5)],
    12: [Shown(ANN, None, 1912, ANN, "en", 9, 9), Shown(CEM, None, 2912, CEM, "de", 9, 9)],
    13: [Shown(ANN, None, 1913, ANN, "en", 1, 1), Shown(CEM, None, 3913, CEM, "de", 1, 1)],
    18: [Shown(BOB, None, 1918, BOB, "zh-hans", 5, 4), Shown(CEM, None, 2918, CEM, "de", 5, 4)],
    # An inline message that now shows the next game.
    10: [],
    11: [Shown("AgAAAInlineSeries", None, None, None, "de", 2, 2)],
    # Somebody asks for a rematch, a takeback, and thinks twice about giving up.
    14: [Shown(GROUP, None, 914, None, "en", 12, 12)],
    15: [Shown(BASIC, None, 915, None, "zh-hans", 6, 6)],
    16: [Shown(GROUP, None, 916, None, "de", 5, 5)],
    # Over: resigned, withdrawn, declined; expired before it was sent, so it never will be; won, and the next game.
    17: [Shown(GROUP, None, 917, None, "de", 6, 6)],
    19: [Shown(GROUP, None, 919, None, "en", 2, 2)],
    20: [Shown(GROUP, None, 920, None, "en", 2, 2)],
    21: [Shown(ANN, None, None, ANN, "en", 2, 2)],
    22: [Shown(BOB, None, 922, BOB, "zh-hans", 5, 5)],
    23: [Shown(BOB, None, 923, BOB, "zh-hans", 1, 1)],
}
"""The boards of every game."""


class Upgraded(NamedTuple):
    """An upgraded database, and its game rows before the upgrade."""

    url: URL
    engine: Engine
    before: Mapping[int, Mapping[str, Any]]


@pytest.fixture(scope="module")
def upgraded(shared_url: str) -> Iterator[Upgraded]:
    """A database with an earlier release's content, upgraded as the bot does at its start; tests only read it."""
    yield from upgrade(shared_url)


@pytest.fixture
def own(empty_url: str) -> Iterator[Upgraded]:
    """Such a database for one test, which writes to it."""
    yield from upgrade(empty_url)


def upgrade(address: str) -> Iterator[Upgraded]:
    """Fill an empty database as the earlier release did, and upgrade it."""
    url = parse_url(address)
    engine = connect(url)
    with engine.begin() as connection:
        config = Config()
        config.set_main_option("script_location", str(SCRIPTS))
        config.attributes["connection"] = connection
        alembic.command.upgrade(config, "0002")
        for statement in CONTENT.read_text(encoding="utf-8").split(";\n"):
            if statement.strip():
                connection.exec_driver_sql(statement)
        rows = connection.execute(text("SELECT * FROM games ORDER BY id")).mappings()
        before = {row["id"]: dict(row) for row in rows}
    assert migrate(url) == "0002"
    yield Upgraded(url, engine, before)
    engine.dispose()


def records(engine: Engine) -> Mapping[int, Record | CorruptGame]:
    with engine.connect() as connection:
        return games.load_many(connection, range(1, 100))


def shown(board: Board) -> Shown:
    assert (board.claims, board.leaving, board.replaces) == (0, False, None)
    where = board.inline_message_id if board.chat_id is None else board.chat_id
    return Shown(where, board.thread_id, board.message_id, board.viewer, board.language, board.wanted, board.shown)


FIGURES = ("x_rating", "o_rating", "x_rated", "o_rated")
UNKNOWN = dict.fromkeys((*FIGURES, "next_level", "clock", "best_of", "x_reached", "o_reached"))
NONE_YET = {"takebacks": 0, "wordings": 0}


def test_every_game_is_kept_as_it_was(upgraded: Upgraded) -> None:
    found = records(upgraded.engine)
    assert found.keys() == upgraded.before.keys() == EXPECTED.keys()
    for game_id, row in upgraded.before.items():
        record = found[game_id]
        assert not isinstance(record, CorruptGame)
        game = record.game
        kept = {RENAMED.get(name, name): value for name, value in row.items() if name not in OF_BOARDS}
        level = kept.pop("level")
        now = game._asdict()
        assert {mark: now.pop(f"{mark}_level") for mark in "xo"} == {
            "x": level if game.x_seat == COMPUTER else None,
            "o": level if game.o_seat == COMPUTER else None,
        }
        assert game.level == level
        called = {seat: name for seat in "xo" if (name := kept.pop(f"{seat}_name"))}
        assert {seat: game.name(Mark(seat.upper())) for seat in called} == called
        if (rival := kept.pop("rival_name")) is not None and kept["rival_id"] is None:
            kept["rival_id"] = game.rival_id
            assert game.name_of(game.rival_id) == rival
        del now["names"]
        offer, _, asker = (kept.pop("offer") or "").partition(":")
        asked = {"offer": offer or None, "offered_by": asker or None, "declined": None, "declined_by": None}
        kept |= asked | {"kind": kind_of(game), "time_limits": "usual"}
        token = kept.pop("token") or ""
        person, _, nonce = token.partition(":") if ":" in token else ("", "", "")
        kept |= {"link": None if nonce else token or None, "inline_offer": nonce or None}
        kept["inline_person"] = int(person) if person else None
        assert now == kept | {"host": None, "ended_by": None, "watched": None, **NONE_YET, **UNKNOWN}


def test_every_game_has_its_boards(upgraded: Upgraded) -> None:
    found = records(upgraded.engine)
    for game_id, expected in EXPECTED.items():
        record = found[game_id]
        assert not isinstance(record, CorruptGame)
        assert [shown(board) for board in record.boards] == expected, game_id
        assert {board.look_at for board in record.boards} <= {upgraded.before[game_id]["sweep_at"]}


def test_the_sweep_shows_what_was_not_shown_and_nothing_else(upgraded: Upgraded) -> None:
    with upgraded.engine.connect() as connection:
        taken, broken = versions.claim_lagging(connection, now=2**40, limit=100)
    lagging = sorted(board.game_id or 0 for board, _ in taken)
    assert lagging == [3, 4, 6, 6, 18, 18, 25]
    assert list(broken) == []


def test_chats_and_people_are_kept(upgraded: Upgraded) -> None:
    with upgraded.engine.connect() as connection:
        assert chats.load(connection, ANN) == Chat(ANN, "hard", "random", "555001")
        assert chats.load(connection, BASIC) == Chat(BASIC, "easy")
        assert people.find(connection, BOB) == Person(BOB, "Bob's <b>", language="zh-hans")
        assert [preferences.allows_takebacks(connection, person) for person in (ANN, BOB, CEM)] == [
            True,
            True,
            False,
        ]


def test_games_are_found_as_before(upgraded: Upgraded) -> None:
    with upgraded.engine.connect() as connection:
        found = {
            "home": lookups.on_message(connection, ANN, 1905),
            "guest": lookups.on_message(connection, BOB, 2905),
            "link": lookups.by_link(connection, "aTokenOfALinkThatWasTaken"),
            "inline": lookups.by_inline_message(connection, "AgAAAInlineSeries"),
            "update": games.of_update(connection, upgraded.before[5]["update_id"]),
        }
        running = [record.game.id for record in lookups.running(connection, ANN, ANN)]
        waiting = lookups.open_challenges(connection, GROUP, CEM)
        due = {game.id for game in lookups.due(connection, now=2**40, limit=100)}
    assert {name: record and record.game.id for name, record in found.items()} == {
        "home": 5,
        "guest": 5,
        "link": 5,
        "inline": 11,
        "update": None,  # it was too long ago
    }
    assert running == [13, 6, 5, 2]
    assert waiting == 1
    assert due == {game_id for game_id, row in upgraded.before.items() if row["termination"] is None}


async def test_games_go_on_and_new_ones_begin(own: Upgraded) -> None:
    store = Store(own.url)
    moved = await store.change(5, play("8"), 600000)
    assert [board.wanted for board in moved.record.boards] == [6, 6]
    assert moved.record == await read(store, 5)
    assert moved.record.game.position.mark_at(8) is Mark.X
    inline = await store.change(11, play("0"), 600001)
    assert [board.wanted for board in inline.record.boards] == [3]
    game, place = moved.record.game._replace(link=None, update_id=None), moved.record.boards[1].place
    begun = await store.run(partial(boards.add, game=game, places=[place]))
    await store.close()
    assert begun.game.id == 26
    assert list(audit.corrupt_games(own.engine)) == [26]

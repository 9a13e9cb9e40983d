"""Every query that the bot makes finds its rows by an index, however many games there are.

The functions run as the bot runs them; each statement that they send is then explained by the database.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import event, insert, text

from storage import audit, boards, chats, games, lookups, outbox
from storage.board import Place
from storage.boards import Shown
from storage.chats import Person
from storage.database import connect, parse_url
from storage.migrate import migrate
from storage.notice import Kind, Notice
from storage.schema import BOARDS, CHATS, GAMES, MESSAGES, OUTBOX, PEOPLE
from tests.conftest import postgresql_database
from tests.storage.examples import ANN, GROUP, INLINE, LINK, NEW

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from sqlalchemy import Connection, Engine

    from storage.board import Board

MANY = 3000
"""Games, half of them over; so many that PostgreSQL prefers an index of its own accord."""

MINE = 20
"""The game whose boards the queries are about; it is Ann's and runs in her chat."""


def board(connection: Connection, *, moving: bool = False) -> Board:
    found = games.load(connection, MINE).boards[0]
    return replace(found, message_id=None, replaces=found.id + 1) if moving else found


def notice(connection: Connection) -> Notice:
    return outbox.add(connection, Notice(0, Kind.REMINDER, MINE, 0, ANN, None, None, 0))


TAP: dict[str, Callable[[Connection], object]] = {
    "load": lambda c: games.load_many(c, [1, 2, 3]),
    "save a move": lambda c: games.save_many(
        c, [(replace(game := games.load(c, MINE).game, version=game.version + 1), game)]
    ),
    "save a seat": lambda c: games.save_many(
        c, [(replace(game := games.load(c, MINE).game, version=game.version + 1, x_name="A"), game)]
    ),
    "raise boards": lambda c: boards.raise_many(c, [(boards.raised(board(c), 1), board(c))]),
    "confirm": lambda c: boards.confirm(c, [Shown(1, 2, True), Shown(2, 1, False, True), Shown(MINE, 2, True)]),
}
OTHERS: dict[str, Callable[[Connection], object]] = {
    "the game of an update": lambda c: games.of_update(c, 7),
    "a new game with its board": lambda c: boards.add(c, NEW, [Place(chat_id=ANN)]),
    "the hold on what waits": lambda c: boards.hold(c, {1: 1, 2: 1, 3: 1}, 5),
    "the sweep": lambda c: boards.claim_lagging(c, now=10**6, limit=10),
    "a board shown anew": lambda c: boards.show_anew(c, board(c).id),
    "a board that moves down": lambda c: boards.move_down(c, games.load(c, MINE), board(c), None),
    "a board's message": lambda c: boards.settle(c, board(c, moving=True), 900),
    "a message that was found": lambda c: boards.adopt(c, board(c, moving=True), 10**9),
    "a message that is lost": lambda c: boards.lose_message(c, board(c)),
    "a topic that is gone": lambda c: boards.leave_topic(c, board(c)),
    "a board that is removed": lambda c: boards.remove(c, board(c)),
    "a board that is given up": lambda c: boards.give_up(c, board(c)),
    "a replacement that is given up": lambda c: boards.give_up(c, board(c, moving=True)),
    "the next game": lambda c: boards.pass_on(c, games.load(c, MINE), NEW),
    "the next game in an inline message": lambda c: boards.pass_on(c, games.load(c, MANY + 1), NEW),
    "what is said": notice,
    "what is still to be said": lambda c: outbox.claim(c, now=1010, limit=10),
    "the hold on what is said": lambda c: outbox.hold(c, [1, 2, 3], 5),
    "what was said": lambda c: outbox.done(c, notice(c), 901),
    "the game on a message": lambda c: lookups.on_message(c, ANN, 900 + MINE),
    "the game of what was said": lambda c: lookups.on_message(c, GROUP, 10**6 + 1),
    "the challenge of a link": lambda c: lookups.by_token(c, LINK),
    "the game of an inline message": lambda c: lookups.by_inline_message(c, str(INLINE.inline_message_id)),
    "a person's running games": lambda c: lookups.running(c, ANN, ANN),
    "the newest games of a chat": lambda c: lookups.newest(c, GROUP),
    "the languages that were chosen": chats.languages,
    "whether somebody is called": lambda c: chats.wants_notices(c, ANN, in_group=False),
    "a person's open challenges": lambda c: lookups.open_challenges(c, GROUP, ANN),
    "a person's results": lambda c: lookups.results(c, ANN, 10),
    "what is due": lambda c: lookups.due(c, now=5, limit=10),
    "a chat's choices": lambda c: chats.load(c, GROUP),
    "a choice": lambda c: chats.choose(c, GROUP, {"level": "easy"}),
    "a person": lambda c: chats.see(c, Person(ANN, "Ann")),
    "takebacks": lambda c: chats.allows_takebacks(c, ANN),
}
SELDOM: dict[str, Callable[[Connection], object]] = {
    "a chat that becomes another": lambda c: chats.migrate(c, old=ANN, new=GROUP),
}
"""What may read a table of games, because it happens once in the life of a group, yet none of boards."""


def fill(connection: Connection) -> None:
    """Games of many people, each in their own chat, all finished but the newest of each; Ann has a hundred."""
    people = [ANN if number % 30 == MINE else 1000 + number for number in range(1, MANY + 1)]
    connection.execute(insert(CHATS), [{"id": chat} for chat in {*people, GROUP}])
    connection.execute(insert(PEOPLE), [{"id": person, "name": "Somebody"} for person in set(people)])
    runs = [number % 2 == 0 for number in range(1, MANY + 1)]
    some = games.insert_game(connection, replace(NEW, chat_id=None))
    values = {name: getattr(some, name) for name in games.ADDED}
    rows = [
        {
            **values,
            "chat_id": person,
            "x_seat": person,
            "update_id": number,
            "token": f"token {number}",
            "moves": "" if run else "02468",
            "termination": None if run else "line",
            "winner": None if run else "X",
            "due_at": number * 1000 if run else None,
        }
        for number, (person, run) in enumerate(zip(people, runs, strict=True), 2)
    ]
    connection.execute(insert(GAMES), rows)
    placed = [
        {
            "game_id": number,
            "chat_id": person,
            "message_id": 900 + number,
            "leaving": False,
            "wanted": 2,
            "shown": 2 if number % 50 else 1,
            "look_at": number,
            "claims": 0,
        }
        for number, person in enumerate(people, 2)
    ]
    connection.execute(insert(BOARDS), placed)
    boards.put(connection, MANY + 1, INLINE)
    said = [{"chat_id": GROUP, "message_id": 10**6 + number, "game_id": number} for number in range(1, MANY)]
    connection.execute(insert(MESSAGES), said)
    waiting = {"kind": "reminder", "game_id": 1, "ply": 0}
    connection.execute(
        insert(OUTBOX), [{**waiting, "chat_id": person, "look_at": person} for person in people[:2000]]
    )


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def full(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """A database with many games; what a test changes in it, it rolls back."""
    if request.param == "sqlite":
        folder: Path = tmp_path_factory.mktemp("plans")
        yield from filled(f"sqlite:///{folder / 'oxo.db'}")
    else:
        request.getfixturevalue("postgres_server")
        with postgresql_database() as url:
            yield from filled(url)


def filled(address: str) -> Iterator[Engine]:
    url = parse_url(address)
    migrate(url)
    engine = connect(url)
    with engine.begin() as connection:
        fill(connection)
    with engine.begin() as connection:
        connection.execute(text("ANALYZE"))
    yield engine
    engine.dispose()


@contextmanager
def recorded(engine: Engine) -> Iterator[list[tuple[str, Any]]]:
    """The statements that are sent meanwhile, with their parameters."""
    sent: list[tuple[str, Any]] = []

    def record(_conn: object, _cursor: object, statement: str, parameters: Any, *_: object) -> None:  # noqa: ANN401
        sent.append((statement, parameters[0] if isinstance(parameters, list) else parameters))

    event.listen(engine, "before_cursor_execute", record)
    try:
        yield sent
    finally:
        event.remove(engine, "before_cursor_execute", record)


def scans(connection: Connection, statement: str, parameters: Any) -> list[str]:  # noqa: ANN401
    """The lines of a statement's plan that read a whole table."""
    if not statement.lstrip().upper().startswith(("SELECT", "UPDATE", "INSERT", "DELETE", "WITH")):
        return []
    if connection.dialect.name == "sqlite":
        if statement.startswith("INSERT"):
            return []  # its plan shows the check of next_game, which is left out while no key is violated
        rows = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)
        lines = [str(row[-1]) for row in rows]
        # A scan of a subquery's few rows is none of a table; the sweep reads an index of what lags from its end.
        return [line for line in lines if line.startswith("SCAN") and " USING " not in line and is_of_table(line)]
    lines = [str(row[0]) for row in connection.exec_driver_sql(f"EXPLAIN {statement}", parameters)]
    return [line for line in lines if "Seq Scan on" in line]


def is_of_table(line: str) -> bool:
    """Whether a line of a plan speaks of a table, and not of a subquery."""
    tables = ("games", "boards", "outbox", "messages", "people", "chats")
    return any(line.startswith(f"SCAN {table}") for table in tables)


def sent_by(engine: Engine, work: Callable[[Connection], object]) -> dict[str, list[str]]:
    """The statements that a function sends, each with what it reads of whole tables; nothing of it stays."""
    with engine.connect() as connection, connection.begin() as transaction:
        with recorded(engine) as sent:
            work(connection)
        found = {statement: scans(connection, statement, parameters) for statement, parameters in list(sent)}
        transaction.rollback()
    return found


@pytest.mark.parametrize("name", [*TAP, *OTHERS])
def test_no_query_reads_a_whole_table(full: Engine, name: str) -> None:
    found = sent_by(full, (TAP | OTHERS)[name])
    assert found
    assert {statement: lines for statement, lines in found.items() if lines} == {}


@pytest.mark.parametrize("name", SELDOM)
def test_no_query_reads_all_boards(full: Engine, name: str) -> None:
    found = sent_by(full, SELDOM[name])
    lines = [line for read in found.values() for line in read]
    assert [line for line in lines if "games" not in line] == []


def test_counting_games_for_the_metrics_reads_indexes_alone(full: Engine) -> None:
    assert not any(sent_by(full, audit.count_games).values())


@pytest.mark.parametrize("column", ["games.x_name", "boards.thread_id", "outbox.kind", "messages.game_id"])
def test_a_query_without_an_index_would_be_seen(full: Engine, column: str) -> None:
    table, _, name = column.partition(".")
    with full.begin() as connection:
        assert scans(connection, f"SELECT * FROM {table} WHERE {name} IS NULL", ())  # noqa: S608 - our own names

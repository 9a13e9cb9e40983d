"""Every query that the bot makes finds its rows by an index, however many games there are.

The functions run as the bot runs them; each statement that they send is then explained by the database.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import event, text

from storage import chats, games, lookups
from storage.chats import Person
from tests.storage.examples import ANN, GROUP, HOME, put

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sqlalchemy import Connection, Engine

TAP: dict[str, Callable[[Connection], object]] = {
    "load": lambda c: games.load_many(c, [1, 2, 3]),
    "save": lambda c: games.save_many(
        c, [(replace(game := games.load(c, 1), version=game.version + 1), game.version)]
    ),
    "write back": lambda c: games.mark_shown(c, {1: 1, 2: 1}),
}
OTHERS: dict[str, Callable[[Connection], object]] = {
    "the game of an update": lambda c: games.of_update(c, 7),
    "the board's message": lambda c: games.place(c, 1, 900),
    "the sweep": lambda c: games.claim_lagging(c, now=1, again_at=2, limit=10),
    "the game on a message": lambda c: lookups.on_message(c, HOME, 900),
    "the challenge of a link": lambda c: lookups.by_token(c, "secret"),
    "the game of an inline message": lambda c: lookups.by_inline_message(c, "inline"),
    "a person's running games": lambda c: lookups.running(c, HOME, ANN),
    "a person's open challenges": lambda c: lookups.open_challenges(c, GROUP, ANN),
    "a person's results": lambda c: lookups.results(c, ANN, 10),
    "what is due": lambda c: lookups.due(c, now=5, limit=10),
    "a chat's choices": lambda c: chats.load(c, GROUP),
    "a choice": lambda c: chats.choose(c, GROUP, {"level": "easy"}),
    "a person": lambda c: chats.see(c, Person(ANN, "Ann")),
    "takebacks": lambda c: chats.allows_takebacks(c, ANN),
}


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
        rows = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)
        lines = [str(row[-1]) for row in rows]
        # A scan of a subquery's few rows is none of a table, and an index may be read from its end.
        return [
            line for line in lines if line.startswith("SCAN") and " USING INDEX" not in line and "games" in line
        ]
    connection.execute(text("SET LOCAL enable_seqscan = off"))
    lines = [str(row[0]) for row in connection.exec_driver_sql(f"EXPLAIN {statement}", parameters)]
    return [line for line in lines if "Seq Scan on" in line]


@pytest.mark.parametrize("name", [*TAP, *OTHERS])
def test_no_query_reads_a_whole_table(engine: Engine, name: str) -> None:
    with engine.begin() as connection:
        for number in range(50):
            put(connection, chat_id=HOME if number % 2 else GROUP, update_id=number, message_id=900 + number)
    with recorded(engine) as sent, engine.begin() as connection:
        (TAP | OTHERS)[name](connection)
    assert sent
    with engine.begin() as connection:
        for statement, parameters in list(sent):
            assert scans(connection, statement, parameters) == [], statement


def test_a_query_without_an_index_would_be_seen(engine: Engine) -> None:
    with engine.begin() as connection:
        put(connection)
        assert scans(connection, "SELECT id FROM games WHERE x_name = 'Ann'", ())

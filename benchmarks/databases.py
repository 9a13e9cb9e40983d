"""Databases of a benchmark's own: made for a run, filled with years of play, and dropped after it."""

import contextlib
import os
import secrets
import tempfile
from collections.abc import Iterator

import psycopg
import sqlalchemy as sa
from psycopg import sql

ADMINISTRATION = os.environ.get("BENCHMARK_POSTGRESQL", "postgresql://postgres@127.0.0.1:5432/postgres")
"""Where databases may be created; `BENCHMARK_POSTGRESQL` names another server."""
CHATS = 10_000


@contextlib.contextmanager
def new_database(kind: str) -> Iterator[str]:
    """The URL of a new empty database, sqlite or postgresql; it is dropped at the end."""
    if kind == "sqlite":
        with tempfile.TemporaryDirectory() as folder:
            yield f"sqlite:///{folder}/oxo.sqlite"
        return
    name = f"bench_{secrets.token_hex(4)}"
    with psycopg.connect(ADMINISTRATION, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        try:
            yield sa.make_url(ADMINISTRATION).set(database=name).render_as_string(hide_password=False)
        finally:
            connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


# X takes the first row at ply 5; the running games are after their second ply.
_GAMES = {
    "id": "n",
    "chat_id": f"1 + n % {CHATS}",
    "rules": "'3x3x3'",
    "kind": "'solo'",
    "moves": "CASE WHEN n > :running THEN '03142' ELSE '04' END",
    "x_seat": f"1 + n % {CHATS}",
    "o_seat": "0",
    "o_level": "'medium'",
    "termination": "CASE WHEN n > :running THEN 'line' END",
    "winner": "CASE WHEN n > :running THEN 'X' END",
    "version": "5",
    **dict.fromkeys(("created_at", "changed_at", "moved_at"), "1700000000 + n"),
}
_BOARDS = {
    **dict.fromkeys(("id", "game_id", "message_id"), "n"),
    **dict.fromkeys(("chat_id", "viewer"), f"1 + n % {CHATS}"),
    **dict.fromkeys(("wanted", "shown"), "5"),
    **dict.fromkeys(("look_at", "claims"), "0"),
}


def fill(url: str, *, finished: int, running: int) -> None:
    """Put games into an SQLite database, which generates them itself."""
    engine = sa.create_engine(url)
    with engine.begin() as connection:
        _insert(connection, "chats", {"id": "n"}, rows=CHATS)
        _insert(connection, "games", _GAMES, rows=finished + running, running=running)
        _insert(connection, "boards", _BOARDS, rows=finished + running)
        connection.execute(sa.text("ANALYZE"))
    engine.dispose()


def _insert(connection: sa.Connection, table: str, values: dict[str, str], **numbers: int) -> None:
    """Insert rows with these expressions of their number n, in the columns that this checkout's table has."""
    there = {column["name"] for column in sa.inspect(connection).get_columns(table)}
    columns = [name for name in values if name in there]
    statement = f"""
        INSERT INTO {table} ({", ".join(columns)})
        WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < :rows)
        SELECT {", ".join(values[name] for name in columns)} FROM numbers
    """  # noqa: S608 - parts of our own
    connection.execute(sa.text(statement), numbers)

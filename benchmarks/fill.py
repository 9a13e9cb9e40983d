"""A database that has seen years of play: finished and running games, made by the database itself."""

import sqlalchemy as sa

from storage.database import connect, parse_url
from storage.migrate import migrate

CHATS = 10_000

# X takes the first row at ply 5; the running games are after their second ply.
_GAMES = """
INSERT INTO games (id, chat_id, message_id, geometry, moves, x_seat, o_seat, level, termination, winner,
                   version, shown, created_at, changed_at, sweep_at)
WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < :games)
SELECT n, 1 + n % :chats, n, '3x3x3',
       CASE WHEN n > :running THEN '03142' ELSE '04' END, 1 + n % :chats, 0, 'medium',
       CASE WHEN n > :running THEN 'line' END, CASE WHEN n > :running THEN 'X' END,
       5, 5, 1700000000 + n, 1700000000 + n, 0
FROM numbers
"""
_CHATS = """
INSERT INTO chats (id)
WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < :chats)
SELECT n FROM numbers
"""


def fill(url: str, *, finished: int, running: int) -> None:
    """Bring the database to the newest schema and put games into it."""
    parsed = parse_url(url)
    migrate(parsed)
    engine = connect(parsed)
    with engine.begin() as connection:
        connection.execute(sa.text(_CHATS), {"chats": CHATS})
        numbers = {"games": finished + running, "running": running, "chats": CHATS}
        connection.execute(sa.text(_GAMES), numbers)
        if engine.dialect.name == "postgresql":
            key = sa.text("SELECT setval(pg_get_serial_sequence('games', 'id'), :games)")
            connection.execute(key, {"games": finished + running})
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(sa.text("ANALYZE"))
    engine.dispose()

"""A database that has seen years of play: finished and running games, made by the database itself."""

import sqlalchemy as sa

from storage.database import connect, parse_url
from storage.migrate import migrate

CHATS = 10_000

# X takes the first row at ply 5; the running games are after their second ply.
_GAMES = """
INSERT INTO games (id, chat_id, rules, moves, x_seat, o_seat, o_level, termination, winner,
                   version, created_at, changed_at, moved_at)
WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < :games)
SELECT n, 1 + n % :chats, '3x3x3',
       CASE WHEN n > :running THEN '03142' ELSE '04' END, 1 + n % :chats, 0, 'medium',
       CASE WHEN n > :running THEN 'line' END, CASE WHEN n > :running THEN 'X' END,
       5, 1700000000 + n, 1700000000 + n, 1700000000 + n
FROM numbers
"""
_BOARDS = """
INSERT INTO boards (id, game_id, chat_id, message_id, viewer, wanted, shown, look_at, claims)
SELECT id, id, chat_id, id, chat_id, 5, 5, 0, 0 FROM games
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
        connection.execute(sa.text(_BOARDS))
        if engine.dialect.name == "postgresql":
            for name in ("games", "boards"):
                key = sa.text(f"SELECT setval(pg_get_serial_sequence('{name}', 'id'), :games)")
                connection.execute(key, {"games": finished + running})
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(sa.text("ANALYZE"))
    engine.dispose()

"""On SQLite too, the id of a deleted game, board or notice is never reused.

PostgreSQL has always counted on. SQLite took the number after the highest that was there, so earlier releases put
an empty row in place of the highest that they deleted: a cancelled game of nobody, and a board that is nowhere.
Those rows go; `sqlite_sequence` remembers the number from now on.
"""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

TABLES = ("games", "boards", "outbox")

USED_IDS = {
    "games": """
        SELECT max(id) FROM games UNION SELECT max(game_id) FROM results UNION SELECT max(game_id) FROM replays
        UNION SELECT max(game_id) FROM shares UNION SELECT max(game_id) FROM meetings
    """,
    "boards": "SELECT max(id) FROM boards UNION SELECT max(replaces) FROM boards",
    "outbox": "SELECT max(id) FROM outbox",
}
"""Where ids are found, including those of rows that are gone."""

EMPTY_GAMES = """
    SELECT id FROM games
    WHERE termination = 'cancelled' AND moves = '' AND version = 1 AND created_at = changed_at
    AND coalesce(chat_id, x_seat, o_seat, rival_id, host, update_id, next_game) IS NULL
    AND coalesce(x_name, o_name, rival_name, token, x_level, o_level) IS NULL
    AND NOT EXISTS (SELECT * FROM messages WHERE messages.game_id = games.id)
    AND NOT EXISTS (SELECT * FROM outbox WHERE outbox.game_id = games.id)
    AND NOT EXISTS (SELECT * FROM games AS other WHERE other.next_game = games.id)
    AND NOT EXISTS (
        SELECT * FROM boards WHERE boards.game_id = games.id AND coalesce(chat_id, inline_message_id) IS NOT NULL
    )
"""


def upgrade() -> None:
    connection = op.get_bind()
    if connection.dialect.name != "sqlite":
        return
    highest = {
        table: max(row[0] or 0 for row in connection.execute(sa.text(used))) for table, used in USED_IDS.items()
    }
    connection.execute(sa.text("CREATE TEMP TABLE empty_games AS " + EMPTY_GAMES))
    connection.execute(sa.text("DELETE FROM boards WHERE game_id IN (SELECT id FROM empty_games)"))
    connection.execute(sa.text("DELETE FROM games WHERE id IN (SELECT id FROM empty_games)"))
    connection.execute(sa.text("DROP TABLE empty_games"))
    for table in TABLES:
        with op.batch_alter_table(table, recreate="always", table_kwargs={"sqlite_autoincrement": True}):
            pass
        connection.execute(sa.text("DELETE FROM sqlite_sequence WHERE name = :name"), {"name": table})
        connection.execute(
            sa.text("INSERT INTO sqlite_sequence (name, seq) VALUES (:name, :highest)"),
            {"name": table, "highest": highest[table]},
        )

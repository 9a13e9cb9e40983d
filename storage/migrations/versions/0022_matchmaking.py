"""A wait for an opponent is a row of matchmaking, not a game; games have their time limits and origin.

Until now, a game's token held the data of a link, of an inline offer, or of a wait.
"""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None

ROW_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

# Ended waits that are shown as such are over and done with.
KEPT = """
SELECT id, x_seat, rules, token, created_at, due_at, changed_at, reminded, termination, update_id FROM games
WHERE kind = 'challenge' AND token LIKE 'play:%' AND x_seat IS NOT NULL AND (termination IS NULL
    OR EXISTS (SELECT 1 FROM boards WHERE game_id = games.id AND shown < wanted))
ORDER BY id
"""

MOVED = (
    """
    UPDATE boards SET wait_id = game_id, game_id = NULL, choosing = FALSE, opened_version = NULL
    WHERE game_id IN (SELECT id FROM matchmaking)
    """,
    "UPDATE boards SET wanted = wanted + 1, look_at = 0, claims = 0 WHERE wait_id IS NOT NULL AND NOT leaving",
    "CREATE TEMPORARY TABLE waits AS SELECT id FROM games WHERE kind = 'challenge' AND token LIKE 'play:%'",
    "DELETE FROM boards WHERE game_id IN (SELECT id FROM waits)",
    "DELETE FROM messages WHERE game_id IN (SELECT id FROM waits)",
    "DELETE FROM outbox WHERE game_id IN (SELECT id FROM waits)",
    "UPDATE games SET next_game = NULL WHERE next_game IN (SELECT id FROM waits)",
    "DELETE FROM games WHERE id IN (SELECT id FROM waits)",
    "DROP TABLE waits",
)
"""What becomes of boards and games, once those who wait have rows of their own."""

SPLIT = {
    "sqlite": """
        UPDATE games SET inline_person = CAST(substr(token, 1, instr(token, ':') - 1) AS BIGINT),
        inline_offer = substr(token, instr(token, ':') + 1) WHERE token LIKE '%:%' AND token NOT LIKE 'play:%'
    """,
    "postgresql": """
        UPDATE games SET inline_person = CAST(split_part(token, ':', 1) AS BIGINT),
        inline_offer = split_part(token, ':', 2) WHERE token LIKE '%:%' AND token NOT LIKE 'play:%'
    """,
}
"""An inline offer's token was the id of who had made it, a colon, and what told it from others."""


def upgrade() -> None:
    connection = op.get_bind()
    op.add_column("games", sa.Column("time_limits", sa.String(16), nullable=False, server_default="usual"))
    op.execute("UPDATE games SET time_limits = 'strangers' WHERE kind = 'pair' AND token LIKE 'play:%'")
    _make_table()
    _let_boards_show_waits(connection)
    _move_waits(connection)
    _split_tokens(connection)


def _make_table() -> None:
    op.create_table(
        "matchmaking",
        sa.Column("id", ROW_ID, nullable=False),
        sa.Column("person", sa.BigInteger(), nullable=False),
        sa.Column("rules", sa.String(16), nullable=False),
        sa.Column("any_rules", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.Column("told", sa.Integer()),
        *(sa.Column(name, sa.BigInteger(), nullable=False) for name in ("since", "due_at", "changed_at")),
        sa.Column("asked", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.Column("ended", sa.String(16)),
        sa.Column("update_id", sa.BigInteger()),
        sa.PrimaryKeyConstraint("id", name="pk_matchmaking"),
        sqlite_autoincrement=True,
    )
    goes_on = sa.text("ended IS NULL")
    for name, columns, unique, where in (
        ("uq_matchmaking_person", ["person"], True, goes_on),
        ("ix_matchmaking_person", ["person"], False, None),
        ("uq_matchmaking_update_id", ["update_id"], True, None),
        ("ix_matchmaking_due_at", ["due_at"], False, goes_on),
    ):
        op.create_index(name, "matchmaking", columns, unique=unique, sqlite_where=where, postgresql_where=where)


def _let_boards_show_waits(connection: sa.Connection) -> None:
    """A board may show a wait instead of a game; on SQLite the table is rebuilt, and its ids continue."""
    highest = None
    if connection.dialect.name == "sqlite":
        counted = "SELECT seq FROM sqlite_sequence WHERE name = 'boards'"
        highest = connection.execute(sa.text(counted)).scalar()
    with op.batch_alter_table("boards", table_kwargs={"sqlite_autoincrement": True}) as boards:
        boards.alter_column("game_id", existing_type=ROW_ID, nullable=True)
        boards.add_column(sa.Column("wait_id", ROW_ID))
        boards.create_foreign_key("fk_boards_wait_id_matchmaking", "matchmaking", ["wait_id"], ["id"])
    if highest is not None:
        connection.execute(sa.text("DELETE FROM sqlite_sequence WHERE name = 'boards'"))
        count_on = sa.text("INSERT INTO sqlite_sequence (name, seq) VALUES ('boards', :highest)")
        connection.execute(count_on, {"highest": highest})
    given = sa.text("wait_id IS NOT NULL")
    op.create_index("ix_boards_wait_id", "boards", ["wait_id"], sqlite_where=given, postgresql_where=given)


def _move_waits(connection: sa.Connection) -> None:
    """Make rows of the games with which people wait, and show them again, as their buttons name games no more."""
    waits = sa.table(
        "matchmaking",
        *map(
            sa.column,
            ("id", "person", "rules", "any_rules", "told", "since", "due_at", "changed_at", "asked", "ended"),
        ),
        sa.column("update_id"),
    )
    rows = []
    for game in connection.execute(sa.text(KEPT)):
        _, told, any_rules, _ = game.token.split(":", 3)
        rows.append(
            {
                "id": game.id,
                "person": game.x_seat,
                "rules": game.rules,
                "any_rules": any_rules == "any",
                "told": int(told) if told else None,
                "since": game.created_at,
                "due_at": game.changed_at if game.due_at is None else game.due_at,
                "changed_at": game.changed_at,
                "asked": game.reminded is not None,
                "ended": {None: None, "expired": "unanswered"}.get(game.termination, "left"),
                "update_id": game.update_id,
            }
        )
    if rows:
        connection.execute(sa.insert(waits), rows)
        if connection.dialect.name == "postgresql":
            count_on = (
                "SELECT setval(pg_get_serial_sequence('matchmaking', 'id'), (SELECT max(id) FROM matchmaking))"
            )
            connection.execute(sa.text(count_on))
    for statement in MOVED:
        connection.execute(sa.text(statement))


def _split_tokens(connection: sa.Connection) -> None:
    """Move the data of links and inline offers to their own columns."""
    op.add_column("games", sa.Column("link", sa.String(32)))
    op.add_column("games", sa.Column("inline_person", sa.BigInteger()))
    op.add_column("games", sa.Column("inline_offer", sa.String(32)))
    connection.execute(sa.text("UPDATE games SET link = token WHERE token NOT LIKE '%:%'"))
    connection.execute(sa.text(SPLIT[connection.dialect.name]))
    op.drop_index("uq_games_waiting", "games")
    op.drop_index("uq_games_token", "games")
    op.drop_column("games", "token")
    op.create_index("uq_games_link", "games", ["link"], unique=True)
    op.create_index("uq_games_inline_offer", "games", ["inline_person", "inline_offer"], unique=True)

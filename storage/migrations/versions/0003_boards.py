"""Boards as rows of their own, an outbox, rules as text, the computer's level by seat."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

ROW_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
RUNNING = sa.text("termination IS NULL")

ADDED = (
    sa.Column("rules", sa.String(16), server_default=sa.text("''"), nullable=False),
    sa.Column("moves", sa.String(81), server_default=sa.text("''"), nullable=False),
    sa.Column("x_level", sa.String(16)),
    sa.Column("o_level", sa.String(16)),
)
HOME_BOARDS = """
INSERT INTO boards (game_id, chat_id, thread_id, message_id, inline_message_id, viewer, language,
                    leaving, wanted, shown, look_at, claims)
SELECT id, chat_id, thread_id, message_id, inline_message_id, CASE WHEN chat_id > 0 THEN chat_id END, language,
       FALSE, version, CASE WHEN message_id IS NULL AND inline_message_id IS NULL AND termination IS NOT NULL
                            THEN version ELSE shown END, sweep_at, 0
FROM games WHERE chat_id IS NOT NULL OR inline_message_id IS NOT NULL
"""
GUEST_BOARDS = """
INSERT INTO boards (game_id, chat_id, message_id, viewer, language, leaving, wanted, shown, look_at, claims)
SELECT id, guest_chat_id, guest_message_id, guest_chat_id, guest_language,
       FALSE, version, CASE WHEN guest_message_id IS NULL AND termination IS NOT NULL
                            THEN version ELSE shown END, sweep_at, 0
FROM games WHERE guest_chat_id IS NOT NULL
"""
COPIED = """
UPDATE games SET rules = geometry, moves = old_moves,
                 x_level = CASE WHEN x_seat = 0 THEN level END, o_level = CASE WHEN o_seat = 0 THEN level END
"""
GONE_INDEXES = (
    "ix_games_lagging",
    "ix_games_running",
    "uq_games_inline_message_id",
    "ix_games_guest",
    "ix_games_message",
)
GONE = (
    "geometry",
    "old_moves",
    "thread_id",
    "message_id",
    "level",
    "language",
    "shown",
    "sweep_at",
    "inline_message_id",
    "guest_chat_id",
    "guest_message_id",
    "guest_language",
)


def upgrade() -> None:
    """Column by column, because SQLite can't rebuild a table that others refer to inside a transaction.

    There is no way back: separate boards don't fit into the old columns.
    """
    _make_boards()
    _make_outbox()
    op.execute(HOME_BOARDS)
    op.execute(GUEST_BOARDS)
    for name in GONE_INDEXES:
        op.drop_index(name, "games")
    op.execute("ALTER TABLE games RENAME COLUMN moves TO old_moves")
    op.execute("ALTER TABLE games RENAME COLUMN taken TO seen_updates")
    op.execute("ALTER TABLE chats RENAME COLUMN taken TO seen_updates")
    for column in ADDED:
        op.add_column("games", column)
    op.execute(COPIED)
    for name in GONE:
        op.execute(f"ALTER TABLE games DROP COLUMN {name}")
    for mark in ("x", "o"):
        op.create_index(
            f"ix_games_running_{mark}",
            "games",
            [f"{mark}_seat", "id"],
            sqlite_where=RUNNING,
            postgresql_where=RUNNING,
        )


def _make_boards() -> None:
    op.create_table(
        "boards",
        sa.Column("id", ROW_ID, nullable=False),
        sa.Column("game_id", ROW_ID, nullable=False),
        sa.Column("chat_id", sa.BigInteger()),
        sa.Column("thread_id", sa.BigInteger()),
        sa.Column("message_id", sa.BigInteger()),
        sa.Column("inline_message_id", sa.String(64)),
        sa.Column("viewer", sa.BigInteger()),
        sa.Column("language", sa.String(16)),
        sa.Column("replaces", ROW_ID),
        sa.Column("leaving", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("wanted", sa.Integer(), nullable=False),
        sa.Column("shown", sa.Integer(), nullable=False),
        sa.Column("look_at", sa.BigInteger(), nullable=False),
        sa.Column("claims", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_boards"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_boards_game_id_games"),
    )
    op.create_index("ix_boards_game_id", "boards", ["game_id"])
    op.create_index("uq_boards_inline_message_id", "boards", ["inline_message_id"], unique=True)
    op.create_index("ix_boards_message", "boards", ["chat_id", "message_id"])
    lagging = sa.text("shown < wanted")
    op.create_index("ix_boards_lagging", "boards", ["look_at"], sqlite_where=lagging, postgresql_where=lagging)


def _make_outbox() -> None:
    op.create_table(
        "outbox",
        sa.Column("id", ROW_ID, nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("game_id", ROW_ID, nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("chat_id", sa.BigInteger(), nullable=False),
        sa.Column("thread_id", sa.BigInteger()),
        sa.Column("language", sa.String(16)),
        sa.Column("look_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_outbox"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_outbox_game_id_games"),
    )
    op.create_index("ix_outbox_look_at", "outbox", ["look_at"])
    op.create_index("ix_outbox_chat_id", "outbox", ["chat_id"])
    op.create_table(
        "pauses",
        sa.Column("chat", sa.String(64), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("chat", name="pk_pauses"),
    )
    op.create_table(
        "messages",
        sa.Column("chat_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("message_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("game_id", ROW_ID, nullable=False),
        sa.PrimaryKeyConstraint("chat_id", "message_id", name="pk_messages"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="fk_messages_game_id_games"),
    )

"""Games of two people: challenges, links, inline messages, offers, series and deadlines."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

RUNNING = sa.text("termination IS NULL")
PLAYED = sa.text("winner IS NOT NULL OR termination = 'full board'")

ADDED = (
    sa.Column("inline_message_id", sa.String(64)),
    sa.Column("guest_chat_id", sa.BigInteger()),
    sa.Column("guest_message_id", sa.BigInteger()),
    sa.Column("guest_language", sa.String(16)),
    sa.Column("token", sa.String(32)),
    sa.Column("rival_id", sa.BigInteger()),
    sa.Column("rival_name", sa.String(256)),
    sa.Column("offer", sa.String(32)),
    sa.Column("x_wins", sa.Integer(), server_default=sa.text("0"), nullable=False),
    sa.Column("o_wins", sa.Integer(), server_default=sa.text("0"), nullable=False),
    sa.Column("draws", sa.Integer(), server_default=sa.text("0"), nullable=False),
    sa.Column("moved_at", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
    sa.Column("due_at", sa.BigInteger()),
    sa.Column("reminded", sa.Integer()),
    sa.Column("taken", sa.String(200), server_default=sa.text("''"), nullable=False),
)


def upgrade() -> None:
    op.add_column("people", sa.Column("takebacks", sa.Boolean(), server_default=sa.true(), nullable=False))
    op.add_column("chats", sa.Column("taken", sa.String(200), server_default=sa.text("''"), nullable=False))
    for column in ADDED:
        op.add_column("games", column)
    op.create_index("uq_games_inline_message_id", "games", ["inline_message_id"], unique=True)
    op.create_index("uq_games_token", "games", ["token"], unique=True)
    op.create_index("ix_games_due", "games", ["due_at"], sqlite_where=RUNNING, postgresql_where=RUNNING)
    op.create_index("ix_games_message", "games", ["chat_id", "message_id"])
    op.create_index(
        "ix_games_guest",
        "games",
        ["guest_chat_id", "id"],
        sqlite_where=sa.text("guest_chat_id IS NOT NULL"),
        postgresql_where=sa.text("guest_chat_id IS NOT NULL"),
    )
    for mark in ("x", "o"):
        op.create_index(
            f"ix_games_finished_{mark}",
            "games",
            [f"{mark}_seat", "id"],
            sqlite_where=PLAYED,
            postgresql_where=PLAYED,
        )
    op.execute("UPDATE games SET moved_at = changed_at, due_at = changed_at + 2592000 WHERE termination IS NULL")

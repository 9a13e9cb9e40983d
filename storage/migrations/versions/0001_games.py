"""Games, chats and people."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

ROW_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "chats",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("level", sa.String(16)),
        sa.Column("first", sa.String(8)),
        sa.PrimaryKeyConstraint("id", name="pk_chats"),
    )
    op.create_table(
        "people",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("name", sa.String(256), nullable=False),
        sa.Column("language", sa.String(16)),
        sa.PrimaryKeyConstraint("id", name="pk_people"),
    )
    op.create_table(
        "games",
        sa.Column("id", ROW_ID, nullable=False),
        sa.Column("chat_id", sa.BigInteger()),
        sa.Column("thread_id", sa.BigInteger()),
        sa.Column("message_id", sa.BigInteger()),
        sa.Column("geometry", sa.String(8), nullable=False),
        sa.Column("moves", sa.String(64), nullable=False),
        sa.Column("x_seat", sa.BigInteger()),
        sa.Column("o_seat", sa.BigInteger()),
        sa.Column("x_name", sa.String(256)),
        sa.Column("o_name", sa.String(256)),
        sa.Column("level", sa.String(16)),
        sa.Column("language", sa.String(16)),
        sa.Column("termination", sa.String(16)),
        sa.Column("winner", sa.String(1)),
        sa.Column("next_game", ROW_ID),
        sa.Column("update_id", sa.BigInteger()),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("shown", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("changed_at", sa.BigInteger(), nullable=False),
        sa.Column("sweep_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_games"),
        sa.ForeignKeyConstraint(["chat_id"], ["chats.id"], name="fk_games_chat_id_chats", onupdate="CASCADE"),
        sa.ForeignKeyConstraint(["next_game"], ["games.id"], name="fk_games_next_game_games"),
        sa.UniqueConstraint("update_id", name="uq_games_update_id"),
    )
    op.create_index(
        "ix_games_lagging",
        "games",
        ["sweep_at"],
        sqlite_where=sa.text("shown < version"),
        postgresql_where=sa.text("shown < version"),
    )
    op.create_index(
        "ix_games_running",
        "games",
        ["chat_id", "id"],
        sqlite_where=sa.text("termination IS NULL"),
        postgresql_where=sa.text("termination IS NULL"),
    )

"""A group has a message of its puzzle and a streak; hints are counted; games are found by the one they beat."""

from pathlib import Path

import sqlalchemy as sa
from alembic import op

revision = Path(__file__).name.partition("_")[0]
down_revision = "0050"
branch_labels = None
depends_on = None
schema = "5f0c1d59b7f3"


def upgrade() -> None:
    op.create_table(
        "group_puzzles",
        sa.Column("chat_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("day", sa.Integer(), nullable=False),
        sa.Column("thread_id", sa.BigInteger(), nullable=True),
        sa.Column("reply_to", sa.BigInteger(), nullable=True),
        sa.Column("language", sa.String(length=16), nullable=True),
        sa.Column("message_id", sa.BigInteger(), nullable=True),
        sa.Column("solved", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("streak", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.PrimaryKeyConstraint("chat_id", name=op.f("pk_group_puzzles")),
    )
    op.create_index("ix_puzzles_day", "puzzles", ["day", "wrong"])
    op.add_column("games", sa.Column("hints", sa.Integer(), server_default=sa.text("0"), nullable=False))
    op.execute("UPDATE games SET hints = 1 WHERE kind = 'solo'")  # nobody knows
    filled = sa.text("beats IS NOT NULL")
    op.create_index("ix_games_beats", "games", ["beats"], sqlite_where=filled, postgresql_where=filled)

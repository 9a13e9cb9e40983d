"""Cups say when they start by themselves, who is away and how long their games were, and can be planned."""

from pathlib import Path

import sqlalchemy as sa
from alembic import op

revision = Path(__file__).name.partition("_")[0]
down_revision = "0051"
branch_labels = None
depends_on = None
schema = "07f2395b8779"


def upgrade() -> None:
    op.add_column("cups", sa.Column("starts_at", sa.BigInteger()))
    op.add_column("cups", sa.Column("is_planned", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("cup_players", sa.Column("away_at", sa.BigInteger()))
    op.add_column("cup_games", sa.Column("plies", sa.Integer()))
    op.create_table(
        "cup_plans",
        sa.Column("chat_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("is_weekly", sa.Boolean(), nullable=False),
        sa.Column("thread_id", sa.BigInteger()),
        sa.Column("language", sa.String(16)),
        sa.Column("rules", sa.String(16), nullable=False),
        sa.Column("clock", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("chat_id", name="pk_cup_plans"),
    )
    op.create_index("ix_cup_plans_at", "cup_plans", ["at"])
    # An open cup with enough players starts when it was to; a running one is looked at for its latest end.
    enough = "(SELECT count(*) FROM cup_players WHERE cup_players.cup = cups.id) >= 4"
    op.execute(f"UPDATE cups SET starts_at = due_at WHERE stage = 'open' AND {enough}")  # noqa: S608 - our own words
    op.execute("UPDATE cups SET due_at = 0 WHERE stage = 'running'")

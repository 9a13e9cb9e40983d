"""The adaptive difficulty: each person's level by family of rules, and the next level that a game announces."""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "levels",
        sa.Column("person", sa.BigInteger(), nullable=False, autoincrement=False),
        sa.Column("family", sa.String(16), nullable=False),
        sa.Column("level", sa.String(16), nullable=False),
        sa.Column("streak", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("person", "family", name="pk_levels"),
    )
    op.add_column("games", sa.Column("next_level", sa.String(16)))

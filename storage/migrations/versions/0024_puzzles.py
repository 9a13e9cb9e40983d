"""People's progress in the daily puzzle."""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "puzzles",
        sa.Column("person", sa.BigInteger(), nullable=False, autoincrement=False),
        sa.Column("day", sa.Integer(), nullable=False),
        sa.Column("moves", sa.String(8), nullable=False, server_default=""),
        sa.Column("missed", sa.Boolean(), nullable=False, server_default=sa.false()),
        *(sa.Column(name, sa.Integer(), nullable=False, server_default="0") for name in ("wrong", "streak")),
        sa.Column("version", sa.Integer(), nullable=False, server_default="0"),
        *(sa.Column(name, sa.BigInteger()) for name in ("solved_at", "remind_at", "chat_id")),
        sa.PrimaryKeyConstraint("person", name="pk_puzzles"),
    )
    for name in ("remind_at", "chat_id"):
        given = sa.text(f"{name} IS NOT NULL")
        op.create_index(f"ix_puzzles_{name}", "puzzles", [name], sqlite_where=given, postgresql_where=given)

"""Choices of chats and people: look, text, language, notices; and for boards, whether somebody looks at them."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

LOOK, LANGUAGE = sa.String(8), sa.String(16)

ADDED = {
    "chats": (
        sa.Column("look", LOOK),
        sa.Column("as_text", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("language", LANGUAGE),
    ),
    "people": (sa.Column("notices", sa.Boolean()),),
    "boards": (
        sa.Column("look", LOOK),
        sa.Column("as_text", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("acted_at", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("called", sa.Boolean(), server_default=sa.false(), nullable=False),
    ),
}


def upgrade() -> None:
    for table, columns in ADDED.items():
        for column in columns:
            op.add_column(table, column)
    chosen = sa.text("language IS NOT NULL")
    op.create_index("ix_chats_language", "chats", ["id"], sqlite_where=chosen, postgresql_where=chosen)

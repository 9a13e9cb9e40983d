"""The pictures of finished games that Telegram keeps, and where one was sent recently."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "replays",
        sa.Column("game_id", sa.BigInteger(), primary_key=True, autoincrement=False),
        sa.Column("form", sa.String(9), primary_key=True),
        sa.Column("look", sa.String(8), primary_key=True),
        sa.Column("language", sa.String(16), primary_key=True),
        sa.Column("digest", sa.String(16), nullable=False),
        sa.Column("file_id", sa.String(255), nullable=False),
    )
    op.create_table(
        "shares",
        sa.Column("game_id", sa.BigInteger(), primary_key=True, autoincrement=False),
        sa.Column("chat_id", sa.BigInteger(), primary_key=True, autoincrement=False),
        sa.Column("form", sa.String(9), primary_key=True),
        sa.Column("shared_at", sa.BigInteger(), nullable=False),
    )

"""The time for a move between two people, and since when Telegram has shown a board's position."""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("games", sa.Column("clock", sa.Integer()))
    op.add_column("boards", sa.Column("shown_at", sa.BigInteger()))

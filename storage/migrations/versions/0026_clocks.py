"""How long a move may take between two people, and since when Telegram shows the position on a board."""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("games", sa.Column("clock", sa.Integer()))
    op.add_column("boards", sa.Column("shown_at", sa.BigInteger()))

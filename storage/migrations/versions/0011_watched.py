"""Which games the computer played by itself before somebody took a seat, and how many of their moves.

Of games that are stored already nobody knows: they stay empty, so no row is written, however many there are.
"""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("games", sa.Column("watched", sa.Integer()))

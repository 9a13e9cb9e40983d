"""How many games a series of two people has at most."""

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("games", sa.Column("best_of", sa.Integer()))

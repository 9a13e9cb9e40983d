"""The maximum number of games in a series."""

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("games", sa.Column("best_of", sa.Integer()))

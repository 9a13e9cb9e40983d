"""How many moves of a game the computer played by itself before somebody joined.

For stored games this is unknown and stays empty, so no row is written, however many there are.
"""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("games", sa.Column("watched", sa.Integer()))

"""A game knows when a player last nudged the other, as that is done once a day."""

from pathlib import Path

import sqlalchemy as sa
from alembic import op

revision = Path(__file__).name.partition("_")[0]
down_revision = "0055"
branch_labels = None
depends_on = None
schema = "c840071d8fa7"


def upgrade() -> None:
    op.add_column("games", sa.Column("nudged_at", sa.BigInteger()))

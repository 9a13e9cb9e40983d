"""A group may have a time zone."""

from pathlib import Path

import sqlalchemy as sa
from alembic import op

revision = Path(__file__).name.partition("_")[0]
down_revision = "0056"
branch_labels = None
depends_on = None
schema = "84495d6cb575"


def upgrade() -> None:
    op.add_column("chats", sa.Column("timezone", sa.String(length=48), nullable=True))

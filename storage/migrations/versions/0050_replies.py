"""What a message replies to has a column of its own: it was the topic's, below 0."""

from pathlib import Path

import sqlalchemy as sa
from alembic import op

revision = Path(__file__).name.partition("_")[0]
down_revision = "0049"
branch_labels = None
depends_on = None
schema = "8b09b76741bb"


def upgrade() -> None:
    for table in ("boards", "outbox", "cups"):
        op.add_column(table, sa.Column("reply_to", sa.BigInteger()))
        op.execute(f"UPDATE {table} SET reply_to = -thread_id, thread_id = NULL WHERE thread_id < 0")  # noqa: S608 - our own names

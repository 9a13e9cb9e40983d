"""Unreachable boards are found by their chat.

Those given up earlier still count as shown, and are shown again when their game changes.
"""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.drop_index("ix_boards_lagging", "boards")
    lagging = sa.text("shown < wanted")
    op.create_index(
        "ix_boards_lagging", "boards", ["look_at", "chat_id"], sqlite_where=lagging, postgresql_where=lagging
    )

"""Renames the look of chats and boards to theme."""

from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for table in ("chats", "boards"):
        op.execute(f"ALTER TABLE {table} RENAME COLUMN look TO theme")

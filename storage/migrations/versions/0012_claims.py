"""A claim on making a picture or an export names its update, which may take the claim over."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for table in ("shares", "exports"):
        op.add_column(table, sa.Column("update_id", sa.BigInteger()))

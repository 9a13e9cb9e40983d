"""On which boards the computer keeps its reasons to itself."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("boards", sa.Column("silent", sa.Boolean(), server_default=sa.false(), nullable=False))

"""Pictures of finished games no longer show names: older ones, which Telegram keeps, aren't sent again."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.drop_table("replays")
    op.create_table(
        "replays",
        sa.Column("game_id", sa.BigInteger(), primary_key=True, autoincrement=False),
        sa.Column("form", sa.String(9), primary_key=True),
        sa.Column("theme", sa.String(8), primary_key=True),
        sa.Column("file_id", sa.String(255), nullable=False),
    )

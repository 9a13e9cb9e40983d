"""What hardly anybody misses goes: comments that alternate from game to game, and the favourite first move."""

from pathlib import Path

from alembic import op

revision = Path(__file__).name.partition("_")[0]
down_revision = "0048"
branch_labels = None
depends_on = None
schema = "cf2715eec7c8"


def upgrade() -> None:
    op.drop_column("games", "wordings")
    op.drop_column("results", "opening")

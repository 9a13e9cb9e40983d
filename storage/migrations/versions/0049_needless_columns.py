"""What hardly anybody misses goes: OXO's comments no longer alternate from game to game."""

from pathlib import Path

from alembic import op

revision = Path(__file__).name.partition("_")[0]
down_revision = "0048"
branch_labels = None
depends_on = None
schema = "56149b2a0fe4"


def upgrade() -> None:
    op.drop_column("games", "wordings")

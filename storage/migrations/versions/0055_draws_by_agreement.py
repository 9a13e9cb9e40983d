"""Two people may offer each other a draw, and agree on it."""

from pathlib import Path

revision = Path(__file__).name.partition("_")[0]
down_revision = "0054"
branch_labels = None
depends_on = None
schema = "3f753a5ffa1a"


def upgrade() -> None:
    pass

"""Two players' score is no picture any more: what was to be drawn, and what Telegram keeps of it, is forgotten."""

from pathlib import Path

from alembic import op

revision = Path(__file__).name.partition("_")[0]
down_revision = "0053"
branch_labels = None
depends_on = None
schema = "08c29c01cc65"


def upgrade() -> None:
    op.execute("DELETE FROM outbox WHERE kind = 'rivals card'")
    op.execute("DELETE FROM replays WHERE form = 'rivals card'")

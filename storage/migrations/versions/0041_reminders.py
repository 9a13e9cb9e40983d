"""A reminder is the board as a new message: those that are still to be said as messages of their own go."""

from pathlib import Path

from alembic import op

revision = Path(__file__).name.partition("_")[0]
down_revision = "0040"
branch_labels = None
depends_on = None
schema = "c915694f0933"


def upgrade() -> None:
    op.execute("DELETE FROM outbox WHERE kind = 'reminder'")

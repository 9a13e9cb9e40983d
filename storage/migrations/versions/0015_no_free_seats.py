"""Nobody can join in the middle of a game any more: games that offered a seat no longer do."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

OFFERING = "SELECT id FROM games WHERE offer LIKE 'free %'"


def upgrade() -> None:
    # The sweep shows their boards again, without the button.
    op.execute(
        sa.text(f"UPDATE boards SET wanted = wanted + 1, look_at = 0, claims = 0 WHERE game_id IN ({OFFERING})")  # noqa: S608 - no text of anybody's
    )
    op.execute("UPDATE games SET offer = NULL WHERE offer LIKE 'free %'")

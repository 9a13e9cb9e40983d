"""Indexes a person's finished games however they ended, so that a new kind of end needs no new index."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    over = sa.text("termination IS NOT NULL")
    for mark in ("x", "o"):
        op.drop_index(f"ix_games_finished_{mark}", "games")
        op.create_index(
            f"ix_games_finished_{mark}", "games", [f"{mark}_seat", "id"], sqlite_where=over, postgresql_where=over
        )

"""Milestones: people's progress, the ones already reached, and the ones that a game announces."""

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "milestones",
        sa.Column("person", sa.BigInteger(), nullable=False, autoincrement=False),
        sa.Column("name", sa.String(16), nullable=False),
        sa.Column("progress", sa.Integer(), nullable=False),
        sa.Column("reached_at", sa.BigInteger()),
        sa.PrimaryKeyConstraint("person", "name", name="pk_milestones"),
    )
    for column in ("x_reached", "o_reached"):
        op.add_column("games", sa.Column(column, sa.String(32)))
    op.execute(
        "INSERT INTO milestones (person, name, progress, reached_at) SELECT person, level, 1, MIN(ended_at)"
        " FROM results WHERE outcome = 'win' AND person > 0"
        " AND level IN ('beginner', 'easy', 'medium', 'hard', 'perfect') GROUP BY person, level"
    )
    op.execute(
        "INSERT INTO milestones (person, name, progress, reached_at) SELECT person, 'games',"
        " CASE WHEN COUNT(*) < 100 THEN COUNT(*) ELSE 100 END,"
        " CASE WHEN COUNT(*) >= 100 THEN MAX(ended_at) END FROM results WHERE person > 0 GROUP BY person"
    )

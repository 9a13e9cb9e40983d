"""The queue of people who look for an opponent, each of whom waits once; and past pairings."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

WAITING = "termination IS NULL AND o_seat IS NULL AND substr(token, 1, 5) = 'play:'"
TIMES = ("person_since", "opponent_since", "met_at")


def upgrade() -> None:
    op.create_table(
        "meetings",
        sa.Column("game_id", sa.BigInteger(), nullable=False, autoincrement=False),
        sa.Column("person", sa.BigInteger(), nullable=False),
        sa.Column("opponent", sa.BigInteger(), nullable=False),
        sa.Column("rules", sa.String(16), nullable=False),
        *(sa.Column(name, sa.BigInteger(), nullable=False) for name in TIMES),
        sa.PrimaryKeyConstraint("game_id", name="pk_meetings"),
    )
    where = sa.text(WAITING)
    op.create_index(
        "uq_games_waiting", "games", ["x_seat"], unique=True, sqlite_where=where, postgresql_where=where
    )
    for column in ("met_at", "person", "opponent"):
        op.create_index(f"ix_meetings_{column}", "meetings", [column])
    op.create_index("ix_meetings_rules", "meetings", ["rules", "met_at"])

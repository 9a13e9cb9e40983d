"""Ratings game by game: the order in which games are rated, and the progress.

Earlier ratings are dropped; the bot recomputes them in the background from the results.
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.schema import SchemaItem

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None

ID, WORD = sa.BigInteger(), sa.String(16)

MADE: dict[str, tuple[tuple[str, ...], tuple[SchemaItem, ...]]] = {
    "ratings": (
        ("person", "family"),
        (
            sa.Column("person", ID, autoincrement=False, nullable=False),
            sa.Column("family", WORD, nullable=False),
            sa.Column("rating", sa.Double(), nullable=False),
            sa.Column("deviation", sa.Double(), nullable=False),
            sa.Column("volatility", sa.Double(), nullable=False),
            *(
                sa.Column(name, sa.Integer(), nullable=False)
                for name in ("day", "games", "opponents", "settled", "settled_until")
            ),
        ),
    ),
    "rating_days": (
        ("person", "family", "day"),
        (
            sa.Column("person", ID, autoincrement=False, nullable=False),
            sa.Column("family", WORD, nullable=False),
            sa.Column("day", sa.Integer(), autoincrement=False, nullable=False),
            sa.Column("rating", sa.Double(), nullable=False),
        ),
    ),
    "pairs": (
        ("person", "opponent", "family"),
        (
            sa.Column("person", ID, autoincrement=False, nullable=False),
            sa.Column("opponent", ID, autoincrement=False, nullable=False),
            sa.Column("family", WORD, nullable=False),
            sa.Column("day", sa.Integer(), nullable=False),
            sa.Column("games", sa.Integer(), nullable=False),
        ),
    ),
}
"""By table its key and its columns."""

INDEXES = {
    "ix_ratings_everybody": (
        "ratings",
        ["family", "settled", "rating", "person"],
        "opponents >= 5 AND person > 0",
    ),
    "ix_ratings_settled": ("ratings", ["settled_until"], "settled = 1"),
}

NUMBER = """
UPDATE results SET number = numbered.number
FROM (SELECT game_id, person, opponent, row_number() OVER (ORDER BY ended_at, game_id, person) AS number
      FROM results
      WHERE mark = 'X' AND opponent <> 0 AND (termination IN ('line', 'full board') OR plies >= 6)) AS numbered
WHERE results.game_id = numbered.game_id AND results.person IN (numbered.person, numbered.opponent)
"""


def upgrade() -> None:
    for column in ("x_rating", "o_rating", "x_rated", "o_rated"):
        op.add_column("games", sa.Column(column, sa.String(8)))
    op.add_column("results", sa.Column("number", ID))
    op.execute(sa.text(NUMBER))
    op.drop_index("ix_results_people", "results")
    where = sa.text("number IS NOT NULL")
    op.create_index(
        "uq_results_number", "results", ["number", "mark"], unique=True, sqlite_where=where, postgresql_where=where
    )
    for table in ("ratings", "standings", "pairs"):
        op.drop_table(table)
    for table, (key, columns) in MADE.items():
        op.create_table(table, *columns, sa.PrimaryKeyConstraint(*key, name=f"pk_{table}"))
    for name, (table, names, condition) in INDEXES.items():
        where = sa.text(condition)
        op.create_index(name, table, names, sqlite_where=where, postgresql_where=where)
    op.execute(sa.text("DELETE FROM weeks"))
    op.execute(sa.text("DELETE FROM progress WHERE name IN ('rated', 'rating')"))
    op.execute(
        sa.text("INSERT INTO progress (name, value) SELECT 'numbered', coalesce(max(number), 0) FROM results")
    )
    op.execute(sa.text("INSERT INTO progress (name, value) VALUES ('rated', 0)"))

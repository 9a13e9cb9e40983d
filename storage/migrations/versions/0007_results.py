"""Results of games, and statistics; how often moves were taken back; usernames; hidden results."""

import logging
import time
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

log = logging.getLogger("storage.migrate.progress")

BATCH = 20_000
"""Games whose results are made by one statement."""
TOLD_SECONDS = 2.0

ID, WORD, RULES = sa.BigInteger(), sa.String(16), sa.String(16)

ADDED: dict[str, tuple[sa.Column[Any], ...]] = {
    "games": (sa.Column("takebacks", sa.Integer(), server_default=sa.text("0"), nullable=False),),
    "people": (
        sa.Column("username", sa.String(32)),
        sa.Column("hidden", sa.Boolean(), server_default=sa.false(), nullable=False),
    ),
}
MADE: dict[str, tuple[tuple[str, ...], dict[str, Any]]] = {
    "results": (
        ("game_id", "person"),
        {
            "game_id": ID,
            "person": ID,
            "opponent": ID,
            "level": None,
            "rules": RULES,
            "chat_id": None,
            "mark": sa.String(1),
            "outcome": sa.String(4),
            "termination": WORD,
            "plies": sa.Integer(),
            "opening": None,
            "ended_at": ID,
            "counted": None,
        },
    ),
    "tallies": (
        ("person", "chat_id", "family", "against"),
        {
            "person": ID,
            "chat_id": ID,
            "family": WORD,
            "against": WORD,
            "wins": sa.Integer(),
            "draws": sa.Integer(),
            "losses": sa.Integer(),
        },
    ),
    "players": (
        ("person", "chat_id"),
        {"person": ID, "chat_id": ID, "streak": sa.Integer(), "longest": sa.Integer()},
    ),
    "weeks": (
        ("week", "chat_id", "family", "person"),
        {"week": sa.Integer(), "chat_id": ID, "family": WORD, "person": ID, "wins": sa.Integer()},
    ),
    "ratings": (
        ("person", "family", "day"),
        {
            "person": ID,
            "family": WORD,
            "day": sa.Integer(),
            "rating": sa.Double(),
            "deviation": sa.Double(),
            "volatility": sa.Double(),
            "games": sa.Integer(),
        },
    ),
    "standings": (
        ("family", "person"),
        {
            "family": WORD,
            "person": ID,
            "hidden": sa.Integer(),
            "settled": sa.Integer(),
            "rating": sa.Double(),
            "day": sa.Integer(),
            "settled_until": sa.Integer(),
        },
    ),
    "pairs": (
        ("person", "opponent"),
        {"person": ID, "opponent": ID, "games": sa.Integer(), "day": sa.Integer()},
    ),
    "progress": (("name",), {"name": WORD, "value": ID}),
}
"""By table its key, and its columns with their types; None for those that may be empty."""
MAYBE: dict[str, Any] = {"level": WORD, "chat_id": ID, "opening": sa.String(1), "counted": sa.Integer()}

INDEXES = {
    "ix_people_username": ("people", ["username"], "username IS NOT NULL"),
    "ix_people_hidden": ("people", ["id"], "hidden IS TRUE"),
    "ix_players_chat_id": ("players", ["chat_id", "person"], None),
    "ix_results_person": ("results", ["person", "ended_at"], None),
    "ix_results_uncounted": ("results", ["ended_at", "game_id"], "counted IS NULL"),
    "ix_results_people": ("results", ["ended_at"], "opponent <> 0"),
    "ix_weeks_wins": ("weeks", ["week", "chat_id", "family", "wins", "person"], None),
    "ix_standings_rating": ("standings", ["family", "hidden", "settled", "rating", "person"], None),
    "ix_standings_settled": ("standings", ["settled_until"], "settled = 1"),
}

# Whether a move was taken back is not known of older games; and their end was their last change, or nearly so.
RESULTS = """
INSERT INTO results (game_id, person, opponent, level, rules, chat_id, mark, outcome, termination, plies, opening,
                     ended_at)
SELECT id, {own}_seat, {other}_seat, {other}_level, rules, chat_id, '{mark}',
       CASE WHEN winner IS NULL THEN 'draw' WHEN winner = '{mark}' THEN 'win' ELSE 'loss' END,
       termination, length(moves), {opening}, CASE WHEN moved_at > 0 THEN moved_at ELSE changed_at END
FROM games
WHERE id > :after AND id <= :until AND termination IN ('line', 'full board', 'resignation', 'timeout')
      AND host IS NULL AND length(moves) >= 2 AND {own}_seat <> 0 AND {other}_seat IS NOT NULL
      AND x_seat <> o_seat
"""


def upgrade() -> None:
    for table, columns in ADDED.items():
        for column in columns:
            op.add_column(table, column)
    for table, (key, types) in MADE.items():
        made: list[sa.Column[Any]] = [
            sa.Column(name, kind or MAYBE[name], nullable=kind is None, autoincrement=False)
            for name, kind in types.items()
        ]
        op.create_table(table, *made, sa.PrimaryKeyConstraint(*key, name=f"pk_{table}"))
    _fill()
    for name, (table, names, condition) in INDEXES.items():
        where = None if condition is None else sa.text(condition)
        in_sqlite = None if condition is None else sa.text(condition.replace("TRUE", "1"))
        op.create_index(name, table, names, sqlite_where=in_sqlite, postgresql_where=where)


def _fill() -> None:
    """Make the results of existing games, batch by batch, and log the progress."""
    connection = op.get_bind()
    newest = connection.execute(sa.text("SELECT max(id) FROM games")).scalar() or 0
    told = time.monotonic()
    for after in range(0, newest, BATCH):
        until = min(after + BATCH, newest)
        for own, other in (("x", "o"), ("o", "x")):
            opening = "substr(moves, 1, 1)" if own == "x" else "NULL"
            statement = RESULTS.format(own=own, other=other, mark=own.upper(), opening=opening)
            connection.execute(sa.text(statement), {"after": after, "until": until})
        if time.monotonic() - told >= TOLD_SECONDS or (until == newest and newest > BATCH):
            told = time.monotonic()
            log.info("Results: %s of %s games read", f"{until:,}", f"{newest:,}")

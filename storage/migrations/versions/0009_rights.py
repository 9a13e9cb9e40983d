"""Columns for forgetting people and chats: when they were last active, who is being forgotten, who was."""

import time

import sqlalchemy as sa
from alembic import op
from sqlalchemy.schema import SchemaItem

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

ID = sa.BigInteger()

MADE: dict[str, tuple[SchemaItem, ...]] = {
    "erasures": (
        sa.Column("person", ID, autoincrement=False, nullable=False),
        sa.Column("stage", sa.String(8), nullable=False),
        sa.Column("at", ID, nullable=False),
        sa.Column("alias", ID, nullable=False),
        sa.Column("names", sa.Text(), nullable=False),
        sa.Column("cursor", ID, nullable=False),
        sa.PrimaryKeyConstraint("person", name="pk_erasures"),
    ),
    "exports": (
        sa.Column("person", ID, autoincrement=False, nullable=False),
        sa.Column("until", ID, nullable=False),
        sa.PrimaryKeyConstraint("person", name="pk_exports"),
    ),
    "forgotten": (
        sa.Column("digest", sa.String(32), nullable=False),
        sa.Column("at", ID, nullable=False),
        sa.PrimaryKeyConstraint("digest", name="pk_forgotten"),
    ),
}

INDEXES = {
    "ix_games_player_x": ("games", ["x_seat", "id"], "x_seat > 0"),
    "ix_games_player_o": ("games", ["o_seat", "id"], "o_seat > 0"),
    "ix_games_chat_id": ("games", ["chat_id", "id"], None),
    "ix_games_host": ("games", ["host"], "host IS NOT NULL"),
    "ix_games_rival_id": ("games", ["rival_id"], "rival_id IS NOT NULL"),
    "ix_games_next_game": ("games", ["next_game"], "next_game IS NOT NULL"),
    "ix_messages_game_id": ("messages", ["game_id"], None),
    "ix_weeks_person": ("weeks", ["person"], None),
    "ix_outbox_game_id": ("outbox", ["game_id"], None),
    "ix_chats_left_at": ("chats", ["left_at"], "left_at IS NOT NULL"),
    "ix_people_seen_at": ("people", ["seen_at"], None),
}


def upgrade() -> None:
    op.add_column("chats", sa.Column("left_at", ID))
    op.add_column("people", sa.Column("seen_at", ID, server_default=sa.text("0"), nullable=False))
    # When they were last there was not noted, so their time begins now.
    op.execute(sa.text("UPDATE people SET seen_at = :now").bindparams(now=int(time.time())))
    for table, columns in MADE.items():
        op.create_table(table, *columns)
    for name, (table, names, condition) in INDEXES.items():
        where = None if condition is None else sa.text(condition)
        op.create_index(name, table, names, sqlite_where=where, postgresql_where=where)

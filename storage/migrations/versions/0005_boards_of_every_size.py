"""Boards other than 3 by 3: a chat's choice, what a board shows, and who lets the computer play itself."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

ADDED: dict[str, tuple[sa.Column[Any], ...]] = {
    "chats": (
        sa.Column("rules", sa.String(16)),
        sa.Column("silent", sa.Boolean(), server_default=sa.false(), nullable=False),
    ),
    "games": (sa.Column("host", sa.BigInteger()), sa.Column("ended_by", sa.String(256))),
    "boards": (sa.Column("page", sa.String(16)),),
}


def upgrade() -> None:
    for table, columns in ADDED.items():
        for column in columns:
            op.add_column(table, column)

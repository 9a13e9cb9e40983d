"""A cup is one message, which comes down; what is said of a cup names it, and its games name their round."""

from pathlib import Path

import sqlalchemy as sa
from alembic import op

revision = Path(__file__).name.partition("_")[0]
down_revision = "0052"
branch_labels = None
depends_on = None
schema = "d90308fa4ea0"


def upgrade() -> None:
    op.add_column("games", sa.Column("round", sa.Integer()))
    op.add_column("cups", sa.Column("drawn_at", sa.BigInteger(), server_default=sa.text("0"), nullable=False))
    op.add_column("outbox", sa.Column("cup", sa.BigInteger().with_variant(sa.Integer(), "sqlite")))
    op.execute("DELETE FROM outbox WHERE kind = 'champion'")
    newest = "SELECT max(cups.id) FROM cups WHERE cups.chat_id = outbox.chat_id"
    op.execute(f"UPDATE outbox SET cup = ({newest}) WHERE kind = 'cup'")  # noqa: S608 - our own names
    game = "SELECT cup_games.round FROM cup_games WHERE cup_games.game_id = games.id"
    op.execute(f"UPDATE games SET round = ({game}) WHERE time_limits = 'cup' AND termination IS NULL")  # noqa: S608 - likewise

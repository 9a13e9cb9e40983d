"""Keys of what was done take the place of the updates that games, chats and cups remembered (`storage.once`)."""

from pathlib import Path

import sqlalchemy as sa
from alembic import op

revision = Path(__file__).name.partition("_")[0]
down_revision = "0047"
branch_labels = None
depends_on = None
schema = "e0fd83f1526b"


def upgrade() -> None:
    """Keep what messages brought within the last day."""
    at = sa.Column("at", sa.BigInteger(), nullable=False)
    op.create_table("done", sa.Column("key", sa.BigInteger(), nullable=False), at, sa.PrimaryKeyConstraint("key"))
    op.execute("INSERT INTO done SELECT digest, at FROM taken")
    op.create_index("ix_done_at", "done", ["at"])
    op.drop_table("taken")
    op.execute("ALTER TABLE chats DROP COLUMN seen_updates")
    op.execute("ALTER TABLE cups DROP COLUMN update_id")
    if op.get_context().dialect.name == "sqlite":
        _rebuild_games(op.get_bind())
    else:
        op.execute("ALTER TABLE games DROP COLUMN update_id, DROP COLUMN seen_updates")


def _rebuild_games(connection: sa.Connection) -> None:
    """SQLite drops no column with a constraint; the ids of deleted games are still never given again."""
    sequence = sa.table("sqlite_sequence", sa.column("name"), sa.column("seq"))
    of_games = sequence.c.name == "games"
    last = connection.scalar(sa.select(sequence.c.seq).where(of_games))
    with op.batch_alter_table("games", table_kwargs={"sqlite_autoincrement": True}) as games:
        games.drop_constraint("uq_games_update_id", type_="unique")
        games.drop_column("update_id")
        games.drop_column("seen_updates")
    connection.execute(sa.delete(sequence).where(of_games))
    connection.execute(sa.insert(sequence).values(name="games", seq=last or 0))

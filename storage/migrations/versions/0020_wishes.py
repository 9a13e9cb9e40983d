"""Pictures and exports that people wait for are stored in the outbox, as reminders are."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None

PICTURE = sa.text("kind IN ('animation', 'still')")


def upgrade() -> None:
    for table in ("shares", "exports"):
        op.drop_table(table)
    connection = op.get_bind()
    on_sqlite = connection.dialect.name == "sqlite"
    used = sa.text("SELECT seq FROM sqlite_sequence WHERE name = 'outbox'")
    highest = connection.execute(used).scalar() if on_sqlite else None
    with op.batch_alter_table("outbox", table_kwargs={"sqlite_autoincrement": True}) as outbox:
        outbox.alter_column("game_id", existing_type=sa.BigInteger(), nullable=True)
        outbox.alter_column("ply", existing_type=sa.Integer(), nullable=True)
        outbox.add_column(sa.Column("person", sa.BigInteger()))
        outbox.add_column(sa.Column("subject", sa.BigInteger()))
        outbox.add_column(sa.Column("family", sa.String(16), nullable=False, server_default=sa.text("''")))
        for name in ("here", "said"):
            outbox.add_column(sa.Column(name, sa.Boolean(), nullable=False, server_default=sa.false()))
    if highest is not None:  # the copy of the table counts from the highest id that is there
        connection.execute(sa.text("DELETE FROM sqlite_sequence WHERE name = 'outbox'"))
        counted = sa.text("INSERT INTO sqlite_sequence (name, seq) VALUES ('outbox', :highest)")
        connection.execute(counted, {"highest": highest})
    for name in ("person", "subject"):
        given = sa.text(f"{name} IS NOT NULL")
        op.create_index(f"ix_outbox_{name}", "outbox", [name], sqlite_where=given, postgresql_where=given)
    op.create_index(
        "uq_outbox_picture",
        "outbox",
        ["kind", "chat_id", "game_id"],
        unique=True,
        sqlite_where=PICTURE,
        postgresql_where=PICTURE,
    )
    given = sa.text("subject IS NOT NULL")
    op.create_index(
        "uq_outbox_subject",
        "outbox",
        ["kind", "chat_id", "subject", "family", "here"],
        unique=True,
        sqlite_where=given,
        postgresql_where=given,
    )

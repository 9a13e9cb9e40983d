"""Alembic's way in: migrations run in the transaction that `storage.migrate` has opened."""

from alembic import context
from sqlalchemy import Connection

from storage.database import connect
from storage.indexes import INDEXES
from storage.schema import METADATA
from storage.settings import DatabaseSettings

METADATA.info["indexes"] = INDEXES  # the tables are whole only with them


def run(connection: Connection) -> None:
    context.configure(
        connection=connection,
        target_metadata=METADATA,
        render_as_batch=True,  # SQLite alters most things by rebuilding the table
    )
    context.run_migrations()


if (opened := context.config.attributes.get("connection")) is not None:
    run(opened)
else:  # an engineer runs Alembic's own command
    with connect(DatabaseSettings.read().database, create=False).begin() as own:
        run(own)

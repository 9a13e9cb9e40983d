"""Alembic's way in: migrations run in the transaction that `storage.migrate` has opened."""

from alembic import context

from storage.indexes import INDEXES
from storage.schema import METADATA

METADATA.info["indexes"] = INDEXES  # the tables are whole only with them

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    render_as_batch=True,  # SQLite alters most things by rebuilding the table
)
context.run_migrations()

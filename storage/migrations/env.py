"""Alembic's way in: migrations run in the transaction that `storage.migrate` has opened."""

from alembic import context

from storage.schema import METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    render_as_batch=True,  # SQLite alters most things by building the table anew
)
context.run_migrations()

"""Alembic's way in: migrations run in the transaction that `storage.migrate` has opened."""

from alembic import context

from storage.schema import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    render_as_batch=True,  # SQLite alters most things by building the table anew
)
context.run_migrations()

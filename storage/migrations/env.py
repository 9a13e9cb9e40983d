"""Alembic's way in: migrations run in the transaction that `storage.migrate` has opened."""

from typing import Any, Literal

from alembic import context
from alembic.autogenerate.api import AutogenContext
from alembic.ddl.sqlite import SQLiteImpl
from alembic.migration import MigrationContext
from alembic.operations.ops import MigrationScript
from alembic.util import CommandError
from sqlalchemy import Connection, DefaultClause, False_, Table, True_, text

from storage.database import connect
from storage.indexes import INDEXED
from storage.settings import DatabaseSettings


class KeepsNumbering(SQLiteImpl):
    """SQLite, where a table that is rebuilt goes on numbering its rows, also after those that are deleted."""

    __dialect__ = "sqlite"

    def create_table(self, table: Table, **kw: Any) -> None:  # noqa: ANN401 - Alembic's
        names = {"new": table.name, "old": table.name.removeprefix("_alembic_tmp_")}
        find = text("SELECT 1 FROM sqlite_master WHERE name = :old AND sql LIKE '%AUTOINCREMENT%'")
        if self.connection is not None and self.connection.scalar(find, names):
            table.dialect_options["sqlite"]["autoincrement"] = True
            copy = text("INSERT INTO sqlite_sequence SELECT :new, seq FROM sqlite_sequence WHERE name = :old")
            self.connection.execute(copy, names)
        super().create_table(table, **kw)


def render(kind: str, item: object, _: AutogenContext) -> str | Literal[False]:
    """Write the default of a true-or-false column for both databases: as SQLite has it, PostgreSQL refuses it."""
    if kind == "server_default" and isinstance(item, DefaultClause) and isinstance(item.arg, True_ | False_):
        return f"sa.{type(item.arg).__name__.rstrip('_').lower()}()"
    return False


def refuse_nothing(_: MigrationContext, __: object, directives: list[MigrationScript]) -> None:
    """Write no revision that changes nothing."""
    if directives and directives[0].upgrade_ops is not None and directives[0].upgrade_ops.is_empty():
        raise CommandError("The database of DATABASE_URL has this schema already; make one before the change")


def run(connection: Connection) -> None:
    context.configure(
        connection=connection,
        target_metadata=INDEXED,
        render_item=render,
        process_revision_directives=refuse_nothing,
        render_as_batch=True,  # SQLite alters most things by rebuilding the table
    )
    context.run_migrations()


if (opened := context.config.attributes.get("connection")) is not None:
    run(opened)
else:  # an engineer runs Alembic's own command
    with connect(DatabaseSettings.read().database, create=False).begin() as own:
        run(own)

"""INSERT of rows that may be there already, as each database writes it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Table


def upsert(
    connection: Connection,
    table: Table,
    rows: Sequence[Mapping[str, Any]],
    *,
    add: Collection[str] = (),
    larger: str | None = None,
) -> None:
    """Insert rows; where the key of one is there already, write its other columns into that row.

    All rows have the same columns. With `add`, these columns are added to what is stored, and the others stay as
    they are. With `larger`, a row that is there changes only where this column becomes larger.
    """
    if not rows:
        return
    statement = insert_of(connection)(table)
    new, key = statement.excluded, list(table.primary_key)
    changes = {name: new[name] for name in rows[0] if table.c[name] not in key}
    if add:
        changes = {name: table.c[name] + new[name] for name in add}
    if not changes:
        insert_missing(connection, table, rows)
        return
    grows = None if larger is None else table.c[larger] < new[larger]
    connection.execute(statement.on_conflict_do_update(index_elements=key, set_=changes, where=grows), rows)


def insert_missing(connection: Connection, table: Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert those of these rows that aren't there yet."""
    connection.execute(insert_of(connection)(table).on_conflict_do_nothing(), rows)


def insert_of(connection: Connection) -> Any:  # noqa: ANN401 - either database's own, which share no type
    """The database's own INSERT, which knows what to do on a conflict; the other's is not even imported."""
    if connection.dialect.name == "sqlite":
        from sqlalchemy.dialects.sqlite import insert  # noqa: PLC0415 - see above
    else:
        from sqlalchemy.dialects.postgresql import insert  # type: ignore[assignment] # noqa: PLC0415 - see above
    return insert

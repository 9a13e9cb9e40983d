"""INSERT of rows that may be there already, as each database writes it."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from sqlalchemy import Connection, Table


def upsert(
    connection: Connection,
    table: Table,
    rows: Sequence[Mapping[str, Any]],
    *,
    add: str | None = None,
    larger: str | None = None,
) -> None:
    """Insert rows; where the key of one is there already, write its other columns into that row.

    All rows have the same columns. With `add`, this column is added to what is stored, and the others stay as
    they are. With `larger`, a row that is there changes only where this column becomes larger.
    """
    if rows:
        connection.execute(_upserting(connection.dialect.name, table, tuple(rows[0]), add, larger), rows)


def insert_missing(connection: Connection, table: Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert those of these rows that aren't there yet."""
    connection.execute(_upserting(connection.dialect.name, table, (), None, None), rows)


@cache
def _upserting(dialect: str, table: Table, columns: tuple[str, ...], add: str | None, larger: str | None) -> Any:  # noqa: ANN401 - as below
    """The statement; made once, because making one costs more than running it."""
    statement = _insert_into(dialect)(table)
    new, key = statement.excluded, list(table.primary_key)
    changes = {name: new[name] for name in columns if table.c[name] not in key}
    if add is not None:
        changes = {add: table.c[add] + new[add]}
    if not changes:
        return statement.on_conflict_do_nothing()
    grows = None if larger is None else table.c[larger] < new[larger]
    return statement.on_conflict_do_update(index_elements=key, set_=changes, where=grows)


def insert_of(connection: Connection) -> Any:  # noqa: ANN401 - either database's own, which share no type
    """The database's own INSERT, which knows what to do on a conflict."""
    return _insert_into(connection.dialect.name)


@cache
def _insert_into(dialect: str) -> Any:  # noqa: ANN401 - as above
    """The other database's is not even imported."""
    if dialect == "sqlite":
        from sqlalchemy.dialects.sqlite import insert  # noqa: PLC0415 - see above
    else:
        from sqlalchemy.dialects.postgresql import insert  # type: ignore[assignment] # noqa: PLC0415 - see above
    return insert

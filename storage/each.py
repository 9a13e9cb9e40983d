"""Statements that are carried out for many rows.

On a server the driver sends one with each row in turn, so that rows are locked in their order. SQLite's driver
lets go of the interpreter's lock at every row, which the event loop then takes: who writes forty rows would stand
still forty times. So there all rows go in as one JSON array, for one statement, and come out as one.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from sqlalchemy import Boolean, Text, bindparam, func, insert, literal_column, select

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from sqlalchemy import ColumnElement, Connection, FromClause, Table, Update


class UpdateEach:
    """An UPDATE that finds its row, and gets its values, by the fields that many rows of parameters have."""

    def __init__(
        self, names: Sequence[str], statement: Callable[[Mapping[str, ColumnElement[Any]]], Update]
    ) -> None:
        """Prepare it.

        Args:
            names: The fields, in their order.
            statement: Makes the statement with the fields by their names.
        """
        self._names = tuple(names)
        self._one = statement({name: bindparam(name) for name in names})
        self._all = statement(dict(zip(names, _given(len(names)), strict=True)))

    def run(self, connection: Connection, rows: Sequence[Sequence[Any]]) -> int:
        """Carry it out for rows, of which there is at least one; how many rows it has changed.

        No two of them may find the same row.
        """
        if connection.dialect.name == "sqlite":
            return connection.execute(self._all, _as_json(rows)).rowcount
        return connection.execute(self._one, _by_name(self._names, rows)).rowcount


class InsertEach:
    """An INSERT of many rows into a table whose key is the `id` that the database gives them."""

    def __init__(self, table: Table, names: Sequence[str]) -> None:
        """Prepare it for these columns, in their order."""
        self._names = tuple(names)
        self._newest = select(func.coalesce(func.max(table.c.id), 0))
        self._one = insert(table).returning(table.c.id, sort_by_parameter_order=True)
        columns = ["id", *names]
        self._all = insert(table).from_select(columns, select(*_given(len(columns))))

    def run(self, connection: Connection, rows: Sequence[Sequence[Any]]) -> Sequence[int]:
        """Store rows, of which there is at least one; their ids, in their order."""
        if connection.dialect.name != "sqlite":
            return connection.execute(self._one, _by_name(self._names, rows)).scalars().all()
        # Nobody else writes to the file meanwhile, and SQLite itself would count on from the highest.
        first = connection.execute(self._newest).scalar_one() + 1
        ids = range(first, first + len(rows))
        connection.execute(self._all, _as_json([(new, *row) for new, row in zip(ids, rows, strict=True)]))
        return ids


class SelectEach:
    """A SELECT of the rows with many ids."""

    def __init__(self, columns: Sequence[ColumnElement[Any]], source: FromClause, key: ColumnElement[int]) -> None:
        """Prepare it.

        Args:
            columns: What is read.
            source: Where from.
            key: The column of the ids.
        """
        self._each = select(*columns).select_from(source).where(key.in_(bindparam("ids", expanding=True)))
        rows = func.json_group_array(func.json_array(*columns))
        ids = func.json_each(bindparam("ids", type_=Text)).table_valued("value").alias("given").c.value
        self._all = select(rows).select_from(source).where(key.in_(select(ids)))
        self._flags = [number for number, column in enumerate(columns) if isinstance(column.type, Boolean)]

    def run(self, connection: Connection, ids: Iterable[int]) -> Sequence[Sequence[Any]]:
        """The rows, in any order."""
        if connection.dialect.name != "sqlite":
            return connection.execute(self._each, {"ids": list(ids)}).all()
        found: list[list[Any]] = json.loads(
            connection.execute(self._all, {"ids": json.dumps(list(ids))}).scalar_one()
        )
        for row in found:
            for number in self._flags:
                row[number] = None if row[number] is None else row[number] == 1
        return found


def _given(count: int) -> Sequence[ColumnElement[Any]]:
    """The fields of a row in the array."""
    row = func.json_each(bindparam("rows", type_=Text)).table_valued("value").alias("given").c.value
    return [func.json_extract(row, literal_column(f"'$[{number}]'")) for number in range(count)]


def _as_json(rows: Sequence[Sequence[Any]]) -> dict[str, str]:
    # Not in ASCII: half a surrogate pair would be let in, and the row could never be read again.
    return {"rows": json.dumps(rows, ensure_ascii=False)}


def _by_name(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> list[dict[str, Any]]:
    return [dict(zip(names, row, strict=True)) for row in rows]

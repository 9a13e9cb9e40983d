"""A statement that is carried out for many rows.

On a server the driver sends it with each row in turn, so that rows are locked in their order. SQLite's driver lets
go of the interpreter's lock at every row, which the event loop then takes: who writes forty rows would stand still
forty times. So there all rows go in as one JSON array, for one statement.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from sqlalchemy import Text, bindparam, func, literal_column

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from sqlalchemy import ColumnElement, Connection, Update


class ForEach:
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
        row = func.json_each(bindparam("rows", type_=Text)).table_valued("value").alias("given").c.value
        self._all = statement(
            {name: func.json_extract(row, literal_column(f"'$[{i}]'")) for i, name in enumerate(names)}
        )

    def run(self, connection: Connection, rows: Sequence[Sequence[Any]]) -> int:
        """Carry it out for rows, of which there is at least one; how many rows it has changed.

        No two of them may find the same row.
        """
        if connection.dialect.name == "sqlite":
            return connection.execute(self._all, {"rows": json.dumps(rows)}).rowcount
        return connection.execute(self._one, [dict(zip(self._names, row, strict=True)) for row in rows]).rowcount

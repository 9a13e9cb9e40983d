"""INSERT as each database has it where it may meet a row that is there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sqlalchemy import Connection


def insert_of(connection: Connection) -> Any:  # noqa: ANN401 - either database's own, which share no type
    """The database's own INSERT, which knows what to do on a conflict; the other's is not even imported."""
    if connection.dialect.name == "sqlite":
        from sqlalchemy.dialects.sqlite import insert  # noqa: PLC0415 - see above
    else:
        from sqlalchemy.dialects.postgresql import insert  # type: ignore[assignment] # noqa: PLC0415 - see above
    return insert

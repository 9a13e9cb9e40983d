"""What the tables are made of: kinds of columns, and names for constraints.

Telegram's ids need up to 52 bits (Bot API, `User.id`), so they are 64-bit everywhere. Times are whole seconds
since 1970, UTC: the same integers on both databases, and no time zones to get wrong.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Integer,
    MetaData,
    String,
    false,
    text,
)

if TYPE_CHECKING:
    from sqlalchemy.types import TypeEngine

NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}
"""Every constraint has a name, so that migrations can speak of it."""

METADATA = MetaData(naming_convention=NAMES)

# SQLite numbers rows by itself only where the key is declared INTEGER (its INTEGER is 64-bit).
ROW_ID = BigInteger().with_variant(Integer(), "sqlite")
LANGUAGE, LEVEL, THEME, NAME, RULES, SEEN = String(16), String(16), String(8), String(256), String(16), String(200)
FAMILY, WORD = String(16), String(16)
MARK = String(1)
FIGURE = String(8)


def maybe(name: str, kind: TypeEngine[Any] | type[TypeEngine[Any]], *constraints: ForeignKey) -> Column[Any]:
    """A column that may be empty."""
    return Column(name, kind, *constraints, nullable=True)


def always(
    name: str, kind: TypeEngine[Any] | type[TypeEngine[Any]], *constraints: ForeignKey, default: str | None = None
) -> Column[Any]:
    """A column that never is; with the default of rows that were there before it."""
    return Column(name, kind, *constraints, nullable=False, server_default=text(default) if default else None)


def flag(name: str) -> Column[Any]:
    """A column that says yes or no, and no of rows that were there before it."""
    return Column(name, Boolean, nullable=False, server_default=false())


def key(name: str, kind: TypeEngine[Any] | type[TypeEngine[Any]] = BigInteger) -> Column[Any]:
    """A column of the primary key, which comes from elsewhere: an id of Telegram's, a name, a day."""
    return Column(name, kind, primary_key=True, autoincrement=False)

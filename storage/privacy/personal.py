"""Where the database has personal data, as each column says: by this they are deleted and exported."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, Table, literal_column, or_, select, union_all

from storage.columns import DataKind
from storage.schema import GAMES, METADATA

HELD: Final[Mapping[str, Mapping[str, DataKind]]] = {
    table.name: held
    for table in METADATA.tables.values()
    if (held := {column.name: column.info["held"] for column in table.c if column.info["held"]})
}
"""By table, the columns with personal data, and of which kind these are."""

FIRST_OF: Final[Mapping[str, tuple[str, ...]]] = {
    **dict.fromkeys(HELD, ("person",)),
    "people": ("id",),
    "chats": ("id",),
    "games": ("x_seat", "o_seat", "host", "rival_id", "ended_by", "chat_id"),
    "boards": ("chat_id",),
    "messages": ("chat_id",),
    "cups": ("chat_id",),
    "cup_plans": ("chat_id",),
    "group_puzzles": ("chat_id",),
    "outbox": ("chat_id", "person", "subject"),
    "meetings": ("person", "opponent"),
    "blocks": ("person", "blocked"),
}
"""By table, the columns that make a row somebody's."""


def theirs(table: Table, person: int, column: str | None = None) -> ColumnElement[bool]:
    """The condition that a row is a person's: by this column, or by any of `FIRST_OF`; each has an index."""
    columns = FIRST_OF[table.name] if column is None else (column,)
    return or_(*(_by(table, name, person) for name in columns))


def _by(table: Table, name: str, person: int) -> ColumnElement[bool]:
    column: ColumnElement[Any] = table.c[name]
    own = column == person
    if name in ("x_seat", "o_seat"):  # a literal, so that the partial index of people's seats is used
        return own & (column > literal_column("0"))
    return own


def game_ids(
    connection: Connection, person: int, condition: ColumnElement[bool], most: int, *, newest_first: bool = True
) -> Sequence[int]:
    """The ids of some games in which a person has a part, newest or oldest first; each part has an index."""
    order = GAMES.c.id.desc() if newest_first else GAMES.c.id
    parts = [
        select(GAMES.c.id).where(theirs(GAMES, person, column), condition).order_by(order).limit(most).subquery()
        for column in FIRST_OF["games"]
    ]
    ids = union_all(*(select(part.c.id) for part in parts))
    return sorted(set(connection.execute(ids).scalars()), reverse=newest_first)[:most]

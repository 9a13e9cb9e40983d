"""Where the database has personal data: the one list by which data are deleted and exported.

A test lists all other columns, so that a new one is neither forgotten nor left out of exports.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, Table, literal_column, or_, select, union_all

from storage.schema import GAMES, METADATA


class DataKind(StrEnum):
    """What kind of personal data a column has."""

    PERSON = "person"
    """A person's Telegram id; 0 is the computer or nobody, and below 0 are pseudonyms."""
    CHAT = "chat"
    """A chat's id: that of a private chat is its person's, that of a group is below 0."""
    NAME = "name"
    LINK = "link"
    """The secret part of a link, with which anybody can join a game."""


_P, _C, _N = DataKind.PERSON, DataKind.CHAT, DataKind.NAME

HELD: Final[Mapping[str, Mapping[str, DataKind]]] = {
    "people": {"id": _P, "name": _N, "username": _N},
    "chats": {"id": _C},
    "games": {
        "chat_id": _C,
        "x_seat": _P,
        "o_seat": _P,
        "rival_id": _P,
        "rival_username": _N,
        "host": _P,
        "ended_by": _P,
        "link": DataKind.LINK,
        "inline_person": _P,
    },
    "boards": {"chat_id": _C, "viewer": _P, "reviewer": _P},
    "messages": {"chat_id": _C},
    "outbox": {"chat_id": _C, "person": _P, "subject": _P},
    "results": {"person": _P, "opponent": _P, "chat_id": _C},
    "ratings": {"person": _P},
    "rating_days": {"person": _P},
    "pairs": {"person": _P, "opponent": _P},
    "matchmaking": {"person": _P},
    "meetings": {"person": _P, "opponent": _P},
    "puzzles": {"person": _P, "chat_id": _C},
    "levels": {"person": _P},
    "milestones": {"person": _P},
    "pauses": {"chat": _C},
    "erasures": {"person": _P},
}
"""By table, the columns with personal data, and of which kind these are."""

FIRST_OF: Final[Mapping[str, tuple[str, ...]]] = {
    **dict.fromkeys(HELD, ("person",)),
    "people": ("id",),
    "chats": ("id",),
    "games": ("x_seat", "o_seat", "host", "rival_id", "ended_by", "chat_id"),
    "boards": ("chat_id",),
    "messages": ("chat_id",),
    "outbox": ("chat_id", "person", "subject"),
    "meetings": ("person", "opponent"),
    "pauses": ("chat",),
}
"""By table, the columns that make a row somebody's."""


def theirs(table: Table, person: int, column: str | None = None) -> ColumnElement[bool]:
    """The condition that a row is a person's: by this column, or by any of `FIRST_OF`; each has an index."""
    columns = FIRST_OF[table.name] if column is None else (column,)
    return or_(*(_by(table, name, person) for name in columns))


def _by(table: Table, name: str, person: int) -> ColumnElement[bool]:
    column: ColumnElement[Any] = table.c[name]
    if table.name == "pauses":
        return column == str(person)
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
    found = union_all(*(select(part.c.id) for part in parts))
    return sorted(set(connection.execute(found).scalars()), reverse=newest_first)[:most]


def tables() -> Mapping[str, Table]:
    """All tables with personal data, by name."""
    return {name: METADATA.tables[name] for name in HELD}

"""Where people stand in the database: the one list that forgetting, exporting and their tests go by.

Each column of each table is either here, or among those that tell of nobody. A test walks through all tables, so
that a column which somebody adds is missed by neither.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import literal_column, or_

from engine.families import Family
from storage.schema import METADATA

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy import ColumnElement, Table


class Kind(StrEnum):
    """What a column tells of a person."""

    PERSON = "person"
    """Their Telegram id; 0 is the computer or nobody, and below 0 is who was forgotten."""
    CHAT = "chat"
    """A chat: the id of a private one is its person's, that of a group is below 0."""
    NAME = "name"
    """How they are called, or their username."""
    LINK = "link"
    """What a link or an inline offer carried; the latter has an id in it."""


_P, _C, _N = Kind.PERSON, Kind.CHAT, Kind.NAME

HELD: Final[Mapping[str, Mapping[str, Kind]]] = {
    "people": {"id": _P, "name": _N, "username": _N},
    "chats": {"id": _C},
    "games": {
        "chat_id": _C,
        "x_seat": _P,
        "o_seat": _P,
        "x_name": _N,
        "o_name": _N,
        "rival_id": _P,
        "rival_name": _N,
        "host": _P,
        "ended_by": _N,
        "token": Kind.LINK,
    },
    "boards": {"chat_id": _C, "viewer": _P},
    "messages": {"chat_id": _C},
    "outbox": {"chat_id": _C},
    "shares": {"chat_id": _C},
    "results": {"person": _P, "opponent": _P, "chat_id": _C},
    "tallies": {"person": _P, "chat_id": _C},
    "players": {"person": _P, "chat_id": _C},
    "weeks": {"person": _P, "chat_id": _C},
    "ratings": {"person": _P},
    "standings": {"person": _P},
    "pairs": {"person": _P, "opponent": _P},
    "meetings": {"person": _P, "opponent": _P},
    "pauses": {"chat": _C},
    "exports": {"person": _P},
    "erasures": {"person": _P, "names": _N},
}
"""By table the columns that tell of people, with what they tell."""

IMPERSONAL: Final[Mapping[str, str]] = {
    "people": "language takebacks notices hidden seen_at",
    "chats": "level first look as_text language rules silent seen_updates left_at",
    "games": "id rules x_level o_level moves offer takebacks termination winner x_wins o_wins draws next_game"
    " created_at changed_at moved_at due_at reminded update_id seen_updates version watched",
    "boards": "id game_id thread_id message_id inline_message_id language look as_text silent page replaces"
    " leaving wanted shown look_at claims acted_at called",
    "messages": "message_id game_id",
    "shares": "game_id form shared_at update_id",
    "replays": "game_id form look language digest file_id",
    "outbox": "id kind game_id ply thread_id language look_at",
    "results": "game_id level rules mark outcome termination plies opening ended_at counted",
    "tallies": "family against wins draws losses",
    "players": "streak longest",
    "weeks": "week family wins",
    "ratings": "family day rating deviation volatility games",
    "standings": "family hidden settled rating day settled_until",
    "pairs": "games day",
    "meetings": "game_id rules person_since opponent_since met_at",
    "pauses": "until",
    "exports": "until update_id",
    "erasures": "stage at alias cursor",
    "progress": "name value",
    "forgotten": "digest at",
}
"""The columns that tell of nobody, once those above are gone. The file of a replay shows names,
so replays of a game go with who leaves it, and so does the page of a board on which they have opened a review."""

FIRST_OF: Final[Mapping[str, tuple[str, ...]]] = {
    "people": ("id",),
    "chats": ("id",),
    "games": ("x_seat", "o_seat", "host", "rival_id", "chat_id"),
    "boards": ("chat_id",),
    "messages": ("chat_id",),
    "outbox": ("chat_id",),
    "shares": ("chat_id",),
    "meetings": ("person", "opponent"),
    "pauses": ("chat",),
    "weeks": ("person",),
    **dict.fromkeys(
        ("results", "tallies", "players", "ratings", "standings", "pairs", "exports", "erasures"), ("person",)
    ),
}
"""By table the columns by which a row is found to be somebody's."""


def theirs(table: Table, person: int, column: str | None = None) -> ColumnElement[bool]:
    """The condition that a row is somebody's, by one of the columns that tell so or by any; each has an index."""
    columns = FIRST_OF[table.name] if column is None else (column,)
    return or_(*(_by(table, name, person) for name in columns))


def _by(table: Table, name: str, person: int) -> ColumnElement[bool]:
    column: ColumnElement[Any] = table.c[name]
    if table.name == "pauses":
        return column == str(person)
    own = column == person
    if name in ("x_seat", "o_seat"):  # in letters, for an index of the seats of people alone
        return own & (column > literal_column("0"))
    if table.name == "standings":
        return own & table.c.family.in_(("", *Family))
    return own


def tables() -> Mapping[str, Table]:
    """All tables that tell of people, by name."""
    return {name: METADATA.tables[name] for name in HELD}

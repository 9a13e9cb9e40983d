"""All that is kept of somebody, portion by portion: rows as they are stored, without the ids of others.

Each portion is a short transaction, found by an index, and begins where the last has ended, so that nobody's tap
waits for long, however much there is. A row tells that an export is being made, so that there is one at a time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from sqlalchemy import select, tuple_

from storage.games import outbox
from storage.games.game import ADMINISTRATOR, COMPUTER, is_erased
from storage.people import people
from storage.privacy.personal import HELD, DataKind, game_ids, tables, theirs
from storage.schema import BOARDS, GAMES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection, Table

    from storage.games.notice import Notice

PORTION: Final = 200
"""Rows that one transaction reads."""

ORDER: Final = {
    "games": ("id",),
    "boards": ("message_id",),
    "messages": ("message_id",),
    "results": ("ended_at", "game_id"),
    "pairs": ("opponent", "family"),
    "rating_days": ("family", "day"),
}
"""In which order the rows of big tables are read, by an index; all others have few rows of a person."""

SECTIONS: Final = tuple(HELD)
"""The parts of an export, each named like its table, in their order."""


class Portion(NamedTuple):
    """Some rows of a table."""

    rows: Sequence[dict[str, Any]]
    after: tuple[Any, ...] | None
    """Where the next portion begins; None if there is none."""


class NotWanted(Exception):
    """Nobody waits for this export any more: its person was forgotten meanwhile."""


def portion(connection: Connection, notice: Notice, section: str, after: tuple[Any, ...] | None) -> Portion:
    """Some rows of a section, as `described`, and where the next begin.

    Raises:
        NotWanted: if the export is not wanted any more.
    """
    if not outbox.is_wanted(connection, notice):
        raise NotWanted
    person = notice.chat_id
    table = tables()[section]
    order = ORDER.get(section, ())
    rows = _some(connection, table, person, order, after)
    if table is BOARDS and after is None:
        unsent = select(table).where(theirs(table, person), table.c.message_id.is_(None))
        rows += [dict(row) for row in connection.execute(unsent.limit(PORTION)).mappings()]
    last = [row for row in rows if all(row[name] is not None for name in order)]
    full = bool(order) and len(last) == PORTION
    following = tuple(last[-1][name] for name in order) if full else None
    told = [described(table, row, person) for row in rows]
    if table is GAMES:
        told = _with_names(connection, told, rows)
    return Portion(told, following)


def described(table: Table, row: dict[str, Any], person: int) -> dict[str, Any]:
    """A row as its person may see it: with the names that they have seen, and with nobody else's id."""
    held = HELD[table.name]
    own_link = row.get("chat_id") == person
    return {
        name: _told(held[name], value, person, own_link=own_link) if name in held else value
        for name, value in row.items()
        if name != "alias"
    }


NAMED: Final = {
    "x_seat": "x_name",
    "o_seat": "o_name",
    "host": "host_name",
    "rival_id": "rival_name",
    "ended_by": "ended_by_name",
}
"""What the name of a person in a game is called, by the column that has their id."""


def _with_names(
    connection: Connection, told: Sequence[dict[str, Any]], rows: Sequence[dict[str, Any]]
) -> list[dict[str, Any]]:
    """Games with the names that stand on their boards."""
    known = people.known(connection, {row[column] for row in rows for column in NAMED})
    names = [
        {name: known[row[column]].name for column, name in NAMED.items() if row[column] in known} for row in rows
    ]
    return [described | called for described, called in zip(told, names, strict=True)]


def _told(kind: DataKind, value: Any, person: int, *, own_link: bool) -> Any:  # noqa: ANN401 - as it is stored
    if value is None or kind is DataKind.NAME:
        return value
    if kind is DataKind.LINK:
        return value if own_link else "somebody else's"
    if str(value) == str(person):
        return "you" if kind is DataKind.PERSON else "our private chat"
    if kind is DataKind.CHAT:
        return value if int(value) <= 0 else "somebody else's private chat"
    special = {COMPUTER: "the computer", ADMINISTRATOR: "an administrator"}
    return special.get(value) or ("somebody who left" if is_erased(value) else "somebody else")


def _some(
    connection: Connection, table: Table, person: int, order: Sequence[str], after: tuple[Any, ...] | None
) -> list[dict[str, Any]]:
    """Some rows, by an index, in their order."""
    found = select(table).where(theirs(table, person))
    if table is GAMES:
        later = table.c.id > (0 if after is None else after[0])
        ids = game_ids(connection, person, later, PORTION, newest_first=False)
        found = select(table).where(table.c.id.in_(ids)).order_by(table.c.id)
    elif order:
        columns = [table.c[name] for name in order]
        found = found.where(columns[0].is_not(None))
        if after is not None:
            found = found.where(columns[0] >= after[0], tuple_(*columns) > tuple_(*after))
        found = found.order_by(*columns).limit(PORTION)
    return [dict(row) for row in connection.execute(found).mappings()]

"""Exports everything that is stored about a person: the rows as they are, without other people's ids.

It works in portions: short transactions, each of which goes on where the last has ended, by an index, so that taps
don't wait however much there is. The notice in the outbox makes sure that a person has one export at a time.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, Table, select, tuple_

from storage.columns import DataKind
from storage.games import outbox
from storage.games.game import ADMINISTRATOR, COMPUTER, is_erased
from storage.games.record import Notice
from storage.people import people
from storage.privacy.personal import HELD, game_ids, theirs
from storage.schema import BLOCKS, BOARDS, GAMES, METADATA, OUTBOX, PEOPLE

EXPORT_PORTION: Final = 200

ORDER: Final = {
    "games": ("id",),
    "boards": ("message_id",),
    "messages": ("message_id",),
    "results": ("ended_at", "game_id"),
    "pairs": ("opponent", "family"),
    "rating_days": ("family", "day"),
}
"""The columns by which the rows of big tables are read in order, with an index; others have few rows of a
person."""

SECTIONS: Final = tuple(HELD)


class Portion(NamedTuple):
    """Some rows of a table."""

    rows: Sequence[Mapping[str, object]]
    after: tuple[object, ...] | None
    """After which row the next portion begins; None if there is none."""


class NotWanted(Exception):
    """The person has been forgotten since they asked for the export."""


def portion(connection: Connection, notice: Notice, section: str, after: tuple[object, ...] | None) -> Portion:
    """The next rows of a section, as `described`; raises NotWanted if nobody wants the export any more."""
    if not outbox.is_wanted(connection, notice):
        raise NotWanted
    person = notice.chat_id
    table = METADATA.tables[section]
    order = ORDER.get(section, ())
    rows = _some(connection, table, person, order, after)
    if table is BOARDS and after is None:
        unsent = theirs(table, person) & table.c.message_id.is_(None)
        others = select(table).where(unsent | (table.c.reviewer == person))  # on which they review, in groups
        rows += [dict(row) for row in connection.execute(others.limit(EXPORT_PORTION)).mappings()]
    last = [row for row in rows if all(row[name] is not None for name in order)]
    full = bool(order) and len(last) == EXPORT_PORTION
    following = tuple(last[-1][name] for name in order) if full else None
    described_rows: Sequence[Mapping[str, object]] = [described(table, row, person) for row in rows]
    if table in (GAMES, BLOCKS):
        described_rows = _with_names(connection, described_rows, rows)
    return Portion(described_rows, following)


def described(table: Table, row: Mapping[str, object], person: int) -> Mapping[str, object]:
    """A row as the person may see it, with nobody else's id, and without who has blocked them."""
    kinds = HELD[table.name]
    own_link = row.get("chat_id") == person
    return {
        name: _told(kinds[name], value, person, own_link=own_link) if name in kinds else value
        for name, value in row.items()
        if name != "hushed"
    }


NAME_COLUMNS: Final = {
    "x_seat": "x_name",
    "o_seat": "o_name",
    "host": "host_name",
    "rival_id": "rival_name",
    "ended_by": "ended_by_name",
    "blocked": "blocked_name",
}
"""How an export calls the name of another person, by the column that has their id."""


def _with_names(
    connection: Connection, described_rows: Sequence[Mapping[str, object]], rows: Sequence[Mapping[str, Any]]
) -> Sequence[Mapping[str, object]]:
    known = people.known(connection, {row.get(column) for row in rows for column in NAME_COLUMNS})
    names = [
        {name: known[row[column]].name for column, name in NAME_COLUMNS.items() if row.get(column) in known}
        for row in rows
    ]
    return [{**described, **called} for described, called in zip(described_rows, names, strict=True)]


def _told(kind: DataKind, value: Any, person: int, *, own_link: bool) -> Any:  # noqa: ANN401 - as it is stored
    if value is None or kind is DataKind.NAME:
        return value
    if kind is DataKind.LINK:
        return value if own_link else "somebody else's"
    if value == person:
        return "you" if kind is DataKind.PERSON else "our private chat"
    if kind is DataKind.CHAT:
        return value if value <= 0 else "somebody else's private chat"
    special = {COMPUTER: "the computer", ADMINISTRATOR: "an administrator"}
    return special.get(value) or ("somebody who left" if is_erased(value) else "somebody else")


def _some(
    connection: Connection, table: Table, person: int, order: Sequence[str], after: tuple[object, ...] | None
) -> list[dict[str, Any]]:
    query = select(table).where(theirs(table, person, "person" if table is BLOCKS else None))
    if table is GAMES:
        later = table.c.id > (0 if after is None else after[0])
        username = select(PEOPLE.c.username).where(PEOPLE.c.id == person).scalar_subquery()
        named = select(table.c.id).where(table.c.rival_username == username, later)
        named = named.order_by(table.c.id).limit(EXPORT_PORTION)
        ids = game_ids(connection, person, later, EXPORT_PORTION, newest_first=False)
        ids = sorted({*ids, *connection.execute(named).scalars()})[:EXPORT_PORTION]
        query = select(table).where(table.c.id.in_(ids)).order_by(table.c.id)
    elif table is OUTBOX:  # what others are told of them is theirs; whoever is blocked would miss it
        query = query.where((table.c.chat_id < 0) | (table.c.chat_id == person))
    elif order:
        columns = [table.c[name] for name in order]
        query = query.where(columns[0].is_not(None))
        if after is not None:
            query = query.where(columns[0] >= after[0], tuple_(*columns) > tuple_(*after))
        query = query.order_by(*columns).limit(EXPORT_PORTION)
    return [dict(row) for row in connection.execute(query).mappings()]

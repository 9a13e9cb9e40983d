"""All that is kept of somebody, portion by portion: rows as they are stored, without the ids of others.

Each portion is a short transaction, found by an index, and begins where the last has ended, so that nobody's tap
waits for long, however much there is. A row tells that an export is being made, so that there is one at a time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from sqlalchemy import delete, or_, select, tuple_, union_all, update

from storage import forgotten
from storage.game import COMPUTER, has_left
from storage.personal import FIRST_OF, HELD, Kind, tables, theirs
from storage.schema import BOARDS, EXPORTS, GAMES
from storage.upsert import insert_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection, Table

PORTION: Final = 200
"""Rows that one transaction reads."""
HELD_SECONDS: Final = 30
"""A portion takes less; who has not come to the next one by then was killed."""
AGAIN_SECONDS: Final = 60
"""After an export the next is made so much later at the soonest."""

ORDER: Final = {
    "games": ("id",),
    "boards": ("message_id",),
    "messages": ("message_id",),
    "results": ("ended_at", "game_id"),
    "pairs": ("opponent",),
    "ratings": ("family", "day"),
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


def claim(connection: Connection, person: int, now: int, update_id: int) -> bool:
    """Take the making of somebody's export upon oneself; False while one is made, or has just been.

    The update of Telegram that made the claim may make it again until its file is there (`note_sent`): it comes a
    second time where its process was killed.
    """
    claimed = {"until": now + HELD_SECONDS, "update_id": update_id}
    anew = (
        insert_of(connection)(EXPORTS)
        .values(person=person, **claimed)
        .on_conflict_do_update(
            index_elements=["person"],
            set_=claimed,
            where=or_(EXPORTS.c.until <= now, EXPORTS.c.update_id == update_id),
        )
    )
    return connection.execute(anew.returning(EXPORTS.c.person)).first() is not None


def release(connection: Connection, person: int, until: int) -> None:
    """Let the next export of somebody be made from then on."""
    connection.execute(update(EXPORTS).where(EXPORTS.c.person == person).values(until=until))


def note_sent(connection: Connection, person: int, update_id: int) -> None:
    """Note that the file is there which an update asked for, so that it has no second effect."""
    made = (EXPORTS.c.person == person, EXPORTS.c.update_id == update_id)
    connection.execute(update(EXPORTS).where(*made).values(update_id=None))


def forget_claims(connection: Connection, now: int) -> None:
    """Forget whose exports were made."""
    connection.execute(delete(EXPORTS).where(EXPORTS.c.until <= now))


def portion(connection: Connection, person: int, section: str, after: tuple[Any, ...] | None, now: int) -> Portion:
    """Some rows of a section, as `described`, and where the next begin.

    Raises:
        NotWanted: if the claim is gone.
    """
    held = update(EXPORTS).where(EXPORTS.c.person == person).values(until=now + HELD_SECONDS)
    if connection.execute(held).rowcount != 1:
        raise NotWanted
    table = tables()[section]
    order = ORDER.get(section, ())
    rows = _some(connection, table, person, order, after)
    if table is BOARDS and after is None:
        unsent = select(table).where(theirs(table, person), table.c.message_id.is_(None))
        rows += [dict(row) for row in connection.execute(unsent.limit(PORTION)).mappings()]
    last = [row for row in rows if all(row[name] is not None for name in order)]
    full = bool(order) and len(last) == PORTION
    following = tuple(last[-1][name] for name in order) if full else None
    return Portion([described(table, row, person) for row in rows], following)


def forgotten_since(connection: Connection, person: int) -> int | None:
    """When somebody was forgotten before they came back."""
    return forgotten.since(connection, person)


def described(table: Table, row: dict[str, Any], person: int) -> dict[str, Any]:
    """A row as its person may see it: with the names that they have seen, and with nobody else's id."""
    held = HELD[table.name]
    own_link = str(person) in str(row.get("token")) or row.get("chat_id") == person
    return {
        name: _told(held[name], value, person, own_link=own_link) if name in held else value
        for name, value in row.items()
        if name != "alias"
    }


def _told(kind: Kind, value: Any, person: int, *, own_link: bool) -> Any:  # noqa: ANN401 - as it is stored
    if value is None or kind is Kind.NAME:
        return value
    if kind is Kind.LINK:
        return value if own_link else "somebody else's"
    if str(value) == str(person):
        return "you" if kind is Kind.PERSON else "our private chat"
    if kind is Kind.CHAT:
        return value if int(value) <= 0 else "somebody else's private chat"
    return "the computer" if value == COMPUTER else "somebody who left" if has_left(value) else "somebody else"


def _some(
    connection: Connection, table: Table, person: int, order: Sequence[str], after: tuple[Any, ...] | None
) -> list[dict[str, Any]]:
    """Some rows, by an index, in their order."""
    found = select(table).where(theirs(table, person))
    if table is GAMES:
        ids = _games(connection, person, 0 if after is None else after[0])
        found = select(table).where(table.c.id.in_(ids)).order_by(table.c.id)
    elif order:
        columns = [table.c[name] for name in order]
        found = found.where(columns[0].is_not(None))
        if after is not None:
            found = found.where(columns[0] >= after[0], tuple_(*columns) > tuple_(*after))
        found = found.order_by(*columns).limit(PORTION)
    return [dict(row) for row in connection.execute(found).mappings()]


def _games(connection: Connection, person: int, after: int) -> Sequence[int]:
    """The next games in which somebody has a part, each part found by its own index."""
    parts = []
    for column in FIRST_OF["games"]:
        part = select(GAMES.c.id).where(theirs(GAMES, person, column), GAMES.c.id > after)
        parts.append(select(part.order_by(GAMES.c.id).limit(PORTION).subquery().c.id))
    return sorted(set(connection.execute(union_all(*parts)).scalars()))[:PORTION]

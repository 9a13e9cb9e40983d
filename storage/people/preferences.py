"""The SQL of what people choose for themselves: takebacks, notices, hidden results, and their language."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from sqlalchemy import Column, Connection, bindparam, select, update

from storage.people import people
from storage.people.person import Person
from storage.schema import CHATS, PEOPLE

HIDDEN: Final = select(PEOPLE.c.id).where(
    PEOPLE.c.id.in_(bindparam("people", expanding=True)), PEOPLE.c.hidden.is_(True)
)


def choose(connection: Connection, person: Person, **chosen: bool) -> None:
    """Store a person's choice: `takebacks`, `notices` or `hidden`."""
    people.see(connection, person)
    connection.execute(update(PEOPLE).where(PEOPLE.c.id == person.id).values(chosen))


def allows_takebacks(connection: Connection, person_id: int) -> bool:
    """Whether others may ask a person for a takeback; they may unless told otherwise."""
    return _chosen(connection, PEOPLE.c.takebacks, person_id) is not False


def notices_of(connection: Connection, person_id: int) -> bool | None:
    """Whether a person wants notices: True everywhere, False nowhere, None (not asked) in their own chat alone."""
    return _chosen(connection, PEOPLE.c.notices, person_id)


def wants_notices(connection: Connection, person_id: int, *, in_group: bool) -> bool:
    """Whether a person wants a new message to call them when others wait for them."""
    wish = notices_of(connection, person_id)
    return wish is True if in_group else wish is not False


def is_hidden(connection: Connection, person_id: int) -> bool:
    """Whether a person hides their results from others."""
    return _chosen(connection, PEOPLE.c.hidden, person_id) is True


def hiding(connection: Connection, people: Collection[int]) -> Collection[int]:
    """Those of these people who hide their results from others."""
    return set(connection.execute(HIDDEN, {"people": sorted(people)}).scalars())


def language_of(connection: Connection, person_id: int) -> str | None:
    """The language that a person has chosen, or else the one they were last seen with."""
    chosen = connection.execute(select(CHATS.c.language).where(CHATS.c.id == person_id)).scalar()
    return chosen or people.seen_language(connection, person_id)


def _chosen(connection: Connection, column: Column[bool], person_id: int) -> bool | None:
    return connection.execute(select(column).where(PEOPLE.c.id == person_id)).scalar()

"""The SQL of blocks: whose challenges and questions don't reach whom."""

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from sqlalchemy import Connection, delete, func, select

from storage.people import people
from storage.people.person import Person
from storage.schema import BLOCKS, PEOPLE
from storage.upsert import insert_missing

MOST_BLOCKED: Final = 100
"""How many people somebody may block."""


def add(connection: Connection, person: Person, blocked: Person) -> bool:
    """Block somebody; False if the person has blocked as many as they may."""
    people.see(connection, person)
    if not has(connection, person.id, blocked.id) and count(connection, person.id) >= MOST_BLOCKED:
        return False
    people.introduce(connection, blocked)
    insert_missing(connection, BLOCKS, [{"person": person.id, "blocked": blocked.id}])
    return True


def remove(connection: Connection, person: int, blocked: int) -> None:
    """Let somebody reach a person again."""
    connection.execute(delete(BLOCKS).where(BLOCKS.c.person == person, BLOCKS.c.blocked == blocked))


def has(connection: Connection, person: int, other: int) -> bool:
    """Whether a person has blocked another."""
    this = select(BLOCKS.c.person).where(BLOCKS.c.person == person, BLOCKS.c.blocked == other)
    return connection.execute(this).first() is not None


def hushes(connection: Connection, rival: Person | None, person: int) -> bool:
    """Whether somebody who is challenged, by their id or username, has blocked a person."""
    if rival is None:
        return False
    other = rival.id or people.find_username(connection, rival.username or "")
    return other is not None and has(connection, other, person)


def count(connection: Connection, person: int) -> int:
    """How many people a person has blocked."""
    return connection.execute(select(func.count()).where(BLOCKS.c.person == person)).scalar_one()


def listed(connection: Connection, person: int) -> Sequence[Person]:
    """Whom a person has blocked, by name."""
    theirs = select(BLOCKS.c.blocked, PEOPLE.c.name, PEOPLE.c.username)
    found = theirs.outerjoin(PEOPLE, PEOPLE.c.id == BLOCKS.c.blocked).where(BLOCKS.c.person == person)
    rows = connection.execute(found.order_by(PEOPLE.c.name, BLOCKS.c.blocked))
    return [Person(row.blocked, row.name or "", row.username) for row in rows]


def between(connection: Connection, ids: Collection[int]) -> Mapping[int, frozenset[int]]:
    """By person, those of these people who have blocked them or whom they have blocked."""
    both = select(BLOCKS.c.person, BLOCKS.c.blocked).where(BLOCKS.c.person.in_(ids), BLOCKS.c.blocked.in_(ids))
    found: dict[int, set[int]] = {}
    for one, other in connection.execute(both):
        found.setdefault(one, set()).add(other)
        found.setdefault(other, set()).add(one)
    return {person: frozenset(others) for person, others in found.items()}

"""The SQL of blocks: whose challenges and questions don't reach whom.

A block holds for the account: if somebody who is blocked deletes their data, a digest of both takes their place.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Final, NamedTuple

from sqlalchemy import Connection, delete, func, select

from storage.games.game import LEFT, is_erased
from storage.people import people
from storage.people.person import Person
from storage.privacy import forgotten
from storage.schema import BLOCKS, PEOPLE
from storage.upsert import insert_missing

MOST_BLOCKED: Final = 100
"""How many people somebody may block."""


class Blocked(NamedTuple):
    """Somebody in a person's list of those whom they have blocked."""

    number: int
    """What tells them from the others there, and nothing else; it stays the same if they are forgotten."""
    person: Person
    """Without a name if they were forgotten."""


def add(connection: Connection, person: Person, blocked: Person) -> bool:
    """Block somebody; False if the person has blocked as many as they may."""
    people.see(connection, person)
    if not has(connection, person.id, blocked.id) and count(connection, person.id) >= MOST_BLOCKED:
        return False
    people.introduce(connection, blocked)
    remove(connection, person.id, number_of(connection, person.id, blocked.id))  # perhaps they were forgotten
    insert_missing(connection, BLOCKS, [{"person": person.id, "blocked": blocked.id}])
    return True


def number_of(connection: Connection, person: int, blocked: int) -> int:
    """The number of somebody in a person's list."""
    return _number(forgotten.salt_of(connection), person, blocked)


def _number(salt: int, person: int, blocked: int) -> int:
    return LEFT - blocked if is_erased(blocked) else 1 + forgotten.digest_of_two(salt, person, blocked)


def remove(connection: Connection, person: int, number: int) -> None:
    """Let somebody reach a person again, by their number in the list; 1.0's lists carry their id."""
    salt, own = forgotten.salt_of(connection), BLOCKS.c.person == person
    found = connection.execute(select(BLOCKS.c.blocked).where(own)).scalars()
    these = [blocked for blocked in found if number in (_number(salt, person, blocked), blocked)]
    connection.execute(delete(BLOCKS).where(own, BLOCKS.c.blocked.in_(these)))


def leave(connection: Connection, person: int, most: int) -> bool:
    """Put digests in the place of somebody who is being forgotten; False if nobody has blocked them."""
    theirs = select(BLOCKS.c.person).where(BLOCKS.c.blocked == person).limit(most)
    if not (by := connection.execute(theirs).scalars().all()):
        return False
    salt = forgotten.salt_of(connection)
    bare = [{"person": each, "blocked": LEFT - _number(salt, each, person)} for each in by]
    insert_missing(connection, BLOCKS, bare)
    connection.execute(delete(BLOCKS).where(BLOCKS.c.person.in_(by), BLOCKS.c.blocked == person))
    return True


def has(connection: Connection, person: int, other: int) -> bool:
    """Whether a person has blocked another."""
    return (person, other) in _among(connection, [person], [other])


def hushes(connection: Connection, rival: Person | None, person: int) -> bool:
    """Whether somebody who is challenged, by their id or username, has blocked a person."""
    if rival is None:
        return False
    other = rival.id or people.find_username(connection, rival.username or "")
    return other is not None and has(connection, other, person)


def count(connection: Connection, person: int) -> int:
    """How many people a person has blocked."""
    return connection.execute(select(func.count()).where(BLOCKS.c.person == person)).scalar_one()


def listed(connection: Connection, person: int) -> Sequence[Blocked]:
    """Whom a person has blocked, by name."""
    theirs = select(BLOCKS.c.blocked, PEOPLE.c.name, PEOPLE.c.username)
    blocks = theirs.outerjoin(PEOPLE, PEOPLE.c.id == BLOCKS.c.blocked).where(BLOCKS.c.person == person)
    rows = connection.execute(blocks.order_by(PEOPLE.c.name.nulls_last(), BLOCKS.c.blocked)).all()
    salt = forgotten.salt_of(connection) if rows else 0
    return [
        Blocked(_number(salt, person, row.blocked), Person(row.blocked, row.name or "", row.username))
        for row in rows
    ]


def between(connection: Connection, ids: Collection[int]) -> Mapping[int, frozenset[int]]:
    """By person, those of these people who have blocked them or whom they have blocked."""
    others_of: dict[int, set[int]] = {}
    for one, other in _among(connection, ids, ids):
        others_of.setdefault(one, set()).add(other)
        others_of.setdefault(other, set()).add(one)
    return {person: frozenset(others) for person, others in others_of.items()}


def _among(
    connection: Connection, persons: Collection[int], others: Collection[int]
) -> Collection[tuple[int, int]]:
    """Who of some people has blocked whom of others, also if these were forgotten since."""
    blocked = BLOCKS.c.blocked.in_(others) | (BLOCKS.c.blocked < LEFT)
    rows = connection.execute(select(BLOCKS).where(BLOCKS.c.person.in_(persons), blocked))
    blocks = {(row.person, row.blocked) for row in rows}
    by = {one for one, other in blocks if is_erased(other)}
    salt = forgotten.salt_of(connection) if by else 0
    bare = {(one, other) for one in by for other in others if (one, LEFT - _number(salt, one, other)) in blocks}
    return bare | {(one, other) for one, other in blocks if not is_erased(other)}

"""The SQL of people: one row has a person's name, username and choices; games contain only ids.

A row is written when its person begins, accepts or plays something, and only if it changes. The time they were
last seen is a day, so that an active person costs one write a day. Whoever is challenged by username has no row
before they act: the game keeps the name. Lists and `/stats` of a group leave out the players who have left it.
"""

import time
from collections.abc import Collection, Iterable, Mapping
from operator import attrgetter
from types import MappingProxyType
from typing import Final, NamedTuple

from sqlalchemy import Connection, Select, bindparam, delete, select, update

from storage.columns import DAY
from storage.games.game import LEFT
from storage.people.person import Person
from storage.schema import ABSENCES, CHATS, GAMES, PEOPLE, PUZZLES, RESULTS
from storage.upsert import insert_missing, insert_of, upsert


class Known(NamedTuple):
    """The row of a person."""

    id: int
    name: str
    username: str | None
    language: str | None
    seen_at: int


NOBODY: Final[Mapping[int, Known]] = MappingProxyType({})


KNOWN: Final = select(*(PEOPLE.c[name] for name in Known._fields)).where(
    PEOPLE.c.id.in_(bindparam("ids", expanding=True))
)


def known(connection: Connection, ids: Iterable[int | None]) -> dict[int, Known]:
    """The rows of people, by id; unknown people are missing."""
    wanted = {person for person in ids if person and person > LEFT}
    rows = connection.execute(KNOWN, {"ids": list(wanted)}) if wanted else ()
    return {row[0]: Known._make(row) for row in rows}


def find(connection: Connection, person_id: int) -> Person | None:
    """A person as last seen, if they ever were."""
    row = known(connection, [person_id]).get(person_id)
    return None if row is None else Person(row.id, row.name, row.username, row.language)


def seen_language(connection: Connection, person_id: int | None) -> str | None:
    """The language that a person was last seen with, if any."""
    person = None if person_id is None else find(connection, person_id)
    return None if person is None else person.language


def find_username(connection: Connection, username: str) -> int | None:
    """The id of the person last seen with a username, given without its @."""
    named = select(PEOPLE.c.id).where(PEOPLE.c.username == username.lower())
    return connection.execute(named).scalar()


def see(connection: Connection, person: Person) -> None:
    """Bring a person's row up to date, or make one."""
    see_many(connection, [person], known(connection, [person.id]))


def see_if_known(connection: Connection, person: Person) -> None:
    """Bring a person's row up to date if there is one; somebody who only looks on isn't stored."""
    if rows := known(connection, [person.id]):
        see_many(connection, [person], rows)


def see_many(connection: Connection, people: Iterable[Person], rows: Mapping[int, Known]) -> None:
    """Bring people's rows up to date; `rows` are those that they have."""
    today = _today()
    for person in sorted(people, key=attrgetter("id")):  # in one order, so that there are no deadlocks
        username = person.username and person.username.lower()
        row = rows.get(person.id)
        new = Known(person.id, person.name, username, person.language, today)
        if row == new:
            continue
        if username is not None and (row is None or row.username != username):
            taken = (PEOPLE.c.username == username) & (PEOPLE.c.id != person.id)
            connection.execute(update(PEOPLE).where(taken).values(username=None))
        upsert(connection, PEOPLE, [new._asdict()])


def resolve_challenges(connection: Connection, person: Person) -> None:
    """Let challenges to a person's username name the person, before all that is theirs is gathered."""
    if person.username is not None:
        named = update(GAMES).where(GAMES.c.rival_username == person.username.lower())
        connection.execute(named.values(rival_id=person.id, rival_username=None, version=GAMES.c.version + 1))


def introduce(connection: Connection, person: Person) -> None:
    """Store the name of a person who is challenged, as Telegram has just told it; nothing else until they act."""
    row = insert_of(connection)(PEOPLE).values(id=person.id, name=person.name, seen_at=_today())
    name = row.excluded.name
    connection.execute(row.on_conflict_do_update(index_elements=["id"], set_={"name": name}, where=(name != "")))


def _today() -> int:
    return int(time.time()) // DAY * DAY


def choose(connection: Connection, person: Person, name: str, *, is_so: bool | None) -> None:
    """Store a person's choice, by its column; None as if they had never chosen.

    These are `takebacks`, whether others may ask for one; `notices`, True for everywhere and None for the person's
    own chat alone; and `hidden`, whether others may see no results of theirs.
    """
    see(connection, person)
    connection.execute(update(PEOPLE).where(PEOPLE.c.id == person.id).values({name: is_so}))


def chosen(connection: Connection, person_id: int, name: str) -> bool | None:
    """A person's choice; None if they have never chosen, and may be unknown."""
    return connection.execute(select(PEOPLE.c[name]).where(PEOPLE.c.id == person_id)).scalar()


def wants_notices(connection: Connection, person_id: int, *, in_group: bool) -> bool:
    """Whether a person wants a new message to call them when others wait for them."""
    wish = chosen(connection, person_id, "notices")
    return wish is True if in_group else wish is not False


def is_hidden(connection: Connection, person_id: int) -> bool:
    """Whether a person hides their results from others."""
    return chosen(connection, person_id, "hidden") is True


def hiding(connection: Connection, people: Collection[int]) -> Collection[int]:
    """Those of these people who hide their results from others."""
    hidden = select(PEOPLE.c.id).where(PEOPLE.c.id.in_(sorted(people)), PEOPLE.c.hidden.is_(True))
    return set(connection.execute(hidden).scalars())


def language_for(connection: Connection, person_id: int) -> str | None:
    """The language that a person has chosen, or else the one they were last seen with."""
    chosen = connection.execute(select(CHATS.c.language).where(CHATS.c.id == person_id)).scalar()
    return chosen or seen_language(connection, person_id)


_COME_BACK: Final = delete(ABSENCES).where(
    ABSENCES.c.chat_id == bindparam("c"), ABSENCES.c.person == bindparam("p")
)


def has_played(connection: Connection, person: int, chat_id: int) -> bool:
    """Whether a person has finished a game in a chat."""
    played_here = select(RESULTS.c.game_id).where(RESULTS.c.person == person, RESULTS.c.chat_id == chat_id)
    return connection.execute(played_here.limit(1)).first() is not None


def leave(connection: Connection, *, chat_id: int, person: int) -> None:
    """Note that somebody has left a group; whoever has never played there isn't stored."""
    if has_played(connection, person, chat_id):
        insert_missing(connection, ABSENCES, [{"chat_id": chat_id, "person": person}])
    opened = (PUZZLES.c.person == person) & (PUZZLES.c.chat_id == chat_id)
    connection.execute(update(PUZZLES).where(opened).values(chat_id=None))


def come_back(connection: Connection, back: Collection[tuple[int, int]]) -> None:
    """Forget that people had left groups where they are again, or have played: pairs of a group and a person."""
    if back:
        connection.execute(_COME_BACK, [{"c": chat_id, "p": person} for chat_id, person in sorted(back)])


def absent(chat_id: int) -> Select[tuple[int]]:
    """The ids of those who have left a group."""
    return select(ABSENCES.c.person).where(ABSENCES.c.chat_id == chat_id)


def keeps_results(connection: Connection, person: int, chat_id: int) -> bool:
    """Whether somebody hides their results, or has left the group in which they would be read."""
    left = absent(chat_id).where(ABSENCES.c.person == person)
    return is_hidden(connection, person) or connection.execute(left).first() is not None


def move_absences(connection: Connection, old: int, new: int | None) -> None:
    """Change the id of a group or, with None, forget who has left it."""
    gone = connection.execute(absent(old)).scalars().all()
    if new is not None and gone:
        insert_missing(connection, ABSENCES, [{"chat_id": new, "person": person} for person in gone])
    connection.execute(delete(ABSENCES).where(ABSENCES.c.chat_id == old))

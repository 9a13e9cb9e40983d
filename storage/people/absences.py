"""The SQL of players who have left a group, and whom its lists and `/stats` there therefore leave out."""

from collections.abc import Collection
from typing import Final

from sqlalchemy import Connection, Select, bindparam, delete, select, update

from storage.people import people
from storage.schema import ABSENCES, PUZZLES, RESULTS
from storage.upsert import insert_missing

_COME_BACK: Final = delete(ABSENCES).where(
    ABSENCES.c.chat_id == bindparam("c"), ABSENCES.c.person == bindparam("p")
)


def leave(connection: Connection, *, chat_id: int, person: int) -> None:
    """Note that somebody has left a group; whoever has never played there isn't stored."""
    has_played = select(RESULTS.c.person).where(RESULTS.c.chat_id == chat_id, RESULTS.c.person == person)
    if connection.execute(has_played.limit(1)).first() is not None:
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
    return people.is_hidden(connection, person) or connection.execute(left).first() is not None


def move_group(connection: Connection, old: int, new: int | None) -> None:
    """Change the id of a group or, with None, forget who has left it."""
    gone = connection.execute(absent(old)).scalars().all()
    if new is not None and gone:
        insert_missing(connection, ABSENCES, [{"chat_id": new, "person": person} for person in gone])
    connection.execute(delete(ABSENCES).where(ABSENCES.c.chat_id == old))

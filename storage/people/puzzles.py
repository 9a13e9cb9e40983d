"""The SQL of the daily puzzle: how far people are with the last one that they tried, streaks, and reminders."""

import time
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, or_, select, true, update

from storage.columns import DAY
from storage.people import people
from storage.people.absences import absent
from storage.people.person import Person, Solving
from storage.schema import PEOPLE, PROGRESS, PUZZLES, RESULTS
from storage.upsert import insert_missing, upsert

STREAK_SECONDS: Final = 36 * 3600
"""So soon after the last solution a streak goes on: once a day by one's own time may skip a day in UTC."""
DOWN_SECONDS: Final = 600
"""For how long the bot must have been down for that to be noted."""
LOST_FROM, LOST_TO = "lost from", "lost to"
"""Rows of `progress`: the last days of puzzles that an outage cost."""


class PuzzleSolver(NamedTuple):
    """Somebody who has solved a puzzle."""

    name: str
    tries: int
    streak: int


_COLUMNS: Final = tuple(PUZZLES.c[name] for name in Solving._fields)


def load(connection: Connection, person: int, day: int) -> Solving:
    """How far somebody is with the puzzle of a day or, if they have tried a later one, with that one."""
    row = connection.execute(select(*_COLUMNS).where(PUZZLES.c.person == person)).one_or_none()
    if row is None:
        return Solving(person, day)
    known = Solving._make(row)
    if day <= known.day <= day + 1:  # a later one was tried while a clock was ahead
        return known
    went_on = known.solved_at is not None and (
        int(time.time()) - known.solved_at < STREAK_SECONDS or _may_follow(connection, known.day, day)
    )
    return Solving(person, day, streak=known.streak if went_on else 0, version=known.version)


def _may_follow(connection: Connection, solved: int, day: int) -> bool:
    """Whether nobody could solve the puzzles between these two days, if there are any, as the bot was down."""
    if solved == day - 1:
        return True
    lost = _progress(connection)
    return lost.get(LOST_FROM, day) <= solved + 1 and lost.get(LOST_TO, 0) >= day - 1


def note_lost(connection: Connection, since: int, now: int) -> None:
    """Note that the bot was down in between: days that ended then, or most of which it missed, end no streak."""
    lost = [
        day
        for day in range(since // DAY, now // DAY + 1)
        if now - since >= DOWN_SECONDS and (now >= (day + 1) * DAY or now - max(since, day * DAY) >= DAY // 2)
    ]
    if lost:
        known = _progress(connection)
        goes_on = known.get(LOST_TO, 0) >= lost[0] - 1
        noted = {LOST_FROM: known[LOST_FROM] if goes_on else lost[0], LOST_TO: lost[-1]}
        upsert(connection, PROGRESS, [{"name": name, "value": value} for name, value in noted.items()])


def note_right(connection: Connection, now: int) -> None:
    """Note that a clock was ahead, so that no days after today are lost."""
    ahead = (PROGRESS.c.name == LOST_TO) & (PROGRESS.c.value > now // DAY)
    connection.execute(update(PROGRESS).where(ahead).values(value=now // DAY))


def _progress(connection: Connection) -> dict[str, int]:
    rows = select(PROGRESS.c.name, PROGRESS.c.value).where(PROGRESS.c.name.in_((LOST_FROM, LOST_TO)))
    return {row.name: row.value for row in connection.execute(rows)}


def save(connection: Connection, person: Person, solving: Solving) -> bool:
    """Store a try, if the loaded version still is the newest; else False."""
    stored = solving._replace(version=solving.version + 1)
    people.see(connection, person)
    if not solving.version:
        _introduce(connection, person.id)
    this = (PUZZLES.c.person == person.id) & (PUZZLES.c.version == solving.version)
    return bool(connection.execute(update(PUZZLES).where(this).values(stored._asdict())).rowcount)


def remind(connection: Connection, person: Person, at: int | None) -> None:
    """Store when to remind a person next; None for never."""
    people.see(connection, person)
    _set(connection, person.id, remind_at=at)


def forget_reminder(connection: Connection, person: int) -> None:
    """Stop reminding somebody whom the bot can't reach."""
    connection.execute(update(PUZZLES).where(PUZZLES.c.person == person).values(remind_at=None))


def is_reminded(connection: Connection, person: int) -> bool:
    """Whether a person wants reminders."""
    return connection.execute(select(PUZZLES.c.remind_at).where(PUZZLES.c.person == person)).scalar() is not None


def join(connection: Connection, person: Person, chat_id: int) -> None:
    """Store the group from which a person last opened a puzzle."""
    people.see(connection, person)
    _set(connection, person.id, chat_id=chat_id)


def ask_in(connection: Connection, person_id: int, chat_id: int) -> None:
    """Store the group where a person asks for the puzzle; whoever has never opened one isn't stored."""
    connection.execute(update(PUZZLES).where(PUZZLES.c.person == person_id).values(chat_id=chat_id))


def take_due(connection: Connection, now: int, limit: int) -> Sequence[int]:
    """Some people who are to be reminded now; their next reminder is at the same time of a later day."""
    # A reminder as late as that was put off while a clock was ahead.
    is_due = or_(PUZZLES.c.remind_at <= now, PUZZLES.c.remind_at > now + 2 * DAY)
    due = select(PUZZLES.c.person, PUZZLES.c.remind_at).where(is_due)
    rows = connection.execute(
        due.order_by(PUZZLES.c.remind_at).limit(limit).with_for_update(skip_locked=True)
    ).all()
    for row in rows:
        _set(connection, row.person, remind_at=now + DAY - (now - row.remind_at) % DAY)
    return [row.person for row in rows if row.remind_at <= now]


def solvers(connection: Connection, chat_id: int, day: int) -> Sequence[PuzzleSolver]:
    """People of a group who have solved the puzzle of a day, fewest tries first; none who hide, or have left."""
    played_here = select(RESULTS.c.person).where(RESULTS.c.chat_id == chat_id)
    opened = select(PUZZLES.c.person).where(PUZZLES.c.chat_id == chat_id)
    solved = (
        select(PEOPLE.c.name, PUZZLES.c.wrong, PUZZLES.c.streak)
        .join(PEOPLE, PEOPLE.c.id == PUZZLES.c.person)
        .where(PUZZLES.c.person.in_(played_here.union(opened)), PUZZLES.c.person.not_in(absent(chat_id)))
        .where(PEOPLE.c.hidden.is_not(true()))
        .where(PUZZLES.c.day == day, PUZZLES.c.solved_at.is_not(None))
        .order_by(PUZZLES.c.wrong, PUZZLES.c.solved_at, PUZZLES.c.person)
        .limit(50)
    )
    return [PuzzleSolver(row.name, row.wrong + 1, row.streak) for row in connection.execute(solved)]


def move_group(connection: Connection, old: int, new: int | None) -> None:
    """Change the id of a group or, with None, forget who has opened puzzles there."""
    connection.execute(update(PUZZLES).where(PUZZLES.c.chat_id == old).values(chat_id=new))


def _introduce(connection: Connection, person: int) -> None:
    insert_missing(connection, PUZZLES, [{"person": person, "day": 0}])


def _set(connection: Connection, person: int, **values: Any) -> None:  # noqa: ANN401 - as the columns have it
    _introduce(connection, person)
    connection.execute(update(PUZZLES).where(PUZZLES.c.person == person).values(values))

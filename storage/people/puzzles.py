"""The SQL of the daily puzzle: how far people are with the last one they tried, streaks, groups, and reminders."""

import time
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, Connection, delete, func, or_, select, true, update

from storage.columns import DAY
from storage.people import people
from storage.people.people import absent
from storage.people.person import HEARTS, GroupPuzzle, Person, Solving
from storage.schema import ABSENCES, GROUP_PUZZLES, PEOPLE, PROGRESS, PUZZLES, RESULTS
from storage.upsert import insert_missing, upsert

STREAK_SECONDS: Final = 36 * 3600
"""So soon after the last solution a streak goes on: once a day by one's own time may skip a day in UTC."""
DOWN_SECONDS: Final = 600
"""For how long the bot must have been down for that to be noted."""
LOST_FROM, LOST_TO = "lost from", "lost to"
"""Rows of `progress`: the last days of puzzles that an outage cost."""


ENOUGH: Final = 10
"""So many others have to be done with a puzzle before somebody is told how they compare."""
LIVELY_DAYS: Final = 7
"""Who tried a puzzle within so many days is one of those who may solve it in a group."""


class PuzzleSolver(NamedTuple):
    """Somebody who has solved a puzzle."""

    name: str
    wrong: int
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


def solvers(connection: Connection, chat_id: int, day: int) -> tuple[Sequence[PuzzleSolver], int]:
    """People of a group who have solved the puzzle of a day, fewest tries first, and of how many who try them.

    None who hide, or have left.
    """
    played_here = select(RESULTS.c.person).where(RESULTS.c.chat_id == chat_id)
    opened = select(PUZZLES.c.person).where(PUZZLES.c.chat_id == chat_id)
    theirs = (
        PUZZLES.c.person.in_(played_here.union(opened)),
        PUZZLES.c.person.not_in(absent(chat_id)),
        PEOPLE.c.hidden.is_not(true()),
    )
    is_solved = PUZZLES.c.day == day, PUZZLES.c.solved_at.is_not(None)
    solved = (
        select(PEOPLE.c.name, PUZZLES.c.wrong, PUZZLES.c.streak)
        .join(PEOPLE, PEOPLE.c.id == PUZZLES.c.person)
        .where(*theirs, *is_solved)
        .order_by(PUZZLES.c.wrong, PUZZLES.c.solved_at, PUZZLES.c.person)
        .limit(50)
    )
    trying = select(func.count()).select_from(PUZZLES).join(PEOPLE, PEOPLE.c.id == PUZZLES.c.person)
    lively = trying.where(*theirs, PUZZLES.c.day > day - LIVELY_DAYS, PUZZLES.c.day <= day)
    return [PuzzleSolver(*row) for row in connection.execute(solved)], connection.execute(lively).scalar_one()


def better_than(connection: Connection, solving: Solving) -> int | None:
    """What percentage of the others who are done with a puzzle did worse; None if they are too few."""
    done = or_(PUZZLES.c.solved_at.is_not(None), PUZZLES.c.wrong >= HEARTS)
    worse = func.count().filter(or_(PUZZLES.c.solved_at.is_(None), PUZZLES.c.wrong > solving.wrong))
    others = select(worse, func.count()).where(
        PUZZLES.c.day == solving.day, PUZZLES.c.person != solving.person, done
    )
    fewer, of = connection.execute(others).one()
    return 100 * fewer // of if of >= ENOUGH else None


def of_group(connection: Connection, chat_id: int) -> GroupPuzzle | None:
    """The message of the day's puzzle in a group; None if none was ever asked for there."""
    row = connection.execute(select(GROUP_PUZZLES).where(GROUP_PUZZLES.c.chat_id == chat_id)).one_or_none()
    return None if row is None else GroupPuzzle._make(row)


def put(connection: Connection, group: GroupPuzzle) -> None:
    """Store what a group's message shows, and where."""
    upsert(connection, GROUP_PUZZLES, [group._asdict()])


def streak_of(connection: Connection, group: GroupPuzzle, day: int) -> int:
    """How many puzzles in a row somebody in a group has solved, up to that of a day or the one before."""
    goes_on = group.solved >= day or _may_follow(connection, group.solved, day)
    return group.streak if goes_on else 0


def note_solved(connection: Connection, person: int, day: int) -> Sequence[GroupPuzzle]:
    """Count the puzzle of a day for the groups of somebody who has solved it, and doesn't hide it.

    Those are returned whose message is of that day.
    """
    if people.is_hidden(connection, person):
        return ()
    solved = select(PUZZLES.c.person).where(
        PUZZLES.c.person == person, PUZZLES.c.day == day, PUZZLES.c.solved_at.is_not(None)
    )
    theirs = select(GROUP_PUZZLES).where(_groups_of(person), solved.exists())
    found = [GroupPuzzle._make(row) for row in connection.execute(theirs)]
    for group in found:
        if group.solved < day:
            counted = {"solved": day, "streak": streak_of(connection, group, day) + 1}
            this = (GROUP_PUZZLES.c.chat_id == group.chat_id) & (GROUP_PUZZLES.c.solved < day)
            connection.execute(update(GROUP_PUZZLES).where(this).values(counted))
    return [group for group in found if group.day == day]


def shown_in(connection: Connection, person: int) -> Sequence[GroupPuzzle]:
    """The messages that may name somebody among those who have solved a puzzle."""
    solved = select(PUZZLES.c.day).where(PUZZLES.c.person == person, PUZZLES.c.solved_at.is_not(None))
    theirs = select(GROUP_PUZZLES).where(_groups_of(person), GROUP_PUZZLES.c.day.in_(solved))
    return [GroupPuzzle._make(row) for row in connection.execute(theirs)]


def leave(connection: Connection, person: int) -> Sequence[GroupPuzzle]:
    """Forget how somebody solves puzzles; the messages that may have named them."""
    groups = shown_in(connection, person)
    connection.execute(delete(PUZZLES).where(PUZZLES.c.person == person))
    return groups


def _groups_of(person: int) -> ColumnElement[bool]:
    opened = select(PUZZLES.c.chat_id).where(PUZZLES.c.person == person, PUZZLES.c.chat_id.is_not(None))
    played = select(RESULTS.c.chat_id).where(RESULTS.c.person == person, RESULTS.c.chat_id < 0)
    left = select(ABSENCES.c.chat_id).where(ABSENCES.c.person == person)
    return GROUP_PUZZLES.c.chat_id.in_(opened.union(played)) & GROUP_PUZZLES.c.chat_id.not_in(left)


def move_group(connection: Connection, old: int, new: int | None) -> None:
    """Change the id of a group or, with None, forget who has opened puzzles there.

    Its message is sent again when somebody asks for it, as that of the old group can't be edited.
    """
    connection.execute(update(PUZZLES).where(PUZZLES.c.chat_id == old).values(chat_id=new))
    group = of_group(connection, old)
    if group is not None and new is not None and of_group(connection, new) is None:
        put(connection, group._replace(chat_id=new, thread_id=None, reply_to=None, message_id=None))
    connection.execute(delete(GROUP_PUZZLES).where(GROUP_PUZZLES.c.chat_id == old))


def _introduce(connection: Connection, person: int) -> None:
    insert_missing(connection, PUZZLES, [{"person": person, "day": 0}])


def _set(connection: Connection, person: int, **values: Any) -> None:  # noqa: ANN401 - as the columns have it
    _introduce(connection, person)
    connection.execute(update(PUZZLES).where(PUZZLES.c.person == person).values(values))

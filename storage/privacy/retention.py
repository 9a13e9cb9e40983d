"""The SQL that deletes what is kept only for a time: finished games, inactive people, groups without the bot.

Each function does one portion in a short transaction, and finds it by an index. When a game is deleted, its
results stay; a person who is inactive for as long is forgotten altogether.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from sqlalchemy import Connection, delete, exists, or_, select, update

from storage.columns import DAY
from storage.games import games
from storage.games.game import QUESTION, Termination
from storage.people import chats, cups, people, puzzles
from storage.privacy import erasure, traces
from storage.privacy.personal import theirs
from storage.privacy.traces import Traces
from storage.schema import BOARDS, CHATS, ERASURES, FORMER_PAIRS, GAMES, MESSAGES, OUTBOX, PEOPLE, RESULTS

PORTION: Final = 40
SURELY_SECONDS: Final = 3600
"""A game that began this long after the bot had left a group shows that the bot is back."""


class Cursor(NamedTuple):
    """How far a pass through a table has come."""

    time: int
    key: int


START: Final = Cursor(-1, 0)


def drop_games(connection: Connection, after: int, before: int) -> int | None:
    """Delete finished games unchanged since `before`; the id up to which this is done, or None at the end.

    Games begin in the order of their ids, so the end is reached with the first that began after `before`.
    """
    columns = (GAMES.c.id, GAMES.c.created_at, GAMES.c.changed_at, GAMES.c.termination)
    some = select(*columns).where(GAMES.c.id > after).order_by(GAMES.c.id).limit(PORTION)
    rows = connection.execute(some).all()
    old = [row for row in rows if row.created_at < before]
    ended = [row.id for row in old if row.termination is not None and row.changed_at < before]
    games.delete_many(connection, ended)
    if ended:
        traces.note(connection, Traces.LOG)
    return rows[-1].id if rows and len(old) == PORTION else None


def drop_people(connection: Connection, after: Cursor, before: int, now: int) -> Cursor | None:
    """Begin to forget people who were last active before `before`; how far this has come, or None at the end.

    `seen_at` is a day, so a person's time is over at the end of that day.
    """
    seen, before = PEOPLE.c.seen_at, before // DAY * DAY
    further = or_(seen > after.time, (seen == after.time) & (PEOPLE.c.id > after.key))
    some = select(PEOPLE.c.id, seen).where(seen >= after.time, seen < before, further, PEOPLE.c.id > 0)
    rows = connection.execute(some.order_by(seen, PEOPLE.c.id).limit(PORTION)).all()
    for row in rows:
        if not _plays(connection, row.id, before) and erasure.stage_of(connection, row.id) is None:
            erasure.begin_quietly(connection, row.id, now)
    return Cursor(rows[-1].seen_at, rows[-1].id) if len(rows) == PORTION else None


def _plays(connection: Connection, person: int, before: int) -> bool:
    """Whether a person has played since `before`, even if it didn't count, or is in a running game or cup."""
    if cups.plays_on(connection, person):
        return True
    recent = select(RESULTS.c.game_id).where(RESULTS.c.person == person, RESULTS.c.ended_at >= before)
    lively = or_(GAMES.c.termination.is_(None), GAMES.c.changed_at >= before)
    seated = (select(GAMES.c.id).where(theirs(GAMES, person, seat), lively) for seat in ("x_seat", "o_seat"))
    return any(connection.execute(query.limit(1)).first() is not None for query in (recent, *seated))


def left_groups(connection: Connection, before: int) -> Sequence[int]:
    """Some groups that the bot left before this time."""
    gone = select(CHATS.c.id).where(CHATS.c.left_at.is_not(None), CHATS.c.left_at < before, CHATS.c.id < 0)
    return connection.execute(gone.order_by(CHATS.c.left_at).limit(PORTION)).scalars().all()


def drop_group(connection: Connection, chat_id: int, before: int, now: int) -> bool:
    """Delete a portion of a group, whose players keep their games and results; True if there is more.

    Nothing is deleted if the bot is back, which may only show by a game that began there since.
    """
    left_at = connection.execute(select(CHATS.c.left_at).where(CHATS.c.id == chat_id)).scalar()
    if left_at is None or left_at >= before:
        return False
    newest = select(GAMES.c.created_at).where(GAMES.c.chat_id == chat_id).order_by(GAMES.c.id.desc()).limit(1)
    if (connection.execute(newest).scalar() or 0) > left_at + SURELY_SECONDS:
        chats.come_back(connection, chat_id)
        return False
    ids = connection.execute(select(GAMES.c.id).where(GAMES.c.chat_id == chat_id).limit(PORTION)).scalars().all()
    if ids:
        _leave_group(connection, ids, now)
        return True
    left = select(RESULTS.c.game_id).where(RESULTS.c.chat_id == chat_id).limit(PORTION)
    if ids := connection.execute(left).scalars().all():  # of games that are deleted already
        connection.execute(update(RESULTS).where(RESULTS.c.game_id.in_(ids)).values(chat_id=None))
        return True
    for table in (MESSAGES, BOARDS, OUTBOX):
        connection.execute(delete(table).where(table.c.chat_id == chat_id))
    puzzles.move_group(connection, chat_id, None)
    cups.drop(connection, chat_id)
    people.move_absences(connection, chat_id, None)
    connection.execute(delete(CHATS).where(CHATS.c.id == chat_id))
    traces.note(connection, Traces.LOG)
    return False


def _leave_group(connection: Connection, ids: Sequence[int], now: int) -> None:
    """Take games out of a group; running ones, which nobody can see any more, end without a result."""
    these = update(GAMES).where(GAMES.c.id.in_(ids))
    end = {"termination": Termination.EXPIRED, "changed_at": now, "version": GAMES.c.version + 1}
    connection.execute(these.where(GAMES.c.termination.is_(None)).values(end | dict.fromkeys(QUESTION)))
    connection.execute(these.values(chat_id=None))
    connection.execute(update(RESULTS).where(RESULTS.c.game_id.in_(ids)).values(chat_id=None))
    for table in (BOARDS, MESSAGES, OUTBOX):
        connection.execute(delete(table).where(table.c.game_id.in_(ids), table.c.chat_id < 0))


def drop_former_pairs(connection: Connection, today: int) -> None:
    """Drop the digests of pairs that last played before yesterday, of whom one has been forgotten."""
    if connection.execute(delete(FORMER_PAIRS).where(FORMER_PAIRS.c.day < today - 1)).rowcount:
        traces.note(connection, Traces.LOG)


def add_people_of_chats(connection: Connection, after: int, now: int) -> int | None:
    """Let retention know people who only have a private chat; how far this has come, or None at the end."""
    known = exists().where(PEOPLE.c.id == CHATS.c.id)
    asked = exists().where(ERASURES.c.person == CHATS.c.id)
    some = select(CHATS.c.id).where(CHATS.c.id > max(after, 0), ~known, ~asked).order_by(CHATS.c.id).limit(PORTION)
    ids = connection.execute(some).scalars().all()
    if ids:
        rows = [{"id": chat_id, "name": "", "seen_at": now // DAY * DAY} for chat_id in ids]
        connection.execute(PEOPLE.insert(), rows)
    return ids[-1] if len(ids) == PORTION else None

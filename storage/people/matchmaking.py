"""The SQL of matchmaking: people who wait for an opponent, pairings, and how long people waited.

A wait has boards, as a game has. Pairing turns them into the game's boards; a wait that ends otherwise stays until
its end is shown. A unique index lets each person have one wait at a time.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from sqlalchemy import ColumnElement, Connection, delete, insert, or_, select, update

from storage.games import boards, versions
from storage.games.game import Game, Limits
from storage.games.games import added, insert_many
from storage.games.record import WHOLE, Board, Page, Place, Record
from storage.games.versions import Stored
from storage.people.person import Meeting, Wait, WaitRecord
from storage.people.waits import COLUMNS, load_many
from storage.privacy.erasure import UNDER_WAY
from storage.schema import BOARDS, CHATS, ERASURES, GAMES, MATCHMAKING, MEETINGS

KEPT_SECONDS: Final = 7 * 24 * 3600

WAITS: Final = MATCHMAKING.c.ended.is_(None)


class Found(NamedTuple):
    """A person's wait, and their games from matchmaking."""

    waiting: WaitRecord | None
    playing: Sequence[int]
    """The ids of their running games with people with whom they were paired, newest first."""


def find(connection: Connection, person: int) -> Found:
    """A person's wait and games, locked until the transaction ends.

    Otherwise they could wait twice, or while they play, because another process pairs them at the same time.
    """
    own = select(CHATS.c.id).where(CHATS.c.id == person)
    connection.execute(own.with_for_update(key_share=True))
    return Found(waiting_of(connection, person), playing_of(connection, person))


def waiting_of(connection: Connection, person: int) -> WaitRecord | None:
    """A person's wait, locked until the transaction ends."""
    own = select(MATCHMAKING.c.id).where(WAITS, MATCHMAKING.c.person == person).with_for_update()
    return next(iter(load_many(connection, connection.execute(own).scalars()).values()), None)


def playing_of(connection: Connection, person: int) -> Sequence[int]:
    """The ids of a person's running games with people with whom they were paired, newest first."""
    found: list[int] = []
    for seat in (GAMES.c.x_seat, GAMES.c.o_seat):
        met = (seat == person, GAMES.c.termination.is_(None), GAMES.c.time_limits == Limits.STRANGERS)
        found += connection.execute(select(GAMES.c.id).where(*met)).scalars()
    return sorted(found, reverse=True)


def of_update(connection: Connection, update_id: int) -> WaitRecord | None:
    """The wait that a Telegram update has already begun, if any."""
    own = select(MATCHMAKING.c.id).where(MATCHMAKING.c.update_id == update_id)
    return next(iter(load_many(connection, connection.execute(own).scalars()).values()), None)


def ready(connection: Connection, limit: int) -> Sequence[Wait]:
    """Waits of people who can be paired, longest first.

    They aren't being asked whether they are there, and they aren't being forgotten: their opponent would lose them
    immediately.
    """
    goes = select(ERASURES.c.person).where(
        ERASURES.c.person == MATCHMAKING.c.person, ERASURES.c.stage.in_(UNDER_WAY)
    )
    there = select(*COLUMNS).where(WAITS, MATCHMAKING.c.asked.is_(False), ~goes.exists())
    return [Wait._make(row) for row in connection.execute(there.order_by(MATCHMAKING.c.since).limit(limit))]


def free(connection: Connection, ids: Collection[int]) -> Mapping[int, WaitRecord]:
    """Those of these waits that go on and that nobody else has locked; they are locked."""
    same = select(MATCHMAKING.c.id).where(MATCHMAKING.c.id.in_(ids), WAITS).order_by(MATCHMAKING.c.id)
    return load_many(connection, connection.execute(same.with_for_update(skip_locked=True)).scalars())


def due(connection: Connection, *, now: int, limit: int) -> Sequence[Wait]:
    """Waits in which something is due, longest due first."""
    late = select(*COLUMNS).where(WAITS, MATCHMAKING.c.due_at <= now).order_by(MATCHMAKING.c.due_at).limit(limit)
    return [Wait._make(row) for row in connection.execute(late)]


def begin(connection: Connection, wait: Wait, places: Iterable[Place]) -> WaitRecord:
    """Store a new wait with a new board in each of these places."""
    new_id = connection.execute(insert(MATCHMAKING).returning(MATCHMAKING.c.id), added(wait)).scalar_one()
    return WaitRecord(
        wait._replace(id=new_id), tuple(boards.put(connection, None, place, wait_id=new_id) for place in places)
    )


def change(connection: Connection, waiting: WaitRecord, wait: Wait, page: Page = WHOLE) -> Sequence[Stored]:
    """Store a changed wait and the next versions of its boards, which are the result."""
    connection.execute(update(MATCHMAKING).where(MATCHMAKING.c.id == wait.id).values(added(wait)))
    connection.execute(update(BOARDS).where(BOARDS.c.wait_id == wait.id).values(page._asdict()))
    shown = WaitRecord(wait, tuple(board.showing(page) for board in waiting.boards))
    return versions.store_next(connection, shown, wait.changed_at)


def pair(connection: Connection, one: WaitRecord, other: WaitRecord, game: Game) -> Record:
    """Store the game of two people who have waited, and let the boards of their waits show it."""
    (game,) = insert_many(connection, [game])
    ids = [one.wait.id, other.wait.id]
    values = {"game_id": game.id, "wait_id": None, **WHOLE._asdict()}
    connection.execute(update(BOARDS).where(BOARDS.c.wait_id.in_(ids)).values(values))
    connection.execute(delete(MATCHMAKING).where(MATCHMAKING.c.id.in_(ids)))
    return Record(game, tuple(board._replace(**values) for board in (*one.boards, *other.boards)))


def give_back(connection: Connection, given: Collection[Board], waiting: WaitRecord) -> WaitRecord:
    """Let boards of a game show a wait again."""
    values = {"game_id": None, "wait_id": waiting.wait.id, **WHOLE._asdict()}
    connection.execute(update(BOARDS).where(BOARDS.c.id.in_([board.id for board in given])).values(values))
    return WaitRecord(waiting.wait, (*waiting.boards, *(board._replace(**values) for board in given)))


def note(connection: Connection, meeting: Meeting) -> None:
    """Remember that two people were paired."""
    connection.execute(insert(MEETINGS).values(meeting._asdict()))


def drop_old(connection: Connection, now: int) -> None:
    """Forget old pairings."""
    connection.execute(delete(MEETINGS).where(MEETINGS.c.met_at < now - KEPT_SECONDS))


def meeting_of(connection: Connection, game_id: int) -> Meeting | None:
    """The pairing from which a game comes, while it is remembered."""
    columns = (MEETINGS.c[name] for name in Meeting._fields)
    row = connection.execute(select(*columns).where(MEETINGS.c.game_id == game_id)).one_or_none()
    return None if row is None else Meeting._make(row)


def met_since(connection: Connection, people: Collection[int], since: int) -> Mapping[int, frozenset[int]]:
    """By person, the people with whom they were paired since then."""
    late = select(MEETINGS.c.person, MEETINGS.c.opponent).where(
        MEETINGS.c.met_at >= since, or_(MEETINGS.c.person.in_(people), MEETINGS.c.opponent.in_(people))
    )
    met: dict[int, set[int]] = {}
    for one, other in connection.execute(late):
        met.setdefault(one, set()).add(other)
        met.setdefault(other, set()).add(one)
    return {person: frozenset(others) for person, others in met.items()}


def waits(connection: Connection, rules: str | None, since: int, limit: int) -> Sequence[int]:
    """The waiting times of people paired since then, in seconds, newest first, for these rules or for any."""
    these: list[ColumnElement[bool]] = [] if rules is None else [MEETINGS.c.rules == rules]
    late = select(MEETINGS.c.person_since, MEETINGS.c.opponent_since, MEETINGS.c.met_at)
    newest = late.where(MEETINGS.c.met_at >= since, *these).order_by(MEETINGS.c.met_at.desc()).limit(limit)
    rows = connection.execute(newest).all()
    return [row.met_at - began for row in rows for began in (row.person_since, row.opponent_since)]

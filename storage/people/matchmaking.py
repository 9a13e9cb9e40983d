"""The SQL of matchmaking: people who wait for an opponent, pairings, and how long people waited.

Somebody who waits has an open challenge that matchmaking may accept (`Game.is_wait`). Pairing makes the
later wait the game and deletes the earlier one, whose boards move over. A unique index lets each person have
one wait at a time.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Final, NamedTuple

from sqlalchemy import ColumnElement, Connection, bindparam, delete, insert, or_, select, text, update

from storage.games.game import Game, GameKind, Limits
from storage.games.games import GAME_COLUMNS, game_of, load_sound
from storage.games.lookups import WAITS
from storage.games.record import WHOLE, Board, Record
from storage.people.person import Meeting
from storage.privacy.erasure import UNDER_WAY
from storage.schema import BOARDS, CHATS, ERASURES, GAMES, MEETINGS, SEATS

MEETING_KEPT_SECONDS: Final = 7 * 24 * 3600

TYPICAL_SECONDS: Final = 24 * 3600
TYPICAL: Final = 10
"""The typical wait is the median of at most this many pairings, none older than this many seconds."""
FEWEST_WAITS: Final = 6
"""How many waits it takes to name a typical one."""


class Found(NamedTuple):
    """A person's wait, and their games from matchmaking."""

    waiting: Record | None
    playing: Sequence[int]
    """The ids of their running games with people with whom they were paired, newest first."""


def find(connection: Connection, person: int) -> Found:
    """A person's wait and games, locked until the transaction ends.

    Otherwise they could wait twice, or while they play, because another process pairs them at the same time.
    """
    own = select(CHATS.c.id).where(CHATS.c.id == person)
    connection.execute(own.with_for_update(key_share=True))
    return Found(waiting_of(connection, person), playing_of(connection, person))


def waiting_of(connection: Connection, person: int) -> Record | None:
    """A person's wait, locked until the transaction ends."""
    return next(iter(_locked(connection, GAMES.c.x_seat == person).values()), None)


def playing_of(connection: Connection, person: int) -> Sequence[int]:
    """The ids of a person's running games with people with whom they were paired, newest first."""
    paired = (GAMES.c.time_limits == Limits.STRANGERS, GAMES.c.kind == GameKind.PAIR)
    running = select(GAMES.c.id).where(GAMES.c.termination.is_(None), *paired)
    seated = [running.where(seat == person) for seat in SEATS]
    return sorted((each for found in seated for each in connection.execute(found).scalars()), reverse=True)


GOES: Final = select(ERASURES.c.person).where(ERASURES.c.person == GAMES.c.x_seat, ERASURES.c.stage.in_(UNDER_WAY))
READY: Final = (
    select(*GAME_COLUMNS)
    .where(text(WAITS), GAMES.c.created_at <= bindparam("now"), GAMES.c.reminded.is_(None), ~GOES.exists())
    .order_by(GAMES.c.created_at)
    .limit(bindparam("limit"))
)


def ready(connection: Connection, limit: int, now: int) -> Sequence[Game]:
    """Waits of people who can be paired, longest first: those that have begun by now.

    They aren't being asked whether they are there, and they aren't being forgotten: their opponent would lose them
    immediately.
    """
    return [game_of(row) for row in connection.execute(READY, {"now": now, "limit": limit})]


def free(connection: Connection, ids: Collection[int]) -> Mapping[int, Record]:
    """Those of these waits that go on and that nobody else has locked; they are locked."""
    return _locked(connection, GAMES.c.id.in_(ids), skip=True)


def _locked(connection: Connection, which: ColumnElement[bool], *, skip: bool = False) -> Mapping[int, Record]:
    these = select(GAMES.c.id).where(text(WAITS), which).order_by(GAMES.c.id).with_for_update(skip_locked=skip)
    return load_sound(connection, connection.execute(these).scalars())


def hand_over(connection: Connection, given: Collection[Board], record: Record) -> Record:
    """Let boards of another game show this one; returns its record with them."""
    values = {"game_id": record.game.id, **WHOLE._asdict()}
    connection.execute(update(BOARDS).where(BOARDS.c.id.in_([board.id for board in given])).values(values))
    return Record(record.game, (*record.boards, *(board._replace(**values) for board in given)))


def note(connection: Connection, meeting: Meeting) -> None:
    """Remember that two people were paired."""
    connection.execute(insert(MEETINGS).values(meeting._asdict()))


def drop_old(connection: Connection, now: int) -> None:
    """Forget old pairings."""
    connection.execute(delete(MEETINGS).where(MEETINGS.c.met_at < now - MEETING_KEPT_SECONDS))


def meeting_of(connection: Connection, game_id: int) -> Meeting | None:
    """The pairing from which a game comes, while it is remembered."""
    row = connection.execute(select(MEETINGS).where(MEETINGS.c.game_id == game_id)).one_or_none()
    return None if row is None else Meeting._make(row)


def missed(connection: Connection, people: Collection[int], since: int) -> Mapping[int, Sequence[tuple[int, int]]]:
    """By person, when they haven't turned up for a game since then, and whom they have left waiting."""
    ended = select(GAMES.c.ended_by, GAMES.c.changed_at, GAMES.c.x_seat, GAMES.c.o_seat).where(
        GAMES.c.ended_by.in_(people),
        GAMES.c.time_limits == Limits.STRANGERS,
        GAMES.c.kind == GameKind.PAIR,
        GAMES.c.changed_at >= since,
    )
    games: dict[int, list[tuple[int, int]]] = {}
    for person, at, x_seat, o_seat in connection.execute(ended):
        games.setdefault(person, []).append((at, x_seat + o_seat - person))
    return games


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


def typical_wait(connection: Connection, rules: str | None, now: int) -> int | None:
    """How many seconds people typically wait, for these rules or for any; None while too little is known."""
    these: list[ColumnElement[bool]] = [] if rules is None else [MEETINGS.c.rules == rules]
    late = select(MEETINGS.c.person_since, MEETINGS.c.opponent_since, MEETINGS.c.met_at)
    newest = late.where(MEETINGS.c.met_at >= now - TYPICAL_SECONDS, *these).order_by(MEETINGS.c.met_at.desc())
    rows = connection.execute(newest.limit(TYPICAL)).all()
    return median([row.met_at - began for row in rows for began in (row.person_since, row.opponent_since)])


def median(waits: Sequence[int]) -> int | None:
    """The median wait in seconds; None if there are too few."""
    return sorted(waits)[(len(waits) - 1) // 2] if len(waits) >= FEWEST_WAITS else None

"""The SQL of the queue: who waits for somebody to play, whom they have met, and how long that took.

Who waits has a game with an empty seat, as a challenge by link is one: its board is the message that they wait
with, and its record says all there is to know, so a restart loses nobody. An index lets each person wait once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from sqlalchemy import bindparam, delete, func, insert, or_, select, text, update

from engine.families import Family
from storage.erasure import UNDER_WAY
from storage.game import COMPUTER, QUEUE, Game
from storage.games import GAME_COLUMNS, game_of
from storage.schema import BOARDS, CHATS, ERASURES, GAMES, MEETINGS, PEOPLE, STANDINGS
from storage.tally import Standing

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from sqlalchemy import ColumnElement, Connection

    from storage.board import Board

WAITING: Final = "termination IS NULL AND o_seat IS NULL AND substr(token, 1, 5) = 'play:'"
"""Of a game: somebody waits in the queue with it. In letters, without parameters: it is an index's condition."""

KEPT_SECONDS: Final = 7 * 24 * 3600
"""For so long meetings are remembered."""


class Meeting(NamedTuple):
    """Two who were paired; in the order of the table's columns."""

    game_id: int
    person: int
    opponent: int
    rules: str
    person_since: int
    """Since when the one had waited, and the other; seconds since 1970, as is when they were paired."""
    opponent_since: int
    met_at: int


COLUMNS: Final = tuple(MEETINGS.c[name] for name in Meeting._fields)


class Found(NamedTuple):
    """Where somebody is whom the queue knows."""

    waiting: int | None
    """The game with which they wait."""
    playing: Sequence[int]
    """The running games with whom they have met, newest first."""


def find(connection: Connection, person: int) -> Found:
    """Where somebody is, who is kept there until the transaction ends: nobody else lets them wait or wait again.

    Without that they could be let wait twice, or beside a game, where another process has paired them in between.
    """
    own = select(CHATS.c.id).where(CHATS.c.id == person)
    connection.execute(own.with_for_update(key_share=True))
    return Found(waiting_of(connection, person), playing_of(connection, person))


def waiting_of(connection: Connection, person: int) -> int | None:
    """The game with which a person waits; whoever pairs them in this moment is waited for."""
    own = select(GAMES.c.id).where(text(WAITING), GAMES.c.x_seat == person).with_for_update()
    return connection.execute(own).scalar()


def playing_of(connection: Connection, person: int) -> Sequence[int]:
    """The running games of a person with whom they have met in the queue, newest first."""
    theirs = (GAMES.c.termination.is_(None), func.substr(GAMES.c.token, 1, len(QUEUE)) == QUEUE)
    found: list[int] = []
    for own, other in ((GAMES.c.x_seat, GAMES.c.o_seat), (GAMES.c.o_seat, GAMES.c.x_seat)):
        met = select(GAMES.c.id).where(own == person, other.is_not(None), other != COMPUTER, *theirs)
        found += connection.execute(met).scalars()
    return sorted(found, reverse=True)


def waiting(connection: Connection, limit: int) -> Sequence[Game]:
    """The games with which people wait who were not asked whether they are there, longest waiting first.

    Not of who is being forgotten: whoever met them would be left by them at once.
    """
    goes = select(ERASURES.c.person).where(ERASURES.c.person == GAMES.c.x_seat, ERASURES.c.stage.in_(UNDER_WAY))
    ready = select(*GAME_COLUMNS).where(text(WAITING), GAMES.c.reminded.is_(None), ~goes.exists())
    return [game_of(tuple(row)) for row in connection.execute(ready.order_by(GAMES.c.created_at).limit(limit))]


def free(connection: Connection, ids: Collection[int]) -> Collection[int]:
    """Those of these games that still wait, and that nobody else is about to change; they are kept so."""
    same = select(GAMES.c.id).where(GAMES.c.id.in_(ids), text(WAITING)).order_by(GAMES.c.id)
    return set(connection.execute(same.with_for_update(skip_locked=True)).scalars())


def note(connection: Connection, meeting: Meeting) -> None:
    """Remember that two were paired; what is older than need be is forgotten."""
    # A game's number may have been another's, which is there no more.
    connection.execute(delete(MEETINGS).where(MEETINGS.c.game_id == meeting.game_id))
    connection.execute(delete(MEETINGS).where(MEETINGS.c.met_at < meeting.met_at - KEPT_SECONDS))
    connection.execute(insert(MEETINGS).values(meeting._asdict()))


def meeting_of(connection: Connection, game_id: int) -> Meeting | None:
    """How the two of a game met, while that is remembered."""
    row = connection.execute(select(*COLUMNS).where(MEETINGS.c.game_id == game_id)).one_or_none()
    return None if row is None else Meeting._make(row)


def met_since(connection: Connection, people: Collection[int], since: int) -> Mapping[int, frozenset[int]]:
    """By person whom they were paired with since then."""
    late = select(MEETINGS.c.person, MEETINGS.c.opponent).where(
        MEETINGS.c.met_at >= since, or_(MEETINGS.c.person.in_(people), MEETINGS.c.opponent.in_(people))
    )
    met: dict[int, set[int]] = {}
    for one, other in connection.execute(late):
        met.setdefault(one, set()).add(other)
        met.setdefault(other, set()).add(one)
    return {person: frozenset(others) for person, others in met.items()}


def waits(connection: Connection, rules: str | None, since: int, limit: int) -> Sequence[int]:
    """For how many seconds the last people had waited who were paired since then, by these rules or by any."""
    these: list[ColumnElement[bool]] = [] if rules is None else [MEETINGS.c.rules == rules]
    late = select(MEETINGS.c.person_since, MEETINGS.c.opponent_since, MEETINGS.c.met_at)
    newest = late.where(MEETINGS.c.met_at >= since, *these).order_by(MEETINGS.c.met_at.desc()).limit(limit)
    rows = connection.execute(newest).all()
    return [row.met_at - began for row in rows for began in (row.person_since, row.opponent_since)]


def standings_of(connection: Connection, people: Collection[int]) -> Mapping[tuple[int, str], Standing]:
    """How strong people are thought to be, by person and family of rules; of all together by an empty one."""
    columns = (STANDINGS.c.person, STANDINGS.c.family, STANDINGS.c.rating, STANDINGS.c.settled)
    found = select(*columns).where(
        STANDINGS.c.family.in_(("", *Family)), STANDINGS.c.person.in_(bindparam("people", expanding=True))
    )
    return {
        (row.person, row.family): Standing(round(row.rating), bool(row.settled))
        for row in connection.execute(found, {"people": list(people)})
    }


def hiding(connection: Connection, people: Collection[int]) -> Collection[int]:
    """Those of these people who keep their results to themselves."""
    hidden = select(PEOPLE.c.id).where(PEOPLE.c.id.in_(people), PEOPLE.c.hidden.is_(True))
    return set(connection.execute(hidden).scalars())


def give_boards(connection: Connection, boards: Collection[Board], game_id: int) -> Sequence[Board]:
    """Let boards be those of another game; they are given back as theirs."""
    values: dict[str, Any] = {"game_id": game_id, "page": None}
    connection.execute(update(BOARDS).where(BOARDS.c.id.in_([board.id for board in boards])).values(values))
    return [board._replace(**values) for board in boards]

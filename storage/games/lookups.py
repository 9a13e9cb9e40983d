"""The SQL that finds games: by message, link, player or deadline. Each query has an index."""

from collections.abc import Collection, Sequence
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    and_,
    bindparam,
    literal_column,
    or_,
    select,
    true,
    union_all,
    update,
)

from storage.games.game import DRAWN, Game, GameKind, Limits
from storage.games.games import GAME_COLUMNS, RECORDS, find, game_of, games_of, load_sound, records_of
from storage.games.record import Record
from storage.people import people
from storage.people.person import Person
from storage.schema import BOARDS, GAMES, MESSAGES, SEATS, is_known

ANY_TOPIC: Final = -1
"""Stands for all topics of a chat."""
MOST_LISTED: Final = 20
RECENT: Final = 1000
"""Among how many of a person's newest games those of a day are looked for."""

WAITS: Final = f"kind = '{GameKind.CHALLENGE}' AND time_limits = '{Limits.STRANGERS}' AND termination IS NULL"
"""The condition that a game is somebody's wait for an opponent which goes on, as its index has it."""
GOING_ON: Final = GAMES.c.termination.is_(None)
SEATED: Final = and_(*(seat.is_not(None) for seat in SEATS))


def on_message(connection: Connection, chat_id: int, message_id: int) -> Record | None:
    """The game that a message belongs to, as its board, a former board, or a notice about it."""
    for table in (BOARDS.c, MESSAGES.c):
        here = select(table.game_id).where(table.chat_id == chat_id, table.message_id == message_id)
        if (record := _found(connection, here.limit(1))) is not None:
            return record
    return None


def by_link(connection: Connection, link: str) -> Record | None:
    """The challenge to which a link leads, or the game that it became."""
    return _found(connection, select(GAMES.c.id).where(GAMES.c.link == link))


def by_inline_offer(connection: Connection, person: int, offer: str) -> Record | None:
    """The game that an offer which a person made by inline mode has begun."""
    same = (GAMES.c.inline_person == person, GAMES.c.inline_offer == offer)
    return _found(connection, select(GAMES.c.id).where(*same))


def by_inline_message(connection: Connection, inline_message_id: str) -> Record | None:
    """The game whose board a message sent by inline mode is."""
    return _found(connection, select(BOARDS.c.game_id).where(BOARDS.c.inline_message_id == inline_message_id))


def running(connection: Connection, chat_id: int, person: int, topic: int | None = ANY_TOPIC) -> Sequence[Record]:
    """A person's running games with a board in a chat, newest first, at most `MOST_LISTED`; no open challenges."""
    return _going_on(connection, chat_id, person, SEATED, topic)


def unfinished(connection: Connection, chat_id: int, person: int) -> Sequence[Record]:
    """The same, with open challenges by the person."""
    return _going_on(connection, chat_id, person, true())


def _going_on(
    connection: Connection, chat_id: int, person: int, which: ColumnElement[bool], topic: int | None = ANY_TOPIC
) -> Sequence[Record]:
    there = BOARDS.c.chat_id == chat_id, BOARDS.c.game_id == GAMES.c.id, *_in(topic)
    here = select(BOARDS.c.game_id).where(*there).exists()
    own = _newest_of(person, GOING_ON & which & here, MOST_LISTED)
    newest = RECORDS.where(GAMES.c.id.in_(own)).order_by(GAMES.c.id.desc())
    return list(records_of(connection, connection.execute(newest)).values())[:MOST_LISTED]


def _in(topic: int | None) -> Sequence[ColumnElement[bool]]:
    """The condition that a board is in a topic (None: in none), if it matters."""
    if topic == ANY_TOPIC:
        return ()
    return BOARDS.c.thread_id == topic, BOARDS.c.leaving.is_(False)


def newest(connection: Connection, chat_id: int, topic: int | None = ANY_TOPIC) -> Sequence[Record]:
    """The games of the newest boards in a chat, at most MOST_LISTED, newest first; challenges, ended games too."""
    here = select(BOARDS.c.game_id).where(BOARDS.c.chat_id == chat_id, BOARDS.c.leaving.is_(False), *_in(topic))
    coming = here.where(BOARDS.c.message_id.is_(None)).limit(MOST_LISTED)
    shown = here.where(BOARDS.c.message_id.is_not(None)).order_by(BOARDS.c.message_id.desc()).limit(MOST_LISTED)
    found = dict.fromkeys(row.game_id for part in (coming, shown) for row in connection.execute(part))
    records = load_sound(connection, found)
    return [records[game_id] for game_id in found if game_id in records][:MOST_LISTED]


def open_challenges(connection: Connection, chat_id: int, person: int) -> int:
    """How many open challenges a person has in a chat, at most `MOST_LISTED`; no wait for an opponent."""
    own = (GAMES.c.kind == GameKind.CHALLENGE) & (GAMES.c.time_limits != Limits.STRANGERS)
    here = GOING_ON & own & (GAMES.c.chat_id == chat_id)
    return _count(connection, _newest_of(person, here, MOST_LISTED))


def challenges_since(connection: Connection, person: int, since: int) -> int:
    """How many challenges to somebody a person has made since then, of their newest games; no accepted ones."""
    named = GAMES.c.rival_id.is_not(None) | GAMES.c.rival_username.is_not(None)
    recent = GAMES.c.id.in_(_newest_of(person, true(), RECENT))
    return _count(connection, select(GAMES.c.id).where(recent, GAMES.c.created_at >= since, named))


def challenges_to(connection: Connection, person: int, rival: Person, since: int) -> int:
    """How many of these were to one person, whom some may name by id and others by username."""
    username = (rival.username or "").lower()
    known = rival.id or people.find_username(connection, username) or 0
    named = or_(GAMES.c.rival_id == known, GAMES.c.rival_username == username)
    by = or_(*(seat == person for seat in SEATS))
    return _count(connection, select(GAMES.c.id).where(named, by, GAMES.c.created_at >= since))


def know_each_other(connection: Connection, one: int, other: int) -> bool:
    """Whether two people have played a game that is still stored, and not just because matchmaking paired them.

    Whoever was paired with a stranger must not find out their username by trying.
    """
    both = [seat.in_((one, other)) & (seat > literal_column("0")) for seat in SEATS]
    paired = GAMES.c.time_limits == Limits.STRANGERS
    in_public = or_(GAMES.c.chat_id.is_(None), GAMES.c.chat_id < 0, GAMES.c.link.is_not(None))

    def have(which: ColumnElement[bool]) -> bool:
        return connection.execute(select(GAMES.c.id).where(*both, which).limit(1)).first() is not None

    return have(~paired & in_public) or (not have(paired) and have(~paired))


def open_games(connection: Connection, chat_id: int, person: int) -> int:
    """How many running games a person has in a chat, at most `MOST_LISTED`."""
    return _count(connection, _newest_of(person, GOING_ON & SEATED & (GAMES.c.chat_id == chat_id), MOST_LISTED))


def open_inline(connection: Connection, person: int) -> int:
    """How many challenges and games of two of inline mode a person has that aren't over, at most `MOST_LISTED`."""
    sent = (GAMES.c.inline_person == person) & GAMES.c.kind.in_((GameKind.CHALLENGE, GameKind.PAIR))
    return _count(connection, _newest_of(person, GOING_ON & sent, MOST_LISTED))


def challenges_of_others(connection: Connection, person: int) -> Sequence[Game]:
    """The open challenges to a person in their private chat, at most `MOST_LISTED`."""
    here = select(BOARDS.c.game_id).where(BOARDS.c.chat_id == person, BOARDS.c.viewer == person)
    waiting = (GAMES.c.id.in_(here), GOING_ON, ~SEATED, GAMES.c.rival_id == person)
    found = select(*GAME_COLUMNS).where(*waiting).order_by(GAMES.c.id.desc()).limit(MOST_LISTED)
    return games_of(connection, connection.execute(found))


def last_finished(connection: Connection, person: int, limit: int) -> Sequence[Game]:
    """A person's last finished games, newest first."""
    played = GAMES.c.termination.is_not(None) & (GAMES.c.winner.is_not(None) | GAMES.c.termination.in_(DRAWN))
    own = GAMES.c.id.in_(_newest_of(person, played, limit))
    newest = select(*GAME_COLUMNS).where(own).order_by(GAMES.c.id.desc()).limit(limit)
    return games_of(connection, connection.execute(newest))


def last_opponents(connection: Connection, person: int, most: int) -> Sequence[Game]:
    """The last game with each of the people whom a person has played last, newest first."""
    two = GAMES.c.kind == GameKind.PAIR
    newest = select(*GAME_COLUMNS).where(GAMES.c.id.in_(_newest_of(person, two, MOST_LISTED)))
    played = games_of(connection, connection.execute(newest.order_by(GAMES.c.id.desc())))
    last = {game.x.seat if game.o.seat == person else game.o.seat: game for game in reversed(played)}
    return sorted(last.values(), key=lambda game: -game.id)[:most]


def _longest_due(whose: ColumnElement[bool]) -> Select[Any]:
    """What finds these games; it is made once, since that takes longer than a look that finds nothing."""
    due = select(*GAME_COLUMNS).where(GOING_ON, whose, GAMES.c.due_at <= bindparam("by"), is_known(GAMES))
    return due.order_by(GAMES.c.due_at).limit(bindparam("limit"))


DUE: Final = _longest_due(GAMES.c.host.is_(None))
NEXT_MOVES: Final = _longest_due(GAMES.c.host.is_not(None))


def due(connection: Connection, *, now: int, limit: int) -> Sequence[Game]:
    """Running games and challenges of people whose deadline must be looked at, longest due first."""
    return _due(connection, DUE, now, limit)


def watched(connection: Connection, *, by: int, limit: int) -> Sequence[Game]:
    """Exhibitions whose next move is due by a time, longest due first.

    In every running one the next move is soon, so that a time a little ahead finds all of them.
    """
    return _due(connection, NEXT_MOVES, by, limit)


def _due(connection: Connection, whose: Select[Any], by: int, limit: int) -> Sequence[Game]:
    return [game_of(tuple(row)) for row in connection.execute(whose, {"by": by, "limit": limit})]


def set_due_if_unchanged(connection: Connection, game: Game, due_at: int | None) -> bool:
    """Set when a game's deadline is looked at next; None is never.

    False if somebody else has changed the game, or this time, since it was loaded. The pace of an exhibition is
    the time from its last move to this one, so its last move is put off as well.
    """
    same = (GAMES.c.id == game.id) & (GAMES.c.version == game.version) & (GAMES.c.due_at == game.due_at)
    later = due_at - game.due_at if game.is_exhibition and due_at and game.due_at else 0
    values = {"due_at": due_at, "moved_at": game.moved_at + later}
    return connection.execute(update(GAMES).where(same).values(values)).rowcount == 1


def due_not_before(connection: Connection, ids: Collection[int], time: int) -> None:
    """Look at the deadlines of these games at this time if it would have been earlier."""
    soon = GAMES.c.id.in_(ids) & GOING_ON & (GAMES.c.due_at < time)
    connection.execute(update(GAMES).where(soon).values(due_at=time))


def due_not_after(connection: Connection, ids: Collection[int], time: int) -> None:
    """Look at the deadlines of these games at this time if it would have been later."""
    later = GAMES.c.id.in_(ids) & GOING_ON & (GAMES.c.due_at > time)
    connection.execute(update(GAMES).where(later).values(due_at=time))


def _newest_of(person: int, condition: ColumnElement[bool], limit: int) -> Select[Any]:
    """The newest games of a person that fulfil a condition: as X, and as O, each at most `limit`."""
    halves = [
        select(GAMES.c.id)
        .where(seat == person, seat > literal_column("0"), condition)  # as the partial indexes have it
        .order_by(GAMES.c.id.desc())
        .limit(limit)
        .subquery()
        for seat in SEATS
    ]
    both = union_all(*(select(*half.c) for half in halves)).subquery()
    return select(both.c.id)


def _count(connection: Connection, ids: Select[Any]) -> int:
    return len(connection.execute(ids).all())


def _found(connection: Connection, ids: Select[Any]) -> Record | None:
    game_id = connection.execute(ids).scalar()
    return None if game_id is None else find(connection, game_id)

"""Forgetting a person: a pseudonym wherever others have a part, and everything else of theirs deleted.

It is done in portions, each a short transaction that finds by an index what is left. After a process was killed in
the middle, the next portion goes on from there, and what the person begins meanwhile is found as well. The last
transaction is the one that finds nothing: it deletes their row, and the row that says they are being forgotten.
"""

from __future__ import annotations

import secrets
import time
from enum import IntEnum, StrEnum
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from sqlalchemy import and_, case, delete, func, insert, or_, select, true, update

from storage.errors import CorruptGame
from storage.games import games, outbox, replays, versions
from storage.games.board import WHOLE
from storage.games.game import ASKED, COMPUTER, LEFT, ORIGIN, Game, Termination
from storage.games.notice import Notice, NoticeKind
from storage.games.record import Record
from storage.games.versions import Stored
from storage.people import people, preferences, waits
from storage.privacy import forgotten, traces
from storage.privacy.personal import FIRST_OF, game_ids, tables, theirs
from storage.privacy.traces import Traces
from storage.results import ratings, results
from storage.results.results_lock import acquire_results_lock
from storage.schema import BOARDS, ERASURES, GAMES, OUTBOX, PEOPLE, RESULTS

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from sqlalchemy import ColumnElement, Connection, Table

    from storage.games.board import Board
    from storage.people.person import Person
    from storage.privacy.forgotten import Entry

PORTION: Final = 400
"""Rows that one transaction changes: a small fraction of a second, also on a slow disk."""
SHOWN: Final = 20
"""The newest boards of finished games, and at most so many of running ones at a time, are redrawn for others."""
ASKED_SECONDS: Final = 600
"""For so long a question whether somebody wants to be forgotten can be answered."""


class Stage(StrEnum):
    """How far it is."""

    ASKED = "asked"
    GOING = "going"
    QUIET = "quiet"
    """As GOING, but nobody asked for it, so nobody is told."""


UNDER_WAY: Final = (Stage.GOING, Stage.QUIET)


class Phase(IntEnum):
    """What has been done once, and is not done again if more is found."""

    BEGUN = 0
    SHOWN = 1
    """The newest boards of finished games are redrawn."""
    CLEARED = 2
    """Everything is gone but who they are, what they chose and that they are being forgotten."""


class Step(NamedTuple):
    """What one portion has done."""

    person: int
    shown: Sequence[Stored] = ()
    """Boards of others that show it."""
    closed: Sequence[tuple[int, int]] = ()
    """The person's own boards of games that went on, by chat and message; none of them is known any more."""
    is_gone: bool = False
    """Whether everything about them is gone now."""
    farewell: Notice | None = None
    """What says so to them, where they asked for it: until it is said, the outbox has the id of their chat."""
    language: str | None = None
    """What they speak, where anything was left that says so."""
    tells: bool = True
    """Whether the person hears of it."""


def ask(connection: Connection, person: int, now: int) -> bool:
    """Note that somebody was asked whether they want to be forgotten; False while they are being forgotten."""
    if stage_of(connection, person) in UNDER_WAY:
        _set_stage(connection, person, Stage.GOING)
        return False
    withdraw(connection, person)
    _insert(connection, person, Stage.ASKED, now)
    return True


def was_asked(connection: Connection, person: int, now: int) -> bool:
    """Whether somebody was asked, and not long ago."""
    asked = select(ERASURES.c.at).where(ERASURES.c.person == person, ERASURES.c.stage == Stage.ASKED)
    at = connection.execute(asked).scalar()
    return at is not None and now - at <= ASKED_SECONDS


def withdraw(connection: Connection, person: int) -> None:
    """Forget that somebody was asked."""
    connection.execute(delete(ERASURES).where(ERASURES.c.person == person, ERASURES.c.stage == Stage.ASKED))


def stage_of(connection: Connection, person: int) -> Stage | None:
    """How far the forgetting of somebody is; None if nobody has asked for it, or everything is gone."""
    found = connection.execute(select(ERASURES.c.stage).where(ERASURES.c.person == person)).scalar()
    return None if found is None else Stage(found)


def begin(connection: Connection, person: Person, entry: Entry, now: int) -> None:
    """Let a person be forgotten who asked for it. What has begun goes on as it is.

    Args:
        connection: The database.
        person: The person, as they are now: others may have challenged them by that username.
        entry: What is written in the list of those who were forgotten.
        now: Seconds since 1970.
    """
    if stage_of(connection, person.id) not in UNDER_WAY:
        withdraw(connection, person.id)
        _insert(connection, person.id, Stage.GOING, now)
    people.see(connection, person)  # the last word is said in their language
    people.merge(connection, PEOPLE.c.username.is_(None) & (PEOPLE.c.name == person.name), person.id)
    forgotten.note(connection, entry)


def begin_quietly(connection: Connection, person: int, now: int) -> None:
    """Let somebody be forgotten who did not ask for it now, and is not told."""
    if stage_of(connection, person) not in UNDER_WAY:
        withdraw(connection, person)
        _insert(connection, person, Stage.QUIET, now)


def begin_again(connection: Connection, person: int, at: int) -> None:
    """Forget somebody again who was forgotten at that time but is still in a restored backup."""
    begin_quietly(connection, person, int(time.time()))
    forgotten.note(connection, forgotten.entry_of(connection, person, at))


def forget_question(connection: Connection, now: int) -> None:
    """Forget those who were asked and did not answer."""
    old = (ERASURES.c.stage == Stage.ASKED) & (ERASURES.c.at < now - ASKED_SECONDS)
    if connection.execute(select(ERASURES.c.person).where(old).limit(1)).first() is not None:
        connection.execute(delete(ERASURES).where(old))


def step(connection: Connection, now: int | None = None) -> Step | None:
    """Do the next portion for somebody who is being forgotten; None if there is nothing to do.

    Raises:
        ConcurrentChange: if another process changed the same games meanwhile; nothing may then be committed.
    """
    under_way = select(ERASURES).where(ERASURES.c.stage.in_(UNDER_WAY)).order_by(ERASURES.c.at).limit(1)
    if connection.execute(under_way).first() is None:
        return None
    acquire_results_lock(connection)
    if (row := connection.execute(under_way).first()) is None:
        return None
    who = _Leaving(row.person, row.alias, int(time.time()) if now is None else now)
    done = _portion(connection, who, Phase(row.cursor))._replace(tells=row.stage == Stage.GOING)
    if not (done.is_gone and done.tells):
        return done
    farewell = Notice(0, NoticeKind.FORGOTTEN, None, None, who.person, None, done.language, 0)
    return done._replace(farewell=outbox.add(connection, farewell))


def resume(connection: Connection, person: int, now: int) -> bool:
    """Let the forgetting of somebody go on if they have begun something since its last portion."""
    known = connection.execute(select(PEOPLE.c.id).where(PEOPLE.c.id == person)).first()
    if known is None and not game_ids(connection, person, true(), 1):
        return False
    if stage_of(connection, person) not in UNDER_WAY:
        withdraw(connection, person)
        _insert(connection, person, Stage.GOING, now)
    return True


def _portion(connection: Connection, who: _Leaving, phase: Phase) -> Step:
    """Take the next portion of what is left."""
    ratings.leave(connection, who.person, who.alias)
    if closed := waits.forget(connection, who.person):
        return Step(who.person, closed=closed, language=preferences.language_of(connection, who.person))
    if running := game_ids(connection, who.person, GAMES.c.termination.is_(None), SHOWN):
        return _show_without(connection, running, who)
    if phase < Phase.SHOWN:
        _note(connection, who, Phase.SHOWN)
        return _show_without(connection, _newest_shown(connection, who.person), who)
    if ids := game_ids(connection, who.person, GAMES.c.termination.is_not(None), PORTION):
        _put_alias(connection, ids, who)
        _delete_nobodys(connection, ids)
        return Step(who.person)
    if _leave_results(connection, who):
        return Step(who.person)
    for name in ("boards", "messages", "outbox"):
        if _delete_some(connection, tables()[name], who.person):
            return Step(who.person)
    language = preferences.language_of(connection, who.person)
    last = {"people", "chats", "erasures"}
    _close_reviews(connection, who.person)
    for name in FIRST_OF.keys() - {"games", "results"} - (last if phase < Phase.CLEARED else set()):
        connection.execute(delete(tables()[name]).where(theirs(tables()[name], who.person)))
    if phase < Phase.CLEARED:  # the file is rewritten now, so that the word follows the last row quickly
        _note(connection, who, Phase.CLEARED)
        traces.note(connection, Traces.GAPS)
        return Step(who.person)
    traces.note(connection, Traces.LOG)
    return Step(who.person, is_gone=True, language=language)


class _Leaving(NamedTuple):
    """Somebody who is being forgotten."""

    person: int
    alias: int
    now: int


def ended(game: Game, person: int) -> Game:
    """A running game as it ends when a person leaves it: their opponent wins, and a challenge is closed."""
    mark = game.mark_of(person)
    if game.is_over:
        return game
    game = game.with_nothing_asked()
    if game.is_challenge and mark is not None:
        return game._replace(termination=Termination.CANCELLED, ended_by=person)
    if game.is_challenge and game.rival_id == person:
        return game._replace(termination=Termination.DECLINED)
    if mark is not None:
        return game._replace(termination=Termination.RESIGNATION, winner=mark.other)
    if game.host == person:
        return game._replace(termination=Termination.CANCELLED)
    return game


def _show_without(connection: Connection, ids: Collection[int], who: _Leaving) -> Step:
    """Take somebody out of games, which end if they go on, and show it to others."""
    if not ids:
        return Step(who.person)
    language = preferences.language_of(connection, who.person)
    running = select(GAMES.c.id).where(GAMES.c.id.in_(ids), GAMES.c.termination.is_(None))
    own = select(BOARDS.c.chat_id, BOARDS.c.message_id).where(BOARDS.c.game_id.in_(running), _own(who.person))
    closed = [(row[0], row[1]) for row in connection.execute(own) if row[0] and row[1]]
    _close_reviews(connection, who.person)
    _put_alias(connection, ids, who)
    shown: list[tuple[Record, Board, Board]] = []
    changes: list[tuple[Game, Game]] = []
    for record in games.records_of(connection, connection.execute(games.SELECT_MANY, {"ids": list(ids)})).values():
        boards = [board for board in record.boards if not board.leaving]
        game = games.next_version(ended(record.game, who.alias), who.now)
        if not _is_sound(game):
            continue
        changes.append((game, record.game))
        newer = [(versions.next_version(board, who.now), board) for board in boards]
        seen = Record(game, tuple(board for board, _ in newer))
        shown += [(seen, *each) for each in newer]
    games.save_many(connection, changes)
    versions.store_many(connection, [(board, before) for _, board, before in shown])
    rated = results.add(connection, [game for game, before in changes if not before.is_over], who.now)
    _delete_nobodys(connection, set(ids) - {record.game.id for record, _, _ in shown})
    of = {game.id: game for game in rated}
    seen_as_rated = [
        Stored(record._replace(game=of.get(record.game.id, record.game)), board, before)
        for record, board, before in shown
    ]
    return Step(who.person, seen_as_rated, closed, language=language)


def _is_sound(game: Game) -> bool:
    try:
        game.check()
    except CorruptGame:
        return False
    return True


def _own(person: int) -> ColumnElement[bool]:
    """The condition that a board is a person's alone."""
    return (BOARDS.c.chat_id == person) | (BOARDS.c.viewer == person)


def _close_reviews(connection: Connection, person: int) -> None:
    """Close the reviews that a person has opened on boards that several see."""
    connection.execute(update(BOARDS).where(BOARDS.c.reviewer == person).values(WHOLE._asdict()))


def _put_alias(connection: Connection, ids: Collection[int], who: _Leaving) -> None:
    """Put the pseudonym in a person's place in games, and delete their boards of them."""
    connection.execute(delete(BOARDS).where(BOARDS.c.game_id.in_(ids), _own(who.person)))
    replays.forget(connection, ids)  # so that they can be shared again, without the name
    seated = or_(*(GAMES.c[name] == who.person for name in ("x_seat", "o_seat")))
    named: dict[str, ColumnElement[Any]] = {
        name: case((GAMES.c[name] == who.person, who.alias), else_=GAMES.c[name]) for name in games.OF_PEOPLE
    }
    figures = {
        f"{mark}_{name}": case((GAMES.c[f"{mark}_seat"] == who.person, None), else_=GAMES.c[f"{mark}_{name}"])
        for mark in "xo"
        for name in ("rating", "rated", "reached")
    }
    in_private = case((GAMES.c.chat_id == who.person, None), else_=GAMES.c.chat_id)
    changes = {
        "chat_id": in_private,
        **{name: case((seated, None), else_=GAMES.c[name]) for name in (*ASKED, *ORIGIN)},
        "version": GAMES.c.version + 1,
    }
    connection.execute(update(GAMES).where(GAMES.c.id.in_(ids)).values(named | figures | changes))


def _delete_nobodys(connection: Connection, ids: Collection[int]) -> None:
    """Delete those of these games that are nobody's any more: no other person plays them, or has begun them."""
    others = or_(*(func.coalesce(GAMES.c[name], COMPUTER) > COMPUTER for name in ("x_seat", "o_seat", "host")))
    nobodys = select(GAMES.c.id).where(GAMES.c.id.in_(ids), ~others)
    games.delete_many(connection, connection.execute(nobodys).scalars().all())


def _newest_shown(connection: Connection, person: int) -> Collection[int]:
    """The games of the newest boards that others see a person's finished games on."""
    others = and_(
        BOARDS.c.game_id == GAMES.c.id,
        BOARDS.c.leaving.is_(False),
        *(column.is_distinct_from(person) for column in (BOARDS.c.chat_id, BOARDS.c.viewer)),
    )
    return game_ids(connection, person, select(BOARDS.c.id).where(others).exists(), SHOWN)


def _leave_results(connection: Connection, who: _Leaving) -> bool:
    """Put the pseudonym in a person's place in some results, delete those against the computer; False if none."""
    own = select(RESULTS.c.game_id).where(RESULTS.c.person == who.person).limit(PORTION)
    if not (ids := connection.execute(own).scalars().all()):
        return False
    of = RESULTS.c.game_id.in_(ids)
    connection.execute(delete(RESULTS).where(of, RESULTS.c.person == who.person, RESULTS.c.opponent == COMPUTER))
    in_private = case((RESULTS.c.chat_id == who.person, None), else_=RESULTS.c.chat_id)
    for column in ("person", "opponent"):
        theirs_ = update(RESULTS).where(of, RESULTS.c[column] == who.person)
        connection.execute(theirs_.values({column: who.alias, "chat_id": in_private}))
    return True


def _delete_some(connection: Connection, table: Table, person: int) -> int:
    key = list(table.primary_key)[-1]  # a chat's messages are told apart by the last of two
    some = select(key).where(theirs(table, person)).limit(PORTION)
    return connection.execute(delete(table).where(theirs(table, person), key.in_(some))).rowcount


def _insert(connection: Connection, person: int, stage: Stage, now: int) -> None:
    values = {"person": person, "stage": stage, "at": now, "alias": LEFT - 1 - secrets.randbits(61), "cursor": 0}
    connection.execute(insert(ERASURES).values(values))


def _note(connection: Connection, who: _Leaving, phase: Phase) -> None:
    connection.execute(update(ERASURES).where(ERASURES.c.person == who.person).values(cursor=phase))


def _set_stage(connection: Connection, person: int, stage: Stage) -> None:
    connection.execute(update(ERASURES).where(ERASURES.c.person == person).values(stage=stage))


def awaits_farewell(connection: Connection) -> bool:
    """Whether somebody who is forgotten is still to be told: their chat is in the outbox until then."""
    waits = select(OUTBOX.c.id).where(OUTBOX.c.kind == NoticeKind.FORGOTTEN).limit(1)
    return connection.execute(waits).first() is not None

"""Forgetting somebody, step by step: each step is a short transaction, and whoever is killed, the next goes on.

A row tells that somebody is being forgotten. Who plays with them keeps games and results, with an alias in their
place (`storage.leaving`); all else is deleted. What an update under way could still write, an administrator's name
beside a challenge that they have closed, is looked for once more a little later; then the row goes as well.
"""

from __future__ import annotations

import json
import secrets
import time
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from sqlalchemy import delete, func, insert, literal_column, or_, select, union_all, update

from storage import chats, erased_rows, forgotten, in_turn, used_ids
from storage.database import PROGRESS_OF_LOG
from storage.game import LEFT
from storage.personal import FIRST_OF, tables, theirs
from storage.schema import ERASURES, GAMES, PAIRS, PROGRESS, RESULTS
from storage.upsert import insert_of

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from sqlalchemy import Connection, Table

    from storage.forgotten import Entry
    from storage.versions import Raised

PORTION: Final = 40
"""Games, or other rows, that one step takes."""
LATE_SECONDS: Final = 15
"""After so long no update is under way any more that came before."""
SCANNED: Final = 4000
"""Games that one step of the last look reads."""
ASKED_SECONDS: Final = 600
"""For so long a question whether somebody wants to be forgotten can be answered."""

_small_letters: Final = func.lower(GAMES.c.rival_name)


class Stage(StrEnum):
    """How far it is."""

    ASKED = "asked"
    GOING = "going"
    LATE = "late"
    """Everything is gone, and one last look is taken."""


class Step(NamedTuple):
    """What one step has done."""

    person: int
    shown: Sequence[Raised] = ()
    """Boards of others that show it."""
    closed: Sequence[tuple[int, int]] = ()
    """The person's own boards of games that went on, by chat and message; none of them is known any more."""
    is_gone: bool = False
    """Whether by now everything about them is gone."""
    language: str | None = None
    """What they speak, where anything was left that says so."""


def ask(connection: Connection, person: int, now: int) -> bool:
    """Note that somebody was asked whether they want to be forgotten; False while they are being forgotten."""
    stage = stage_of(connection, person)
    if stage is Stage.GOING:
        return False
    connection.execute(delete(ERASURES).where(ERASURES.c.person == person, ERASURES.c.stage == Stage.ASKED))
    if stage is not Stage.LATE:
        _insert(connection, person, Stage.ASKED, now)
    return True


def was_asked(connection: Connection, person: int, now: int) -> bool:
    """Whether somebody was asked, and not long ago; who has just been forgotten was.

    What they have begun since can so be forgotten before the last look for what came late.
    """
    asked = select(ERASURES.c.at).where(ERASURES.c.person == person, ERASURES.c.stage != Stage.GOING)
    at = connection.execute(asked).scalar()
    return at is not None and now - at <= ASKED_SECONDS


def withdraw(connection: Connection, person: int) -> None:
    """Forget that somebody was asked."""
    connection.execute(delete(ERASURES).where(ERASURES.c.person == person, ERASURES.c.stage == Stage.ASKED))


def stage_of(connection: Connection, person: int) -> Stage | None:
    """How far the forgetting of somebody is; None if nobody has asked for it."""
    found = connection.execute(select(ERASURES.c.stage).where(ERASURES.c.person == person)).scalar()
    return None if found is None else Stage(found)


def begin(connection: Connection, person: int, entry: Entry | None, now: int, names: Collection[str] = ()) -> None:
    """Let the forgetting of somebody begin. What has begun goes on as it is.

    Args:
        connection: The database.
        person: Who.
        entry: What then stands in the list of who was forgotten, if it shall.
        now: Seconds since 1970.
        names: How they are called now: others may have named them here of whom nothing else is known.
    """
    if stage_of(connection, person) is not Stage.GOING:
        gone = delete(ERASURES).where(ERASURES.c.person == person).returning(ERASURES.c.names)
        known = json.loads(connection.execute(gone).scalar() or "[]")
        _insert(connection, person, Stage.GOING, now, json.dumps(sorted({*known, *names})))
    if entry is not None:
        forgotten.note(connection, entry)


def begin_again(connection: Connection, person: int, at: int) -> None:
    """Let somebody be forgotten again who was forgotten at a time, and whom a restored backup still knows."""
    entry = forgotten.entry_of(connection, person, at)
    begin(connection, person, entry, int(time.time()))


def forget_question(connection: Connection, now: int) -> None:
    """Forget who was asked and did not answer."""
    old = (ERASURES.c.stage == Stage.ASKED) & (ERASURES.c.at < now - ASKED_SECONDS)
    connection.execute(delete(ERASURES).where(old))


def step(connection: Connection, now: int | None = None) -> Step | None:
    """Do the next step for somebody who is being forgotten; None if there is nothing to do now."""
    now = int(time.time()) if now is None else now
    if _next(connection, now) is None:
        return None
    in_turn.demand(connection)
    if (row := _next(connection, now)) is None:
        return None
    if row.stage == Stage.LATE:
        who = erased_rows.Leaving(row.person, row.alias, now, set(json.loads(row.names)))
        with used_ids.kept(connection):
            return _look_once_more(connection, who, row.cursor)
    who = erased_rows.Leaving(row.person, row.alias, now, set(json.loads(row.names)), row.cursor)
    with used_ids.kept(connection):
        return _go_on(connection, who)


def _next(connection: Connection, now: int) -> Any | None:  # noqa: ANN401 - a row
    """Who is looked after next."""
    ready = or_(
        ERASURES.c.stage == Stage.GOING,
        (ERASURES.c.stage == Stage.LATE) & (ERASURES.c.at <= now - LATE_SECONDS),
    )
    return connection.execute(select(ERASURES).where(ready).order_by(ERASURES.c.at).limit(1)).one_or_none()


def _insert(connection: Connection, person: int, stage: Stage, now: int, names: str = "[]") -> None:
    alias = LEFT - 1 - secrets.randbits(61)
    values = {"person": person, "stage": stage, "at": now, "alias": alias, "names": names, "cursor": 0}
    connection.execute(insert(ERASURES).values(values))


def _go_on(connection: Connection, who: erased_rows.Leaving) -> Step:
    """Take the next portion of what is left; where none is, all that is small goes in one transaction."""
    own, language = ERASURES.c.person == who.person, chats.language_of(connection, who.person)
    if ids := _games(connection, who.person):
        done = erased_rows.leave_games(connection, ids, who)
        names = json.dumps(sorted(who.names)[:50])
        connection.execute(update(ERASURES).where(own).values(names=names, cursor=done.shown_anew))
        return Step(who.person, done.shown, done.closed, language=language)
    for table, take in ((RESULTS, erased_rows.leave_results), (PAIRS, erased_rows.leave_pairs)):
        some = select(table).where(theirs(table, who.person)).limit(PORTION)
        if rows := connection.execute(some).all():
            take(connection, rows, who)
            return Step(who.person)
    for name in ("boards", "messages", "outbox"):
        if _delete_some(connection, tables()[name], who.person):
            return Step(who.person)
    who.names.update(erased_rows.known_names(connection, who.person))
    for name in FIRST_OF.keys() - {"games", "results", "pairs", "erasures"}:
        connection.execute(delete(tables()[name]).where(theirs(tables()[name], who.person)))
    late = {"stage": Stage.LATE, "at": who.now, "cursor": 0, "names": json.dumps(sorted(who.names)[:50])}
    connection.execute(update(ERASURES).where(own).values(late))
    want_empty_log(connection)
    return Step(who.person, is_gone=True, language=language)


def _games(connection: Connection, person: int) -> Sequence[int]:
    """Some games that somebody has a part in, newest first."""
    parts = [
        select(GAMES.c.id)
        .where(theirs(GAMES, person, column))
        .order_by(GAMES.c.id.desc())
        .limit(PORTION)
        .subquery()
        for column in FIRST_OF["games"]
    ]
    found = union_all(*(select(part.c.id) for part in parts))
    return sorted(set(connection.execute(found).scalars()), reverse=True)[:PORTION]


def _delete_some(connection: Connection, table: Table, person: int) -> int:
    key = list(table.primary_key)[-1]  # a chat's messages are told apart by the last of two
    some = select(key).where(theirs(table, person)).limit(10 * PORTION)
    return connection.execute(delete(table).where(theirs(table, person), key.in_(some))).rowcount


def _look_once_more(connection: Connection, who: erased_rows.Leaving, after: int) -> Step:
    """Look through some games for names that were written late, or that others have typed; then end."""
    last = connection.execute(select(func.max(GAMES.c.id))).scalar() or 0
    until = min(after + SCANNED, last)
    named = or_(*(column.in_(who.names) for column in (GAMES.c.ended_by, GAMES.c.rival_name, _small_letters)))
    here = select(GAMES.c.id).where(GAMES.c.id > after, GAMES.c.id <= until, named)
    ids = connection.execute(here.order_by(GAMES.c.id).limit(PORTION)).scalars().all() if who.names else ()
    done = erased_rows.leave_games(connection, ids, who)
    if len(ids) == PORTION:
        until = ids[-1]
    own = ERASURES.c.person == who.person
    if until < last:
        connection.execute(update(ERASURES).where(own).values(cursor=until))
    else:
        connection.execute(delete(ERASURES).where(own))
        want_empty_log(connection)
    return Step(who.person, done.shown)


def want_empty_log(connection: Connection) -> None:
    """Note that the write-ahead log holds what is to be gone (`storage.database.empty_log`)."""
    if connection.dialect.name == "sqlite":
        statement = insert_of(connection)(PROGRESS).values(name=PROGRESS_OF_LOG, value=1)
        connection.execute(
            statement.on_conflict_do_update(index_elements=["name"], set_={"value": literal_column("1")})
        )


def wants_empty_log(connection: Connection) -> bool:
    """Whether the write-ahead log is to be emptied."""
    wanted = connection.execute(select(PROGRESS.c.value).where(PROGRESS.c.name == PROGRESS_OF_LOG)).scalar()
    return wanted == 1


def note_empty_log(connection: Connection) -> None:
    """Note that the write-ahead log was emptied."""
    connection.execute(delete(PROGRESS).where(PROGRESS.c.name == PROGRESS_OF_LOG))

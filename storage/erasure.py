"""Forgetting somebody, step by step: each step is a short transaction, and whoever is killed, the next goes on.

A row tells that somebody is being forgotten. Who plays with them keeps games and results, with an alias in their
place (`storage.leaving`); all else is deleted. What an update under way could still write, an administrator's name
beside a challenge that they have closed, is looked for once more a little later; then the row goes as well. Until
then it does not tell who it was: it has a number made by chance, and digests of what is looked for.
"""

from __future__ import annotations

import json
import secrets
import time
from enum import StrEnum
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from sqlalchemy import delete, insert, literal_column, or_, select, union_all, update

from storage import chats, erased_rows, forgotten, in_turn, used_ids
from storage.database import PROGRESS_OF_LOG
from storage.erased_rows import PORTION
from storage.game import LEFT
from storage.personal import FIRST_OF, tables, theirs
from storage.schema import ERASURES, GAMES, PAIRS, PROGRESS, RESULTS
from storage.upsert import insert_of

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from sqlalchemy import Connection, Table

    from storage.forgotten import Entry
    from storage.versions import Raised

LATE_SECONDS: Final = 15
"""After so long no update is under way any more that came before."""
MOST_NAMES: Final = 50
"""So many names of somebody are remembered."""
ASKED_SECONDS: Final = 600
"""For so long a question whether somebody wants to be forgotten can be answered."""


class Stage(StrEnum):
    """How far it is."""

    ASKED = "asked"
    GOING = "going"
    SEEKING = "seeking"
    """What is found by their id is gone, and games of others are looked through for their names."""
    LATE = "late"
    """Everything is gone, and one last look is taken; nothing says any more for whom."""


UNDER_WAY: Final = (Stage.GOING, Stage.SEEKING)
"""While it is so far, what they begin is forgotten as well."""


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
    if stage_of(connection, person) in UNDER_WAY:
        return False
    connection.execute(delete(ERASURES).where(ERASURES.c.person == person))
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


def begin(connection: Connection, person: int, entry: Entry | None, now: int, names: Collection[str] = ()) -> None:
    """Let the forgetting of somebody begin. What has begun goes on as it is.

    Args:
        connection: The database.
        person: Who.
        entry: What then stands in the list of who was forgotten, if it shall.
        now: Seconds since 1970.
        names: How they are called now: others may have named them here of whom nothing else is known.
    """
    if stage_of(connection, person) not in UNDER_WAY:
        connection.execute(delete(ERASURES).where(ERASURES.c.person == person))
        _insert(connection, person, Stage.GOING, now, json.dumps(sorted(names)))
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
    with used_ids.kept(connection):
        if row.stage == Stage.LATE and row.person <= LEFT:
            return _look_once_more(connection, row, now)
        who = erased_rows.Leaving(row.person, row.alias, now, set(json.loads(row.names)))
        if row.stage == Stage.LATE:
            return _hide(connection, who)
        return _go_on(connection, who, row)


def _next(connection: Connection, now: int) -> Any | None:  # noqa: ANN401 - a row
    """Who is looked after next; at once also whose row still tells for whom the last look is, as rows once did."""
    late = (ERASURES.c.at <= now - LATE_SECONDS) | (ERASURES.c.person > LEFT)
    ready = or_(ERASURES.c.stage.in_(UNDER_WAY), (ERASURES.c.stage == Stage.LATE) & late)
    return connection.execute(select(ERASURES).where(ready).order_by(ERASURES.c.at).limit(1)).one_or_none()


def _insert(connection: Connection, person: int, stage: Stage, now: int, names: str = "[]") -> None:
    values = {"person": person, "stage": stage, "at": now, "alias": _by_chance(), "names": names, "cursor": 0}
    connection.execute(insert(ERASURES).values(values))


def _by_chance() -> int:
    """A number for who has left."""
    return LEFT - 1 - secrets.randbits(61)


def _go_on(connection: Connection, who: erased_rows.Leaving, row: Any) -> Step:  # noqa: ANN401 - a row
    """Take the next portion of what is left; where none is, all that is small goes in one transaction."""
    language = chats.language_of(connection, who.person)
    if ids := _games(connection, who.person):
        seeks = row.stage == Stage.SEEKING
        who.shown_anew = erased_rows.MOST_SHOWN_ANEW if seeks else row.cursor
        done = erased_rows.leave_games(connection, ids, who)
        _note(connection, who, cursor=row.cursor if seeks else done.shown_anew)
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
    after = row.cursor if row.stage == Stage.SEEKING else 0
    looked = erased_rows.look_through(connection, who, who.names.__contains__, after)
    if looked.until is not None:
        _note(connection, who, stage=Stage.SEEKING, cursor=looked.until)
        return Step(who.person, looked.shown)
    for name in FIRST_OF.keys() - {"games", "results", "pairs", "erasures"}:
        connection.execute(delete(tables()[name]).where(theirs(tables()[name], who.person)))
    return _hide(connection, who)._replace(shown=looked.shown, is_gone=True, language=language)


def _note(connection: Connection, who: erased_rows.Leaving, **values: str | int) -> None:
    """Store how far it is, and how they are called."""
    names = json.dumps(sorted(who.names)[:MOST_NAMES])
    connection.execute(update(ERASURES).where(ERASURES.c.person == who.person).values(names=names, **values))


def _hide(connection: Connection, who: erased_rows.Leaving) -> Step:
    """Let nothing tell any more for whom the last look is: not even the alias that stands in games."""
    key, unknown = secrets.token_bytes(16), _by_chance()
    told: tuple[str | int, ...] = (who.person, *sorted(who.names)[:MOST_NAMES])
    sought = {_digest(each, key) for each in told}
    late = {"person": unknown, "alias": unknown, "stage": Stage.LATE, "at": who.now, "cursor": 0}
    late["names"] = json.dumps([key.hex(), *sorted(sought)])
    connection.execute(update(ERASURES).where(ERASURES.c.person == who.person).values(late))
    want_empty_log(connection)
    return Step(who.person)


def _digest(told: str | int, key: bytes) -> str:
    return blake2b(repr(told).encode(), key=key, digest_size=16).hexdigest()


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


def _look_once_more(connection: Connection, row: Any, now: int) -> Step:  # noqa: ANN401 - a row
    """Look through some games for what was written late; then end."""
    key, *sought = json.loads(row.names)
    digests = frozenset(sought)

    def is_theirs(told: str | int) -> bool:
        return _digest(told, bytes.fromhex(key)) in digests

    who = erased_rows.Leaving(row.person, row.alias, now)
    looked = erased_rows.look_through(connection, who, is_theirs, row.cursor)
    own = ERASURES.c.person == row.person
    if looked.until is not None:
        connection.execute(update(ERASURES).where(own).values(cursor=looked.until))
    else:
        connection.execute(delete(ERASURES).where(own))
        want_empty_log(connection)
    return Step(row.person, looked.shown)


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

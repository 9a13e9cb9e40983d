"""The SQL of results: stored in the transaction that ends a game, read by whoever counts them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlalchemy import bindparam, insert, literal_column, select

from engine import Mark
from storage.game import COMPUTER, Termination
from storage.result import Outcome, Result, results_of
from storage.schema import RESULTS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from sqlalchemy import Connection, Row

    from storage.game import Game

NAMES: Final = Result._fields
COLUMNS: Final = tuple(RESULTS.c[name] for name in NAMES)
INSERT: Final = insert(RESULTS).values({name: bindparam(name) for name in NAMES})
DAY: Final = 24 * 3600
PARTS: Final = 96
"""A day is read in so many parts, each in a transaction of its own."""
BETWEEN_PEOPLE: Final = RESULTS.c.opponent != literal_column(str(COMPUTER))
"""In letters, and no parameter: only so is it known to be the condition of an index."""


def add(connection: Connection, ended: Iterable[Game], now: int) -> None:
    """Store the results of games that end in this transaction."""
    rows = [result._asdict() for game in ended for result in results_of(game, now)]
    if rows:
        connection.execute(INSERT, rows)


def newest(connection: Connection, person: int, limit: int, *, chat_id: int | None = None) -> Sequence[Result]:
    """A person's last results, newest first; those of one chat among the last `limit`, if one is named."""
    last = select(*COLUMNS).where(RESULTS.c.person == person).order_by(RESULTS.c.ended_at.desc()).limit(limit)
    found = [result_of(row) for row in connection.execute(last)]
    return found if chat_id is None else [result for result in found if result.chat_id == chat_id]


def between_people(connection: Connection, day: int, part: int) -> Sequence[Result]:
    """The results of games between people in a part of a day, one of each two, in their order.

    Days are counted from 1970, and each one's `PARTS` from 0: all of a great day would take a second.
    """
    since, seconds = day * DAY + part * DAY // PARTS, DAY // PARTS
    of_day = (RESULTS.c.ended_at >= since) & (RESULTS.c.ended_at < since + seconds)
    played = select(*COLUMNS).where(BETWEEN_PEOPLE, of_day, RESULTS.c.mark == Mark.X)
    return [result_of(row) for row in connection.execute(played.order_by(RESULTS.c.ended_at, RESULTS.c.game_id))]


def first_day_after(connection: Connection, day: int) -> int | None:
    """The first day after this one on which people have played each other; None if there is none yet."""
    later = select(RESULTS.c.ended_at).where(BETWEEN_PEOPLE, RESULTS.c.ended_at >= (day + 1) * DAY)
    found = connection.execute(later.order_by(RESULTS.c.ended_at).limit(1)).scalar()
    return None if found is None else int(found) // DAY


def still_of(connection: Connection, people: Collection[int], day: int) -> Collection[int]:
    """Those of these people who have results of a day; who was forgotten has them no more."""
    theirs = RESULTS.c.person.in_(bindparam("people", expanding=True))
    of_day = (RESULTS.c.ended_at >= day * DAY) & (RESULTS.c.ended_at < (day + 1) * DAY)
    found = select(RESULTS.c.person).where(theirs, of_day).distinct()
    return set(connection.execute(found, {"people": list(people)}).scalars())


def result_of(row: Row[tuple[object, ...]]) -> Result:
    """The value of a row of `COLUMNS`."""
    result = Result._make(row)
    return result._replace(
        mark=Mark(result.mark), outcome=Outcome(result.outcome), termination=Termination(result.termination)
    )

"""The SQL of statistics: sums of results by person, chat, family of rules and opponent; and streaks.

They are made from the results a little later, so that taps don't wait: `count` takes those that aren't counted
yet. They can be deleted and made again (`storage.results.rebuild`).

Results are counted, or a person is taken out of them, under a lock, on PostgreSQL an advisory lock; SQLite has one
writer at a time anyway. Without the lock, one process could read a person's results and store sums of them after
another process has deleted them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from sqlalchemy import Connection, bindparam, delete, func, select, text, update

from engine.rules.catalogue import family_of
from storage.errors import LockedRow
from storage.games.game import is_erased
from storage.results import leaderboards
from storage.results.result import EVERYWHERE, PEOPLE_AGAINST, Outcome, Result, Streak, Tally
from storage.results.results import COLUMNS, result_of
from storage.schema import PLAYERS, RESULTS, TALLIES
from storage.upsert import upsert

LOCK: Final = 0x4F584F31
"""The key of the advisory lock, on PostgreSQL."""


def try_results_lock(connection: Connection) -> bool:
    """Take the lock until the transaction ends; False while another has it."""
    if connection.dialect.name != "postgresql":
        return True
    return connection.execute(text("SELECT pg_try_advisory_xact_lock(:key)"), {"key": LOCK}).scalar() is True


def acquire_results_lock(connection: Connection) -> None:
    """Take the lock until the transaction ends, before anything is read."""
    if not try_results_lock(connection):
        raise LockedRow("another process has locked the results")


BATCH: Final = 200
"""How many results a transaction counts, so that no tap waits for long."""

_POINTS: Final = {Outcome.WIN: "wins", Outcome.DRAW: "draws", Outcome.LOSS: "losses"}


def count(connection: Connection, limit: int = BATCH) -> int:
    """Count results that aren't counted yet, oldest first; how many, 0 while another process does so."""
    if not try_results_lock(connection):
        return 0
    waiting = select(*COLUMNS).where(RESULTS.c.counted.is_(None)).order_by(RESULTS.c.ended_at, RESULTS.c.game_id)
    found = [result_of(row) for row in connection.execute(waiting.limit(limit))]
    if found:
        theirs = [result for result in found if not is_erased(result.person)]
        _add_up(connection, theirs)
        _note_streaks(connection, theirs)
        _mark(connection, found)
    return len(found)


def of_person(connection: Connection, person: int, chat_id: int = EVERYWHERE) -> Sequence[Tally]:
    """The sums of a person's results in a group, or everywhere."""
    columns = (TALLIES.c[name] for name in Tally._fields)
    own = select(*columns).where(TALLIES.c.person == person, TALLIES.c.chat_id == chat_id)
    return [Tally._make(row) for row in connection.execute(own)]


def streak_of(connection: Connection, person: int, chat_id: int = EVERYWHERE) -> Streak | None:
    """A person's streaks in a group, or everywhere; None if they have never finished a game there."""
    own = select(PLAYERS.c.streak, PLAYERS.c.longest).where(
        PLAYERS.c.chat_id == chat_id, PLAYERS.c.person == person
    )
    row = connection.execute(own).one_or_none()
    return None if row is None else Streak(*row)


def migrate(connection: Connection, *, old: int, new: int) -> None:
    """Add what was counted in a group to what may already be counted under its new id.

    The streaks of people who are known under both are made again from their results, in the order of these.
    """
    connection.execute(update(RESULTS).where(RESULTS.c.chat_id == old).values(chat_id=new))
    here = select(PLAYERS.c.person).where(PLAYERS.c.chat_id == old)
    counted = select(TALLIES).where(TALLIES.c.person.in_(here), TALLIES.c.chat_id == old)
    rows = [{**row, "chat_id": new} for row in connection.execute(counted).mappings()]
    upsert(connection, TALLIES, rows, add=_POINTS.values())
    known = set(connection.execute(select(PLAYERS.c.person).where(PLAYERS.c.chat_id == new)).scalars())
    streaks = [dict(row) for row in connection.execute(select(PLAYERS).where(PLAYERS.c.chat_id == old)).mappings()]
    for row in streaks:
        row["chat_id"] = new
        if row["person"] in known:
            row.update(_streak(connection, row["person"], new)._asdict())
    upsert(connection, PLAYERS, streaks)
    leaderboards.move_wins(connection, old=old, new=new)
    connection.execute(delete(TALLIES).where(TALLIES.c.person.in_(here), TALLIES.c.chat_id == old))
    connection.execute(delete(PLAYERS).where(PLAYERS.c.chat_id == old))


def _streak(connection: Connection, person: int, chat_id: int) -> Streak:
    """A person's streaks in a group, from those of their results that are counted."""
    own = (RESULTS.c.person == person, RESULTS.c.chat_id == chat_id, RESULTS.c.counted.is_not(None))
    streak = Streak(0, 0)
    in_order = select(RESULTS.c.outcome).where(*own).order_by(RESULTS.c.ended_at, RESULTS.c.game_id)
    for outcome in connection.execute(in_order).scalars():
        streak = streak.after(Outcome(outcome))
    return streak


def _add_up(connection: Connection, found: Iterable[Result]) -> None:
    sums: dict[tuple[int, int, str, str], Counter[str]] = {}
    for result in found:
        for place in result.places:
            key = result.person, place, family_of(result.rules), result.level or PEOPLE_AGAINST
            sums.setdefault(key, Counter())[_POINTS[result.outcome]] += 1
    rows = [
        {
            **dict(zip(("person", "chat_id", "family", "against"), key, strict=True)),
            **{name: points[name] for name in _POINTS.values()},
        }
        for key, points in sums.items()
    ]
    upsert(connection, TALLIES, rows, add=_POINTS.values())


def _note_streaks(connection: Connection, found: Iterable[Result]) -> None:
    in_order: dict[tuple[int, int], list[Outcome]] = {}
    for result in found:
        for place in result.places:
            in_order.setdefault((place, result.person), []).append(result.outcome)
    known = select(PLAYERS).where(PLAYERS.c.person.in_(bindparam("people", expanding=True)))
    people = list({person for _, person in in_order})
    streaks = {
        (row.chat_id, row.person): Streak(row.streak, row.longest)
        for row in connection.execute(known, {"people": people})
    }
    rows = []
    for key, outcomes in in_order.items():
        streak = streaks.get(key, Streak(0, 0))
        for outcome in outcomes:
            streak = streak.after(outcome)
        rows.append({"chat_id": key[0], "person": key[1], **streak._asdict()})
    upsert(connection, PLAYERS, rows)


def _mark(connection: Connection, found: Sequence[Result]) -> None:
    own = (RESULTS.c.game_id == bindparam("of_game")) & (RESULTS.c.person == bindparam("of_person"))
    rows = [{"of_game": result.game_id, "of_person": result.person} for result in found]
    connection.execute(update(RESULTS).where(own).values(counted=1), rows)


def forget_counts(connection: Connection) -> None:
    """Delete all statistics, so that results are counted again."""
    acquire_results_lock(connection)
    for table in (TALLIES, PLAYERS):
        connection.execute(delete(table))
    connection.execute(update(RESULTS).where(RESULTS.c.counted.is_not(None)).values(counted=None))


def uncounted(connection: Connection) -> int:
    """How many results aren't counted yet."""
    waiting = select(func.count()).select_from(RESULTS).where(RESULTS.c.counted.is_(None))
    return connection.execute(waiting).scalar_one()

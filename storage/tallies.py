"""Results added up: by person, place, family of rules and opponent; streaks; wins of the week.

All of it is made from the results, a little later and beside the path of a tap: `count` takes up what was not
counted yet. It can be thrown away and made anew (`storage.rebuild`).
"""

from __future__ import annotations

import time
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import bindparam, delete, func, literal, select, tuple_, update

from engine.families import Family, family_of
from storage import in_turn
from storage.fairness import PER_DAY, is_whole
from storage.game import COMPUTER, has_left
from storage.result import Outcome
from storage.results import COLUMNS, DAY, result_of
from storage.schema import GAMES, PEOPLE, PLAYERS, RESULTS, TALLIES, WEEKS
from storage.tally import EVERYWHERE, PEOPLE_AGAINST, Streak, Tally
from storage.upsert import insert_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sqlalchemy import Connection

    from storage.result import Result

BATCH: Final = 200
"""Results that are counted in one transaction, so that nobody's tap waits for long."""

WEEKS_KEPT: Final = 2
ALL_FAMILIES: Final = ""
UNKNOWN_LEVEL: Final = "medium"
"""What the computer played where an old game does not say so."""

_POINTS: Final = {Outcome.WIN: "wins", Outcome.DRAW: "draws", Outcome.LOSS: "losses"}


def count(connection: Connection, limit: int = BATCH) -> int:
    """Count results that were not counted yet, oldest first; how many there were. Another process may be at it."""
    if not in_turn.is_ours(connection):
        return 0
    waiting = select(*COLUMNS).where(RESULTS.c.counted.is_(None)).order_by(RESULTS.c.ended_at, RESULTS.c.game_id)
    found = [result_of(row) for row in connection.execute(waiting.limit(limit))]
    if found:
        theirs = [result for result in found if not has_left(result.person)]
        _remember_names(connection, theirs)
        _add_up(connection, theirs)
        _note_streaks(connection, theirs)
        _count_week(connection, theirs)
        _mark(connection, found)
    return len(found)


def of_person(connection: Connection, person: int, chat_id: int = EVERYWHERE) -> Sequence[Tally]:
    """A person's results in a group, or everywhere."""
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
    """Move what was counted in a group to its new id, where something may have been counted already."""
    connection.execute(update(RESULTS).where(RESULTS.c.chat_id == old).values(chat_id=new))
    here = select(PLAYERS.c.person).where(PLAYERS.c.chat_id == old)
    counted = select(TALLIES).where(TALLIES.c.person.in_(here), TALLIES.c.chat_id == old)
    rows = [{**row, "chat_id": new} for row in connection.execute(counted).mappings()]
    _add(connection, rows)
    streaks = select(PLAYERS).where(PLAYERS.c.chat_id == old)
    _put_streaks(connection, [{**row, "chat_id": new} for row in connection.execute(streaks).mappings()])
    now = week_of(int(time.time()))
    weekly = WEEKS.c.week.in_(range(now - WEEKS_KEPT + 1, now + 1)) & (WEEKS.c.chat_id == old)
    _add_weeks(
        connection,
        [{**row, "chat_id": new} for row in connection.execute(select(WEEKS).where(weekly)).mappings()],
    )
    connection.execute(delete(WEEKS).where(weekly))
    connection.execute(delete(TALLIES).where(TALLIES.c.person.in_(here), TALLIES.c.chat_id == old))
    connection.execute(delete(PLAYERS).where(PLAYERS.c.chat_id == old))


def week_of(seconds: int) -> int:
    """The week of a time, counted from 1970, from Monday to Sunday, UTC."""
    return (seconds // DAY + 3) // 7


def monday_of(week: int) -> int:
    """The day, counted from 1970, on which a week begins."""
    return 7 * week - 3


def _places(result: Result) -> tuple[int, ...]:
    """Where a result counts: everywhere, and in its group."""
    in_group = result.chat_id is not None and result.chat_id < 0
    return (EVERYWHERE, result.chat_id or 0) if in_group else (EVERYWHERE,)


def _against(result: Result) -> str:
    return PEOPLE_AGAINST if result.opponent != COMPUTER else result.level or UNKNOWN_LEVEL


def _add_up(connection: Connection, found: Iterable[Result]) -> None:
    sums: dict[tuple[int, int, Family, str], Counter[str]] = {}
    for result in found:
        for place in _places(result):
            key = result.person, place, family_of(result.rules), _against(result)
            sums.setdefault(key, Counter())[_POINTS[result.outcome]] += 1
    _add(
        connection,
        [
            {
                **dict(zip(("person", "chat_id", "family", "against"), key, strict=True)),
                **{name: points[name] for name in _POINTS.values()},
            }
            for key, points in sums.items()
        ],
    )


def _add(connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
    statement = insert_of(connection)(TALLIES)
    more = {name: TALLIES.c[name] + statement.excluded[name] for name in _POINTS.values()}
    if rows:
        connection.execute(
            statement.on_conflict_do_update(index_elements=list(TALLIES.primary_key), set_=more), rows
        )


def _note_streaks(connection: Connection, found: Iterable[Result]) -> None:
    in_order: dict[tuple[int, int], list[Outcome]] = {}
    for result in found:
        for place in _places(result):
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
    _put_streaks(connection, rows)


def _put_streaks(connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
    statement = insert_of(connection)(PLAYERS)
    changes = {name: statement.excluded[name] for name in Streak._fields}
    if rows:
        connection.execute(
            statement.on_conflict_do_update(index_elements=list(PLAYERS.primary_key), set_=changes), rows
        )


def _count_week(connection: Connection, found: Iterable[Result]) -> None:
    """Count the wins between people of this week and the last; older ones are in no list."""
    oldest = week_of(int(time.time())) - WEEKS_KEPT + 1
    wins: Counter[tuple[int, int, str, int]] = Counter()
    for result in found:
        week = week_of(result.ended_at)
        won = result.outcome is Outcome.WIN and result.opponent != COMPUTER
        if week >= oldest and won and is_whole(result) and _is_among_the_first(connection, result):
            for place in _places(result):
                for family in (ALL_FAMILIES, family_of(result.rules)):
                    wins[week, place, family, result.person] += 1
    names = ("week", "chat_id", "family", "person")
    _add_weeks(connection, [{**dict(zip(names, key, strict=True)), "wins": n} for key, n in wins.items()])
    if wins:
        connection.execute(delete(WEEKS).where(WEEKS.c.week < oldest))


def _add_weeks(connection: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
    statement = insert_of(connection)(WEEKS)
    more = {"wins": WEEKS.c.wins + statement.excluded.wins}
    if rows:
        connection.execute(
            statement.on_conflict_do_update(index_elements=list(WEEKS.primary_key), set_=more), rows
        )


def _is_among_the_first(connection: Connection, result: Result) -> bool:
    """Whether a game is among those of its day between its two people that count."""
    since = result.ended_at // DAY * DAY
    until = tuple_(RESULTS.c.ended_at, RESULTS.c.game_id) < tuple_(
        literal(result.ended_at), literal(result.game_id)
    )
    before = select(*COLUMNS).where(
        RESULTS.c.person == result.person,
        RESULTS.c.ended_at >= since,
        RESULTS.c.ended_at <= result.ended_at,
        RESULTS.c.opponent == result.opponent,
        until,
    )
    return sum(is_whole(result_of(row)) for row in connection.execute(before)) < PER_DAY


def _remember_names(connection: Connection, found: Sequence[Result]) -> None:
    """Make people known by name who have only ever tapped boards of others."""
    people = {result.person for result in found}
    known = select(PEOPLE.c.id).where(PEOPLE.c.id.in_(bindparam("people", expanding=True)))
    missing = people - set(connection.execute(known, {"people": list(people)}).scalars())
    if not missing:
        return
    games = {result.game_id for result in found if result.person in missing}
    seats = (GAMES.c.x_seat, GAMES.c.x_name, GAMES.c.o_seat, GAMES.c.o_name)
    played = select(*seats).where(GAMES.c.id.in_(bindparam("games", expanding=True)))
    names: dict[int, str] = {}
    for row in connection.execute(played, {"games": list(games)}):
        names |= {row.x_seat: row.x_name or "", row.o_seat: row.o_name or ""}
    now = int(time.time())
    rows = [{"id": person, "name": names[person], "seen_at": now} for person in missing if person in names]
    if rows:
        statement = insert_of(connection)(PEOPLE).on_conflict_do_nothing(index_elements=["id"])
        connection.execute(statement, rows)


def _mark(connection: Connection, found: Sequence[Result]) -> None:
    own = (RESULTS.c.game_id == bindparam("of_game")) & (RESULTS.c.person == bindparam("of_person"))
    rows = [{"of_game": result.game_id, "of_person": result.person} for result in found]
    connection.execute(update(RESULTS).where(own).values(counted=1), rows)


def forget_counts(connection: Connection) -> None:
    """Throw away all that was counted, so that it is counted anew.

    Raises:
        LockedRow: if another process counts in this moment; nothing may then be committed.
    """
    in_turn.demand(connection)
    for table in (TALLIES, PLAYERS, WEEKS):
        connection.execute(delete(table))
    connection.execute(update(RESULTS).where(RESULTS.c.counted.is_not(None)).values(counted=None))


def uncounted(connection: Connection) -> int:
    """How many results wait to be counted."""
    waiting = select(func.count()).select_from(RESULTS).where(RESULTS.c.counted.is_(None))
    return connection.execute(waiting).scalar_one()

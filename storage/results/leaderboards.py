"""The SQL of leaderboards: by rating, and by wins of this week or the last one; of a group, or of everybody.

Provisional ratings come after all others. People who hide their results are in no list, and don't count in
anybody's place.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    Select,
    and_,
    delete,
    func,
    literal,
    literal_column,
    or_,
    select,
)

from engine.rules.catalogue import family_of
from storage.games.game import is_erased
from storage.results.result import ALL_FAMILIES, DAY, EVERYWHERE, OPPONENTS, PAGE, Listed, Outcome, Rank, Result
from storage.schema import PEOPLE, PLAYERS, RATINGS, WEEKS
from storage.upsert import upsert

KEPT_WEEKS: Final = 2


def week_of(seconds: int) -> int:
    """The week of a time, from Monday to Sunday (UTC), counted from 1970."""
    return (seconds // DAY + 3) // 7


def monday_of(week: int) -> int:
    """The day, counted from 1970, on which a week begins."""
    return 7 * week - 3


def count_wins(connection: Connection, games: Iterable[Result]) -> None:
    """Count the wins of rated games, given by one result of each."""
    oldest = week_of(int(time.time())) - KEPT_WEEKS + 1
    wins: Counter[tuple[int, int, str, int]] = Counter()
    for game in games:
        week = week_of(game.ended_at)
        winner = game.person if game.outcome is Outcome.WIN else game.opponent
        if week >= oldest and game.outcome is not Outcome.DRAW and not is_erased(winner):
            for place in game.places:
                for family in (ALL_FAMILIES, family_of(game.rules)):
                    wins[week, place, family, winner] += 1
    names = ("week", "chat_id", "family", "person")
    rows = [{**dict(zip(names, key, strict=True)), "wins": n} for key, n in sorted(wins.items())]
    upsert(connection, WEEKS, rows, add=["wins"])
    if wins:
        connection.execute(delete(WEEKS).where(WEEKS.c.week < oldest))


def move_wins(connection: Connection, *, old: int, new: int) -> None:
    """Add what was counted in a group to what may already be counted under its new id."""
    now = week_of(int(time.time()))
    here = WEEKS.c.week.in_(range(now - KEPT_WEEKS + 1, now + 1)) & (WEEKS.c.chat_id == old)
    rows = connection.execute(select(WEEKS).where(here)).mappings().all()
    upsert(connection, WEEKS, [{**row, "chat_id": new} for row in rows], add=["wins"])
    connection.execute(delete(WEEKS).where(here))


EVERYBODY: Final = f"opponents >= {OPPONENTS} AND person > 0"
"""The condition that a rating is in everybody's list; without parameters, because it is that of an index."""

_R, _W = RATINGS.c, WEEKS.c

Conditions = tuple["ColumnElement[bool]", ...]


def by_rating(connection: Connection, *, family: str, offset: int, chat_id: int = EVERYWHERE) -> Sequence[Listed]:
    """A page of people rated in a family of rules, highest first; of a group, those who have played there."""
    listed = _named(select(_R.person, PEOPLE.c.name, _R.rating.label("figure"), _R.settled), _R.person)
    page = listed.where(*_rated(family, chat_id)).order_by(_R.settled.desc(), _R.rating.desc(), _R.person.desc())
    rows = connection.execute(page.offset(offset).limit(PAGE))
    return [Listed(row.person, row.name or "", round(row.figure), bool(row.settled)) for row in rows]


def place_by_rating(connection: Connection, *, person: int, family: str, chat_id: int = EVERYWHERE) -> Rank | None:
    """A person's place by rating; None if they aren't in that list."""
    own = select(_R.rating, _R.settled).where(*_rated(family, chat_id), _R.person == person)
    row = _unless_hidden(connection, own, person)
    if row is None:
        return None
    # Each case is a range of the index.
    above: Sequence[Conditions] = (
        (_R.settled > row.settled,),
        (_R.settled == row.settled, _R.rating > row.rating),
        (_R.settled == row.settled, _R.rating == row.rating, _R.person > person),
    )
    before = _count(connection, _R.person, _rated(family, chat_id), above)
    return Rank(1 + before, round(row.rating), bool(row.settled))


def by_wins(
    connection: Connection, *, week: int, family: str, offset: int, chat_id: int = EVERYWHERE
) -> Sequence[Listed]:
    """A page of people who have won rated games in a week, most wins first."""
    listed = _named(select(_W.person, PEOPLE.c.name, _W.wins), _W.person)
    page = listed.where(*_won(week, family, chat_id)).order_by(_W.wins.desc(), _W.person.desc())
    rows = connection.execute(page.offset(offset).limit(PAGE))
    return [Listed(row.person, row.name or "", row.wins, True) for row in rows]


def place_by_wins(
    connection: Connection, *, person: int, week: int, family: str, chat_id: int = EVERYWHERE
) -> Rank | None:
    """A person's place by wins of a week; None if they aren't in that list."""
    these = _won(week, family, chat_id)
    row = _unless_hidden(connection, select(_W.wins).where(*these, _W.person == person), person)
    if row is None:
        return None
    above: Sequence[Conditions] = ((_W.wins > row.wins,), (_W.wins == row.wins, _W.person > person))
    return Rank(1 + _count(connection, _W.person, these, above), row.wins, True)


def opponents_of(connection: Connection, person: int, family: str) -> int | None:
    """With how many different people a person has played rated games; None if they aren't rated."""
    own = select(_R.opponents).where(_R.person == person, _R.family == family)
    return connection.execute(own).scalar()


def _rated(family: str, chat_id: int) -> Conditions:
    if chat_id == EVERYWHERE:
        return (
            _R.family == family,
            _R.opponents >= literal_column(str(OPPONENTS)),
            _R.person > literal_column("0"),
        )
    return (_R.family == family, _R.person.in_(select(PLAYERS.c.person).where(PLAYERS.c.chat_id == chat_id)))


def _won(week: int, family: str, chat_id: int) -> Conditions:
    return (_W.week == week, _W.chat_id == chat_id, _W.family == family)


def _named(listed: Select[Any], person: ColumnElement[int]) -> Select[Any]:
    shown = or_(PEOPLE.c.hidden.is_(None), PEOPLE.c.hidden.is_(False))
    return listed.outerjoin(PEOPLE, PEOPLE.c.id == person).where(shown)


def _unless_hidden(connection: Connection, own: Select[Any], person: int) -> Row[Any] | None:
    hides = select(PEOPLE.c.hidden).where(PEOPLE.c.id == person).scalar_subquery()
    return connection.execute(own.where(func.coalesce(hides, literal(False)).is_(False))).one_or_none()


def _count(
    connection: Connection, person: ColumnElement[int], these: Conditions, cases: Sequence[Conditions]
) -> int:
    """How many of these rows are in any of these disjoint cases, without people who hide their results."""
    hidden = person.in_(select(PEOPLE.c.id).where(PEOPLE.c.hidden.is_(True)))
    every, hiding = (
        sum(connection.execute(select(func.count()).where(*rows, and_(*case))).scalar_one() for case in cases)
        for rows in (these, (*these, hidden))
    )
    return every - hiding

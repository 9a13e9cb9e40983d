"""The SQL of leaderboards: by rating, and by wins of a week or a season; of a group, or of everybody.

Everybody's list by wins has those who have beaten as many different people as it takes to be in the one by rating.
Provisional ratings come after all others. A group's lists leave out who has left it. People who hide their results
are in no list, and don't count in anybody's place.
"""

from collections.abc import Collection, Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    Select,
    Subquery,
    case,
    func,
    literal,
    literal_column,
    select,
    union_all,
)

from storage.columns import DAY
from storage.people.people import absent
from storage.results.result import EVERYWHERE, OPPONENTS, OVERALL, PAGE, Ending, Listed, Rank
from storage.schema import PEOPLE, RATINGS, RESULTS


def week_of(seconds: int) -> int:
    """The week of a time, from Monday to Sunday (UTC), counted from 1970."""
    return (seconds // DAY + 3) // 7


def monday_of(week: int) -> int:
    """The day, counted from 1970, on which a week begins."""
    return 7 * week - 3


EVERYBODY: Final = f"opponents >= {OPPONENTS} AND person > 0"
"""The condition that a rating is in everybody's list; without parameters, because it is that of an index."""

HIDING: Final = select(PEOPLE.c.id).where(PEOPLE.c.hidden.is_(True))
"""The people who hide their results."""

_R, _W = RATINGS.c, RESULTS.c

Conditions = tuple["ColumnElement[bool]", ...]


def by_rating(connection: Connection, *, family: str, offset: int, chat_id: int = EVERYWHERE) -> Sequence[Listed]:
    """A page of people rated in a family of rules, highest first; of a group, those who have played there."""
    listed = _named(select(_R.person, PEOPLE.c.name, _R.rating.label("figure"), _R.settled), _R.person)
    page = listed.where(*_rated(family, chat_id)).order_by(_R.settled.desc(), _R.rating.desc(), _R.person.desc())
    rows = connection.execute(page.offset(offset).limit(PAGE))
    return [
        Listed(row.person, row.name or "", round(row.figure), bool(row.settled), place)
        for place, row in enumerate(rows, offset + 1)
    ]


def place_by_rating(connection: Connection, *, person: int, family: str, chat_id: int = EVERYWHERE) -> Rank | None:
    """A person's place by rating; None if they aren't in that list."""
    own = select(_R.rating, _R.settled).where(*_rated(family, chat_id), _R.person == person)
    row = _unless_hidden(connection, own, person)
    if row is None:
        return None
    # Each case is a range of the index, of which those who hide are few.
    above: Sequence[Conditions] = (
        (_R.settled > row.settled,),
        (_R.settled == row.settled, _R.rating > row.rating),
        (_R.settled == row.settled, _R.rating == row.rating, _R.person > person),
    )
    before = 0
    for each in above:
        rows = select(func.count()).where(*_rated(family, chat_id), *each)
        hidden = rows.where(_R.person.in_(HIDING))
        before += connection.execute(rows).scalar_one() - connection.execute(hidden).scalar_one()
    return Rank(1 + before, round(row.rating), bool(row.settled))


def by_wins(
    connection: Connection,
    *,
    week: int,
    family: str,
    offset: int,
    chat_id: int = EVERYWHERE,
    since: int | None = None,
) -> Sequence[Listed]:
    """A page of people who have won rated games in a week, or by its end `since` a time, most wins first."""
    won = _won(week, family, chat_id, since)
    place = func.rank().over(order_by=won.c.wins.desc()).label("place")
    listed = _named(select(won.c.person, PEOPLE.c.name, won.c.wins, place), won.c.person)
    rows = connection.execute(listed.order_by(won.c.wins.desc(), won.c.person.desc()).offset(offset).limit(PAGE))
    return [Listed(row.person, row.name or "", row.wins, True, row.place) for row in rows]


def place_by_wins(
    connection: Connection,
    *,
    person: int,
    week: int,
    family: str,
    chat_id: int = EVERYWHERE,
    since: int | None = None,
) -> Rank | None:
    """A person's place by wins of a week, or by its end `since` a time; None if they aren't in that list."""
    won = _won(week, family, chat_id, since)
    row = _unless_hidden(connection, select(won.c.wins).where(won.c.person == person), person)
    if row is None:
        return None
    better = _named(select(won.c.person), won.c.person).where(won.c.wins > row.wins).subquery()
    return Rank(1 + connection.execute(select(func.count()).select_from(better)).scalar_one(), row.wins, True)


class Friend(NamedTuple):
    """Somebody whom a person has played, and how often each has won."""

    person: int
    name: str
    wins: int
    draws: int
    losses: int


def friends_of(connection: Connection, person: int) -> Sequence[Friend]:
    """The people whom somebody has played most, at most a page; hidden ones, too: both know how it went."""
    ended = [
        func.sum(case((_W.outcome == ending, 1), else_=0)) for ending in (Ending.WIN, Ending.DRAW, Ending.LOSS)
    ]
    played = select(_W.opponent, PEOPLE.c.name, *ended).join(PEOPLE, PEOPLE.c.id == _W.opponent)
    theirs = played.where(_W.person == person, _W.opponent > 0).group_by(_W.opponent, PEOPLE.c.name)
    rows = connection.execute(theirs.order_by(func.count().desc(), _W.opponent).limit(PAGE))
    return [Friend(row[0], row[1], *map(int, row[2:])) for row in rows]


def families_won(connection: Connection, *, week: int, chat_id: int = EVERYWHERE) -> Collection[str]:
    """The families of rules in which somebody who is listed has won rated games in a week."""
    won = select(_W.family).where(*_of_week(week, chat_id), _W.person.not_in(HIDING)).group_by(_W.family)
    return set(connection.execute(won if chat_id != EVERYWHERE else _enough(won.group_by(_W.person))).scalars())


def families_rated(
    connection: Connection, *, families: Sequence[str], chat_id: int = EVERYWHERE
) -> Collection[str]:
    """Those of these families of rules in which somebody is listed by rating; one row is read for each."""
    listed = {each: select(_R.person).where(*_rated(each, chat_id), _R.person.not_in(HIDING)) for each in families}
    rated = union_all(*(select(literal(each)).where(those.exists()) for each, those in listed.items()))
    return set(connection.execute(rated).scalars())


def opponents_of(connection: Connection, person: int, family: str) -> int | None:
    """With how many different people a person has played rated games; None if they aren't rated."""
    own = select(_R.opponents).where(_R.person == person, _R.family == family)
    return connection.execute(own).scalar()


def _rated(family: str, chat_id: int) -> Conditions:
    known = _R.person > literal_column("0")
    if chat_id == EVERYWHERE:
        return (_R.family == family, _R.opponents >= literal_column(str(OPPONENTS)), known)
    played_here = select(_W.person).where(_W.chat_id == chat_id, _W.person.not_in(absent(chat_id)))
    return (_R.family == family, known, _R.person.in_(played_here))


def _won(week: int, family: str, chat_id: int, since: int | None) -> Subquery:
    """The wins of people in rated games of a week, or until its end."""
    these = _of_week(week, chat_id, since)
    if family != OVERALL:
        these.append(_W.family == family)
    won = select(_W.person, func.count().label("wins")).where(*these).group_by(_W.person)
    return (won if chat_id != EVERYWHERE else _enough(won)).subquery()


def _enough(won: Select[Any]) -> Select[Any]:
    """Those who have won against enough different people; all who are forgotten since count as one."""
    beaten = func.count(case((_W.opponent > 0, _W.opponent), else_=0).distinct())
    return won.having(beaten >= OPPONENTS)


def _of_week(week: int, chat_id: int, since: int | None = None) -> list[ColumnElement[bool]]:
    """The conditions of rated wins of a week, or until its end, in a group or everywhere."""
    begin = monday_of(week) * DAY
    these = [
        _W.rated.is_(True),
        _W.outcome == Ending.WIN,
        _W.ended_at >= (begin if since is None else since),
        _W.ended_at < begin + 7 * DAY,
        _W.person > 0,
    ]
    if chat_id != EVERYWHERE:
        these += [_W.chat_id == chat_id, _W.person.not_in(absent(chat_id))]
    return these


def _named(listed: Select[Any], person: ColumnElement[int]) -> Select[Any]:
    return listed.outerjoin(PEOPLE, PEOPLE.c.id == person).where(PEOPLE.c.hidden.is_not(True))


def _unless_hidden(connection: Connection, own: Select[Any], person: int) -> Row[Any] | None:
    hides = select(PEOPLE.c.hidden).where(PEOPLE.c.id == person).scalar_subquery()
    return connection.execute(own.where(func.coalesce(hides, literal(False)).is_(False))).one_or_none()

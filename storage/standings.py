"""The SQL of lists: who stands where by rating, and by wins of a week; of a group, or of everybody.

Settled ratings stand before provisional ones. Who hides from lists stands in none, and is counted in none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import and_, func, literal, or_, select

from storage.schema import PEOPLE, PLAYERS, STANDINGS, WEEKS
from storage.tally import EVERYWHERE, PAGE, Listed, Place

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import ColumnElement, Connection

_S, _W = STANDINGS.c, WEEKS.c


def by_rating(connection: Connection, *, family: str, offset: int, chat_id: int = EVERYWHERE) -> Sequence[Listed]:
    """A page of those rated in a family of rules, highest first; of a group, those who have played there."""
    listed = select(_S.person, PEOPLE.c.name, _S.rating, _S.settled).outerjoin(PEOPLE, PEOPLE.c.id == _S.person)
    page = listed.where(*_rated(family, chat_id)).order_by(_S.settled.desc(), _S.rating.desc(), _S.person.desc())
    rows = connection.execute(page.offset(offset).limit(PAGE))
    return [Listed(row.person, row.name or "", round(row.rating), bool(row.settled)) for row in rows]


def place_by_rating(
    connection: Connection, *, person: int, family: str, chat_id: int = EVERYWHERE
) -> Place | None:
    """Where somebody stands by rating; None if they stand in no such list."""
    own = select(_S.rating, _S.settled).where(*_rated(family, chat_id), _S.person == person)
    row = connection.execute(own).one_or_none()
    if row is None:
        return None
    # Each case by itself is a range of the index.
    above = (
        (_S.settled > row.settled,),
        (_S.settled == row.settled, _S.rating > row.rating),
        (_S.settled == row.settled, _S.rating == row.rating, _S.person > person),
    )
    return Place(1 + _count(connection, _rated(family, chat_id), above), round(row.rating), bool(row.settled))


def by_wins(
    connection: Connection, *, week: int, family: str, offset: int, chat_id: int = EVERYWHERE
) -> Sequence[Listed]:
    """A page of those who have won against people in a week, the most wins first."""
    listed = select(_W.person, PEOPLE.c.name, _W.wins).outerjoin(PEOPLE, PEOPLE.c.id == _W.person)
    page = listed.where(*_won(week, family, chat_id), or_(PEOPLE.c.hidden.is_(None), PEOPLE.c.hidden.is_(False)))
    rows = connection.execute(page.order_by(_W.wins.desc(), _W.person.desc()).offset(offset).limit(PAGE))
    return [Listed(row.person, row.name or "", row.wins, True) for row in rows]


def place_by_wins(
    connection: Connection, *, person: int, week: int, family: str, chat_id: int = EVERYWHERE
) -> Place | None:
    """Where somebody stands by wins of a week; None if they stand in no such list."""
    these = _won(week, family, chat_id)
    hides = select(PEOPLE.c.hidden).where(PEOPLE.c.id == person).scalar_subquery()
    own = select(_W.wins).where(*these, _W.person == person, func.coalesce(hides, literal(False)).is_(False))
    wins = connection.execute(own).scalar()
    if wins is None:
        return None
    above = ((_W.wins > wins,), (_W.wins == wins, _W.person > person))
    hidden = select(PEOPLE.c.id).where(PEOPLE.c.hidden.is_(True))
    others = _count(connection, these, above)
    hiding = _count(connection, (*these, _W.person.in_(hidden)), above)
    return Place(1 + others - hiding, wins, True)


def _rated(family: str, chat_id: int) -> tuple[ColumnElement[bool], ...]:
    these = (_S.family == family, _S.hidden == 0)
    if chat_id == EVERYWHERE:
        return these
    return (*these, _S.person.in_(select(PLAYERS.c.person).where(PLAYERS.c.chat_id == chat_id)))


def _won(week: int, family: str, chat_id: int) -> tuple[ColumnElement[bool], ...]:
    return (_W.week == week, _W.chat_id == chat_id, _W.family == family)


def _count(
    connection: Connection,
    these: Sequence[ColumnElement[bool]],
    cases: Sequence[Sequence[ColumnElement[Any]]],
) -> int:
    """How many rows there are of these, in any of cases that exclude each other."""
    return sum(connection.execute(select(func.count()).where(*these, and_(*case))).scalar_one() for case in cases)

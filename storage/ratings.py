"""The SQL of ratings: the rating after each day, the newest of each person for lists, and who has played whom."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import bindparam, delete, func, literal_column, select, tuple_, update

from storage import in_turn, results
from storage.fairness import WINDOW_DAYS
from storage.game import has_left
from storage.glicko import Rating, settled_days
from storage.rating_day import Key, Rated
from storage.schema import PAIRS, PEOPLE, PROGRESS, RATINGS, STANDINGS
from storage.upsert import insert_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from sqlalchemy import Connection

    from storage.result import Result

RATED: Final = "rated"
"""The progress of ratings: the last day whose ratings are made."""
CLAIMED: Final = "rating"
"""Until when a process makes them, in seconds since 1970."""
CLAIM_SECONDS: Final = 120

_COLUMNS: Final = tuple(
    RATINGS.c[name] for name in ("person", "family", "day", "rating", "deviation", "volatility", "games")
)


def claim(connection: Connection, now: int) -> bool:
    """Take the making of ratings upon oneself for a while; False while another process has it."""
    statement = insert_of(connection)(PROGRESS).values(name=CLAIMED, value=now + CLAIM_SECONDS)
    taken = statement.on_conflict_do_update(
        index_elements=["name"], set_={"value": statement.excluded.value}, where=PROGRESS.c.value <= now
    )
    return connection.execute(taken.returning(PROGRESS.c.value)).first() is not None


def release(connection: Connection) -> None:
    """Let others make the next ratings."""
    connection.execute(update(PROGRESS).where(PROGRESS.c.name == CLAIMED).values(value=0))


def next_day(connection: Connection, today: int) -> int | None:
    """The first day before this one whose games are not rated yet; None if all are."""
    last = connection.execute(select(PROGRESS.c.value).where(PROGRESS.c.name == RATED)).scalar()
    day = results.first_day_after(connection, -1 if last is None else int(last))
    return day if day is not None and day < today else None


def finish_day(connection: Connection, day: int) -> None:
    """Note that the ratings of a day are made."""
    statement = insert_of(connection)(PROGRESS).values(name=RATED, value=day)
    connection.execute(
        statement.on_conflict_do_update(index_elements=["name"], set_={"value": statement.excluded.value})
    )


def unsettle(connection: Connection, today: int) -> None:
    """Let ratings become provisional whose people have not played for long."""
    idle = (STANDINGS.c.settled == literal_column("1")) & (STANDINGS.c.settled_until < today)
    connection.execute(update(STANDINGS).where(idle).values(settled=0))


def pairs_of(games: Iterable[Result]) -> Mapping[tuple[int, int], int]:
    """How many of these games each two people have played, both ways around."""
    played: Counter[tuple[int, int]] = Counter()
    for game in games:
        played[game.person, game.opponent] += 1
        played[game.opponent, game.person] += 1
    return played


def note_pairs(connection: Connection, day: int, pairs: Mapping[tuple[int, int], int]) -> None:
    """Note how many games of a day each two people have played; noted once, however often it is done.

    Nothing of who was forgotten since the games were read.
    """
    in_turn.demand(connection)
    known = results.still_of(connection, {person for person, _ in pairs}, day)
    statement = insert_of(connection)(PAIRS)
    more = {"games": PAIRS.c.games + statement.excluded.games, "day": statement.excluded.day}
    rows = [
        {"person": person, "opponent": opponent, "games": games, "day": day}
        for (person, opponent), games in sorted(pairs.items())
        if person in known and opponent in known
    ]
    if rows:
        noted = statement.on_conflict_do_update(
            index_elements=list(PAIRS.primary_key), set_=more, where=PAIRS.c.day < statement.excluded.day
        )
        connection.execute(noted, rows)


def opponents(connection: Connection, people: Collection[int], day: int) -> dict[int, dict[int, int]]:
    """By person the games with each of their late opponents."""
    late = select(PAIRS.c.person, PAIRS.c.opponent, PAIRS.c.games).where(
        PAIRS.c.person.in_(bindparam("people", expanding=True)), PAIRS.c.day >= day - WINDOW_DAYS
    )
    found: dict[int, dict[int, int]] = {person: {} for person in people}
    for row in connection.execute(late, {"people": list(people)}):
        found[row.person][row.opponent] = row.games
    return found


def before(connection: Connection, people: Collection[int], day: int) -> dict[Key, Rated]:
    """The newest ratings of people before a day."""
    own = (RATINGS.c.person.in_(bindparam("people", expanding=True))) & (RATINGS.c.day < day)
    newest = select(RATINGS.c.person, RATINGS.c.family, func.max(RATINGS.c.day))
    keys = newest.where(own).group_by(RATINGS.c.person, RATINGS.c.family)
    key = tuple_(RATINGS.c.person, RATINGS.c.family, RATINGS.c.day)
    rows = connection.execute(
        select(*_COLUMNS).where(RATINGS.c.person.in_(bindparam("people", expanding=True)), key.in_(keys)),
        {"people": list(people)},
    )
    return {Key(row.person, row.family): _rated(row) for row in rows}


def store(connection: Connection, day: int, ratings: Mapping[Key, Rated]) -> None:
    """Store the ratings after a day, for the curve and for lists; done twice, it changes nothing.

    Nothing of who was forgotten since the games were read.
    """
    in_turn.demand(connection)
    known = results.still_of(connection, {key.person for key in ratings}, day)
    ratings = {key: rated for key, rated in ratings.items() if key.person in known}
    rows = [
        {**key._asdict(), "day": rated.day, "games": rated.games, **rated.rating._asdict()}
        for key, rated in sorted(ratings.items())
    ]
    if not rows:
        return
    statement = insert_of(connection)(RATINGS)
    changes = {name: statement.excluded[name] for name in ("rating", "deviation", "volatility", "games")}
    connection.execute(
        statement.on_conflict_do_update(index_elements=list(RATINGS.primary_key), set_=changes), rows
    )
    people = {key.person for key in ratings}
    hiding = select(PEOPLE.c.id).where(PEOPLE.c.id.in_(bindparam("people", expanding=True)), PEOPLE.c.hidden)
    hidden = set(connection.execute(hiding, {"people": list(people)}).scalars())
    _put_standings(connection, ratings, hidden)


def _put_standings(connection: Connection, ratings: Mapping[Key, Rated], hidden: Collection[int]) -> None:
    rows = [
        {
            **key._asdict(),
            "hidden": int(key.person in hidden or has_left(key.person)),
            "settled": int(rated.rating.is_settled),
            "rating": rated.rating.rating,
            "day": rated.day,
            "settled_until": rated.day + settled_days(rated.rating),
        }
        for key, rated in sorted(ratings.items())
    ]
    statement = insert_of(connection)(STANDINGS)
    names = ("hidden", "settled", "rating", "day", "settled_until")
    newer = statement.on_conflict_do_update(
        index_elements=list(STANDINGS.primary_key),
        set_={name: statement.excluded[name] for name in names},
        where=STANDINGS.c.day <= statement.excluded.day,
    )
    connection.execute(newer, rows)


def curve(connection: Connection, person: int, family: str, limit: int) -> Sequence[Rated]:
    """A person's last ratings, oldest first."""
    own = select(*_COLUMNS).where(RATINGS.c.person == person, RATINGS.c.family == family)
    rows = connection.execute(own.order_by(RATINGS.c.day.desc()).limit(limit)).all()
    return [_rated(row) for row in reversed(rows)]


def forget(connection: Connection, now: int) -> bool:
    """Throw all ratings away, so that they are made anew; False while another process makes some.

    What that one would note of its day, when this is done, would pass for what is known of all days before.
    """
    if not claim(connection, now):
        return False
    for table in (RATINGS, STANDINGS, PAIRS):
        connection.execute(delete(table))
    connection.execute(delete(PROGRESS).where(PROGRESS.c.name.in_((RATED, CLAIMED))))
    return True


def _rated(row: Any) -> Rated:  # noqa: ANN401 - a row of `_COLUMNS`
    return Rated(row.day, Rating(row.rating, row.deviation, row.volatility), row.games)

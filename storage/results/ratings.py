"""Ratings, which change game by game, in the transaction that ends the game: as values, and the SQL of them.

A transaction that changes ratings or hides somebody holds a lock until it ends; SQLite has one writer at a time
anyway. On PostgreSQL a second process waits for it, and then reads what the first has committed, so all agree on
which games of a day are the first three. Games are locked before it, in the order of their ids, then their boards
and people; ratings and results after it. So no process that holds it waits for one that waits for it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final, NamedTuple

from sqlalchemy import Connection, bindparam, delete, literal_column, select, text, update

from storage.columns import DAY
from storage.privacy import forgotten
from storage.results.glicko import MOST_SETTLED_DAYS, Played, Rating, aged, rate, settled_days
from storage.results.result import OVERALL, RATED_A_DAY, Ending, Result, Standing
from storage.schema import FORMER_PAIRS, PAIRS, RATING_DAYS, RATINGS
from storage.upsert import upsert

_POINTS: Final = {Ending.WIN: 1.0, Ending.DRAW: 0.5, Ending.LOSS: 0.0}


class RatingKey(NamedTuple):
    """Whose rating, and in which family of rules."""

    person: int
    family: str


class Rated(NamedTuple):
    """A person's rating after their last rated game."""

    rating: Rating = Rating()
    day: int = 0
    """The day of that game, counted from 1970."""
    games: int = 0
    opponents: int = 0

    def on(self, day: int) -> Rating:
        return aged(self.rating, self._days(day))

    def after(self, game: Played, day: int, *, is_new: bool) -> Rated:
        """The rating after a game on a day; `is_new` says that it is the first against this opponent."""
        rating = rate(self.rating, [game], self._days(day))
        return Rated(rating, max(day, self.day), self.games + 1, self.opponents + is_new)

    @property
    def settled_until(self) -> int:
        """The last day on which the rating isn't provisional if there is no further game."""
        return self.day + settled_days(self.rating)

    def _days(self, day: int) -> int:
        return max(0, day - self.day) if self.games else 0


NOT_RATED: Final = Rated()


class Pair(NamedTuple):
    """Two people who have played rated games in a family of rules, from the view of one of them."""

    person: int
    opponent: int
    family: str


class Met(NamedTuple):
    """The last day on which two people have played rated games, and how many on it."""

    day: int
    games: int


class RatingChanges:
    """The changes of ratings by a number of games."""

    def __init__(self, ratings: Mapping[RatingKey, Rated], pairs: Mapping[Pair, Met]) -> None:
        """Begin with these ratings and pairs; those that are missing are new."""
        self._ratings = dict(ratings)
        self._pairs = dict(pairs)
        self.ratings: Final[dict[RatingKey, Rated]] = {}
        """The ratings that have changed."""
        self.pairs: Final[dict[Pair, Met]] = {}
        """The pairs that have changed, in both directions."""
        self.days: Final[dict[tuple[RatingKey, int], float]] = {}
        """The changed ratings at the end of each day."""

    def rating(self, person: int, family: str = OVERALL) -> Rated:
        return self._ratings.get(RatingKey(person, family), NOT_RATED)

    def add(self, game: Result) -> bool:
        """Rate the next game, by either of its results; False if the two have played `RATED_A_DAY` on that day.

        If two processes end games around midnight, a game of one day may come after the first of the next; it then
        counts to the later day.
        """
        day = game.ended_at // DAY
        today = self._pairs.get(Pair(game.person, game.opponent, OVERALL))
        if today is not None and day <= today.day and today.games >= RATED_A_DAY:
            return False
        for family in (OVERALL, game.family):
            self._add(game, family, day)
        return True

    def _add(self, game: Result, family: str, day: int) -> None:
        people = (game.person, game.opponent)
        before = self._pairs.get(Pair(*people, family))
        met = Met(day, 1) if before is None or day > before.day else Met(before.day, before.games + 1)
        known = [self.rating(person, family) for person in people]
        points = _POINTS[game.outcome]
        for own, other, scored in ((0, 1, points), (1, 0, 1 - points)):
            played = Played(known[other].on(day), scored)
            pair = Pair(people[own], people[other], family)
            rated = known[own].after(played, day, is_new=before is None)
            key = RatingKey(people[own], family)
            self._ratings[key] = self.ratings[key] = rated
            self._pairs[pair] = self.pairs[pair] = met
            self.days[key, rated.day] = rated.rating.rating


RATINGS_LOCK: Final = 0x4F584F31
"""The key of the advisory lock, on PostgreSQL."""

_RATINGS: Final = select(RATINGS).where(RATINGS.c.person.in_(bindparam("people", expanding=True)))
_PAIRS: Final = select(PAIRS).where(
    PAIRS.c.person.in_(bindparam("people", expanding=True)),
    PAIRS.c.opponent.in_(bindparam("others", expanding=True)),
)
_FORMER_PAIRS: Final = select(FORMER_PAIRS).where(FORMER_PAIRS.c.digest.in_(bindparam("digests", expanding=True)))


class RatingChange(NamedTuple):
    """A person's rating in all families together, before and after a game, as it is shown."""

    before: str
    after: str


def lock(connection: Connection) -> None:
    """Lock the ratings until this transaction ends."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": RATINGS_LOCK})


def rate_games(connection: Connection, games: Sequence[Result]) -> Mapping[tuple[int, int], RatingChange]:
    """Rate games, given by one result of each, in their order; the caller has the lock.

    The result is how each game has changed each player's rating, by the ids of the game and the person.
    """
    people = {person for game in games for person in (game.person, game.opponent)}
    changes = RatingChanges(load(connection, people), _load_pairs(connection, games))
    shown: dict[tuple[int, int], RatingChange] = {}
    for game in games:
        before = [(person, changes.rating(person)) for person in (game.person, game.opponent)]
        if changes.add(game):
            for person, known in before:
                after = _standing(changes.rating(person))
                shown[game.game_id, person] = RatingChange(str(_standing(known).rating), after.figure)
    _store(connection, changes)
    return shown


def load(connection: Connection, people: Collection[int]) -> Mapping[RatingKey, Rated]:
    """The ratings of these people."""
    return {
        RatingKey(row.person, row.family): Rated(
            Rating(row.rating, row.deviation, row.volatility), row.day, row.games, row.opponents
        )
        for row in connection.execute(_RATINGS, {"people": sorted(people)})
    }


def standings_of(connection: Connection, people: Collection[int]) -> Mapping[RatingKey, Standing]:
    """People's ratings by person and family of rules, and by an empty one for all together."""
    rows = connection.execute(_RATINGS, {"people": sorted(people)})
    return {RatingKey(row.person, row.family): Standing(round(row.rating), bool(row.settled)) for row in rows}


def curve(connection: Connection, person: int, family: str, limit: int) -> Sequence[tuple[int, float]]:
    """A person's ratings after the last days on which they have played, oldest first."""
    own = (RATING_DAYS.c.person == person, RATING_DAYS.c.family == family)
    newest = select(RATING_DAYS.c.day, RATING_DAYS.c.rating).where(*own).order_by(RATING_DAYS.c.day.desc())
    return [(row.day, row.rating) for row in reversed(connection.execute(newest.limit(limit)).all())]


def unsettle(connection: Connection, today: int, most: int = 100) -> bool:
    """Let some ratings of people who haven't played for long become provisional; True if there may be more."""
    settled, until, more = RATINGS.c.settled == literal_column("1"), RATINGS.c.settled_until, False
    # The first release let the most certain ones be settled for a year.
    older = (until > today + MOST_SETTLED_DAYS, {"settled_until": RATINGS.c.day + MOST_SETTLED_DAYS})
    for which, values in (older, (until < today, {"settled": 0})):
        people = select(RATINGS.c.person).where(settled, which).limit(most)
        if some := connection.execute(people).scalars().all():
            lock(connection)
            these = (settled, which, RATINGS.c.person.in_(some))
            connection.execute(update(RATINGS).where(*these).values(values))
        more = more or len(some) == most
    return more


def leave_pairs(connection: Connection, person: int, today: int, most: int) -> bool:
    """Delete the pairs of somebody who is being forgotten and `most` opponents; False if there are none.

    Digests of those who have met since yesterday stay, so that forgetting renews no count of the day.
    """
    lock(connection)
    opponents = select(PAIRS.c.opponent).where(PAIRS.c.person == person).distinct().limit(most)
    if not (met := connection.execute(opponents).scalars().all()):
        return False
    both = connection.execute(_PAIRS, {"people": [person], "others": met}).all()
    salt = forgotten.salt_of(connection)
    former = [
        {"digest": _digest(salt, Pair(row.person, row.opponent, row.family)), "day": row.day, "games": row.games}
        for row in both
        if row.day >= today - 1
    ]
    upsert(connection, FORMER_PAIRS, former)
    for one, other in ((PAIRS.c.person, PAIRS.c.opponent), (PAIRS.c.opponent, PAIRS.c.person)):
        connection.execute(delete(PAIRS).where(one == person, other.in_(met)))
    return True


def _load_pairs(connection: Connection, games: Sequence[Result]) -> Mapping[Pair, Met]:
    """The pairs of games, both ways; of somebody who was forgotten and is back, by their digests."""
    people, others = {game.person for game in games}, {game.opponent for game in games}
    rows = connection.execute(_PAIRS, {"people": sorted(people), "others": sorted(others)})
    pairs_known = {Pair(row.person, row.opponent, row.family): Met(row.day, row.games) for row in rows}
    pairs = {Pair(game.person, game.opponent, family) for game in games for family in (OVERALL, game.family)}
    if (salt := connection.execute(forgotten.KNOWN_SALT).scalar()) is not None and pairs - pairs_known.keys():
        digests = {_digest(salt, pair): pair for pair in pairs - pairs_known.keys()}
        for row in connection.execute(_FORMER_PAIRS, {"digests": sorted(digests)}):
            pairs_known[digests[row.digest]] = Met(row.day, row.games)
    return pairs_known | {Pair(pair.opponent, pair.person, pair.family): met for pair, met in pairs_known.items()}


def _digest(salt: int, pair: Pair) -> int:
    return forgotten.digest_of_two(salt, *sorted(pair[:2]), pair.family)


def _store(connection: Connection, changes: RatingChanges) -> None:
    ratings = [
        {
            **key._asdict(),
            **rated.rating._asdict(),
            "day": rated.day,
            "games": rated.games,
            "opponents": rated.opponents,
            "settled": int(rated.rating.is_settled),
            "settled_until": rated.settled_until,
        }
        for key, rated in sorted(changes.ratings.items())
    ]
    days = [{**key._asdict(), "day": day, "rating": rating} for (key, day), rating in sorted(changes.days.items())]
    pairs = [{**pair._asdict(), **met._asdict()} for pair, met in sorted(changes.pairs.items())]
    for table, rows in ((RATINGS, ratings), (RATING_DAYS, days), (PAIRS, pairs)):
        upsert(connection, table, rows)


def _standing(rated: Rated) -> Standing:
    return Standing(round(rated.rating.rating), rated.rating.is_settled)

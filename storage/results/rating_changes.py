"""Ratings as they change game by game, as values; `storage.results.ratings` loads and stores them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from engine.rules.catalogue import family_of
from storage.results.glicko import Played, Rating, aged, rate, settled_days
from storage.results.result import ALL_FAMILIES, DAY, RATED_A_DAY, Outcome, Result

_POINTS: Final = {Outcome.WIN: 1.0, Outcome.DRAW: 0.5, Outcome.LOSS: 0.0}


class Key(NamedTuple):
    """Whose rating, and in which family of rules."""

    person: int
    family: str


class Rated(NamedTuple):
    """A person's rating after their last rated game."""

    rating: Rating = Rating()
    day: int = 0
    """The day of that game, counted from 1970."""
    games: int = 0
    """The number of rated games."""
    opponents: int = 0
    """The number of different opponents in them."""

    def on(self, day: int) -> Rating:
        """The rating on a later day: less certain for each day since the last game."""
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

    def __init__(self, ratings: Mapping[Key, Rated], pairs: Mapping[Pair, Met]) -> None:
        """Begin with these ratings and pairs; those that are missing are new."""
        self._ratings = dict(ratings)
        self._pairs = dict(pairs)
        self.ratings: Final[dict[Key, Rated]] = {}
        """The ratings that have changed."""
        self.pairs: Final[dict[Pair, Met]] = {}
        """The pairs that have changed, in both directions."""
        self.days: Final[dict[tuple[Key, int], float]] = {}
        """The changed ratings at the end of each day."""

    def rating(self, person: int, family: str = ALL_FAMILIES) -> Rated:
        """A rating after the games so far."""
        return self._ratings.get(Key(person, family), NOT_RATED)

    def add(self, game: Result) -> bool:
        """Rate the next game, by either of its results; False if the two have played `RATED_A_DAY` on that day.

        If two processes end games around midnight, a game of one day may come after the first of the next; it then
        counts to the later day.
        """
        day = game.ended_at // DAY
        today = self._pairs.get(Pair(game.person, game.opponent, ALL_FAMILIES))
        if today is not None and day <= today.day and today.games >= RATED_A_DAY:
            return False
        for family in (ALL_FAMILIES, family_of(game.rules)):
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
            rated = known[own].after(played, day, is_new=before is None)
            key, pair = Key(people[own], family), Pair(people[own], people[other], family)
            self._ratings[key] = self.ratings[key] = rated
            self._pairs[pair] = self.pairs[pair] = met
            self.days[key, rated.day] = rated.rating.rating

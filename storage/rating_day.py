"""The ratings of a day: from its games and the ratings before it to those after it. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from engine.families import family_of
from storage.fairness import Circles, reach
from storage.glicko import CENTRE, Played, Rating, aged, raises, rate
from storage.result import Outcome

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from storage.result import Result

ALL_FAMILIES: Final = ""
"""Stands for all families of rules together."""

_POINTS: Final = {Outcome.WIN: 1.0, Outcome.DRAW: 0.5, Outcome.LOSS: 0.0}


class Key(NamedTuple):
    """Whose rating, and in which family of rules."""

    person: int
    family: str


class Rated(NamedTuple):
    """A rating after a day."""

    day: int
    """Counted from 1970."""
    rating: Rating
    games: int
    """How many games it is made of."""


def rate_day(
    day: int,
    games: Iterable[Result],
    before: Mapping[Key, Rated],
    opponents: Mapping[int, Mapping[int, int]],
) -> dict[Key, Rated]:
    """Rate the people of a day.

    Args:
        day: The day, counted from 1970.
        games: Its games that count (`storage.fairness.counted`), one result each.
        before: The newest ratings of these people before it; those who have none begin.
        opponents: The games that these people have played, and everybody whom they have played, by person and by
            opponent; this day's included.
    """
    played: dict[Key, list[tuple[int, float]]] = {}
    for game in games:
        points = _POINTS[game.outcome]
        for family in (ALL_FAMILIES, family_of(game.rules)):
            played.setdefault(Key(game.person, family), []).append((game.opponent, points))
            played.setdefault(Key(game.opponent, family), []).append((game.person, 1 - points))
    known = {key: _on(day, before.get(key)) for key in played}
    circles = Circles(opponents)
    return {
        key: Rated(day, _rated(key, its, known, circles), len(its) + (before[key].games if key in before else 0))
        for key, its in played.items()
    }


class _Counting(NamedTuple):
    """A game that counts for somebody."""

    game: Played
    limit: float
    """Beyond this it does not move them."""
    lifts: bool


def _on(day: int, before: Rated | None) -> Rating:
    """A rating as it stands when a day begins."""
    return Rating() if before is None else aged(before.rating, max(0, day - before.day - 1))


def _rated(key: Key, games: Iterable[tuple[int, float]], known: Mapping[Key, Rating], circles: Circles) -> Rating:
    """Somebody's rating after their games, none of which moves it further from where all begin than it may."""
    old = known[key]
    counting: list[_Counting] = []
    for opponent, points in games:
        game = Played(known[Key(opponent, key.family)], points)
        away = reach(circles.of(opponent, key.person), circles.everybody)
        up = raises(old, game)
        limit = CENTRE + away if up else CENTRE - away
        if old.rating < limit if up else old.rating > limit:
            counting.append(_Counting(game, limit, up))
    return _held(old, rate(old, [game for game, _, _ in counting]), counting)


def _held(old: Rating, new: Rating, counting: Sequence[_Counting]) -> Rating:
    """A new rating, without what games have moved it beyond their limits.

    Beyond each limit only games of wider ones move it: one of these opens no way for the others. Nor do games that
    may not move it further make it less steady, so that luck with others would.
    """
    up = new.rating > old.rating
    limits = {limit for _, limit, lifts in counting if lifts is up}
    for nearest in sorted(limits, reverse=not up):
        if nearest >= new.rating if up else nearest <= new.rating:
            break
        rest = [
            game
            for game, limit, lifts in counting
            if lifts is not up or (limit > nearest if up else limit < nearest)
        ]
        alone = rate(old, rest).rating if rest else old.rating
        held = min(new.rating, max(nearest, alone)) if up else max(new.rating, min(nearest, alone))
        new = new._replace(rating=held, volatility=old.volatility)
    return new

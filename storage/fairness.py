"""Which games between two people count for ratings and lists of the week, so that nobody gains by agreement.

A game that was resigned or lost on time within a few moves counts for nothing. Of the games of two people on a
day (UTC) only the first few count. And how somebody fares against another says only as much as that one's
circle is wide: the people whom they play, and whom those play, without the first. Somebody of a small circle,
such as an account that plays nobody else, or a ring of accounts that play each other, moves nobody's rating far
from where all begin.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from storage.game import Termination

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from storage.result import Result

LEAST_PLIES: Final = 6
"""Resigned or lost on time before so many plies, a game counts for nothing."""

PER_DAY: Final = 3
"""The most games of the same two people that count on a day."""

WINDOW_DAYS: Final = 90
"""For so many days after their last game two people belong to each other's circles."""

PER_PERSON: Final = 2.5
"""For each person of their circle somebody moves a rating by so many points from where all begin, at most."""

LARGEST: Final = 30
"""So many opponents of a person are looked at, those of the most games first."""


def is_whole(result: Result) -> bool:
    """Whether a game was played for long enough to count."""
    by_wish = result.termination in (Termination.RESIGNATION, Termination.TIMEOUT)
    return not by_wish or result.plies >= LEAST_PLIES


def counted(results: Iterable[Result]) -> Iterator[Result]:
    """Those of a day's games between people that count, in the order of their ends; one result a game."""
    played: Counter[frozenset[int]] = Counter()
    for result in results:
        pair = frozenset((result.person, result.opponent))
        if is_whole(result) and played[pair] < PER_DAY:
            played[pair] += 1
            yield result


def reach(circle: float) -> float:
    """How far from where all begin games against somebody of such a circle may move a rating."""
    return PER_PERSON * circle


def circle_of(person: int, without: int, opponents_of: Callable[[int], Mapping[int, int]]) -> float:
    """How many people there are two games from somebody, leaving one person out.

    Those who are met often count more: of so many people, all met equally often, the same one would be met
    twice as often as of these. So one game with a stranger opens no circle, and a ring has no more than its
    members.

    Args:
        person: Whose circle it is.
        without: Who is left out, as if they had never played.
        opponents_of: The games that somebody has played, by opponent.
    """
    met: dict[int, float] = {}
    for friend, share in _shares(opponents_of(person), without):
        onward = list(_shares(opponents_of(friend), without))
        for other, part in onward:
            met[other] = met.get(other, 0.0) + share * part
        if not onward:
            met[friend] = met.get(friend, 0.0) + share
    return 1 / sum(part * part for part in met.values()) if met else 0.0


def _shares(opponents: Mapping[int, int], without: int) -> Iterator[tuple[int, float]]:
    """Somebody's opponents with their parts of the games."""
    others = sorted((-games, other) for other, games in opponents.items() if other != without)[:LARGEST]
    total = sum(games for games, _ in others)
    for games, other in others:
        yield other, games / total

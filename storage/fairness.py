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
    from collections.abc import Iterable, Iterator, Mapping

    from storage.result import Result

LEAST_PLIES: Final = 6
"""Resigned or lost on time before so many plies, a game counts for nothing."""

PER_DAY: Final = 3
"""The most games of the same two people that count on a day."""

WINDOW_DAYS: Final = 90
"""For so many days after their last game two people belong to each other's circles."""

PER_PERSON: Final = 2.5
"""For each person of their circle that counts somebody moves a rating by so many points from where all begin, at
most."""

LEAST_POINTS: Final = 20
"""So far everybody moves a rating, so that friends who play nobody else see who is ahead; luck gives more."""

FEW: Final = 24
"""So many people of a circle count in any case: no more points than honest luck gives."""

RING_PART: Final = 0.1
WIDEST_RING: Final = 100
"""A ring of accounts may be so great a part of all who play, and have so many members; who is beyond these in a
circle counts as well."""

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


def reach(circle: float, everybody: int) -> float:
    """How far from where all begin games against somebody of such a circle may move a rating.

    Args:
        circle: How many people are in it.
        everybody: How many people play at all.
    """
    ring = max(FEW, min(RING_PART * everybody, WIDEST_RING))
    return max(LEAST_POINTS, PER_PERSON * (min(circle, FEW) + max(0.0, circle - ring)))


class Circles:
    """The circles of people, from all who have played them and whom these have played; each reckoned once."""

    def __init__(self, opponents: Mapping[int, Mapping[int, int]]) -> None:
        """Take the games that people have played, by person and by opponent."""
        self.everybody: Final = len(opponents)
        self._opponents = opponents
        self._nearest: dict[int, list[tuple[int, int]]] = {}
        self._known: dict[tuple[int, int], float] = {}

    def of(self, person: int, without: int) -> float:
        """How many others there are two games from somebody, leaving one person out, as if they had never played.

        Those who are met often count more: of so many people, all met equally often, the same one would be met
        twice as often as of these. So one game with a stranger opens no circle, and a ring has no more than its
        members.
        """
        key = person, without
        if key not in self._known:
            self._known[key] = self._width(person, without)
        return self._known[key]

    def _width(self, person: int, without: int) -> float:
        met: dict[int, float] = {}
        friends = self._met_by(person, without)
        total = sum(games for _, games in friends)
        for friend, often in friends:
            onward = self._met_by(friend, without) or [(friend, 1)]
            share = often / (total * sum(games for _, games in onward))
            for other, games in onward:
                met[other] = met.get(other, 0.0) + share * games
        back = met.pop(person, 0.0)  # whoever somebody has met has met them
        return (1 - back) ** 2 / sum(part * part for part in met.values()) if met else 0.0

    def _met_by(self, person: int, without: int) -> list[tuple[int, int]]:
        """Whom somebody has met most often, but one, with how often."""
        if person not in self._nearest:
            every = self._opponents.get(person, {}).items()
            self._nearest[person] = sorted(every, key=lambda met: (-met[1], met[0]))[: LARGEST + 1]
        return [met for met in self._nearest[person] if met[0] != without][:LARGEST]

"""Matchmaking: pairs people who wait, and looks after their game until both have made a move.

Whoever has waited longest comes first, and gets the opponent nearest in rating. How far apart two may be widens
with the time that the one of them has waited who waited longer, without a limit in the end: so nobody waits for
ever while there is somebody. The figures are chosen by a simulation (docs/results.md).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, NamedTuple

from bot.game.deadlines import BEGUN, timed
from bot.game.play import with_sides_swapped
from storage.games.game import Game, GameKind, Limits, Termination
from storage.games.record import Decision

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bot.game.time_limits import TimeLimits
    from engine import Mark
    from storage.games.record import Record
    from storage.people.wait import Wait

ANY: Final = "any"
"""The word for whatever the other wants to play."""


class Seeker(NamedTuple):
    """Somebody who waits for another to play with."""

    person: int
    rules: str | None
    """What they want to play, in the words of the engine; None for whatever the other wants."""
    rating: float
    since: int
    """Since when they wait; seconds since 1970."""
    met: frozenset[int] = frozenset()
    """Their recent opponents."""


class Window(NamedTuple):
    """How far apart in rating two may be who are paired."""

    narrow: float
    """At first, in points."""
    widens: float
    """By so many points in a second of waiting."""
    open_after: int
    """After so many seconds of waiting anybody will do."""

    def of(self, waited: int) -> float:
        """How far apart two ratings may be after so many seconds of waiting."""
        return math.inf if waited >= self.open_after else self.narrow + self.widens * max(0, waited)


WINDOW: Final = Window(narrow=100, widens=5, open_after=90)

AGAIN_SECONDS: Final = 20
"""Recent opponents are paired again once both have waited so long, if there is nobody else for either."""

LATELY_SECONDS: Final = 30 * 60
"""For so long two people count as recent opponents."""


def pairs(waiting: Iterable[Seeker], now: int, window: Window = WINDOW) -> Sequence[tuple[Seeker, Seeker]]:
    """The pairs to begin now, each person at most once; the one who has waited longer comes first.

    Args:
        waiting: Everybody who waits, in any order.
        now: Seconds since 1970.
        window: How far apart two may be.
    """
    in_order = sorted(waiting, key=lambda seeker: (seeker.since, seeker.person))
    free = {seeker.person: seeker for seeker in in_order}
    paired = []
    for seeker in in_order:
        if seeker.person not in free:
            continue
        others = [other for other in free.values() if suit(seeker, other)]
        if (found := _nearest(seeker, others, free.values(), now, window)) is not None:
            first, second = sorted((seeker, found), key=lambda each: (each.since, each.person))
            paired.append((first, second))
            del free[seeker.person], free[found.person]
    return paired


def suit(one: Seeker, other: Seeker) -> bool:
    """Whether two are different people who want to play the same."""
    return one.person != other.person and (None in (one.rules, other.rules) or one.rules == other.rules)


def _nearest(
    seeker: Seeker, others: Sequence[Seeker], free: Iterable[Seeker], now: int, window: Window
) -> Seeker | None:
    """Who of those that want the same is to play somebody now; None if there is nobody yet."""
    strangers = [other for other in others if not _have_met(seeker, other)]
    if strangers:
        near = [
            other
            for other in strangers
            if abs(other.rating - seeker.rating) <= window.of(now - min(seeker.since, other.since))
        ]
        return _closest(seeker, near)
    return _closest(
        seeker,
        [
            other
            for other in others
            if now - max(seeker.since, other.since) >= AGAIN_SECONDS and not _has_strangers(other, free)
        ],
    )


def _closest(seeker: Seeker, others: Iterable[Seeker]) -> Seeker | None:
    return min(
        others, key=lambda other: (abs(other.rating - seeker.rating), other.since, other.person), default=None
    )


def _has_strangers(seeker: Seeker, free: Iterable[Seeker]) -> bool:
    return any(suit(seeker, other) and not _have_met(seeker, other) for other in free)


def _have_met(one: Seeker, other: Seeker) -> bool:
    return other.person in one.met or one.person in other.met


FEWEST: Final = 6
"""A typical wait is told from the waits of so many people at least."""


def usual_wait(waits: Sequence[int]) -> int | None:
    """The wait that half of these were not above; None where they are too few to say."""
    return sorted(waits)[(len(waits) - 1) // 2] if len(waits) >= FEWEST else None


def came(wait: Wait, now: int, limits: TimeLimits) -> Wait:
    """A wait whose person is there now."""
    return wait._replace(asked=False, due_at=now + limits.asked, changed_at=now)


def asked(wait: Wait, now: int, limits: TimeLimits) -> Wait:
    """A wait whose person is asked now whether they are still there."""
    return wait._replace(asked=True, due_at=now + limits.answered, changed_at=now)


def rules_for(one: Wait, other: Wait) -> str:
    """What two play: what the first wants, unless anything will do for them alone."""
    return other.rules if one.any_rules and not other.any_rules else one.rules


def met(
    one: Wait,
    other: Wait,
    *,
    names: Mapping[int, str],
    ratings: tuple[str | None, str | None],
    swap: bool,
    now: int,
    limits: TimeLimits,
) -> Game:
    """The game of two who have waited, not stored yet.

    Args:
        one: Whose wait it was that began earlier.
        other: The other's.
        names: What they are called, by id.
        ratings: How they are rated, as it is shown; None for somebody who hides that.
        swap: Whether the other moves first.
        now: Seconds since 1970.
        limits: The host's time limits.
    """
    game = Game(
        id=0,
        chat_id=one.person,
        rules=rules_for(one, other),
        kind=GameKind.PAIR,
        x_seat=one.person,
        o_seat=other.person,
        time_limits=Limits.STRANGERS,
        created_at=now,
        changed_at=now,
        update_id=other.update_id,
        names=names,
    )
    x_rating, o_rating = ratings
    if swap:
        game, x_rating, o_rating = with_sides_swapped(game), o_rating, x_rating
    return timed(game._replace(x_rating=x_rating, o_rating=o_rating), now, limits)


def plays(game: Game) -> bool:
    """Whether matchmaking has paired these two."""
    return game.is_between_strangers and not game.is_over


def has_not_begun(game: Game) -> bool:
    """Whether two who were paired play, and one of them has not moved yet, or has not come."""
    return plays(game) and game.ply < BEGUN


def rating_of(game: Game, mark: Mark) -> str | None:
    """How a player was rated when they were paired, as it is shown; None where it is not."""
    return game.rating(mark) if game.is_between_strangers else None


def never_begun(game: Game) -> Game:
    """The end of a game in which somebody has not come."""
    return game.with_nothing_asked()._replace(termination=Termination.EXPIRED, due_at=None)


def gone(record: Record, person: int) -> Decision[None]:
    """End what somebody plays whom the bot cannot reach: who has begun to play has resigned.

    Games that have not begun are not ended here: the other has to find their place in the queue again.
    """
    game = record.game
    mark = game.mark_of(person)
    if not plays(game) or mark is None or game.ply < BEGUN:
        return Decision(game, None)
    ended = game.with_nothing_asked()._replace(termination=Termination.RESIGNATION, winner=mark.other)
    return Decision(ended, None)

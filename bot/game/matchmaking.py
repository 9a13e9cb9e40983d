"""Matchmaking: pairs people who wait, and handles their game until both have moved.

The person who has waited longest is paired first, with the opponent closest in rating. The longer the first of two
has waited, the further apart they may be, in the end without limit, so nobody waits forever while somebody is
there. The figures were chosen by a simulation (docs/results.md).
"""

import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from bot.game.actions import WAITING, Action, Needs, Permission, Who
from bot.game.attempt import Attempt, Refusal, TimeLimits
from bot.game.deadlines import BOTH_MOVED, timed
from bot.game.play import begun
from engine import Mark
from storage.games.game import NO_NAMES, Game, GameKind, Limits, Side, Termination
from storage.games.record import Decision, Record


class Seeker(NamedTuple):
    """Somebody who waits for an opponent."""

    person: int
    rules: str | None
    """The rules they want, in the engine's words; None for whatever the opponent wants."""
    rating: float
    since: int
    """When their wait began; seconds since 1970."""
    met: frozenset[int] = frozenset()
    """Their recent opponents."""
    never: frozenset[int] = frozenset()
    """Whom they have blocked, who has blocked them, and for whom they haven't turned up within a day."""


NARROW: Final = 100
"""How many points apart in rating two people may be at first."""
WIDENS: Final = 5
"""How many more with each second of waiting."""
OPEN_AFTER_SECONDS: Final = 90
"""After so many seconds, anybody will do."""

PAIR_AGAIN_SECONDS: Final = 20
"""Once both have waited this many seconds, recent opponents may be paired again if there is nobody else."""

LATELY_SECONDS: Final = 30 * 60
"""For how many seconds two people count as recent opponents."""


NOT_PAIRED_SECONDS: Final = (5 * 60, 15 * 60, 60 * 60)
"""How long somebody isn't paired who hasn't turned up once, twice, and more often within a day."""
MOST_MISSED: Final = 2
"""Who has left the same person waiting so often within a day isn't paired with them."""


def paired_from(missed: Collection[tuple[int, int]]) -> int:
    """From when on somebody is paired again: given when they haven't turned up within a day, and for whom."""
    if not missed:
        return 0
    return max(missed)[0] + NOT_PAIRED_SECONDS[min(len(missed), len(NOT_PAIRED_SECONDS)) - 1]


def left_waiting(missed: Iterable[tuple[int, int]]) -> frozenset[int]:
    """Whom somebody has left waiting too often, given the same."""
    often = Counter(person for _at, person in missed)
    return frozenset(person for person, count in often.items() if count >= MOST_MISSED)


def pairs(waiting: Iterable[Seeker], now: int) -> Sequence[tuple[Seeker, Seeker]]:
    """The pairs to begin at this time, each person at most once; the one who has waited longer comes first."""
    in_order = sorted(waiting, key=lambda seeker: (seeker.since, seeker.person))
    free = {seeker.person: seeker for seeker in in_order}
    paired = []
    for seeker in in_order:
        if seeker.person not in free:
            continue
        if (nearest := _nearest(seeker, free.values(), now)) is not None:
            first, second = sorted((seeker, nearest), key=lambda each: (each.since, each.person))
            paired.append((first, second))
            del free[seeker.person], free[nearest.person]
    return paired


def suit(one: Seeker, other: Seeker) -> bool:
    """Whether two are different people whose wishes fit, and neither is one whom the other never meets."""
    if other.person == one.person or other.person in one.never or one.person in other.never:
        return False
    return None in (one.rules, other.rules) or one.rules == other.rules


def _nearest(seeker: Seeker, free: Iterable[Seeker], now: int) -> Seeker | None:
    if strangers := list(_strangers(seeker, free)):
        fit = [other for other in strangers if _distance(seeker, other) <= _most_apart(seeker, other, now)]
    else:
        others = [other for other in free if suit(seeker, other)]
        both_wait = [other for other in others if now - max(seeker.since, other.since) >= PAIR_AGAIN_SECONDS]
        fit = [other for other in both_wait if not any(_strangers(other, free))]
    return min(fit, key=lambda other: (_distance(seeker, other), other.since, other.person), default=None)


def _strangers(seeker: Seeker, free: Iterable[Seeker]) -> Iterator[Seeker]:
    """The people who suit somebody, without those whom they have met recently."""
    for other in free:
        if suit(seeker, other) and other.person not in seeker.met and seeker.person not in other.met:
            yield other


def _distance(one: Seeker, other: Seeker) -> float:
    return abs(other.rating - one.rating)


def _most_apart(one: Seeker, other: Seeker, now: int) -> float:
    """How far apart in rating two may be by now; a clock that jumps back doesn't bring them closer."""
    waited = max(0, now - min(one.since, other.since))
    return math.inf if waited >= OPEN_AFTER_SECONDS else NARROW + WIDENS * waited


def wanted(game: Game) -> str | None:
    """The rules that somebody who waits wants; None for whatever the opponent wants."""
    return None if game.any_rules else game.rules


class Stay(Action, word="stay", who=Who.PLAYERS, refused=WAITING):
    """Says that one is still waiting for an opponent."""

    def apply(self, game: Game, attempt: Attempt) -> Game:
        return begun(game, attempt)


class WantAny(Action, word="any", who=Who.PLAYERS, refused=WAITING, needs=Needs.WAIT):
    """Waits for whatever the opponent wants to play."""

    def apply(self, game: Game, attempt: Attempt) -> Game:
        return begun(game._replace(any_rules=True, told=attempt.facts.typical_wait), attempt)


class PlayMeanwhile(Permission, word="meanwhile", who=Who.PLAYERS, refused=WAITING):
    """Starts a game against the computer to pass the time until an opponent is found."""


def rules_for(one: Game, other: Game) -> str:
    """The rules two people play: those the first wants, unless only the second wants particular ones."""
    return other.rules if one.any_rules and not other.any_rules else one.rules


def met(
    one: Game,
    other: Game,
    *,
    names: Mapping[int, str],
    ratings: tuple[str | None, str | None],
    swap: bool,
    now: int,
    limits: TimeLimits,
) -> Game:
    """The game that the second of two people's waits becomes, where the first began earlier.

    Ratings are as shown, None for somebody who hides theirs; with `swap`, the second one moves first.
    """
    sides = [each.x._replace(rating=rating) for each, rating in zip((one, other), ratings, strict=True)]
    x, o = reversed(sides) if swap else sides
    rules = rules_for(one, other)
    game = other._replace(kind=GameKind.PAIR, rules=rules, any_rules=False, told=None, x=x, o=o, names=names)
    return timed(game, now, limits)


def waiting_again(game: Game, mark: Mark, *, since: int, any_rules: bool) -> Game:
    """The wait of a player whose opponent didn't turn up, at their old place; its time does not run yet."""
    person = game.seat(mark) or 0
    return Game(
        id=0,
        chat_id=person,
        rules=game.rules,
        kind=GameKind.CHALLENGE,
        x=Side(person),
        o=Side(),
        any_rules=any_rules,
        time_limits=Limits.STRANGERS,
        created_at=since,
        names={person: name} if (name := game.name(mark)) else NO_NAMES,
    )


WAIT_REFUSALS: Final = frozenset({Refusal.NOT_OPEN, Refusal.NOT_WAITING, Refusal.BEGUN, Refusal.OVER})


def refused(game: Game, refusal: Refusal) -> Refusal:
    """Why something is refused, in the words for somebody who waits no more for an opponent."""
    if refusal not in WAIT_REFUSALS:
        return refusal
    if has_not_begun(game):
        return Refusal.MET
    return Refusal.NOT_WAITING if game.is_wait and game.is_over else refusal


def has_not_begun(game: Game) -> bool:
    """Whether matchmaking paired these two, and one of them hasn't moved yet."""
    return game.is_between_strangers and game.ply < BOTH_MOVED and not game.is_over


def never_begun(game: Game, missed_by: int | None = None) -> Game:
    """The game, ended because somebody didn't turn up, or was left for another."""
    return game.ended(Termination.EXPIRED)._replace(due_at=None, ended_by=missed_by)


def given_up(record: Record, person: int) -> Decision:
    """End the game of somebody the bot can't reach any more: they resign it, if it has begun.

    A game that hasn't begun is not ended here, because the opponent gets their place in the queue back.
    """
    game = record.game
    mark = game.mark_of(person)
    if mark is None or not game.is_between_strangers or game.is_over or game.ply < BOTH_MOVED:
        return Decision(game)
    return Decision(game.ended(Termination.RESIGNATION, mark.other))

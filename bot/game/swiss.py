"""Pairs the rounds of a cup: with few people all play all, with more they play a Swiss.

A round of a Swiss is the cheapest of all pairings, by what FIDE's rules (C.04.1, C.04.3) ask for, in this order:
nobody meets somebody again, or has a second bye; the bye goes to as few points as possible; nobody has X or O two
times more than the other; players meet others with as many points. There are at most 2¹⁵ groups of people who may
still wait for an opponent, so it takes a bounded time, however unlikely the round. Chance is passed in.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import product
from random import Random
from typing import Final, TypeAlias

BYE: Final = -1
"""Stands for the missing opponent of a bye."""
MUCH: Final = 4096
"""More than all that one of the wishes can cost in a round."""


@dataclass(frozen=True, slots=True)
class Contender:
    """What pairing a player depends on."""

    number: int
    points: int
    met: Counter[int] = field(default_factory=Counter)
    """How often they have met whom, by number."""
    balance: int = 0
    """In how many more games they had X than O."""
    last: int = 0
    """1 if they had X in their last game, and -1 if they had O."""

    def after(self, other: Contender, side: int) -> Contender:
        """The player after a game, or a bye; the side is 1 for X, and -1 for O."""
        met = self.met + Counter([other.number])
        if BYE in (self.number, other.number):
            return replace(self, met=met)
        return replace(self, met=met, balance=self.balance + side, last=side)


Pairing: TypeAlias = tuple[Contender, Contender]


def paired(contenders: Sequence[Contender], rng: Random, rounds_left: int = 0) -> Sequence[tuple[int, int | None]]:
    """A round of a Swiss, of which so many follow: pairs with X first, and who has a bye if their number is odd.

    Who has X is chosen so that in the next round, too, nobody need have one mark two times more.
    """
    drawn = list(contenders)
    rng.shuffle(drawn)
    if len(drawn) % 2:
        drawn.append(Contender(BYE, 0, Counter({contender.number: contender.met[BYE] for contender in drawn})))
    costs = [[_cost(one, other) for other in drawn] for one in drawn]
    pairs = [(drawn[one], drawn[other]) for one, other in _cheapest(costs)]
    plans = product(*(_sides(one, other) for one, other in pairs))
    first = next(plans)
    lasting = (plan for plan in [first, *plans] if _lasts(plan)) if rounds_left else iter(())
    plan = next(lasting, first)
    plan = tuple(sorted(plan, key=lambda pair: (pair[1].number == BYE, -pair[0].points - pair[1].points)))
    return [(x.number, None if o.number == BYE else o.number) for x, o in plan]


def all_play_all(first: Sequence[tuple[int, int]], resting: int | None) -> Sequence[Sequence[tuple[int, int]]]:
    """The rounds in which all play all, X first, given the first one, and who rests in it if their number is odd.

    People sit in a circle, in which all but one move on by a seat each round, as in FIDE's Berger tables (C.05).
    Of two, X is the one who has the other in the half circle ahead: so all have X and O equally often, or once
    more.
    """
    rests = int(resting is not None)
    count = 2 * len(first) + rests
    half = (count | 1) // 2

    def leads(one: int, other: int) -> bool:
        return (other - one) % (count | 1) <= half

    numbers = dict.fromkeys(range(rests), resting or 0)
    for place, (x, o) in enumerate(first):
        one, other = place + rests, count - 1 - place
        numbers[one], numbers[other] = (x, o) if leads(one, other) else (o, x)
    seats: list[int | None] = [*range(count), *([None] if rests else [])]
    rounds = []
    for _ in range(len(seats) - 1):
        halves = zip(seats[: len(seats) // 2], reversed(seats), strict=False)
        met = [(one, other) for one, other in halves if one is not None and other is not None]
        inner = [(one, other) if leads(one, other) else (other, one) for one, other in met]
        rounds.append([(numbers[x], numbers[o]) for x, o in inner])
        seats = [seats[0], seats[-1], *seats[1:-1]]
    return rounds


def _cost(one: Contender, other: Contender) -> int:
    """What it costs that two players meet, or that one of them has a bye: first things weigh most."""
    again, broken = one.met[other.number], _broken(*_sides(one, other)[0])
    is_bye = BYE in (one.number, other.number)
    bye, apart = (one.points + other.points, 0) if is_bye else (0, abs(one.points - other.points))
    return ((again * MUCH + bye) * MUCH + broken) * MUCH + apart**2


def _cheapest(costs: Sequence[Sequence[int]]) -> Iterator[tuple[int, int]]:
    """The cheapest pairing of all, given what each pair costs; who waits for an opponent is a set of bits."""

    @cache
    def best(waiting: int) -> tuple[int, int]:
        first = (waiting & -waiting).bit_length() - 1
        rest, cheapest = waiting & (waiting - 1), (-1, 0)
        others = rest
        while others:
            bit = others & -others
            cost = costs[first][bit.bit_length() - 1] + (best(rest ^ bit)[0] if rest != bit else 0)
            if cheapest[0] < 0 or cost < cheapest[0]:
                cheapest = cost, bit
            others ^= bit
        return cheapest

    waiting = (1 << len(costs)) - 1
    while waiting:
        bit = best(waiting)[1]
        yield (waiting & -waiting).bit_length() - 1, bit.bit_length() - 1
        waiting = waiting & (waiting - 1) ^ bit


def _lasts(pairs: Sequence[Pairing]) -> bool:
    """Whether after this round there is one in which nobody meets somebody again or has one mark twice more."""
    after = [contender for x, o in pairs for contender in (x.after(o, 1), o.after(x, -1))]
    fits = [
        sum(
            1 << place
            for place, other in enumerate(after)
            if other is not one and not one.met[other.number] and not _broken(*_sides(one, other)[0])
        )
        for one in after
    ]

    @cache
    def can(waiting: int) -> bool:
        if not waiting:
            return True
        rest = waiting & (waiting - 1)
        others = fits[(waiting & -waiting).bit_length() - 1] & rest
        while others:
            bit = others & -others
            if can(rest ^ bit):
                return True
            others ^= bit
        return False

    return can((1 << len(after)) - 1)


def _sides(one: Contender, other: Contender) -> Sequence[Pairing]:
    """Two players, X first, in the orders that keep X and O of each most even, the one that alternates first."""
    if BYE in (one.number, other.number):
        return [(other, one) if one.number == BYE else (one, other)]
    both = sorted(((one, other), (other, one)), key=lambda pair: (_broken(*pair), pair[0].last - pair[1].last))
    return [pair for pair in both if _broken(*pair) == _broken(*both[0])]


def _broken(x: Contender, o: Contender) -> int:
    """How many of two players would then have had one mark at least twice more than the other."""
    return 0 if o.number == BYE else (abs(x.balance + 1) > 1) + (abs(o.balance - 1) > 1)

"""The rule of the queue: nobody twice, the nearest first, nobody for ever, not the same two again and again."""

from __future__ import annotations

import math
from random import Random

import pytest

from bot.game.pairing import AGAIN_SECONDS, FEWEST, WINDOW, Seeker, Window, pairs, suit, usual_wait

NOW = 1_700_000_000


def seeker(
    person: int, rating: float = 1500, waited: int = 0, rules: str | None = "3x3x3", met: tuple[int, ...] = ()
) -> Seeker:
    """Somebody who has waited for so many seconds."""
    return Seeker(person, rules, rating, NOW - waited, frozenset(met))


def paired(*waiting: Seeker, window: Window = WINDOW) -> list[tuple[int, int]]:
    """Who is to play whom, by id."""
    return [(one.person, other.person) for one, other in pairs(waiting, NOW, window)]


def test_two_who_are_near_are_paired_at_once() -> None:
    assert paired(seeker(1), seeker(2, 1500 + WINDOW.narrow)) == [(1, 2)]
    assert paired(seeker(1), seeker(2, 1501 + WINDOW.narrow)) == []
    assert paired(seeker(1)) == paired() == []


def test_the_nearest_is_chosen_and_who_waits_longest_is_looked_after_first() -> None:
    assert paired(seeker(1, waited=9), seeker(2, 1550), seeker(3, 1490)) == [(1, 3)]
    assert paired(seeker(1, 1500), seeker(2, 1520, waited=5), seeker(3, 1530)) == [(2, 3)]


def test_the_window_widens_until_anybody_will_do() -> None:
    window = Window(narrow=50, widens=2, open_after=60)
    for waited, distance in ((0, 50), (10, 70), (59, 168)):
        assert paired(seeker(1, waited=waited), seeker(2, 1500 + distance), window=window) == [(1, 2)]
        assert paired(seeker(1, waited=waited), seeker(2, 1501 + distance), window=window) == []
    assert window.of(60) == math.inf
    assert paired(seeker(1, waited=60), seeker(2, 3000), window=window) == [(1, 2)]
    assert window.of(-5) == 50, "a clock that goes wrong narrows nothing"


def test_only_who_wants_the_same_is_met() -> None:
    assert paired(seeker(1, rules="3x3x3"), seeker(2, rules="5x5x4")) == []
    assert paired(seeker(1, rules=None), seeker(2, rules="5x5x4")) == [(1, 2)]
    assert paired(seeker(1, rules=None), seeker(2, rules=None)) == [(1, 2)]


def test_nobody_is_paired_with_themselves() -> None:
    assert not suit(seeker(1), seeker(1, rules=None))
    assert paired(seeker(1), seeker(1)) == []


def test_two_who_have_met_wait_for_others_and_are_paired_again_where_there_are_none() -> None:
    lately = [seeker(1, waited=AGAIN_SECONDS - 1, met=(2,)), seeker(2, waited=AGAIN_SECONDS, met=(1,))]
    assert paired(*lately) == []
    patient = [seeker(1, waited=AGAIN_SECONDS, met=(2,)), seeker(2, waited=AGAIN_SECONDS)]
    assert paired(*patient) == [(1, 2)], "one of the two records is enough"
    assert paired(*patient, seeker(3)) == [(1, 3)]
    far = seeker(3, 5000)
    assert paired(*[each._replace(since=NOW - 30) for each in patient], far) == [], "who is far now is near soon"
    assert paired(*patient, seeker(3, rules="ultimate")) == [(1, 2)]


def test_who_has_somebody_new_is_left_for_them() -> None:
    one = seeker(1, waited=100, met=(2,), rules="3x3x3")
    two = seeker(2, 4000, waited=30, rules=None)
    three = seeker(3, waited=0, rules="5x5x4")
    assert paired(one, two, three) == [], "two and three are about to be near"


@pytest.mark.parametrize("seed", range(30))
def test_in_any_crowd_each_is_paired_once_and_nobody_waits_for_ever(seed: int) -> None:
    rng = Random(seed)
    crowd = [
        seeker(
            person,
            rng.gauss(1500, 300),
            rng.randrange(200),
            rng.choice(("3x3x3", "ultimate", None)),
            tuple(rng.sample(range(20), 3)),
        )
        for person in range(20)
    ]
    found = pairs(crowd, NOW)
    people = [each.person for pair in found for each in pair]
    assert len(people) == len(set(people))
    for one, other in found:
        assert suit(one, other)
        assert one.since <= other.since
    rng.shuffle(crowd)
    assert pairs(crowd, NOW) == found, "the order in which they are given does not matter"
    left = [each for each in crowd if each.person not in people]
    for later in pairs(left, NOW + WINDOW.open_after + AGAIN_SECONDS):
        left = [each for each in left if each not in later]
    assert not any(suit(one, other) for one in left for other in left)


def test_the_usual_wait_is_that_of_half_of_those_who_were_paired_and_not_made_up() -> None:
    assert usual_wait([]) is None
    assert usual_wait([5] * (FEWEST - 1)) is None
    assert usual_wait([100, 0, 10, 20, 30, 40]) == 20
    assert usual_wait([0] * FEWEST) == 0

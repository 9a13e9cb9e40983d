"""Matchmaking: nobody is paired twice or waits forever, close ratings go first; and the games of paired people."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from bot.game.attempt import (
    ANSWER_SECONDS,
    ASK_SECONDS,
    FIRST_MOVE_SECONDS,
    MOVE_SECONDS,
    NO_FACTS,
    Attempt,
    Facts,
    Player,
    Refusal,
    State,
    TimeLimits,
    Where,
    state_of,
)
from bot.game.deadlines import NO_PERSON, Due, limits_of, look
from bot.game.gate import decide, decide_by_clock
from bot.game.matchmaking import (
    NARROW,
    OPEN_AFTER_SECONDS,
    PAIR_AGAIN_SECONDS,
    PlayMeanwhile,
    Seeker,
    Stay,
    WantAny,
    given_up,
    has_not_begun,
    left_waiting,
    met,
    never_begun,
    paired_from,
    pairs,
    suit,
    waiting_again,
    wanted,
)
from bot.game.new_game import Cancel, wait
from bot.game.pages import ShowRules
from bot.game.play import SetRules
from bot.game.questions import ConfirmResign, Resign
from engine import Mark
from storage.games.game import Game, Termination
from storage.games.record import Record
from storage.people.matchmaking import FEWEST_WAITS, median
from tests.bot.games import ANN, BO, LIMITS, board_in, done, why_not

NOW = 1_700_000_000


def seeker(
    person: int, rating: float = 1500, waited: int = 0, rules: str | None = "3x3x3", met: tuple[int, ...] = ()
) -> Seeker:
    return Seeker(person, rules, rating, NOW - waited, frozenset(met))


def paired(*waiting: Seeker) -> list[tuple[int, int]]:
    """Who is to play whom, by id."""
    return [(one.person, other.person) for one, other in pairs(waiting, NOW)]


LATELY = [seeker(1, waited=PAIR_AGAIN_SECONDS, met=(2,)), seeker(2, waited=PAIR_AGAIN_SECONDS)]
"""Recent opponents; one of the two records is enough."""

PAIRS: dict[str, tuple[list[Seeker], list[tuple[int, int]]]] = {
    "nobody": ([], []),
    "one": ([seeker(1)], []),
    "the same person twice": ([seeker(1), seeker(1, rules=None)], []),
    "one of whom has blocked the other": (
        [seeker(1)._replace(never=frozenset({2})), seeker(2)._replace(never=frozenset({1}))],
        [],
    ),
    "close in rating": ([seeker(1), seeker(2, 1500 + NARROW)], [(1, 2)]),
    "far apart": ([seeker(1), seeker(2, 1501 + NARROW)], []),
    "the closest is chosen": ([seeker(1, waited=9), seeker(2, 1550), seeker(3, 1490)], [(1, 3)]),
    "the longest waiting comes first": ([seeker(1), seeker(2, 1520, waited=5), seeker(3, 1530)], [(2, 3)]),
    "other rules": ([seeker(1), seeker(2, rules="5x5x4")], []),
    "any rules": ([seeker(1, rules=None), seeker(2, rules="5x5x4")], [(1, 2)]),
    "any rules for both": ([seeker(1, rules=None), seeker(2, rules=None)], [(1, 2)]),
    "recent opponents wait": ([seeker(1, waited=PAIR_AGAIN_SECONDS - 1, met=(2,)), LATELY[1]], []),
    "and are paired again": (LATELY, [(1, 2)]),
    "unless there is another": ([*LATELY, seeker(3)], [(1, 3)]),
    "whom the range soon reaches": ([*[each._replace(since=NOW - 30) for each in LATELY], seeker(3, 5000)], []),
    "but not one who wants something else": ([*LATELY, seeker(3, rules="ultimate")], [(1, 2)]),
    "a person is left for a newer opponent": (
        [seeker(1, waited=100, met=(2,)), seeker(2, 4000, waited=30, rules=None), seeker(3, rules="5x5x4")],
        [],  # two and three will soon be in range
    ),
}


@pytest.mark.parametrize(("waiting", "found"), PAIRS.values(), ids=PAIRS)
def test_two_who_want_the_same_are_paired_if_they_are_close_or_have_waited(
    waiting: list[Seeker], found: list[tuple[int, int]]
) -> None:
    assert paired(*waiting) == found


def test_the_window_widens_until_anybody_will_do() -> None:
    for waited, distance in ((0, 100), (10, 150), (89, 545), (-5, 100)):  # a clock that jumps back narrows nothing
        one, jumped = seeker(1, waited=waited), min(0, waited)
        assert paired(one, seeker(2, 1500 + distance, jumped)) == [(1, 2)]
        assert paired(one, seeker(2, 1501 + distance, jumped)) == []
    assert paired(seeker(1, waited=90), seeker(2, 9999)) == [(1, 2)]


@pytest.mark.parametrize("seed", range(30))
def test_in_any_crowd_each_is_paired_once_and_nobody_waits_for_ever(seed: int) -> None:
    rng, rules = Random(seed), ("3x3x3", "ultimate", None)
    crowd = [
        seeker(
            person, rng.gauss(1500, 300), rng.randrange(200), rng.choice(rules), tuple(rng.sample(range(20), 3))
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
    for later in pairs(left, NOW + OPEN_AFTER_SECONDS + PAIR_AGAIN_SECONDS):
        left = [each for each in left if each not in later]
    assert not any(suit(one, other) for one in left for other in left)


def test_the_typical_wait_is_the_median_and_is_never_made_up() -> None:
    assert [median(waits) for waits in ([], [5] * (FEWEST_WAITS - 1))] == [None, None]
    assert [median(waits) for waits in ([100, 0, 10, 20, 30, 40], [0] * FEWEST_WAITS)] == [20, 0]


def by(player: Player, now: int = NOW, facts: Facts = NO_FACTS) -> Attempt:
    return Attempt(player, Where(player.id), now, Random(1), LIMITS, facts=facts)


def wait_of(player: Player = ANN, **values: Any) -> Game:  # noqa: ANN401 - a game's fields
    game = wait(by(player), rules="3x3x3", any_rules=False, told=None)
    return game._replace(**{"id": 1, **values})


def of_both() -> Game:
    one, other = wait_of(rules="5x5x4"), wait_of(BO)
    names = {player.id: player.name for player in (ANN, BO)}
    return met(one, other, names=names, ratings=("1612", "1500?"), swap=False, now=NOW, limits=LIMITS)


def record(game: Game) -> Record:
    return Record(game, (board_in(ANN.id, viewer=ANN.id),))


def by_clock(game: Game, now: int) -> Game:
    return decide_by_clock(record(game), Attempt(BO, Where(), now, Random(1), LIMITS)).game


def test_somebody_who_waits_for_long_is_asked_and_keeps_their_place_if_they_answer() -> None:
    waiting = wait_of(created_at=NOW - 99)
    assert waiting.due_at == NOW + ASK_SECONDS
    late = by_clock(waiting, waiting.due_at)
    assert (late.reminded, late.due_at) == (0, waiting.due_at + ANSWER_SECONDS)
    there = decide(record(late), Stay(), by(ANN, NOW + ASK_SECONDS + 9)).game
    assert (there.reminded, there.due_at, there.created_at) == (None, NOW + 2 * ASK_SECONDS + 9, NOW - 99)
    ended = by_clock(late, late.due_at or 0)
    assert (ended.termination, state_of(ended)) == (Termination.EXPIRED, State.CLOSED)


def test_somebody_who_waits_is_asked_by_a_new_message_unless_they_look_on() -> None:
    board = board_in(ANN.id, viewer=ANN.id, message_id=7)
    waiting = wait_of()
    for acted_at, called, to in ((NOW, False, board.place), (NOW, True, None), (NOW + ASK_SECONDS, False, None)):
        seen = Record(waiting, (board._replace(acted_at=acted_at, called=called),))
        decision = decide_by_clock(seen, Attempt(NO_PERSON, Where(), waiting.due_at or 0, Random(1), LIMITS))
        assert not decision.notices
        found = decision.attention.get(board.id)
        assert (None if found is None else found.to) == to


def test_what_one_waits_for_can_be_changed_until_an_opponent_is_found() -> None:
    waiting, told = wait_of(), Facts(typical_wait=30)
    free = decide(record(waiting), WantAny(), by(ANN, facts=told)).game
    assert (wanted(free), free.told) == (None, 30)
    again = decide(record(free), SetRules("3x3x3"), by(ANN)).game
    assert (wanted(again), again.told) == ("3x3x3", None)
    left = decide(record(waiting), Cancel(), by(ANN)).game
    assert left.termination is Termination.CANCELLED
    for action in (Stay(), WantAny(), SetRules("5x5x4"), Cancel(), PlayMeanwhile(), ShowRules(0)):
        for game, refusal in ((of_both(), Refusal.MET), (left, Refusal.NOT_WAITING)):
            assert why_not(decide, record(game), action, by(ANN)) is refusal, action


def test_whoever_is_left_alone_waits_again_by_name_for_the_board_of_that_game() -> None:
    again = waiting_again(of_both(), Mark.X, since=NOW - 99, any_rules=True)
    assert (again.name(Mark.X), again.rules) == (ANN.name, "5x5x4")


def test_two_strangers_have_little_time_and_least_of_all_for_the_first_move() -> None:
    game = of_both()
    assert game.due_at == NOW + FIRST_MOVE_SECONDS * 3 // 4
    reminded = by_clock(game, game.due_at or 0)
    assert reminded.due_at == NOW + FIRST_MOVE_SECONDS
    assert look(Record(reminded, ()), NOW + FIRST_MOVE_SECONDS, LIMITS).due is Due.END
    ended = by_clock(reminded, NOW + FIRST_MOVE_SECONDS)
    assert (ended.termination, ended.winner) == (Termination.EXPIRED, None), "nobody loses who hasn't come"
    assert state_of(ended) is State.CLOSED, "there is nobody for a rematch"
    begun = game._replace(moves="04", moved_at=NOW + 60)
    assert (has_not_begun(game), has_not_begun(begun)) == (True, False)
    first = look(Record(begun, ()), game.due_at or 0, LIMITS)
    assert (first.due, first.again_at) == (None, NOW + 60 + MOVE_SECONDS * 3 // 4)
    lost = begun._replace(reminded=2, due_at=NOW + 60 + MOVE_SECONDS)
    over = by_clock(lost, NOW + 60 + MOVE_SECONDS)
    assert (over.termination, over.winner) == (Termination.TIMEOUT, Mark.O)
    least = TimeLimits(challenge=9, move=8)
    assert (least.asked, least.answered) == (9, 9), "what hosts allow is the most that anybody has"
    assert limits_of(game, least).move == limits_of(begun, least).move == 8


def test_whoever_resigns_before_both_have_moved_has_not_turned_up() -> None:
    for moves, missed_by in (("", ANN.id), ("0", ANN.id), ("04", None)):
        game = of_both()._replace(moves=moves)
        assert done(done(game, Resign, ANN), ConfirmResign(), ANN).ended_by == missed_by


def test_the_pause_grows_with_each_game_that_was_missed_and_then_stays() -> None:
    assert paired_from([]) == 0
    for count, pause in ((1, 300), (2, 900), (3, 3600), (7, 3600)):
        missed = [(NOW - 60 * each, 100 + each // 2) for each in range(count)]
        assert paired_from(missed) == NOW + pause
        assert len(left_waiting(missed)) == count // 2, "each was left waiting twice"


def test_somebody_who_cannot_be_reached_resigns_games_that_had_begun() -> None:
    begun = of_both()._replace(moves="04")
    assert given_up(record(begun), BO.id).game.winner is Mark.X
    for untouched, person in ((of_both(), BO.id), (begun, 999), (never_begun(of_both()), BO.id)):
        assert given_up(record(untouched), person).game is untouched

"""Cups: who meets whom, with which mark, who wins, and when they end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any, Final

import pytest

from benchmarks.cups import NOW, Held, ended, judged, leaders, played
from bot.game.cups import (
    ALL_PLAY_ALL,
    ALONE_FROM,
    ALONE_MOST_SECONDS,
    ALONE_SECONDS,
    AT_ONCE,
    FEWEST_IN,
    MOST_IN,
    OUT_SECONDS,
    RING_SECONDS,
    current_round,
    gone_on,
    joined_late,
    left_behind,
    longest_round,
    next_look,
    rankings,
    rings,
    startable,
    started,
    timed,
    with_back,
    with_ended,
    with_removed,
)
from bot.game.swiss import BYE, Contender, all_play_all, paired
from engine import Mark
from storage.columns import DAY
from storage.games.game import Game, GameKind, Limits, Side, Termination
from storage.people.person import Cup, CupGame, CupPlayer, CupResult, CupStage, CupState
from tests.soak import SOAK

RANDOM_CUPS: Final = 60 if SOAK else 6
"""For each number of people."""


def game(**fields: Any) -> Game:  # noqa: ANN401 - as the fields are
    """A game of a cup."""
    seats = {"x": Side(101), "o": Side(102)}
    made = Game(1, -5, "3x3x3", GameKind.PAIR, **seats, time_limits=Limits.CUP, clock=30)  # type: ignore[arg-type]
    return made._replace(**fields)


def opened(count: int, clock: int = 120, rules: str = "3x3x3") -> CupState:
    players = tuple(CupPlayer(1, number, 100 + number) for number in range(count))
    return CupState(Cup(1, -5, None, None, rules, clock, created_at=NOW), players)


def begun(state: CupState) -> CupState:
    """The cup with the games that may begin now; their ids follow from their numbers."""
    ids = {each.number for each in startable(state)}
    games = (each._replace(game_id=1 + each.number) if each.number in ids else each for each in state.games)
    return state._replace(games=tuple(games))


def running(state: CupState) -> list[CupGame]:
    return [each for each in state.games if each.result is None and each.game_id is not None]


def leaving(state: CupState, number: int) -> CupState:
    players = (each._replace(is_out=each.is_out or each.number == number) for each in state.players)
    return state._replace(players=tuple(players))


def with_results(state: CupState, winner: Mark | None, *numbers: int) -> CupState:
    """The cup after running games, by their numbers."""
    return gone_on(with_ended(state, {1 + number: ended(winner) for number in numbers}), Random(1), NOW)


def placed(state: CupState) -> dict[int, int]:
    """The place of each number."""
    return {line.player.number: line.place for line in rankings(state)}


# The rounds.


@pytest.mark.parametrize("count", range(FEWEST_IN, MOST_IN + 1))
def test_every_promise_of_a_fair_cup_holds_if_nobody_leaves(count: int) -> None:
    for seed in range(RANDOM_CUPS):
        cup = judged(count, Random(seed))
        assert cup.held == Held(), f"cup {seed}"
        games, rounds = cup.state.games, cup.state.cup.rounds
        assert rounds == ((count - 1) | 1 if count <= ALL_PLAY_ALL else (count - 1).bit_length() + 1)
        turns = count - 1 if count <= ALL_PLAY_ALL else rounds
        in_rounds = Counter(number for each in games for number in (each.x, each.o) if number is not None)
        assert set(in_rounds.values()) == {turns}, "everybody plays in every round, or has their bye"
        assert {*placed(cup.state).values()} == {player.place for player in cup.state.players}
        assert leaders(cup.state)


@pytest.mark.parametrize("count", range(FEWEST_IN, MOST_IN + 1))
def test_where_people_leave_nobody_has_two_byes_or_gains_by_joining_first(count: int) -> None:
    broken = Counter[str]()
    for seed in range(RANDOM_CUPS):
        held = judged(count, Random(seed), leaving=0.1).held
        broken.update(name for name, kept in held._asdict().items() if not kept)
    assert {*broken} <= {"nobody_is_met_again", "the_bye_is_for_the_fewest_points", "x_and_o_are_even"}
    assert broken["nobody_is_met_again"] + broken["the_bye_is_for_the_fewest_points"] <= RANDOM_CUPS // 6


@pytest.mark.parametrize("count", [5, 9, 16])
def test_nobody_plays_two_games_at_a_time_and_no_round_begins_before_the_last_one_is_over(count: int) -> None:
    for state in played(count, Random(count), leaving=0.2):
        busy = Counter(number for each in running(state) for number in (each.x, each.o))
        assert len(running(state)) <= AT_ONCE
        assert set(busy.values()) <= {1}
        assert {each.round for each in running(state)} <= {current_round(state)}


def contender(number: int, points: int = 0, balance: int = 0, **met: int) -> Contender:
    return Contender(
        number, points, Counter({int(name[1:]) if name != "bye" else BYE: n for name, n in met.items()}), balance
    )


def test_a_bye_goes_to_the_fewest_points_that_had_none_and_x_and_o_give_way() -> None:
    people = [
        contender(0, 4, 1),
        contender(1, 2, 1),
        contender(2, 1, 1),
        contender(3, 1, 1),
        contender(4, 0, -1, bye=1),
    ]
    for seed in range(10):
        pairs = dict(paired(people, Random(seed), 1))
        (lowest,) = (x for x, o in pairs.items() if o is None)
        assert lowest in (2, 3)


def test_pairing_takes_a_bounded_time_even_where_everybody_has_met_everybody() -> None:
    everybody = {f"p{number}": 1 for number in range(16)}
    people = [replace(contender(number, **everybody), balance=number % 3 - 1) for number in range(16)]
    assert len(paired(people, Random(1), 3)) == 8


@pytest.mark.parametrize("count", range(FEWEST_IN, ALL_PLAY_ALL + 1))
def test_all_play_all_with_x_and_o_even_whatever_the_first_round_was(count: int) -> None:
    numbers = Random(count).sample(range(count), count)
    first = list(zip(numbers[::2], numbers[1::2], strict=False))
    rounds = all_play_all(first, numbers[-1] if count % 2 else None)
    assert sorted(rounds[0]) == sorted(first)
    games = [pair for each in rounds for pair in each]
    assert len({frozenset(pair) for pair in games}) == len(games) == count * (count - 1) // 2
    for number in numbers:
        assert abs(sum((x == number) - (o == number) for x, o in games)) <= 1


# Who wins.


def scored(*results: tuple[int, int | None, CupResult], count: int = 4) -> CupState:
    """A cup in its only round so far, with these results."""
    state = opened(count)
    games = [CupGame(1, number, 1, x, o, 1, result, 9) for number, (x, o, result) in enumerate(results)]
    running_ = state.cup._replace(stage=CupStage.RUNNING, rounds=1)
    return state._replace(cup=running_, games=tuple(games))


X, O, DRAW, BYE_ = CupResult.X, CupResult.O, CupResult.DRAW, CupResult.BYE  # noqa: E741 - the marks


@pytest.mark.parametrize(
    ("state", "places"),
    [
        pytest.param(scored((0, 1, DRAW), (2, 3, DRAW), (0, 2, DRAW), (1, 3, DRAW)), [1, 1, 1, 1], id="all drawn"),
        pytest.param(scored((0, 1, O), (0, 2, X), (1, 2, O)), [1, 1, 1, 4], id="each beat one"),
        pytest.param(scored((0, 1, O), (0, 2, X), (0, 3, X), (1, 2, X), (1, 3, O)), [2, 1, 4, 3], id="direct"),
        pytest.param(scored((0, 2, X), (1, 3, X), (2, 3, X)), [1, 2, 2, 4], id="who was beaten"),
        pytest.param(scored((0, None, BYE_), (1, 2, DRAW)), [1, 1, 1, 4], id="a bye loses no tie"),
    ],
)
def test_people_are_told_apart_by_points_then_by_their_games_then_by_whom_they_beat_and_else_share_a_place(
    state: CupState, places: Sequence[int]
) -> None:
    found = placed(state)
    assert [found[number] for number in range(len(state.players))] == places


def test_everybody_who_is_equal_wins_whoever_joined_first() -> None:
    state = begun(started(opened(6), Random(1), NOW))
    while running(state):
        state = begun(with_results(state, None, *(each.number for each in running(state))))
    assert state.cup.stage is CupStage.OVER
    assert len(state.champions) == len(state.players)


def test_a_decider_that_an_earlier_release_has_begun_decides() -> None:
    state = scored((0, 1, DRAW), (0, 2, X), (1, 2, X), count=3)
    decider = CupGame(1, 3, 2, 1, 0, 9)
    state = with_ended(state._replace(games=(*state.games, decider)), {9: ended(Mark.X)})
    over = gone_on(state, Random(1), NOW)
    assert [player.number for player in over.champions] == [1]


@pytest.mark.parametrize("count", [3, 4, 16])
def test_a_cup_that_nobody_plays_crowns_nobody(count: int) -> None:
    state = begun(started(opened(count), Random(1), NOW))
    while state.cup.stage is CupStage.RUNNING:
        late = game(winner=Mark.O, termination=Termination.TIMEOUT, moves="")
        state = with_ended(state, {1 + each.number: late for each in running(state)})
        state = begun(gone_on(state, Random(1), NOW))
    assert state.champions == ()


def test_whoever_is_given_games_before_they_could_move_has_won_them() -> None:
    """Or two could keep somebody from winning by resigning at once."""
    state = begun(started(opened(3), Random(1), NOW))
    while state.cup.stage is CupStage.RUNNING:
        (one,) = running(state)
        theirs = {"winner": Mark.O if one.o == 0 else Mark.X, "termination": Termination.RESIGNATION}
        ending = game(**theirs, moves="" if 0 in (one.x, one.o) else "4081")
        state = begun(gone_on(with_ended(state, {one.game_id or 0: ending}), Random(1), NOW))
    assert [player.number for player in state.champions] == [0]


@pytest.mark.parametrize("stay", [0, 1])
def test_a_cup_that_all_but_one_leave_is_over_and_one_that_all_leave_has_no_champion(stay: int) -> None:
    state = begun(started(opened(8), Random(2), NOW))
    state = begun(with_results(state, Mark.X, *(each.number for each in running(state))))
    (stays, *_) = [line.player.number for line in rankings(state)]
    for player in state.players:
        state = state if stay and player.number == stays else leaving(state, player.number)
    state = with_results(state, Mark.X, *(each.number for each in running(state)))
    assert state.cup.stage is CupStage.OVER
    assert len(state.champions) == stay


# Who leaves, is removed, or doesn't come.


def test_whoever_has_left_the_group_loses_the_game_that_is_closed_for_it_and_is_out() -> None:
    state = opened(4)._replace(games=(CupGame(1, 0, 1, 1, 2, 7),))
    over = with_ended(state, {7: game(left=Mark.X, termination=Termination.EXPIRED)})
    assert [each.result for each in over.games] == [CupResult.O]
    assert [player.number for player in over.players if player.is_out] == [1]


def test_whoever_leaves_loses_the_game_that_runs_and_those_that_have_not_begun() -> None:
    state = begun(started(opened(4), Random(1), NOW))
    one = running(state)[0]
    state = gone_on(leaving(state, one.x), Random(1), NOW)
    assert left_behind(state) == [(one.game_id, Mark.X)]
    assert next_look(state, NOW) == NOW
    for each in state.games:
        if one.x in (each.x, each.o) and each.number != one.number:
            assert each.result is (CupResult.O if each.x == one.x else CupResult.X)
    assert rankings(state)[-1].player.number == one.x


def removed(state: CupState, number: int, by: int | None = None, *, is_banned: bool = False) -> CupState:
    return with_removed(state, 100 + number, NOW, by=None if by is None else 100 + by, is_banned=is_banned)


CUT_SHORT: Final = game(left=Mark.X, removed=True, termination=Termination.EXPIRED, moves="40")


def test_a_game_during_which_somebody_was_removed_is_played_again_once_they_are_back_but_once() -> None:
    state = begun(started(opened(4), Random(1), NOW))
    one = running(state)[0]
    gone = removed(state, one.x)
    again = gone_on(with_ended(gone, {one.game_id or 0: CUT_SHORT}), Random(1), NOW)
    assert startable(again) == [], "it waits"
    assert next_look(again, NOW) == NOW + OUT_SECONDS
    assert left_behind(again) == []
    back = with_back(again, 100 + one.x)
    assert [each.number for each in startable(back)] == [one.number]
    twice = with_ended(removed(begun(back), one.x), {one.game_id or 0: CUT_SHORT})
    after = gone_on(with_back(twice, 100 + one.x), Random(1), NOW)
    assert [each.result for each in after.games if each.number == one.number] == [CupResult.DRAW]
    assert {line.player.number: line.points for line in rankings(after)}[one.x] == 1, "half a point, as for a bye"


@pytest.mark.parametrize("is_banned", [False, True])
def test_whoever_is_banned_or_not_back_in_time_is_out_and_that_is_a_bye_for_the_opponent(is_banned: bool) -> None:  # noqa: FBT001 - a parameter
    state = begun(started(opened(4), Random(1), NOW))
    one = running(state)[0]
    gone = with_ended(removed(state, one.x, is_banned=is_banned), {one.game_id or 0: CUT_SHORT})
    later = gone_on(gone, Random(1), NOW if is_banned else NOW + OUT_SECONDS)
    assert [player.number for player in later.players if player.is_out] == [one.x]
    points = {line.player.number: line.points for line in rankings(later)}
    theirs = [each for each in later.games if one.x in (each.x, each.o)]
    assert all(points[each.x + (each.o or 0) - one.x] == 1 for each in theirs), "half a point, as for a bye"


def test_whoever_removes_their_own_opponent_has_given_up_that_game() -> None:
    state = begun(started(opened(4), Random(1), NOW))
    one = running(state)[0]
    gone = removed(state, one.x, by=one.o)
    assert [each.result for each in gone.games if each.number == one.number] == [CupResult.X]
    other = removed(state, one.x, by=running(state)[1].x)
    assert other.games == state.games


def test_no_game_begins_for_somebody_whose_clock_runs_elsewhere_but_not_for_ever() -> None:
    state = started(opened(4), Random(1), NOW)
    (one, other) = (each for each in state.games if each.round == 1)
    assert startable(state, {100 + one.x}, NOW) == [other]
    assert startable(state, {100 + one.x}, NOW + OUT_SECONDS) == [one, other]
    assert (next_look(state, NOW, waits=True) or 0) < NOW + OUT_SECONDS


@pytest.mark.parametrize(
    ("fields", "result", "missed"),
    [
        ({"winner": Mark.O, "termination": Termination.TIMEOUT, "moves": ""}, CupResult.O, {1: 1, 2: 0}),
        ({"winner": Mark.X, "termination": Termination.TIMEOUT, "moves": "4"}, CupResult.X, {1: 0, 2: 1}),
        ({"winner": Mark.O, "termination": Termination.TIMEOUT, "moves": "40"}, CupResult.O, {1: 0, 2: 0}),
        ({"winner": Mark.X, "termination": Termination.RESIGNATION, "moves": ""}, CupResult.X, {1: 0, 2: 0}),
        ({"winner": None, "termination": Termination.FULL_BOARD, "moves": "4"}, CupResult.DRAW, {1: 0, 2: 0}),
        ({"winner": None, "termination": Termination.EXPIRED, "moves": ""}, CupResult.NOBODY, {1: 0, 2: 0}),
        (None, CupResult.NOBODY, {1: 0, 2: 0}),
    ],
)
def test_whoever_does_not_make_their_first_move_in_time_misses_a_game_and_leaves_with_the_second(
    fields: Mapping[str, Any] | None, result: CupResult, missed: Mapping[int, int]
) -> None:
    games = (CupGame(1, 0, 1, 1, 2, 7), CupGame(1, 1, 2, 0, 3))
    state = opened(4)._replace(games=games)
    for _ in range(2):
        over = with_ended(state, {7: None if fields is None else game(**fields)})
        assert [each.result for each in over.games] == [result, None]
        counted = {
            player.number: player.missed - before.missed
            for player, before in zip(over.players, state.players, strict=True)
        }
        assert {number: counted[number] for number in (1, 2)} == missed
        assert [player.is_out for player in over.players] == [player.missed == 2 for player in over.players]
        state = over._replace(games=games)


# Who joins late.


@pytest.mark.parametrize("count", range(FEWEST_IN, MOST_IN))
def test_somebody_may_join_until_the_second_round_begins(count: int) -> None:
    rng = Random(count)
    state = begun(started(opened(count), rng, NOW))
    first = [each for each in state.games if each.round == 1]
    newcomer = CupPlayer(1, count, 100 + count)
    late = joined_late(state, newcomer, rng)
    assert late is not None
    assert [each for each in late.games if each.round == 1][: len(first)] == first
    own = [each for each in late.games if count in (each.x, each.o)]
    if count >= ALL_PLAY_ALL:
        assert [(each.round, each.o, each.result) for each in own] == [(1, None, CupResult.NOBODY)]
    else:
        assert (
            len({frozenset((each.x, each.o)) for each in late.games})
            == len(late.games)
            == count * (count + 1) // 2
        )
    while current_round(late) == 1:
        late = begun(late)
        late = with_results(late, Mark.X, *(each.number for each in running(late)))
    assert joined_late(begun(late), newcomer._replace(number=count + 1), rng) is None


# When it starts, and when it is over at the latest.


def test_a_cup_starts_by_itself_ten_minutes_after_the_newest_player_has_joined_and_rings_before() -> None:
    state = timed(opened(3), NOW, has_joined=True)
    assert (state.cup.starts_at, next_look(state, NOW)) == (None, NOW + DAY)
    late = NOW + 8 * 3600
    state = timed(opened(ALONE_FROM), late, has_joined=True)
    assert state.cup.starts_at == late + ALONE_SECONDS, "not the moment that the fourth joins"
    ring = next_look(state, late)
    assert ring == late + ALONE_SECONDS - RING_SECONDS
    due = state._replace(cup=state.cup._replace(due_at=ring))
    assert [rings(due, at) for at in (ring - 1, ring, late + ALONE_SECONDS)] == [False, True, False]
    assert next_look(due, ring) == late + ALONE_SECONDS
    assert timed(state._replace(players=state.players[1:]), late).cup.starts_at is None


def test_joining_and_leaving_again_and_again_puts_a_start_off_for_an_hour_at_most() -> None:
    state, at = timed(opened(ALONE_FROM), NOW, has_joined=True), NOW
    while at < (state.cup.starts_at or 0):
        at += 300
        state = timed(timed(state, at), at, has_joined=True)
    assert state.cup.starts_at == NOW + ALONE_MOST_SECONDS


def test_who_joins_changes_nothing_of_a_time_that_was_said() -> None:
    cup = opened(2).cup._replace(starts_at=NOW + 300, is_planned=True)
    state = timed(opened(9)._replace(cup=cup), NOW + 200, has_joined=True)
    assert state.cup == cup
    assert next_look(state, NOW + 200) == NOW + 300


@pytest.mark.parametrize(
    ("count", "clock", "rules"), [(3, 30, "3x3x3"), (7, 120, "8x8x5"), (16, DAY, "vanishing")]
)
def test_a_cup_ends_in_its_time_though_no_game_of_it_ever_does(count: int, clock: int, rules: str) -> None:
    rng, now = Random(1), NOW
    state = begun(started(opened(count, clock, rules), rng, now))
    for _ in range(state.cup.rounds):
        assert state.cup.stage is CupStage.RUNNING
        due = next_look(state, now)
        assert due == now + longest_round(state)
        assert gone_on(state, rng, due - 1).games == state.games
        state, now = begun(gone_on(state, rng, due)), due
    assert state.cup.stage is CupStage.OVER
    assert state.champions == ()

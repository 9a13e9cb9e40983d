"""Cups: who meets whom, with which mark, and who wins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import pairwise, permutations
from math import inf
from random import Random
from typing import Any

import pytest

from bot.boards.cups import Shown, cup_view
from bot.game.cups import (
    ALL_PLAY_ALL,
    AT_ONCE,
    FEWEST_IN,
    LOOKED_AHEAD,
    MOST_DECIDERS,
    MOST_IN,
    deciders,
    gone_on,
    rankings,
    startable,
    started,
    with_ended,
)
from engine import Mark
from storage.games.game import Game, GameKind, Limits, Side, Termination
from storage.people.person import Cup, CupGame, CupPlayer, CupResult, CupStage, CupState
from tests.soak import SOAK

RANDOM_CUPS = 2_000 if SOAK else 150
SIDES = {CupResult.X: Mark.X, CupResult.O: Mark.O, CupResult.DRAW: None}


def game(**fields: Any) -> Game:  # noqa: ANN401 - as the fields are
    """A game of a cup."""
    seats = {"x": Side(101), "o": Side(102)}
    made = Game(1, -5, "3x3x3", GameKind.PAIR, **seats, time_limits=Limits.CUP, clock=30)  # type: ignore[arg-type]
    return made._replace(**fields)


def ended(result: CupResult) -> Game:
    winner = SIDES[result]
    return game(winner=winner, termination=Termination.LINE if winner else Termination.FULL_BOARD)


def opened(count: int) -> CupState:
    players = tuple(CupPlayer(1, number, 100 + number) for number in range(count))
    return CupState(Cup(1, -5, None, None, "3x3x3", 120), players)


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


def with_results(state: CupState, results: Mapping[int, CupResult], rng: Random) -> CupState:
    """The cup after running games, by their numbers."""
    return gone_on(with_ended(state, {1 + number: ended(result) for number, result in results.items()}), rng)


def played(count: int, rng: Random, *, leave: float = 0) -> Iterable[CupState]:
    """The states of a cup with random results, in which people may leave after any game."""
    state = started(opened(count), rng)
    while state.cup.stage is CupStage.RUNNING:
        state = begun(state)
        yield state
        assert 1 <= len(running(state)) <= AT_ONCE
        busy = Counter(number for each in running(state) for number in (each.x, each.o))
        assert max(busy.values()) == 1, "nobody plays two games at a time"
        if rng.random() < leave:
            state = leaving(state, rng.choice(state.players).number)
        over = rng.choice(running(state)).number
        state = with_results(state, {over: rng.choice(list(SIDES))}, rng)
    yield state


def regular(state: CupState) -> list[CupGame]:
    return [each for each in state.games if each.round <= state.cup.rounds]


def fewest_unbalanced(
    numbers: list[int], met: set[frozenset[int]], byes: Counter[int], balance: Counter[int]
) -> float:
    """How many then have one mark twice more, if all are paired as well as possible; infinity if they can't be.

    Nobody may meet somebody again; byes are tried for all who had none.
    """

    @cache
    def fewest(waiting: tuple[int, ...]) -> float:
        if not waiting:
            return 0
        first, *others = waiting
        found = [inf]
        for other in others:
            if frozenset((first, other)) not in met:
                sides = [
                    (abs(balance[x] + 1) > 1) + (abs(balance[o] - 1) > 1) for x, o in permutations((first, other))
                ]
                found.append(min(sides) + fewest(tuple(each for each in others if each != other)))
        return min(found)

    if len(numbers) % 2 == 0:
        return fewest(tuple(numbers))
    without = (tuple(each for each in numbers if each != bye) for bye in numbers if not byes[bye])
    return min(map(fewest, without), default=inf)


def check_balance(state: CupState) -> int:
    """Judge each round of more than six players; returns in how many somebody had to be unbalanced."""
    met: set[frozenset[int]] = set()
    byes: Counter[int] = Counter()
    balance: Counter[int] = Counter()
    rounds = 0
    for number in range(1, state.cup.rounds + 1):
        new = [each for each in state.games if each.round == number]
        after = balance.copy()
        for each in new:
            after.update({} if each.o is None else {each.x: 1, each.o: -1})
        playing = [who for each in new if each.o is not None for who in (each.x, each.o)]
        broken = sum(abs(after[who]) > 1 for who in playing)
        if broken:
            rounds += 1
            everybody = [who for each in new for who in (each.x, each.o) if who is not None]
            assert broken == fewest_unbalanced(everybody, met, byes, balance)
        met |= {frozenset((each.x, each.o)) for each in new if each.o is not None}
        byes.update(each.x for each in new if each.o is None)
        balance = after
    return rounds


def test_random_cups_are_fair() -> None:
    unbalanced = judged = 0
    for seed in range(RANDOM_CUPS):
        rng = Random(seed)
        count = rng.randint(FEWEST_IN, MOST_IN)
        *_, state = played(count, rng)
        games = regular(state)
        rounds = state.cup.rounds
        assert rounds == ((count - 1) | 1 if count <= ALL_PLAY_ALL else (count - 1).bit_length() + 1)
        met = Counter(frozenset((each.x, each.o)) for each in games if each.o is not None)
        assert set(met.values()) == {1}, "nobody meets the same person twice"
        byes = Counter(each.x for each in games if each.o is None)
        assert max(byes.values(), default=0) <= 1
        balance: Counter[int] = Counter()
        for each in games:
            if each.o is not None:
                balance[each.x], balance[each.o] = balance[each.x] + 1, balance[each.o] - 1
        in_rounds = Counter(number for each in games for number in (each.x, each.o) if number is not None)
        turns = count - 1 if count <= ALL_PLAY_ALL else rounds
        assert set(in_rounds.values()) == {turns}, "everybody plays in every round, or has their bye"
        assert max(map(abs, balance.values())) <= 2
        unbalanced += max(map(abs, balance.values())) > 1
        judged += check_balance(state) if count > 2 * LOOKED_AHEAD else 0
        assert sorted(player.place or 0 for player in state.players) == [*range(1, count + 1)]
        assert len(deciders(state)) <= MOST_DECIDERS
    assert unbalanced <= RANDOM_CUPS // 100, "X and O differ by at most one"
    assert judged, "it can't always be so"


def test_where_people_leave_somebody_is_met_again_only_if_it_must_be_and_has_one_bye_at_most() -> None:
    again = 0
    for seed in range(RANDOM_CUPS // 2):
        rng = Random(seed)
        before = None
        for state in played(rng.randint(ALL_PLAY_ALL + 1, MOST_IN), rng, leave=0.15):
            last = state.games[-1].round
            new = [each for each in regular(state) if each.round == last]
            if before is not None and before.games[-1].round < last <= state.cup.rounds:
                old = [each for each in state.games if each.round < last]
                met = {frozenset((each.x, each.o)) for each in old if each.o is not None}
                byes = Counter(each.x for each in old if each.o is None)
                meets_again = any(each.o is not None and frozenset((each.x, each.o)) in met for each in new)
                second_bye = any(each.o is None and byes[each.x] for each in new)
                if meets_again or second_bye:
                    again += 1
                    numbers = [number for each in new for number in (each.x, each.o) if number is not None]
                    assert fewest_unbalanced(numbers, met, byes, Counter()) == inf, f"cup {seed}, round {last}"
            before = state
        assert before is not None
        for player in before.players:
            gained = [each for each in before.games if each.x == player.number and each.result is CupResult.BYE]
            assert len(gained) <= 1
    assert again, "it must be in some of them"


def test_whoever_has_left_the_group_loses_the_game_that_is_closed_for_it_and_is_out() -> None:
    state = opened(4)._replace(games=(CupGame(1, 0, 1, 1, 2, 7),))
    over = with_ended(state, {7: game(left=Mark.X, termination=Termination.EXPIRED)})
    assert [each.result for each in over.games] == [CupResult.O]
    assert [player.number for player in over.players if player.is_out] == [1]


def test_whoever_leaves_loses_the_games_that_have_not_begun() -> None:
    state = begun(started(opened(4), Random(1)))
    (one, *_) = running(state)
    state = gone_on(leaving(state, one.x), Random(1))
    assert [each for each in state.games if each.number == one.number] == [one], "this one goes on"
    for each in state.games:
        if one.x in (each.x, each.o) and each != one:
            assert each.result is (CupResult.O if each.x == one.x else CupResult.X)
    assert rankings(state)[-1].player.number == one.x


def test_a_cup_that_all_but_one_leave_is_over_and_one_that_all_leave_has_no_champion() -> None:
    for stay in (0, 1):
        state = begun(started(opened(6), Random(2)))
        for player in state.players[stay:]:
            state = leaving(state, player.number)
        state = with_results(state, {each.number: CupResult.X for each in running(state)}, Random(2))
        assert state.cup.stage is CupStage.OVER
        assert (state.champion is not None) is bool(stay)


def scored(*results: tuple[int, int, CupResult]) -> CupState:
    """A cup of four in its only round so far, with these results."""
    state = opened(4)
    games = [CupGame(1, number, 1, x, o, 1, result) for number, (x, o, result) in enumerate(results)]
    running_ = state.cup._replace(stage=CupStage.RUNNING, rounds=1)
    return state._replace(cup=running_, games=tuple(games))


TIED = (
    (0, 1, CupResult.DRAW),
    (2, 3, CupResult.DRAW),
    (0, 2, CupResult.X),
    (1, 3, CupResult.X),
    (0, 3, CupResult.X),
    (1, 2, CupResult.X),
)


def test_equal_points_are_told_apart_by_the_points_of_those_who_were_beaten() -> None:
    state = scored((0, 1, CupResult.X), (2, 3, CupResult.O), (0, 3, CupResult.O), (1, 2, CupResult.X))
    lines = rankings(state)
    assert [line.player.number for line in lines] == [3, 0, 1, 2]
    state = scored((0, 1, CupResult.X), (2, 3, CupResult.X), (1, 2, CupResult.X), (0, 3, CupResult.O))
    assert {line.points for line in rankings(state)} == {2}
    state = scored((0, 2, CupResult.X), (1, 3, CupResult.X), (2, 3, CupResult.X))
    assert [line.player.number for line in rankings(state)] == [0, 1, 2, 3], "0 has beaten somebody who has points"
    assert [line.tiebreak for line in rankings(state)] == [4, 0, 0, 0]


@pytest.mark.parametrize("draws", range(MOST_DECIDERS + 1))
def test_the_first_two_play_until_one_of_them_wins_and_after_three_draws_a_coin_decides(draws: int) -> None:
    winners = set()
    for seed in range(20):
        rng = Random(seed)
        state = gone_on(scored(*TIED), rng)
        sides = []
        for number in range(draws + 1):
            if state.cup.stage is CupStage.OVER:
                break
            state = begun(state)
            (one,) = running(state)
            assert {one.x, one.o} == {0, 1}
            sides.append(one.x)
            result = CupResult.DRAW if number < draws else CupResult.X
            state = with_results(state, {one.number: result}, rng)
        assert state.cup.stage is CupStage.OVER
        assert len(deciders(state)) == min(draws + 1, MOST_DECIDERS)
        assert all(one != other for one, other in pairwise(sides)), "sides are swapped"
        told = cup_view(Shown(state, {}, {}, {}), "oxo").text.split("The decider", 1)[1]
        assert (told.count("½–½"), told.count("1–0")) == (draws, int(draws < MOST_DECIDERS)), "why they have won"
        champion = state.champion
        assert champion is not None
        winners.add(champion.number)
        if draws < MOST_DECIDERS:
            assert champion.number == sides[-1]
    assert winners == {0, 1}, "sides, or the coin, are drawn"


@pytest.mark.parametrize(
    ("fields", "result", "missed"),
    [
        ({"winner": Mark.O, "termination": Termination.TIMEOUT, "moves": ""}, CupResult.O, {1: 1, 2: 0}),
        ({"winner": Mark.X, "termination": Termination.TIMEOUT, "moves": "4"}, CupResult.X, {1: 0, 2: 1}),
        ({"winner": Mark.O, "termination": Termination.TIMEOUT, "moves": "40"}, CupResult.O, {1: 0, 2: 0}),
        ({"winner": Mark.X, "termination": Termination.RESIGNATION, "moves": ""}, CupResult.X, {1: 0, 2: 0}),
        ({"winner": None, "termination": Termination.FULL_BOARD, "moves": "4"}, CupResult.DRAW, {1: 0, 2: 0}),
        ({"winner": None, "termination": Termination.EXPIRED, "moves": ""}, CupResult.NOBODY, {1: 0, 2: 0}),
        ({"left": Mark.O, "removed": True, "termination": Termination.EXPIRED}, CupResult.NOBODY, {1: 0, 2: 0}),
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

"""Milestones are counted as games end, and each is announced once."""

from __future__ import annotations

import asyncio
from itertools import product

import pytest
from sqlalchemy import update

from engine import Mark
from storage.games.game import Game, Termination
from storage.games.record import Record
from storage.people.person import Person
from storage.results import hiding, rebuild, results
from storage.results.result import GOALS, MANY_GAMES, UNBEATEN, Outcome, Result, milestones_after
from storage.schema import MILESTONES
from storage.store import Store
from tests.storage.examples import ANN, BOB, GROUP, TWO, finished

EASY = {"o_level": "easy"}
LOST = {"winner": Mark.O, "termination": Termination.RESIGNATION}


def result(outcome: Outcome, level: str | None) -> Result:
    return Result(1, ANN, 0, level, "3x3x3", None, Mark.X, outcome, Termination.LINE, 5, None, 0)


async def reached(store: Store, person: int = ANN) -> set[str]:
    return set(await store.run(results.milestones_of, person))


def test_each_milestone_is_come_to_once_and_when_it_is_due(monkeypatch: pytest.MonkeyPatch) -> None:
    """All sequences of six games, with low goals."""
    goals = {"easy": 1, "hard": 1, UNBEATEN: 3, MANY_GAMES: 5}
    monkeypatch.setattr("storage.results.result.GOALS", goals)
    kinds = [(Outcome.WIN, "easy"), (Outcome.WIN, None), (Outcome.DRAW, "hard"), (Outcome.LOSS, "easy")]
    for games in product(kinds, repeat=6):
        counts: dict[str, int] = {}
        told = []
        for number, (outcome, level) in enumerate(games):
            changed = milestones_after(counts, result(outcome, level))
            counts |= changed
            told += [(name, number) for name, count in changed.items() if count == goals[name]]
        unbeaten = [n for n in range(2, 6) if all(each is not Outcome.LOSS for each, _ in games[n - 2 : n + 1])]
        due = [(UNBEATEN, number) for number in unbeaten[:1]] + [(MANY_GAMES, 4)]
        due += [("easy", games.index(kinds[0]))] if kinds[0] in games else []
        assert sorted(told) == sorted(due)


async def test_the_first_win_against_a_level_is_told_by_the_game_that_brings_it_and_by_no_other(
    store: Store,
) -> None:
    assert (await finished(store, EASY, **LOST)).x_reached is None
    assert (await finished(store, EASY | {"takebacks": 1})).x_reached is None, "it doesn't count"
    assert (await finished(store, EASY)).x_reached == "easy"
    assert (await finished(store, EASY)).x_reached is None
    assert (await finished(store)).x_reached == "medium"
    await rebuild.rebuild(store, lambda _: None)
    assert (await finished(store, EASY)).x_reached is None
    assert await reached(store) == {"easy", "medium"}


async def test_games_that_end_together_in_two_processes_tell_each_milestone_once(
    store: Store, other_store: Store
) -> None:
    for _ in range(9):
        await finished(store, TWO)
    games: list[Game] = await asyncio.gather(*(finished((store, other_store)[n % 2], TWO) for n in range(4)))
    assert sorted(game.x_reached or "" for game in games) == ["", "", "", UNBEATEN]
    almost = update(MILESTONES).where(MILESTONES.c.name == MANY_GAMES).values(progress=GOALS[MANY_GAMES] - 1)
    await store.run(lambda c: c.execute(almost))
    last = await finished(store, TWO)
    assert (last.x_reached, last.o_reached) == (MANY_GAMES, MANY_GAMES), "each player has reached it"
    assert await reached(store, BOB) == {MANY_GAMES}


async def test_where_others_look_on_nothing_is_told_about_somebody_who_hides(store: Store) -> None:
    there = {"chat_id": GROUP}
    assert (await finished(store, EASY | there)).x_reached == "easy"
    (raised,) = await store.run(hiding.hide, Person(ANN, "Ann"), 5)
    assert isinstance(raised.record, Record)
    assert raised.record.game.x_reached is None
    assert (await finished(store, there)).x_reached is None
    assert (await finished(store, {"o_level": "hard"})).x_reached == "hard", "in the private chat"
    assert await reached(store) == {"easy", "medium", "hard"}

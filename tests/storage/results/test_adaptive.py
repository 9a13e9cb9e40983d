"""The adaptive difficulty follows wins and losses, by person and family of rules."""

from __future__ import annotations

import asyncio
from itertools import product

from engine import Level, Mark
from storage.games.game import Termination
from storage.results import results
from storage.results.result import Outcome
from storage.store import Store
from tests.storage.examples import ANN, BOB, finished

WIN, DRAW, LOSS = Outcome.WIN, Outcome.DRAW, Outcome.LOSS
LOST = {"winner": Mark.O, "termination": Termination.RESIGNATION}
BEGUN = {"o_level": "easy", "next_level": "easy"}


async def level_of(store: Store, person: int = ANN, rules: str = "3x3x3") -> Level:
    return await store.read(results.level_of, person=person, rules=rules)


def test_two_wins_in_a_row_lead_a_level_up_and_two_losses_one_down_and_nothing_else_does() -> None:
    levels = list(Level)
    for start, games in product(levels, product(Outcome, repeat=5)):
        level, streak = start, 0
        since: list[Outcome] = []
        for outcome in games:
            before = level
            level, streak = results.moved_level(level, streak, outcome)
            since.append(outcome)
            step = 1 if since[-2:] == [WIN, WIN] else -1 if since[-2:] == [LOSS, LOSS] else 0
            assert level is levels[min(max(levels.index(before) + step, 0), len(levels) - 1)]
            if step:
                since = []


async def test_somebody_new_begins_easily_and_each_family_of_boards_has_its_level(store: Store) -> None:
    for before in ({"o_level": "easy"}, BEGUN | {"takebacks": 1}, {"o_level": "hard", "next_level": "hard"}):
        for _ in range(3):
            await finished(store, before)
    assert await level_of(store) is Level.EASY, "none of these counts for it"
    assert [(await finished(store, BEGUN)).next_level for _ in range(2)] == ["easy", "medium"], "the board says so"
    assert await level_of(store) is Level.MEDIUM
    assert await level_of(store, rules="5x5x4") is Level.EASY
    assert await level_of(store, BOB) is Level.EASY
    medium = {"o_level": "medium", "next_level": "medium"}
    assert [(await finished(store, medium, **LOST)).next_level for _ in range(2)] == ["medium", "easy"]


async def test_many_games_that_end_together_are_counted_one_by_one(store: Store) -> None:
    ended = await asyncio.gather(*(finished(store, BEGUN) for _ in range(5)))
    assert {game.next_level for game in ended} == {"easy", "medium"}
    assert await level_of(store) is Level.MEDIUM, "the others had started at the level before"

"""Results are stored with the end of a game, and added up a little later."""

from __future__ import annotations

import time
from functools import partial
from itertools import product
from typing import Any

import pytest
from sqlalchemy import Connection, insert, select

from engine import Mark
from storage.games import games
from storage.games.game import COMPUTER, Termination
from storage.people import chats
from storage.results import leaderboards, rebuild, results, statistics
from storage.results.result import Outcome, Result, Streak, Tally, results_of
from storage.schema import RESULTS
from storage.store import Store
from tests.storage.examples import (
    ANN,
    BOB,
    DRAWN,
    GROUP,
    HOME,
    NEW,
    TWO,
    WON,
    X_WINS,
    add,
    finish,
    finished,
    kind_of,
)

NOW = int(time.time())
SUPERGROUP = GROUP - 5
WIN, DRAW, LOSS = Outcome.WIN, Outcome.DRAW, Outcome.LOSS
ENDS: dict[str, tuple[Outcome, dict[str, Any]]] = {
    "W": (WIN, WON),
    "L": (LOSS, {**WON, "winner": Mark.O}),
    "D": (DRAW, {"moves": DRAWN, "termination": Termination.FULL_BOARD, "winner": None}),
}


async def stored(store: Store) -> list[Result]:
    """All results, game by game."""
    rows = select(*results.COLUMNS).order_by(RESULTS.c.game_id, RESULTS.c.person.desc())
    return await store.run(lambda c: [results.result_of(row) for row in c.execute(rows)])


async def test_a_game_is_a_result_of_each_person_in_it_and_no_second_one_later(store: Store) -> None:
    against = await finished(store)
    both = await finished(store, {**TWO, "chat_id": GROUP, "rules": "3x3x3-misere"}, winner=Mark.O)
    await finished(store, moves=DRAWN, termination=Termination.FULL_BOARD, winner=None)
    await finish(store, both.id, winner=Mark.O, offer="rematch:X")
    alone, anns, bobs, drawn = await stored(store)
    assert (alone.game_id, alone.person, alone.opponent, alone.level) == (against.id, ANN, COMPUTER, "medium")
    assert (alone.outcome, alone.mark, alone.opening, alone.plies) == (WIN, Mark.X, "0", 5)
    assert abs(alone.ended_at - time.time()) < 60
    assert (anns.person, anns.opponent, anns.outcome, anns.opening) == (ANN, BOB, LOSS, "0")
    assert (bobs.person, bobs.opponent, bobs.outcome, bobs.opening) == (BOB, ANN, WIN, None)
    assert {anns.rules, bobs.rules} == {"3x3x3-misere"}
    assert drawn.outcome is DRAW


@pytest.mark.parametrize(
    ("values", "count"),
    [
        (TWO | {"moves": "0314", "termination": Termination.TIMEOUT, "winner": Mark.O}, 2),
        ({"takebacks": 1}, 0),
        ({"host": ANN, "x_seat": COMPUTER, "x_level": "easy"}, 0),
        ({"moves": "0314", "termination": Termination.EXPIRED, "winner": None}, 0),
        ({"o_seat": None, "moves": "", "termination": Termination.CANCELLED, "winner": None}, 0),
        ({"o_seat": None, "moves": "", "termination": Termination.DECLINED, "winner": None}, 0),
        (TWO | {"moves": "0", "termination": Termination.RESIGNATION, "winner": Mark.O}, 0),
    ],
    ids=["on time", "taken back", "watched", "abandoned", "cancelled", "declined", "never begun"],
)
def test_what_was_taken_back_watched_abandoned_or_never_begun_counts_for_nothing(
    values: dict[str, Any], count: int
) -> None:
    game = NEW._replace(**{**WON, **values})
    assert len(results_of(game._replace(kind=kind_of(game)), NOW)) == count


async def counted(store: Store) -> None:
    """Add up all results, and look once more."""
    while await rebuild.count(store):
        pass
    await rebuild.count(store)


async def test_results_are_added_up_by_place_family_and_opponent_and_go_along_to_a_supergroup(
    store: Store,
) -> None:
    for _ in range(2):
        await finished(store)
    resigned = {"winner": Mark.O, "termination": Termination.RESIGNATION}
    await finished(store, {**TWO, "chat_id": GROUP, "rules": "5x5x4"}, **resigned)
    await counted(store)
    of_ann = partial(store.run, statistics.of_person, ANN)
    assert sorted(await of_ann()) == [Tally("bigger", "", 0, 0, 1), Tally("classic", "medium", 2, 0, 0)]
    assert await of_ann(GROUP) == [Tally("bigger", "", 0, 0, 1)]
    streaks = [
        await store.run(statistics.streak_of, *whose) for whose in ((ANN,), (BOB, GROUP), (ANN, SUPERGROUP))
    ]
    assert streaks == [Streak(-1, 2), Streak(1, 1), None]
    for losses in (1, 2):
        await store.run(chats.migrate, old=GROUP, new=SUPERGROUP)
        assert await of_ann(GROUP) == []
        assert await of_ann(SUPERGROUP) == [Tally("bigger", "", 0, 0, losses)]
        week = leaderboards.week_of(NOW)
        (won,) = await store.run(leaderboards.by_wins, week=week, chat_id=SUPERGROUP, family="", offset=0)
        assert (won.person, won.figure) == (BOB, losses)
        await finished(store, {**TWO, "chat_id": GROUP, "rules": "5x5x4"}, **resigned)
        await counted(store)


@pytest.mark.parametrize(
    ("outcomes", "streak"),
    [("WWW", (3, 3)), ("WWLW", (1, 2)), ("LLL", (-3, 0)), ("WWD", (0, 2)), ("LW", (1, 1)), ("WL", (-1, 1))],
)
def test_streaks(outcomes: str, streak: tuple[int, int]) -> None:
    assert streak_after(outcomes) == streak


def streak_after(letters: str) -> Streak:
    """Somebody's streaks after these results."""
    streak = Streak(0, 0)
    for letter in letters:
        streak = streak.after(ENDS[letter][0])
    return streak


def test_streaks_go_on_in_a_group_that_becomes_another_also_if_both_were_played_in(connection: Connection) -> None:
    cases = list(product(["", "W", "L", "WW", "WWWLLL", "LWWD"], ["", "W", "LWW", "WWWW"]))
    for chat_id, position in ((GROUP, 0), (SUPERGROUP, 1)):
        chats.choose(connection, chat_id, {})
        for person, case in enumerate(cases, 100):
            seats = {"x_seat": person, "o_seat": 1000 + person, "o_level": None, "chat_id": chat_id}
            new = [NEW._replace(**{**seats, **ENDS[letter][1]}) for letter in case[position]]
            results.add(connection, games.insert_many(connection, new) if new else (), NOW + position)
        while statistics.count(connection):
            pass
    chats.migrate(connection, old=GROUP, new=SUPERGROUP)
    for person, case in enumerate(cases, 100):
        found = statistics.streak_of(connection, person, SUPERGROUP)
        assert found == (streak_after("".join(case)) if any(case) else None)
        assert statistics.streak_of(connection, person, GROUP) is None


async def test_the_end_and_its_results_are_stored_together_or_not_at_all(store: Store) -> None:
    """A result that exists already (from a second process) makes the whole change fail."""
    game = (await add(store, HOME, moves=X_WINS[:-1])).game
    (result,) = results_of(game._replace(**WON), NOW)
    await store.run(lambda c: c.execute(insert(RESULTS), result._asdict()))
    with pytest.raises(Exception, match=r"(?i)unique"):
        await finish(store, game.id)
    assert not (await store.run(games.load, game.id)).game.is_over

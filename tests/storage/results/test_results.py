"""Results are stored with the end of a game, and added up a little later."""

from __future__ import annotations

import time
from functools import partial
from typing import Any

import pytest
from sqlalchemy import insert, select

from engine import Mark
from storage.games import games
from storage.games.game import COMPUTER, Game, Termination
from storage.games.record import Decision, Record
from storage.people import chats, people
from storage.people.person import Person
from storage.results import leaderboards, rebuild, results, statistics
from storage.results.result import Outcome, Result, Streak, Tally
from storage.schema import RESULTS
from storage.store import Store
from tests.storage.examples import ANN, BOB, GROUP, HOME, add

X_WINS, DRAWN = "03142", "402817653"
NOW = int(time.time())


def ended(record: Record, values: dict[str, Any]) -> Decision[None]:
    return Decision(record.game._replace(**values), None)


async def play(store: Store, before: dict[str, Any] | None = None, **end: Any) -> Game:  # noqa: ANN401 - fields of a game
    """Store a game and end it like this; by default, X takes the first row."""
    record = await add(store, HOME, **{"moves": "0314", **(before or {})})
    values: dict[str, Any] = {"moves": X_WINS, "termination": Termination.LINE, "winner": Mark.X, **end}
    changed = await store.change(record.game.id, partial(ended, values=values))
    return changed.record.game


async def stored(store: Store) -> list[Result]:
    return await store.run(
        lambda c: [
            results.result_of(row) for row in c.execute(select(*results.COLUMNS).order_by(RESULTS.c.person))
        ]
    )


TWO = {"o_seat": BOB, "names": {ANN: "Ann", BOB: "Bob"}, "o_level": None}


async def test_a_game_against_the_computer_is_a_result_of_its_person_alone(store: Store) -> None:
    game = await play(store)
    (result,) = await stored(store)
    assert (result.game_id, result.person, result.opponent, result.level) == (game.id, ANN, COMPUTER, "medium")
    assert (result.outcome, result.mark, result.opening, result.plies) == (Outcome.WIN, Mark.X, "0", 5)
    assert abs(result.ended_at - time.time()) < 10


async def test_a_game_of_two_is_a_result_of_each(store: Store) -> None:
    await play(store, {**TWO, "chat_id": GROUP, "rules": "3x3x3-misere"}, winner=Mark.O)
    bobs, anns = await stored(store)
    assert (anns.outcome, bobs.outcome) == (Outcome.LOSS, Outcome.WIN)
    assert (anns.opponent, bobs.opponent) == (BOB, ANN)
    assert (anns.opening, bobs.opening) == ("0", None)
    assert {anns.rules, bobs.rules} == {"3x3x3-misere"}


async def test_a_draw_and_a_loss_on_time_count(store: Store) -> None:
    await play(store, moves=DRAWN, termination=Termination.FULL_BOARD, winner=None)
    await play(store, TWO, moves="0314", termination=Termination.TIMEOUT, winner=Mark.O)
    assert sorted(result.outcome for result in await stored(store)) == [Outcome.DRAW, Outcome.LOSS, Outcome.WIN]


@pytest.mark.parametrize(
    ("before", "end"),
    [
        ({"takebacks": 1}, {}),
        ({"host": ANN, "x_seat": COMPUTER, "x_level": "easy"}, {}),
        ({}, {"moves": "0314", "termination": Termination.EXPIRED, "winner": None}),
        ({"o_seat": None}, {"moves": "", "termination": Termination.CANCELLED, "winner": None}),
        ({"o_seat": None}, {"moves": "", "termination": Termination.DECLINED, "winner": None}),
        ({"moves": "0", **TWO}, {"moves": "0", "termination": Termination.RESIGNATION, "winner": Mark.O}),
    ],
)
async def test_what_was_taken_back_watched_abandoned_or_never_begun_counts_for_nothing(
    store: Store, before: dict[str, Any], end: dict[str, Any]
) -> None:
    await play(store, before, **end)
    assert await stored(store) == []


async def test_a_change_after_the_end_is_no_second_result(store: Store) -> None:
    game = await play(store, TWO)
    await store.change(game.id, partial(ended, values={"offer": "rematch:X"}))
    assert len(await stored(store)) == 2


async def counted(store: Store) -> None:
    while await rebuild.count(store):
        pass
    await rebuild.count(store)


async def test_results_are_added_up_by_place_family_and_opponent(store: Store) -> None:
    for _ in range(2):
        await play(store)
    await play(
        store, {**TWO, "chat_id": GROUP, "rules": "5x5x4"}, winner=Mark.O, termination=Termination.RESIGNATION
    )
    await counted(store)
    await counted(store)
    everywhere = await store.run(partial(statistics.of_person, person=ANN))
    assert sorted(everywhere) == [Tally("bigger", "", 0, 0, 1), Tally("classic", "medium", 2, 0, 0)]
    assert await store.run(partial(statistics.of_person, person=ANN, chat_id=GROUP)) == [
        Tally("bigger", "", 0, 0, 1)
    ]
    assert await store.run(partial(statistics.streak_of, person=ANN)) == Streak(-1, 2)
    assert await store.run(partial(statistics.streak_of, person=BOB, chat_id=GROUP)) == Streak(1, 1)
    assert await store.run(partial(statistics.streak_of, person=ANN, chat_id=GROUP - 1)) is None


@pytest.mark.parametrize(
    ("outcomes", "streak"),
    [("WWW", (3, 3)), ("WWLW", (1, 2)), ("LLL", (-3, 0)), ("WWD", (0, 2)), ("LW", (1, 1)), ("WL", (-1, 1))],
)
def test_streaks(outcomes: str, streak: tuple[int, int]) -> None:
    kinds = {"W": Outcome.WIN, "D": Outcome.DRAW, "L": Outcome.LOSS}
    found = Streak(0, 0)
    for letter in outcomes:
        found = found.after(kinds[letter])
    assert found == streak


async def test_a_group_that_becomes_another_takes_its_counts_along(store: Store) -> None:
    await play(store, {**TWO, "chat_id": GROUP})
    await counted(store)
    await store.run(partial(chats.migrate, old=GROUP, new=GROUP - 5))
    assert await store.run(partial(statistics.of_person, person=ANN, chat_id=GROUP)) == []
    assert len(await store.run(partial(statistics.of_person, person=ANN, chat_id=GROUP - 5))) == 1
    assert await store.run(partial(statistics.streak_of, person=BOB, chat_id=GROUP - 5)) == Streak(-1, 0)
    week = partial(leaderboards.by_wins, week=leaderboards.week_of(NOW), chat_id=GROUP - 5, family="", offset=0)
    assert len(await store.run(week)) == 1
    await play(store, {**TWO, "chat_id": GROUP})
    await counted(store)
    await store.run(partial(chats.migrate, old=GROUP, new=GROUP - 5))
    (both,) = await store.run(partial(statistics.of_person, person=ANN, chat_id=GROUP - 5))
    assert both.wins == 2


@pytest.mark.parametrize("before", ["", "W", "L", "WW", "WWWLLL", "LWWD"])
@pytest.mark.parametrize("after", ["", "W", "LWW", "WWWW"])
async def test_streaks_go_on_in_a_group_that_becomes_another_also_if_both_were_played_in(
    store: Store, before: str, after: str
) -> None:
    streak = Streak(0, 0)
    for chat_id, letters in ((GROUP, before), (GROUP - 5, after)):
        for letter in letters:
            ends: dict[str, dict[str, Any]] = {
                "W": {"winner": Mark.X},
                "L": {"winner": Mark.O},
                "D": {"winner": None, "termination": Termination.FULL_BOARD, "moves": "402817653"},
            }
            await play(store, {**TWO, "chat_id": chat_id}, **ends[letter])
            streak = streak.after({"W": Outcome.WIN, "L": Outcome.LOSS, "D": Outcome.DRAW}[letter])
        await counted(store)
    await store.run(partial(chats.migrate, old=GROUP, new=GROUP - 5))
    found = await store.run(partial(statistics.streak_of, person=ANN, chat_id=GROUP - 5))
    assert found == (streak if before or after else None)
    assert await store.run(partial(statistics.streak_of, person=ANN, chat_id=GROUP)) is None


async def test_the_end_and_its_results_are_stored_together_or_not_at_all(store: Store) -> None:
    """A result that exists already (from a second process) makes the whole change fail."""
    record = await add(store, HOME, moves="0314")
    clash = dict.fromkeys(results.NAMES) | {
        "game_id": record.game.id,
        "person": ANN,
        "opponent": 0,
        "rules": "3x3x3",
        "mark": "X",
        "outcome": "win",
        "termination": "line",
        "plies": 5,
        "ended_at": NOW,
    }
    await store.run(lambda c: c.execute(insert(RESULTS), clash))
    values = {"moves": X_WINS, "termination": Termination.LINE, "winner": Mark.X}
    with pytest.raises(Exception):  # noqa: B017, PT011 - each database has its own
        await store.change(record.game.id, partial(ended, values=values))
    assert not (await store.run(partial(games.load, game_id=record.game.id))).game.is_over


async def test_a_username_leads_to_its_person(store: Store) -> None:
    await store.run(partial(people.see, person=Person(ANN, "Ann", username="Ann_Plays")))
    assert await store.run(partial(people.find_username, username="ann_plays")) == ANN
    assert await store.run(partial(people.find_username, username="ANN_PLAYS")) == ANN
    assert await store.run(partial(people.find_username, username="nobody_here")) is None


async def test_a_username_leads_to_the_person_who_has_it_now(store: Store) -> None:
    await store.run(partial(people.see, person=Person(BOB, "Bob", username="The_Name")))
    await store.run(partial(people.see, person=Person(ANN, "Ann", username="THE_name")))
    assert await store.run(partial(people.find_username, username="the_name")) == ANN
    bob = await store.run(partial(people.find, person_id=BOB))
    assert bob == Person(BOB, "Bob"), "he has it no longer"

"""Matchmaking with two processes on one database: nobody waits twice, plays two games, or plays themselves."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from random import Random

import pytest
from sqlalchemy import Connection, select

from bot.features import pairing
from bot.game.actions import Move
from bot.game.attempt import FIRST_MOVE_SECONDS, Attempt, Player, TimeLimits, Where
from bot.game.machine import decide
from bot.game.matchmaking import has_not_begun, plays, rating_of
from storage.errors import ConcurrentChange
from storage.games import games
from storage.games.game import Game
from storage.games.record import Place
from storage.games.versions import Stored
from storage.people import chats, matchmaking, people
from storage.people.person import Person, Wait, WaitEnd, Waiting
from storage.people.waits import load_many
from storage.privacy import erasure
from storage.results import hiding
from storage.schema import GAMES, MATCHMAKING, RATINGS
from storage.store import Store
from tests.soak import SOAK
from tests.two.test_two_processes import two_stores

LIMITS = TimeLimits()
NOW = 1_795_000_000
TURNS = 30 if SOAK else 6


def wait(
    connection: Connection, *, person: int, now: int = NOW, rules: str = "3x3x3", any_rules: bool = False
) -> Waiting | None:
    """Let somebody wait as /play does, unless they wait or play already."""
    chats.choose(connection, person, {})
    found = matchmaking.find(connection, person)
    if found.waiting is not None or found.playing:
        return None
    people.see(connection, Person(person, f"P{person}"))
    new = Wait(0, person, rules, any_rules, told=None, since=now, due_at=0, changed_at=now)
    return pairing.begin(connection, new, Place(person, viewer=person), LIMITS)


def meet(now: int = NOW) -> partial[Sequence[Stored]]:
    """Look at the people who wait."""
    return partial(pairing.meet, rng=Random(1), limits=LIMITS, now=now)


def everything(connection: Connection) -> tuple[list[Game], list[Waiting]]:
    """All running games and waits, oldest first."""
    running = select(GAMES.c.id).where(GAMES.c.termination.is_(None)).order_by(GAMES.c.id)
    waits = select(MATCHMAKING.c.id).where(MATCHMAKING.c.ended.is_(None)).order_by(MATCHMAKING.c.id)
    played = [games.load(connection, game_id).game for game_id in connection.execute(running).scalars().all()]
    return played, list(load_many(connection, connection.execute(waits).scalars().all()).values())


async def judged(store: Store, most: int) -> tuple[list[Game], list[Waiting]]:
    """The running games; checks that nobody has two, waits twice or while playing, or plays themselves."""
    played, waits = await store.run(everything)
    seats = [seat for game in played for seat in (game.x_seat, game.o_seat)]
    seats += [waiting.wait.person for waiting in waits]
    assert len(seats) == len(set(seats)), "each once"
    assert len(set(seats)) <= most
    return played, waits


async def leave(store: Store, person: int) -> bool:
    """Let somebody leave as the button does; returns whether they left."""
    return bool(await store.run(partial(pairing.end, person=person, why=WaitEnd.LEFT, now=NOW)))


async def test_somebody_who_arrives_in_both_processes_waits_once(database_url: str) -> None:
    async with two_stores(database_url) as stores:
        for person in range(1, 9):
            come = partial(wait, person=person)
            await asyncio.gather(*(stores[number % 2].run(come) for number in range(6)))
        played, waits = await judged(stores[0], 8)
        assert not played
        assert sorted(waiting.wait.person for waiting in waits) == list(range(1, 9))


async def test_processes_that_pair_simultaneously_pair_nobody_twice(database_url: str) -> None:
    async with two_stores(database_url) as stores:
        for person in range(1, 21):
            await stores[person % 2].run(partial(wait, person=person))
        done = await asyncio.gather(
            *(stores[number % 2].run(meet()) for number in range(12)), return_exceptions=True
        )
        assert {type(each) for each in done if isinstance(each, BaseException)} <= {ConcurrentChange}, done
        await stores[0].run(meet())
        found, waits = await judged(stores[0], 20)
        assert (len(found), len(waits)) == (10, 0)
        assert all(map(plays, found))
        noted = await stores[0].run(partial(matchmaking.met_since, people=range(1, 21), since=NOW))
        assert {frozenset({game.x_seat, game.o_seat}) for game in found} == {
            frozenset({person, *others}) for person, others in noted.items()
        }


async def test_coming_leaving_and_pairing_in_any_order_leave_each_person_in_one_place(database_url: str) -> None:
    async with two_stores(database_url) as stores:
        left: set[int] = set()
        for turn in range(TURNS):
            rng = Random(turn)

            async def come(person: int, store: Store) -> None:
                await store.run(partial(wait, person=person))

            async def go(person: int, store: Store) -> None:
                if await leave(store, person):
                    left.add(person)

            async def pair(_: int, store: Store) -> None:
                with suppress(ConcurrentChange):
                    await store.run(meet())

            steps = [rng.choice((come, come, go, pair)) for _ in range(16)]
            people = range(1 + 12 * turn, 13 + 12 * turn)  # a person with an opponent plays on
            for waits_before in people[:4]:
                await come(waits_before, stores[turn % 2])
            await asyncio.gather(
                *(step(rng.choice(people), stores[number % 2]) for number, step in enumerate(steps))
            )
            await judged(stores[0], people.stop)
        assert left, "somebody has left"
        assert (await judged(stores[0], 12 * TURNS))[0], "somebody has met"


async def test_somebody_who_leaves_while_being_paired_has_left_or_plays(database_url: str) -> None:
    async with two_stores(database_url) as (one, other):
        for turn in range(10):
            ann, bo = 100 + 2 * turn, 101 + 2 * turn
            for person in (ann, bo):
                await one.run(partial(wait, person=person))
            gone, raised = await asyncio.gather(leave(one, bo), other.run(meet()), return_exceptions=True)
            played, waits = await judged(one, 1000)
            found = [game for game in played if {game.x_seat, game.o_seat} == {ann, bo}]
            if gone is True:
                assert [waiting.wait.person for waiting in waits] == [ann]
                assert await leave(one, ann)
            else:
                assert isinstance(raised, list)
                assert (len(found), waits) == (1, [])


async def test_a_rating_is_shown_when_two_meet_unless_hidden(database_url: str) -> None:
    async with two_stores(database_url) as (store, _):

        def rate(connection: Connection) -> None:
            for person, rating, settled in ((1, 1612.4, 1), (2, 1580.0, 0)):
                others = {
                    "deviation": 80,
                    "volatility": 0.03,
                    "day": 1,
                    "games": 9,
                    "opponents": 5,
                    "settled_until": 2,
                }
                row = {"family": "", "person": person, "settled": settled, "rating": rating}
                connection.execute(RATINGS.insert().values(row | others))
            hiding.hide(connection, Person(3, "P3"), NOW)

        await store.run(rate)
        for person in (1, 2, 3, 4):
            await store.run(partial(wait, person=person, now=NOW - 60))
        await store.run(meet())
        shown = {}
        for game in (await judged(store, 4))[0]:
            for mark in type(game.turn):
                shown[game.seat(mark)] = rating_of(game, mark)
        assert shown == {1: "1612", 2: "1580?", 3: None, 4: "1500?"}


async def test_somebody_who_did_not_turn_up_is_left_once_and_the_opponent_gets_their_place_back(
    database_url: str,
) -> None:
    async with two_stores(database_url) as stores:
        await stores[0].run(partial(wait, person=1, now=NOW - 50))
        await stores[0].run(partial(wait, person=2, now=NOW - 7))
        await stores[0].run(meet())
        ((game,), _) = await judged(stores[0], 2)
        assert has_not_begun(game)
        away, here = game.seat(game.turn) or 0, game.seat(game.turn.other) or 0
        part = partial(pairing.leave_behind, game_id=game.id, gone=None, limits=LIMITS)
        assert not await stores[1].run(partial(part, now=NOW + FIRST_MOVE_SECONDS - 1)), "there is time yet"
        late = NOW + FIRST_MOVE_SECONDS

        def reminded(connection: Connection) -> None:
            record = games.load(connection, game.id)
            changed = games.next_version(record.game._replace(reminded=0, due_at=late), NOW)
            games.save_many(connection, [(changed, record.game)])

        await stores[0].run(reminded)
        done = await asyncio.gather(
            *(stores[number % 2].run(partial(part, now=late)) for number in range(6)), return_exceptions=True
        )
        assert [bool(each) for each in done if not isinstance(each, BaseException)].count(True) == 1
        played, (again,) = await judged(stores[0], 2)
        assert not played
        assert (again.wait.person, again.wait.since) == (here, {1: NOW - 50, 2: NOW - 7}[here])
        assert {board.viewer for board in again.boards} == {here}
        old = await stores[0].run(partial(games.load, game_id=game.id))
        assert {board.viewer for board in old.boards} == {away}
        assert old.game.winner is None, "nobody has lost"


async def test_a_move_at_the_last_moment_counts_as_turning_up(database_url: str) -> None:
    async with two_stores(database_url) as (one, other):
        for person in (1, 2):
            await one.run(partial(wait, person=person))
        await one.run(meet())
        ((game,), _) = await judged(one, 2)
        mover = game.seat(game.turn) or 0
        attempt = Attempt(Player(mover, "P"), Where(mover), NOW + FIRST_MOVE_SECONDS, Random(1), LIMITS)
        moved, parted = await asyncio.gather(
            one.change(game.id, partial(decide, action=Move(0, 4), attempt=attempt)),
            other.run(
                partial(
                    pairing.leave_behind, game_id=game.id, gone=mover, limits=LIMITS, now=NOW + FIRST_MOVE_SECONDS
                )
            ),
            return_exceptions=True,
        )
        played, waits = await judged(one, 2)
        if isinstance(parted, BaseException) or not parted:
            assert [left.moves for left in played] == ["4"]
        else:
            assert (len(played), len(waits)) == (0, 1)
            assert not isinstance(moved, BaseException)


@pytest.mark.parametrize(("first", "second"), [(True, False), (False, True), (True, True)])
async def test_any_board_is_whatever_the_other_wants(database_url: str, *, first: bool, second: bool) -> None:
    async with two_stores(database_url) as (store, _):
        await store.run(partial(wait, person=1, now=NOW - 1, rules="5x5x4", any_rules=first))
        await store.run(partial(wait, person=2, rules="ultimate", any_rules=second))
        await store.run(meet())
        ((game,), waits) = await judged(store, 2)
        assert game.rules == ("ultimate" if first and not second else "5x5x4")
        assert not waits
        # Whoever is left alone waits for what they wanted.
        await store.run(partial(pairing.leave_behind, game_id=game.id, gone=2, limits=LIMITS, now=NOW))
        ((), (again,)) = await judged(store, 2)
        assert (again.wait.person, again.wait.any_rules) == (1, first)


async def test_somebody_being_forgotten_is_paired_with_nobody(database_url: str) -> None:
    """It takes a moment until their wait ends; an opponent paired with them would lose their own place."""
    async with two_stores(database_url) as (one, other):
        await one.run(partial(wait, person=1))
        await one.run(partial(erasure.begin_quietly, person=1, now=NOW))
        await other.run(partial(wait, person=2))
        assert not await other.run(meet())
        await one.run(erasure.step)
        await one.run(partial(wait, person=3))
        assert await other.run(meet())
        ((game,), _) = await judged(one, 2)
        assert {game.x_seat, game.o_seat} == {2, 3}
